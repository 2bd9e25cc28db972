"""BoolNet: a network with its weights. It predicts; it does not know how it was trained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_choice, checked_integer, checked_room, generator, is_integer
from boolearn.data import Dataset, InputKind
from boolearn.data.dataset import checked_names
from boolearn.data.frames import in_order
from boolearn.data.matching import matched
from boolearn.data.scoring import score
from boolearn.data.signs import Signs, as_inputs, as_signs, signs_of
from boolearn.errors import DataError, NetworkError, ParameterError
from boolearn.files import PathLike
from boolearn.model.forward import pass_forward, weight_blocks, with_inputs
from boolearn.network import Network

_ITEMS_AT_A_TIME = 4096
_VALUES_AT_A_TIME = 1 << 20
_ITEMS_A_PIECE = 1 << 16

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BoolNet:
    """A network of Boolean threshold functions: every neuron holds sgn(w·x), and sgn(0) is −1.

    Analog inputs stay analog where neurons read them; everything else is ±1. With ``classes``
    the answer is the class whose output sum is largest.
    """

    network: Network
    weights: Floats
    """Shape (network.n_weights,)."""
    input_kind: InputKind = InputKind.BOOLEAN
    classes: int = 0
    input_names: tuple[str, ...] | None = None
    output_names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.network, Network):
            raise ParameterError("network", "a Network, such as boolearn.layered makes", self.network)
        if not isinstance(self.input_kind, InputKind):
            raise ParameterError("input_kind", "one of " + ", ".join(map(str, InputKind)), self.input_kind)
        try:
            weights = np.array(self.weights, np.float64)
        except (TypeError, ValueError) as error:
            raise NetworkError(f"weights must be numbers. Got {error} instead.") from error
        if weights.shape != (self.network.n_weights,):
            raise NetworkError(f"weights must have shape ({self.network.n_weights},). Got {weights.shape} instead.")
        if not np.isfinite(weights).all():
            raise NetworkError(f"weights must be finite. Got {weights[~np.isfinite(weights)][0]} instead.")
        weights.setflags(write=False)
        set_field = object.__setattr__
        set_field(self, "weights", weights)
        if not is_integer(self.classes) or self.classes not in (0, self.network.n_outputs):
            raise ParameterError("classes", f"0 or {self.network.n_outputs}, the number of outputs", self.classes)
        set_field(self, "classes", int(self.classes))
        for name, count in (("input_names", self.network.n_inputs), ("output_names", self.network.n_outputs)):
            set_field(self, name, checked_names(name, getattr(self, name) or None, count))

    def save(self, path: PathLike) -> None:
        """Write the model: .safetensors keeps all of it; .net and .sol, the C toolkit's, the weights."""
        from boolearn.model.storage import save_model

        save_model(self, path)

    @classmethod
    def load(cls, path: PathLike) -> BoolNet:
        """Read a model that ``save``, or for .net and .sol the C toolkit, has written."""
        from boolearn.model.storage import load_model

        return load_model(path)

    @property
    def edge_weights(self) -> Floats:
        """Shape (network.n_edges,): the weight every edge uses."""
        return self.weights[self.network.tie]

    def weights_into(self, node: int) -> Floats:
        """A neuron's weights, in the order of ``network.senders(node)``."""
        return self.edge_weights[self.network.edges_into(node)]

    def node_values(self, inputs: npt.ArrayLike | Dataset) -> Signs | Floats:
        """Shape (items, n_nodes): what every node holds, the constant and the inputs included."""
        checked = self._checked(inputs)
        values = np.empty((len(checked), self.network.n_nodes), checked.dtype)
        for rows, nodes, _ in self._forward(checked):
            values[rows] = nodes
        return values

    def decision(self, inputs: npt.ArrayLike | Dataset) -> Floats:
        """Shape (items, n_outputs): the sums w·x at the outputs, before their sign is taken."""
        checked = self._checked(inputs)
        sums = np.empty((len(checked), self.network.n_outputs))
        for rows, _, outputs in self._forward(checked):
            sums[rows] = outputs
        return sums

    def predict(self, inputs: npt.ArrayLike | Dataset) -> Signs | npt.NDArray[np.int64]:
        """±1 for every output, or one class label per item."""
        sums = self.decision(inputs)
        return np.argmax(sums, axis=1) if self.classes else signs_of(sums)

    def accuracy(
        self,
        data: Dataset | tuple[npt.ArrayLike, npt.ArrayLike],
        by: Literal["bits", "items", "class"] | None = None,
    ) -> float:
        """The share of right output bits, of items with every bit right, or of right classes.

        By default classes for labelled data and bits otherwise. Open bits are not counted. A
        pair (X, y) is read as what this model takes.
        """
        dataset = data if isinstance(data, Dataset) else self._dataset(data)
        right, of = self.right_answers(dataset, by)
        if not of:
            raise DataError(f"the data must specify an output bit to be compared with. Got {dataset!r} instead.")
        return right / of

    def right_answers(self, dataset: Dataset, by: Literal["bits", "items", "class"] | None = None) -> tuple[int, int]:
        """How many answers are right, and of how many: what accuracy is the ratio of."""
        if by is None:
            by = "class" if dataset.classes else "bits"
        checked_choice("by", by, ("bits", "items", "class"))
        dataset = matched(dataset, self.input_names, self.output_names)
        if dataset.n_output_nodes != self.network.n_outputs:
            raise DataError(
                f"the data must have {self.network.n_outputs} output nodes. Got {dataset.n_output_nodes} instead."
            )
        if by == "class" and not dataset.classes:
            raise ParameterError("by", "'bits' or 'items' for data without classes", by)
        right = counted = 0
        # Piece by piece: the data may live on a disk and be larger than the memory.
        for first in range(0, len(dataset), _ITEMS_A_PIECE):
            part = dataset.take(slice(first, min(first + _ITEMS_A_PIECE, len(dataset))))
            sums = self.decision(part.inputs)
            if by == "class":
                right += int((np.argmax(sums, axis=1) == part.outputs).sum())
            else:
                found = score(signs_of(sums), part.targets)
                right += found.right_bits if by == "bits" else found.right_items
                counted += found.bits if by == "bits" else found.items
        return right, len(dataset) if by == "class" else counted

    def sample(self, items: int, seed: int) -> Dataset:
        """Random Boolean inputs, uniform and independent, with this network's answers."""
        items = checked_room("items", checked_integer("items", items, 1), self.network.n_nodes)
        rng = generator(seed)
        inputs = rng.integers(0, 2, (items, self.network.n_inputs), np.int8) * np.int8(2) - np.int8(1)
        return Dataset(inputs, signs_of(self.decision(inputs)))

    def _dataset(self, pair: object) -> Dataset:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ParameterError("data", "a Dataset or a pair (X, y)", pair)
        kind = InputKind.ANALOG if self.input_kind is InputKind.ANALOG else InputKind.BOOLEAN
        names = self.output_names if self.classes else None
        inputs = in_order(pair[0], self.input_names)
        return Dataset(inputs, pair[1], input_kind=kind, classes=self.classes, output_names=names)

    def _checked(self, inputs: npt.ArrayLike | Dataset) -> Signs | Floats:
        given = matched(inputs, self.input_names, None).inputs if isinstance(inputs, Dataset) else inputs
        array = as_inputs(given, self.input_names, analog=self.input_kind is InputKind.ANALOG)
        if array.ndim != 2 or array.shape[1] != self.network.n_inputs:
            raise DataError(f"inputs must have shape (items, {self.network.n_inputs}). Got {array.shape} instead.")
        if self.input_kind is not InputKind.ANALOG:
            return as_signs(array, "inputs")
        if array.dtype.kind not in "iufb":
            raise DataError(f"analog inputs must be numbers. Got {array.dtype} instead.")
        values = array.astype(np.float64, copy=False)
        if values.size and not (values.min() >= -1 and values.max() <= 1):
            raise DataError(
                f"analog inputs must be finite and from −1 to 1. Got {values[~(np.abs(values) <= 1)][0]} instead."
            )
        return values

    @cached_property
    def _weight_blocks(self) -> list[Floats]:
        return weight_blocks(self.network, self.weights)

    def _forward(self, inputs: Signs | Floats) -> Iterator[tuple[slice, Floats, Floats]]:
        """Node values and output sums for some items at a time, so that memory stays small."""
        network = self.network
        items = max(64, min(_ITEMS_AT_A_TIME, _VALUES_AT_A_TIME // network.n_nodes))
        for first in range(0, len(inputs), items):
            rows = slice(first, min(first + items, len(inputs)))
            values = with_inputs(network, inputs[rows])
            yield rows, values, pass_forward(network, self._weight_blocks, values)

    def __repr__(self) -> str:
        return f"BoolNet({self.network!r})"
