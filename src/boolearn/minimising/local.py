"""Local improvement: windows of a circuit are replaced by smaller ones that a SAT solver finds.

Where a window has none, it is replaced by another of the same size: circuits of equal size are a plateau, and the next
window to shrink often shows up only after some steps on it.

After Kulikov, Pechenev and Slezkin, "SAT-based Circuit Local Improvement" (2022); with what the rest of the circuit and
the specification leave open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from boolearn.baselines.exact_encoding import CompactEncoding, Library
from boolearn.baselines.specification import Specification
from boolearn.circuit import Circuit, Kind, decompose
from boolearn.circuit.rewriting.simplify import remove_dead
from boolearn.minimising.windows import Surroundings, Window

_MOST_INPUTS = 6
_MOST_OUTPUTS = 3
_SIZES = (3, 4, 4, 5, 5, 6)
_CONFLICTS = 2000
_SOLVER = "glucose42"
"""It stops after a number of conflicts, the same on every machine."""
_FREE = (Kind.CONSTANT, Kind.COPY, Kind.NOT)


def size_of(circuit: Circuit) -> int:
    """Gates of a circuit that is made of two-input gates and majorities; negations and constants cost nothing."""
    return sum(gate.kind not in _FREE for gate in circuit.gates)


def in_library(circuit: Circuit, library: Library) -> Circuit:
    """The same function from the gates of a library, with what is equal made once and without what nothing needs."""
    nameless = replace(circuit, gates=tuple(replace(gate, name=None) for gate in circuit.gates))
    return remove_dead(decompose(nameless, majority=library is Library.AND_OR_MAJ, fan_in=2))


class LocalSearch:
    """Remembers what was refuted, so that going on from another circuit does not ask again."""

    def __init__(self, spec: Specification | None, library: Library, rng: np.random.Generator) -> None:
        self.spec = spec
        self.library = library
        self.rng = rng
        self._refuted: set[tuple[bytes, bytes, int]] = set()

    def improved(
        self, circuit: Circuit, tries_a_gate: int, stop: Callable[[], bool], found: Callable[[Circuit], None]
    ) -> Circuit:
        """The smallest circuit met, until ``tries_a_gate`` windows for each gate were of no use, one after another."""
        best = circuit
        idle = 0
        around = Surroundings(circuit, self.spec)
        while idle < tries_a_gate * size_of(best) and not stop():
            idle += 1
            roots = [s for s, gate in enumerate(around.circuit.gates, around.n) if gate.kind not in _FREE]
            window = around.grown(roots[int(self.rng.integers(len(roots)))], int(self.rng.choice(_SIZES)), self.rng)
            if window is None or len(window.inputs) > _MOST_INPUTS or len(window.outputs) > _MOST_OUTPUTS:
                continue
            other = self._other(around, window)
            if other is None or size_of(other) > size_of(around.circuit):
                continue
            around = Surroundings(other, self.spec)
            if size_of(other) < size_of(best):
                best, idle = other, 0
                found(best)
        return best

    def _other(self, around: Surroundings, window: Window) -> Circuit | None:
        """The circuit with the window made smaller, else with another of its size."""
        asked = around.asked_of(window)
        for gates in range(len(window.gates) - 1, -1, -1):
            if (smaller := self._answer(asked, gates)) is not None:
                return around.replaced(window, smaller)
        # In another order of inputs and outputs the solver finds another circuit first.
        mixed = replace(
            window,
            inputs=tuple(self.rng.permutation(window.inputs).tolist()),
            outputs=tuple(self.rng.permutation(window.outputs).tolist()),
        )
        same = self._answer(around.asked_of(mixed), len(window.gates))
        return None if same is None else around.replaced(mixed, same)

    def _answer(self, asked: Specification, gates: int) -> Circuit | None:
        from pysat.solvers import Solver  # type: ignore[import-untyped]

        key = asked.inputs.tobytes(), asked.outputs.tobytes(), gates
        if key in self._refuted:
            return None
        question = CompactEncoding(asked, gates, self.library, None)
        with Solver(name=_SOLVER, bootstrap_with=question.formula.clauses) as solver:
            solver.conf_budget(_CONFLICTS)
            if solver.solve_limited():
                return question.decode(solver.get_model())
        self._refuted.add(key)
        return None
