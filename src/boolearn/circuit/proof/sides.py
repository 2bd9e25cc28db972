"""What can be compared with what: circuits, models, formulas, truth tables and data as sides of one comparison."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from boolearn.circuit.bits.instructions import Words
from boolearn.circuit.bits.packing import WORD, pack, unpack
from boolearn.circuit.circuit import Circuit
from boolearn.circuit.extraction.exact_neurons import exact_circuit
from boolearn.circuit.proof.cnf import ClauseBuilder, encode_circuit
from boolearn.circuit.proof.matching import match_inputs, match_outputs, nameless, numbered
from boolearn.circuit.text.definitions import Formulas, circuit_from_formulas, defined_names, formula_names
from boolearn.data import Dataset, InputKind
from boolearn.data.signs import Signs, as_array, as_signs, signs_of
from boolearn.errors import CircuitError, DataError
from boolearn.model import BoolNet

Subject = Circuit | BoolNet | Dataset | str | Mapping[str, str] | npt.NDArray[np.generic]
"""What can be compared: a data set stands for what it says about its items, an array for a truth table."""

_ITEMS_PER_DIGIT = 2000
"""Items that matrix products evaluate in the time of compiling one binary digit of one weight."""


class Side(ABC):
    """One side of a comparison: names, and values for packed or listed inputs."""

    what = ""
    """What a proof calls this side: "circuit", "network", …"""
    table = False
    work = 1

    def __init__(self, inputs: tuple[str, ...] | int, outputs: tuple[str, ...] | int) -> None:
        self.inputs = inputs if isinstance(inputs, tuple) else None
        self.outputs = outputs if isinstance(outputs, tuple) else None
        self.n_inputs = len(inputs) if isinstance(inputs, tuple) else inputs
        self.n_outputs = len(outputs) if isinstance(outputs, tuple) else outputs

    @abstractmethod
    def values(self, inputs: Signs) -> Signs:
        """The outputs for listed inputs; 0 is open, and equals anything."""

    def words(self, planes: Words, first: int) -> Words:  # noqa: ARG002 (tables look up what others compute)
        """Packed outputs for packed inputs, which are the patterns from number ``first`` on."""
        return pack(self.values(unpack(planes, WORD * planes.shape[1])))

    def literals(self, builder: ClauseBuilder, inputs: Sequence[int]) -> list[int]:  # noqa: ARG002 (the others need them)
        """The outputs as literals over the inputs' literals; listed values have none."""
        raise CircuitError("a table or data set is compared value by value, not by SAT.")


class CircuitSide(Side):
    def __init__(self, circuit: Circuit, what: str = "circuit") -> None:
        super().__init__(circuit.inputs, tuple(name for name, _ in circuit.outputs))
        self.what = what
        self.circuit = circuit
        self.work = 1 + len(circuit.gates) // 8

    def values(self, inputs: Signs) -> Signs:
        return self.circuit.predict(inputs)

    def words(self, planes: Words, first: int) -> Words:  # noqa: ARG002
        return self.circuit.compiled.predict_packed(planes)

    def literals(self, builder: ClauseBuilder, inputs: Sequence[int]) -> list[int]:
        return encode_circuit(builder, self.circuit, inputs)


class ModelSide(Side):
    what = "network"

    def __init__(self, model: BoolNet) -> None:
        if model.input_kind is InputKind.ANALOG:
            raise CircuitError("a model with analog inputs has no finite set of inputs to be compared on.")
        network = model.network
        super().__init__(model.input_names or network.n_inputs, model.output_names or network.n_outputs)
        self.model = model
        self.circuit = exact_circuit(model)
        digits = sum(weight.bit_length() for gate in self.circuit.gates for weight in gate.weights)
        self.work = 1 + digits // WORD
        # Real weights have some 50 digits each, and compiling takes all of them apart.
        self.compiled = network.n_edges << self.n_inputs > _ITEMS_PER_DIGIT * digits

    def values(self, inputs: Signs) -> Signs:
        return signs_of(self.model.decision(inputs))

    def words(self, planes: Words, first: int) -> Words:
        """Bit-parallel when that many items repay compiling, else by matrix products."""
        return self.circuit.compiled.predict_packed(planes) if self.compiled else super().words(planes, first)

    def literals(self, builder: ClauseBuilder, inputs: Sequence[int]) -> list[int]:
        return encode_circuit(builder, self.circuit, inputs)


class TableSide(Side):
    what = "truth table"
    table = True

    def __init__(self, table: npt.NDArray[np.generic]) -> None:
        rows = as_signs(table, "a truth table")
        rows = rows[:, None] if rows.ndim == 1 else rows
        n_inputs = len(rows).bit_length() - 1
        if rows.ndim != 2 or len(rows) != 1 << n_inputs or not rows.size:
            raise DataError(f"a truth table must have shape (2^inputs, outputs). Got {np.shape(table)} instead.")
        super().__init__(n_inputs, rows.shape[1])
        self.rows = rows

    def values(self, inputs: Signs) -> Signs:
        places = 1 << np.arange(self.n_inputs - 1, -1, -1, dtype=np.int64)
        return self.rows[(inputs > 0) @ places]

    def words(self, planes: Words, first: int) -> Words:
        return pack(self.rows[first : first + WORD * planes.shape[1]])


class DataSide(Side):
    """What a data set says, with 0 where it leaves a bit open; asked only for its own items."""

    what = "data"

    def __init__(self, data: Dataset) -> None:
        if data.input_kind is not InputKind.BOOLEAN:
            raise DataError(f"the data must have Boolean inputs. Got {data!r} instead.")
        super().__init__(data.input_names or data.n_inputs, data.output_names or data.n_output_nodes)
        self.said: dict[bytes, Signs] = {}
        for row, target in zip(data.inputs.astype(np.int8), data.targets, strict=True):
            known = self.said.get(row.tobytes(), target)
            if (known * target < 0).any():
                raise DataError("the data must not give two answers to the same inputs.")
            self.said[row.tobytes()] = np.where(known == 0, target, known)

    def values(self, inputs: Signs) -> Signs:
        try:
            return np.array([self.said[row.tobytes()] for row in inputs.astype(np.int8)], np.int8)
        except KeyError:
            raise DataError("a data set can be compared on its own items only.") from None


class ReorderedSide(Side):
    """A side whose names stand in another order than the other's, or are written in another way.

    ``inputs`` and ``outputs`` hold, for each of the other side's, its position here.
    """

    def __init__(self, inner: Side, inputs: list[int] | None, outputs: list[int] | None) -> None:
        super().__init__(inner.inputs or inner.n_inputs, inner.outputs or inner.n_outputs)
        self.inner = inner
        self.what, self.work = inner.what, inner.work
        inputs = list(range(inner.n_inputs)) if inputs is None else inputs
        self.pick_inputs = [inputs.index(place) for place in range(inner.n_inputs)]
        self.pick_outputs = list(range(inner.n_outputs)) if outputs is None else outputs

    def values(self, inputs: Signs) -> Signs:
        return self.inner.values(inputs[:, self.pick_inputs])[:, self.pick_outputs]

    def words(self, planes: Words, first: int) -> Words:
        # A table has no names, so it is never the inner side, and the order of the patterns does not matter to it.
        return self.inner.words(planes[self.pick_inputs], first)[self.pick_outputs]

    def literals(self, builder: ClauseBuilder, inputs: Sequence[int]) -> list[int]:
        inner = self.inner.literals(builder, [inputs[k] for k in self.pick_inputs])
        return [inner[k] for k in self.pick_outputs]


def both_sides(a: Subject, b: Subject) -> tuple[Side, Side, str]:
    """Both sides in my order, and what was taken in order because one side has no names for it."""
    sides: list[Side | None] = [_side(subject) for subject in (a, b)]
    if sides[0] is None and sides[1] is None:
        names = tuple(sorted({name for subject in (a, b) for name in formula_names(subject)}))  # type: ignore[arg-type]
        sides[0] = CircuitSide(circuit_from_formulas(a, names), "formulas")  # type: ignore[arg-type]
        sides[1] = CircuitSide(circuit_from_formulas(b, names), "formulas")  # type: ignore[arg-type]
    for k, subject in enumerate((a, b)):
        other = sides[1 - k]
        if sides[k] is None and other is not None:
            sides[k] = CircuitSide(_named_after(other, subject), "formulas")  # type: ignore[arg-type]
    mine, theirs = sides
    if mine is None or theirs is None:  # pragma: no cover - both were filled above
        raise AssertionError
    if (mine.n_inputs, mine.n_outputs) != (theirs.n_inputs, theirs.n_outputs):
        raise DataError(
            "both sides must have equally many inputs and outputs. "
            f"Got {mine.n_inputs} → {mine.n_outputs} and {theirs.n_inputs} → {theirs.n_outputs} instead."
        )
    inputs = match_inputs(mine.inputs, theirs.inputs)
    outputs = match_outputs(mine.outputs, theirs.outputs, mine.inputs, theirs.inputs)
    in_order = []
    if inputs is None and nameless(mine.inputs) != nameless(theirs.inputs):
        in_order.append("inputs")
    if outputs is None and nameless(mine.outputs) != nameless(theirs.outputs):
        in_order.append("outputs")
    if any(order is not None and order != sorted(order) for order in (inputs, outputs)):
        theirs = ReorderedSide(theirs, inputs, outputs)
    return mine, theirs, " and ".join(in_order)


def _named_after(other: Side, formulas: Formulas) -> Circuit:
    """Formulas as a circuit with the other side's names; where it has none, x0, x1, … if used, or the formulas' own."""
    plain = numbered("x", other.n_inputs)
    inputs = other.inputs or (plain if set(formula_names(formulas)) <= set(plain) else None)
    if other.outputs is not None:
        return circuit_from_formulas(formulas, inputs, other.outputs)
    plain = numbered("y", other.n_outputs)
    return circuit_from_formulas(formulas, inputs, plain if set(plain) <= set(defined_names(formulas)) else None)


def _side(subject: object) -> Side | None:
    """None for formulas: their inputs are named by the other side."""
    if isinstance(subject, Circuit):
        return CircuitSide(subject)
    if isinstance(subject, BoolNet):
        return ModelSide(subject)
    if isinstance(subject, Dataset):
        return DataSide(subject)
    if isinstance(subject, str | Mapping):
        return None
    if not isinstance(subject, np.ndarray | list | tuple):
        known = "circuits, models, formulas, truth tables and data sets"
        raise DataError(f"{known} can be compared with each other. Got {subject!r} instead.")
    return TableSide(as_array(subject, "a truth table"))
