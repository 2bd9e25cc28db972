"""What a circuit must compute: rows of inputs with the outputs wanted there, some of them open."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from boolearn.circuit import Circuit
from boolearn.circuit.bits import all_inputs
from boolearn.data import Dataset, InputKind
from boolearn.data.signs import Signs, as_array
from boolearn.errors import DataError

_MOST_INPUTS = 16


@dataclass(frozen=True, eq=False)
class Specification:
    """A truth table with don't-cares. Inputs that stand in no row may give anything.

    inputs
        Shape (rows, n_inputs) of ±1, all rows different.
    outputs
        Shape (rows, n_outputs): ±1, or 0 where the answer is open.
    """

    inputs: Signs
    outputs: npt.NDArray[np.int8]
    input_names: tuple[str, ...]
    output_names: tuple[str, ...]

    @classmethod
    def from_dataset(cls, data: Dataset) -> Specification:
        """Every item is a row; items with the same inputs are one. What the data leave open is open."""
        if data.input_kind is not InputKind.BOOLEAN:
            raise DataError(f"a specification must have Boolean inputs. Got {data.input_kind.value!r} instead.")
        wanted: dict[tuple[int, ...], list[int]] = {}
        for row, answer in zip(data.inputs.tolist(), data.targets.tolist(), strict=True):
            known = wanted.setdefault(tuple(row), answer)
            if any(a * b < 0 for a, b in zip(known, answer, strict=True)):
                names = data.input_names or _numbered("x", data.n_inputs)
                where = ", ".join(f"{name}={int(sign > 0)}" for name, sign in zip(names, row, strict=True))
                raise DataError(f"equal inputs must have equal outputs. Got two answers for {where} instead.")
            wanted[tuple(row)] = [a or b for a, b in zip(known, answer, strict=True)]
        return cls(
            np.array(list(wanted), np.int8).reshape(len(wanted), data.n_inputs),
            np.array(list(wanted.values()), np.int8),
            data.input_names or _numbered("x", data.n_inputs),
            data.output_names or _numbered("y", data.n_output_nodes),
        )

    @classmethod
    def from_circuit(cls, circuit: Circuit) -> Specification:
        """What the circuit computes, on every input."""
        n = len(circuit.inputs)
        if n > _MOST_INPUTS:
            raise DataError(
                f"a circuit must have at most {_MOST_INPUTS} inputs to be a specification. Got {n} instead."
            )
        rows = all_inputs(n)
        return cls(rows, circuit.predict(rows), circuit.inputs, tuple(name for name, _ in circuit.outputs))

    @classmethod
    def from_truth_table(cls, outputs: npt.ArrayLike) -> Specification:
        """Shape (2**n, n_outputs) of −1, +1 and 0 for "open"; row r's inputs are the bits of r, highest first."""
        table = as_array(outputs, "a truth table")
        rows = len(table) if table.ndim == 2 else 0
        if rows < 2 or rows & (rows - 1):
            raise DataError(f"a truth table must have shape (2**n, outputs), n at least 1. Got {table.shape} instead.")
        strange = table[~np.isin(table, (-1, 0, 1))]
        if strange.size:
            raise DataError(f"a truth table must hold −1, +1, or 0 where open. Got {strange[0]} instead.")
        n = rows.bit_length() - 1
        return cls(all_inputs(n), table.astype(np.int8), _numbered("x", n), _numbered("y", table.shape[1]))

    @property
    def n_inputs(self) -> int:
        return int(self.inputs.shape[1])

    @property
    def n_outputs(self) -> int:
        return int(self.outputs.shape[1])

    def met_by(self, answers: npt.NDArray[np.generic]) -> bool:
        """Whether answers of ±1 to all rows are right wherever an answer is wanted."""
        return bool(((self.outputs == 0) | (self.outputs == answers)).all())

    @cached_property
    def symmetric_pairs(self) -> tuple[tuple[int, int], ...]:
        """Pairs p < q of inputs that can be exchanged without changing what is asked."""
        wanted = {tuple(row): tuple(out) for row, out in zip(self.inputs.tolist(), self.outputs.tolist(), strict=True)}
        pairs = []
        for q in range(self.n_inputs):
            for p in range(q):
                order = list(range(self.n_inputs))
                order[p], order[q] = q, p
                if all(wanted.get(tuple(row[i] for i in order)) == out for row, out in wanted.items()):
                    pairs.append((p, q))
        return tuple(pairs)


def _numbered(letter: str, count: int) -> tuple[str, ...]:
    return tuple(f"{letter}{index}" for index in range(count))
