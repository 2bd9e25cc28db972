"""What a start of a stage has found: its neurons, and what they say."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.model import BoolNet
from boolearn.training.bits import packed, unpacked


class Found:
    """A model that reads all signals, with what its neurons say on all items and on synthetic inputs.

    Every start is asked once and its answers are kept as bits, for data may be large and starts many.
    """

    def __init__(self, model: BoolNet, node: npt.NDArray[np.int64], items: Signs, n_train: int, unseen: Signs) -> None:
        """``items`` are what the model reads on all items, the first ``n_train`` of which it was trained on, and
        ``unseen`` what it reads on synthetic inputs."""
        self.model = model
        self.node = node
        """What each of its nodes is numbered among those of all stages."""
        self._sizes = n_train, len(items) - n_train, len(unseen)
        neurons = slice(model.network.first_neuron, None)
        values = model.node_values(items)[:, neurons].astype(np.int8, copy=False)
        self._first = values[0].copy()
        self.training = packed(values[:n_train], self._first)
        """The bits of every neuron."""
        self.test = packed(values[n_train:], self._first)
        self.unseen = packed(model.node_values(unseen)[:, neurons].astype(np.int8, copy=False), self._first)

    @property
    def neurons(self) -> npt.NDArray[np.int64]:
        """The numbers of its neurons."""
        return self.node[self.model.network.first_neuron :]

    @property
    def outputs(self) -> npt.NDArray[np.int64]:
        """Which of its neurons are outputs."""
        return np.arange(len(self.neurons))[-self.model.network.n_outputs :]

    def on_training(self, neurons: npt.NDArray[np.int64]) -> Signs:
        """What some of its neurons say, shape (items, neurons)."""
        return unpacked(self.training[neurons], self._first[neurons], self._sizes[0])

    def on_items(self, neurons: npt.NDArray[np.int64]) -> Signs:
        """Also on test items."""
        test = unpacked(self.test[neurons], self._first[neurons], self._sizes[1])
        return np.vstack([self.on_training(neurons), test])

    def on_unseen(self, neurons: npt.NDArray[np.int64]) -> Signs:
        return unpacked(self.unseen[neurons], self._first[neurons], self._sizes[2])
