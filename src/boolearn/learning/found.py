"""What a candidate found for one output: a circuit, and how it does on rows it was not fitted to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from boolearn.circuit import Circuit
from boolearn.data.signs import Signs

Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Rows:
    """Examples as truth values, which is what all learners here work on."""

    inputs: Bits
    """Shape (rows, inputs)."""
    outputs: Bits
    """Shape (rows, outputs)."""
    open: Bits | None = None
    """Shape (rows, outputs): outputs that are left open; None where all are specified."""

    @classmethod
    def of(cls, inputs: Signs, targets: Signs) -> Rows:
        """From ±1, and 0 for open outputs."""
        where = targets == 0
        return cls(np.ascontiguousarray(inputs > 0), np.ascontiguousarray(targets > 0), where if where.any() else None)

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def n_inputs(self) -> int:
        return int(self.inputs.shape[1])

    @property
    def n_outputs(self) -> int:
        return int(self.outputs.shape[1])

    @property
    def bits(self) -> int:
        """Outputs that are specified."""
        return self.outputs.size - (0 if self.open is None else int(self.open.sum()))

    def take(self, rows: slice | npt.NDArray[np.intp] | Bits) -> Rows:
        where = None if self.open is None else np.ascontiguousarray(self.open[rows])
        return Rows(np.ascontiguousarray(self.inputs[rows]), np.ascontiguousarray(self.outputs[rows]), where)

    def only(self, outputs: list[int]) -> Rows:
        """Some of the outputs, and the rows in which one of them at least is specified."""
        outputs_kept = np.ascontiguousarray(self.outputs[:, outputs])
        if self.open is None:
            return Rows(self.inputs, outputs_kept)
        where = np.ascontiguousarray(self.open[:, outputs])
        kept = Rows(self.inputs, outputs_kept, where if where.any() else None)
        return kept.take(np.asarray(~where.all(axis=1))) if len(outputs) > 1 else kept._specified()

    def _specified(self) -> Rows:
        """Of one output: the rows that specify it."""
        if self.open is None:
            return self
        rows = self.take(~self.open[:, 0])
        return Rows(rows.inputs, rows.outputs)

    def and_also(self, more: Rows) -> Rows:
        """The rows of both, which have one output and specify it."""
        return Rows(np.concatenate((self.inputs, more.inputs)), np.concatenate((self.outputs, more.outputs)))

    def wrong(self, answers: Bits) -> npt.NDArray[np.int64]:
        """For every output, how many answers are wrong."""
        differ = answers != self.outputs
        return np.asarray((differ if self.open is None else differ & ~self.open).sum(axis=0), np.int64)


_PRIOR_ROWS = 20
Again = Callable[[Rows], Circuit]
"""Learns once more what was learned, from other rows."""
_ALWAYS_AGAIN = 1 << 15


def from_not_too_many(again: Again, seen: int) -> Again:
    """Learns from at most twice the rows that were ``seen`` at first, which is what the time was planned for.

    Some ten thousand rows never take long.
    """
    return lambda rows: again(rows.take(slice(0, max(2 * seen, _ALWAYS_AGAIN))))


@dataclass(frozen=True)
class Found:
    """A circuit with one output."""

    circuit: Circuit
    method: str
    train_wrong: int
    valid_wrong: int
    train_rows: int
    on_valid: Bits = field(repr=False)
    """Its answers on the validation rows, for votes."""
    again: Again | None = field(default=None, repr=False)
    """The same learned once more, from more rows."""
    choices: float = 0.0
    """The logarithm of the number of circuits among which validation rows chose this one, before it was judged."""

    @classmethod
    def of(
        cls,
        circuit: Circuit,
        method: str,
        train: Rows,
        valid: Rows,
        again: Again | None = None,
        choices: float = 0.0,
    ) -> Found:
        """Judged by its answers; the rows have the one output the circuit has."""
        on_valid = answers(circuit, valid.inputs)
        wrong = int(valid.wrong(on_valid[:, None])[0])
        return cls(circuit, method, count_wrong(circuit, train), wrong, len(train), on_valid, again, choices)

    @cached_property
    def score(self) -> float:
        """What to choose by, the less the better: wrong validation rows, and the training rows as a few more of them.

        Among thousands of validation rows those few change nothing; of five rows, chance alone would choose.
        """
        return self.valid_wrong + _PRIOR_ROWS * self.train_wrong / max(1, self.train_rows)

    @property
    def right(self) -> bool:
        """On all rows."""
        return not self.train_wrong and not self.valid_wrong

    @cached_property
    def ands(self) -> int:
        return self.circuit.ands()


def answers(circuit: Circuit, inputs: Bits) -> Bits:
    """Of a circuit with one output."""
    return np.asarray(circuit.predict(inputs)[:, 0] > 0)


def count_wrong(circuit: Circuit, rows: Rows) -> int:
    return int(rows.wrong(answers(circuit, rows.inputs)[:, None])[0])
