"""Right answers on a few items that stay the same, for one set of weights after another."""

from __future__ import annotations

import numpy as np

from boolearn.data import Dataset
from boolearn.data.signs import Signs
from boolearn.model.forward import Floats, pass_forward, weight_blocks, with_inputs
from boolearn.network import Network


class ScoredItems:
    """Counts what ``BoolNet.right_answers`` counts, without checking the items again each time.

    A trace line of a small problem would otherwise take longer than the iterations before it.
    """

    def __init__(self, network: Network, dataset: Dataset) -> None:
        self._network = network
        self._labels = dataset.outputs if dataset.classes else None
        targets = dataset.targets
        self._high = targets > 0
        self._known = None if targets.all() else targets != 0
        self._values = None if dataset.input_kind.free else with_inputs(network, dataset.inputs)
        self.answers = len(dataset) if dataset.classes else int(np.count_nonzero(targets))

    def right(self, weights: Floats, codes: Signs | None) -> int:
        """How many answers are right; ``codes`` are the inputs where these are free."""
        network = self._network
        if codes is None:
            assert self._values is not None
            values = self._values.copy()  # several starts may ask at the same time
        else:
            values = with_inputs(network, codes)
        sums = pass_forward(network, weight_blocks(network, weights), values)
        if self._labels is not None:
            return int(np.count_nonzero(np.argmax(sums, axis=1) == self._labels))
        right = (sums > 0) == self._high
        return int(np.count_nonzero(right if self._known is None else right & self._known))
