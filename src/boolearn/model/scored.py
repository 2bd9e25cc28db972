"""Right answers on a few items that stay the same, for one set of weights after another."""

from __future__ import annotations

import numpy as np

from boolearn.data import Dataset
from boolearn.data.signs import Signs
from boolearn.model.forward import Floats
from boolearn.network import Network

try:
    from boolearn._native import ScoredItems as CompiledItems
except ImportError:  # the package was installed without its compiled part
    CompiledItems = None  # type: ignore[assignment,misc]


class ScoredItems:
    """Counts what ``BoolNet.right_answers`` counts, compiled, and without checking the items again each time.

    A trace line of a small problem would otherwise take longer than the iterations before it.
    """

    available = CompiledItems is not None

    def __init__(self, network: Network, dataset: Dataset) -> None:
        self._network, self._dataset = network, dataset
        targets = dataset.targets
        self.answers = len(dataset) if dataset.classes else int(np.count_nonzero(targets))
        self._compiled = CompiledItems(
            **network.compiled_arguments,
            inputs=None if dataset.input_kind.free else np.ascontiguousarray(dataset.inputs),
            targets=np.ascontiguousarray(targets),
            labels=np.ascontiguousarray(dataset.outputs, np.int64) if dataset.classes else None,
        )

    def __reduce__(self) -> tuple[type[ScoredItems], tuple[Network, Dataset]]:
        """Another process compiles its own."""
        return ScoredItems, (self._network, self._dataset)

    def right(self, weights: Floats, codes: Signs | None) -> int:
        """How many answers are right; ``codes`` are the inputs where these are free."""
        return self._compiled.right(weights, None if codes is None else np.ascontiguousarray(codes))
