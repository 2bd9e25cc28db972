"""Of which stage and which start each output is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.training.found import Found


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
    def settled(self) -> int:
        """How many outputs are."""
        return int(self._settled.sum())

    @property
    def done(self) -> bool:
        """Whether another stage has nothing left to do."""
        return bool(self._settled.all())

    def choose(self, found: Sequence[Found], targets: Signs) -> npt.NDArray[np.bool_]:
        """Take the outputs of a stage's starts that are better than those so far. Returns which these are.

        ``targets`` are those of the training items.
        """
        every = np.arange(len(self.nodes))
        right = np.array([_right(each.on_training(each.outputs), targets) for each in found])
        said = [each.on_unseen(each.outputs) for each in found]
        agreement = np.array([[(own == other).sum(axis=0) for other in said] for own in said])
        sharing = ((agreement == len(said[0])) & (right == self._n_train)).sum(axis=1)
        # By what is right, then by how many share that, then by agreement; the first of equals.
        place = np.lexsort((-agreement.sum(axis=1), -sharing, -right), axis=0)[0]
        most = right[place, every]
        shared = (most == self._n_train) & (sharing[place, every] >= self._consensus)
        better = ((most > self._right) | shared) & ~self._settled
        chosen = np.array([each.neurons[each.outputs] for each in found])[place, every]
        self.nodes = np.where(better, chosen, self.nodes)
        self._right = np.where(better, most, self._right)
        self._settled |= shared
        return np.asarray(better)


def _right(answers: Signs, targets: Signs) -> npt.NDArray[np.int64]:
    """How many training items each output is right on; bits that the data leave open count as right."""
    wrong = (answers != targets) & (targets != 0)
    return np.asarray(len(targets) - wrong.sum(axis=0))
