"""Of which stage and which start each output is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from boolearn.data import Dataset
from boolearn.data.signs import Signs, signs_of
from boolearn.model import BoolNet


class ChosenOutputs:
    """For each output the neuron that is right on the most training items, the first of equals.

    Of the starts of a stage that are right on equally many it is the one that agrees most with the others on synthetic
    inputs, as outputs that were learned by heart agree with none. An output is settled, and not chosen again, as soon
    as ``consensus`` starts of a stage are right on all training items and say the same on all synthetic inputs.
    """

    def __init__(self, n_outputs: int, n_train: int, consensus: int) -> None:
        self.nodes = np.zeros(n_outputs, np.int64)
        """Their numbers among the signals."""
        self._n_train, self._consensus = n_train, consensus
        self._right = np.full(n_outputs, -1)
        self._settled = np.zeros(n_outputs, np.bool_)

    @property
    def done(self) -> bool:
        """Whether another stage has nothing left to do."""
        return bool(self._settled.all())

    def choose(
        self, models: Sequence[BoolNet], nodes: Sequence[npt.NDArray[np.int64]], training: Dataset, unseen: Signs
    ) -> npt.NDArray[np.bool_]:
        """Take the outputs of a stage's models that are better than those so far. Returns which these are.

        ``nodes`` are the numbers of each model's nodes among the signals, ``unseen`` the synthetic inputs.
        """
        every = np.arange(len(self.nodes))
        right = np.array([_right(model, training) for model in models])
        said = [signs_of(model.predict(unseen)) for model in models]
        alike = np.array([[(own == other).sum(axis=0) for other in said] for own in said])
        agreeing = alike.sum(axis=1)
        sharing = ((alike == len(unseen)) & (right == self._n_train)).sum(axis=1)
        # By what is right, then by how many share that, then by agreement; the first of equals.
        place = ((right * (len(models) + 1) + sharing) * (agreeing.max() + 1) + agreeing).argmax(axis=0)
        most = right[place, every]
        found = (most == self._n_train) & (sharing[place, every] >= self._consensus)
        better = ((most > self._right) | found) & ~self._settled
        chosen = np.array([node[-len(every) :] for node in nodes])[place, every]
        self.nodes = np.where(better, chosen, self.nodes)
        self._right = np.where(better, most, self._right)
        self._settled |= found
        return np.asarray(better)


def _right(model: BoolNet, training: Dataset) -> npt.NDArray[np.int64]:
    """How many training items each output is right on; bits that the data leave open count as right."""
    wrong = (model.predict(training.inputs) != training.targets) & (training.targets != 0)
    return np.asarray(len(training) - wrong.sum(axis=0))
