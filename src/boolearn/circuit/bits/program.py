"""Program: a circuit as instructions over numbered slots, each slot a row of words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from boolearn.circuit.bits.instructions import MEANING, Op, Words
from boolearn.circuit.bits.logic import BitLogic
from boolearn.circuit.bits.selection import Step, select
from boolearn.circuit.bits.thresholds import gate_bit

if TYPE_CHECKING:
    from boolearn.circuit.circuit import Circuit

_BLOCK = 2048
"""Words per slot and pass in NumPy: long enough to hide the cost of a call, short enough for the caches."""
_MOST_WORDS = 1 << 22
"""Words in all slots together; where there are very many slots each gets fewer."""

UNUSED = -1


@dataclass(frozen=True, eq=False)
class Program:
    """Instructions run in order. Slots are reused as soon as nothing needs them, so that few are hot."""

    instructions: npt.NDArray[np.int32]
    """Shape (n, 6): operation, slots of its two results, slots of its three operands; what is not there is 0."""
    n_slots: int
    input_slots: npt.NDArray[np.int32]
    """Where every input is put before the first instruction; −1 for inputs nothing depends on."""
    output_slots: npt.NDArray[np.int32]
    output_negated: npt.NDArray[np.uint8]

    def run(self, words: Words) -> Words:
        """Bit planes of the inputs, (inputs, words), to those of the outputs, in NumPy."""
        n_words = words.shape[1]
        outputs = np.empty((len(self.output_slots), n_words), np.uint64)
        flips = np.where(self.output_negated, ~np.uint64(0), np.uint64(0))[:, None]
        used = np.flatnonzero(self.input_slots != UNUSED)
        size = max(1, min(_BLOCK, n_words, _MOST_WORDS // max(1, self.n_slots)))
        slots = np.zeros((max(1, self.n_slots), size), np.uint64)
        listing = self.instructions.tolist()
        for first in range(0, n_words, size):
            block = words[:, first : first + size]
            hot = slots[:, : block.shape[1]]
            hot[self.input_slots[used]] = block[used]
            for code, result, second, a, b, c in listing:
                results = MEANING[Op(code)](hot[a], hot[b], hot[c])
                hot[result] = results[0]
                if len(results) == 2:
                    hot[second] = results[1]
            outputs[:, first : first + size] = hot[self.output_slots] ^ flips
        return outputs


def compile_circuit(circuit: Circuit) -> Program:
    """Copies and negations vanish, equal gates become one, gates no output needs are dropped."""
    logic = BitLogic(len(circuit.inputs))
    signals = [logic.input(index) for index in range(len(circuit.inputs))]
    for gate in circuit.gates:
        signals.append(gate_bit(logic, gate, signals))
    outputs = [signals[literal.signal] ^ (literal.sign < 0) for _, literal in circuit.outputs]
    steps, negated = select(logic, outputs)
    slots = _Slots(steps, (bit >> 1 for bit in outputs))
    input_slots = [slots.first(node) for node in range(1, 1 + len(circuit.inputs))]
    instructions = [slots.instruction(position, step) for position, step in enumerate(steps)]
    return Program(
        instructions=np.array(instructions, np.int32).reshape(-1, 6),
        n_slots=slots.count,
        input_slots=np.array(input_slots, np.int32),
        output_slots=np.array([slots.of[bit >> 1] for bit in outputs], np.int32),
        output_negated=np.array([bit & 1 ^ negated[bit >> 1] for bit in outputs], np.uint8),
    )


class _Slots:
    """Gives slots to nodes from their first to their last use; the slot that fell free last is still hot."""

    def __init__(self, steps: list[Step], kept: Iterable[int]) -> None:
        self._last = {node: position for position, step in enumerate(steps) for node in step.operands}
        self._last |= dict.fromkeys(kept, len(steps))
        self._free: list[int] = []
        self.of: dict[int, int] = {}
        self.count = 0

    def first(self, node: int) -> int:
        """The slot of an input."""
        return self._take(node) if node in self._last else UNUSED

    def instruction(self, position: int, step: Step) -> tuple[int, ...]:
        operands = [self.of[node] for node in step.operands]
        # A result may take an operand's place: every operation reads before it writes.
        for node in dict.fromkeys(step.operands):
            if self._last[node] == position:
                self._free.append(self.of[node])
        results = [self._take(node) for node in step.results]
        return (int(step.op), *results, *[0] * (2 - len(results)), *operands, *[0] * (3 - len(operands)))

    def _take(self, node: int) -> int:
        if not self._free:
            self._free.append(self.count)
            self.count += 1
        self.of[node] = self._free.pop()
        return self.of[node]
