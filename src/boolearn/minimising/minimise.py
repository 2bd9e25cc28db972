"""minimise: the smallest circuit for a specification, by several methods in turns, proved equal to it in the end."""

from __future__ import annotations

import importlib.util
import math
import time
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from boolearn.baselines.exact import SynthesisStatus, smallest_circuit
from boolearn.baselines.exact_encoding import Library
from boolearn.checks import checked_integer, checked_number
from boolearn.circuit import Circuit
from boolearn.circuit.rewriting.sign_flips import with_fewest_nots
from boolearn.cores import check_threads
from boolearn.display import Display, Shown
from boolearn.errors import ParameterError
from boolearn.minimising.asked import Asked, Spec, as_asked
from boolearn.minimising.cover import sum_of_products
from boolearn.minimising.local import LocalSearch, in_library, size_of
from boolearn.minimising.shrinking import circuits, worth_searching
from boolearn.solver.interrupt import Interruptible, Request

_COVERS = 3
"""First circuits that local improvement begins from."""
_TRIES_A_GATE = 20
_QUICKLY_DECIDED = 9
"""Up to this many gates exact synthesis comes first: it may be done in seconds."""
_MOST_CLAUSES = 4_000_000
_LEAST_SECONDS = 0.1


@dataclass(frozen=True)
class Stage:
    """What a method found."""

    method: str
    gates: int
    """Of the best circuit so far, all methods together."""
    seconds: float
    """Since the beginning."""


@dataclass(frozen=True)
class Minimised:
    """The smallest circuit that was found. It is proved to give what is asked; ``str()`` says how small it is."""

    circuit: Circuit
    gates: int
    """And and Or gates of two inputs, and with majorities allowed those of three; negations are free."""
    before: int
    """Gates of the circuit that was given, or of a sum of products where a table was."""
    at_least: int
    """No circuit has fewer gates; that much is proved."""
    library: Library
    interrupted: bool
    """Somebody pressed Ctrl-C, or the time was up before all methods had their turn."""
    seconds: float
    stages: tuple[Stage, ...]

    @property
    def minimal(self) -> bool:
        """Is it proved that no circuit is smaller?"""
        return self.at_least >= self.gates

    def __str__(self) -> str:
        count = f"{_counted(self.before)} before, {self.gates} after"
        bound = f"; every circuit has {self.at_least} or more" if self.at_least else ""
        bound = "; none is smaller, which is proved" if self.minimal else bound
        cut = "; stopped early" if self.interrupted else ""
        return f"{count}{bound} ({self.seconds:.1f} s{cut})."


def minimise(
    spec: Spec,
    *,
    gates: Library | str = Library.AND_OR,
    max_seconds: float = 60.0,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
) -> Minimised:
    """Find a circuit with as few gates as possible.

    spec
        What is asked for. A file's name (.pla, .blif, .aag, .aig, .json; data: .dat, .npz, .csv with one output), a
        Dataset or (X, y) whose outputs may be open, a Circuit, a Specification, formulas, or a truth table.
    gates
        "and-or": And and Or of two inputs; "and-or-maj": also majorities of three. Negations and constants are free.
    max_seconds
        When to stop. Small circuits are found, and proved to be the smallest, in less.
    seed
        Same seed, same circuit, as long as no method is cut short by the time.
    threads
        At most how many the gate search uses.
    progress
        Show on standard error what is found.

    Simplification, rewriting by aigverse where it is installed, replacing small parts with a SAT solver, and the gate
    search take turns; then exact synthesis looks for a smaller circuit or proves that there is none. Ctrl-C
    returns the best circuit so far. What is returned is proved to be equal to the specification where that is not open.
    """
    if gates not in (*Library, *(known.value for known in Library)):
        raise ParameterError("gates", f"one of {', '.join(known.value for known in Library)}", gates)
    seconds = checked_number("max_seconds", max_seconds, "finite and above 0", lambda v: 0 < v < math.inf)
    check_threads(threads)
    asked = as_asked(spec)
    seed = checked_integer("seed", seed, 0)
    with Interruptible() as interrupt, closing(Display()) as display:
        told = display if progress else None
        search = _Search(asked, Library(gates), seed, seconds, threads, interrupt, told)
        search.run()
    return search.result()


def _counted(gates: int) -> str:
    return f"{gates} gate{'s' * (gates != 1)}"


class _Search:
    """The best circuit so far, the clock, and the methods one after the other."""

    def __init__(
        self,
        asked: Asked,
        library: Library,
        seed: int,
        max_seconds: float,
        threads: int | None,
        interrupt: Interruptible,
        display: Display | None,
    ) -> None:
        self.asked, self.library, self.seed, self.threads = asked, library, seed, threads
        self._begin = time.monotonic()
        self._max_seconds = max_seconds
        self._interrupt = interrupt
        self._display = display
        self._rng = np.random.default_rng([seed, 2])
        self._local = LocalSearch(asked.table, library, self._rng)
        self.stages: list[Stage] = []
        self.at_least = 0
        if asked.circuit is not None:
            self.best = in_library(asked.circuit, library)
        else:
            assert asked.table is not None
            self.best = in_library(sum_of_products(asked.table, self._rng), library)
        self.before = size_of(self.best)
        self._note("the given circuit" if asked.circuit is not None else "sum of products", self.best)
        if display is not None:
            display.follow(self._shown)

    def run(self) -> None:
        self._simplify()
        small = size_of(self.best) <= _QUICKLY_DECIDED
        if small:
            self._decide(0.4)
        if self.at_least < size_of(self.best):
            before = size_of(self.best)
            self._improve()
            self._shrink()
            if not small or size_of(self.best) < before:
                self._decide(1.0)

    def result(self) -> Minimised:
        """What was found, if it is right: the proof is made here, whatever the methods say."""
        self.best = with_fewest_nots(self.best)
        if not self.asked.met_by(self.best):
            raise AssertionError("the circuit found must meet its specification")
        return Minimised(
            self.best,
            size_of(self.best),
            self.before,
            min(self.at_least, size_of(self.best)),
            self.library,
            self._stop(),
            time.monotonic() - self._begin,
            tuple(self.stages),
        )

    def _simplify(self) -> None:
        self._take("simplification", in_library(self.best.simplify(flip_signs=False), self.library))
        self._take("aigverse", self._rewritten(self.best))

    def _improve(self) -> None:
        """Local improvement of the best circuit, and of sums of products that leave inputs out in another order."""
        begins = [self.best]
        if self.asked.table is not None:
            begins += [in_library(sum_of_products(self.asked.table, self._rng), self.library) for _ in range(_COVERS)]
        for number, begin in enumerate(begins):
            self._improve_from(self._rewritten(begin) if number else begin, share=0.6)

    def _improve_from(self, begin: Circuit, share: float) -> None:
        self._local.improved(
            begin, _TRIES_A_GATE, lambda: self._stop(share), lambda found: self._take("local improvement", found)
        )

    def _shrink(self) -> None:
        """The gate search, and local improvement of what it finds."""
        if self.asked.table is None:
            return
        data = self.asked.dataset()
        if self._stop(0.7) or not worth_searching(data, size_of(self.best)):
            return
        left = max(_LEAST_SECONDS, 0.7 * self._max_seconds - (time.monotonic() - self._begin))
        for found in circuits(data, size_of(self.best) - 1, self.seed, left, self.threads):
            if found is None:
                self._interrupt.take()
                return
            smaller = in_library(found, self.library)
            self._take("gate search", smaller)
            self._improve_from(smaller, share=0.75)
            if self._stop(0.7):
                return

    def _decide(self, share: float) -> None:
        """Exact synthesis, for a smaller circuit or the proof that there is none."""
        if self.asked.table is None or not size_of(self.best):
            return
        most = min(size_of(self.best) - 1, self._most_encoded())
        left = share * self._max_seconds - (time.monotonic() - self._begin)
        if most < 0 or left <= 0 or self._stop():
            return
        found = smallest_circuit(
            self.asked.table, library=self.library, max_gates=most, max_seconds=left, stop=self._stop
        )
        proved = most + 1 if found.status is SynthesisStatus.NONE else found.at_least
        self.at_least = max(self.at_least, proved)
        if found.circuit is not None:
            self._take("exact synthesis", in_library(found.circuit, self.library))
            self.at_least = size_of(self.best)

    def _most_encoded(self) -> int:
        """How many gates may be asked for before the clauses are too many."""
        assert self.asked.table is not None
        rows, n = self.asked.table.inputs.shape
        gates = clauses = 0
        while clauses <= _MOST_CLAUSES and gates < 1000:
            signals = n + gates
            fan_ins = signals**2 // 2 if self.library is Library.AND_OR else signals**3 // 6
            clauses += 8 * rows * fan_ins
            gates += 1
        return gates - 1

    def _rewritten(self, circuit: Circuit) -> Circuit:
        """By aigverse, which knows Ands only."""
        if self.library is not Library.AND_OR or importlib.util.find_spec("aigverse") is None or self._stop(0.6):
            return circuit
        left = self._max_seconds - (time.monotonic() - self._begin)
        return in_library(circuit.with_fewer_ands(time_limit=left), self.library)

    def _take(self, method: str, circuit: Circuit) -> None:
        if size_of(circuit) < size_of(self.best):
            self._note(method, circuit)

    def _note(self, method: str, circuit: Circuit) -> None:
        self.best = circuit
        self.stages.append(Stage(method, size_of(circuit), time.monotonic() - self._begin))
        if self._display is not None and not self._display.live:
            stage = self.stages[-1]
            left = self._left(stage.seconds)
            self._display.say(f"{_counted(stage.gates)} ({method}, {stage.seconds:.1f} s, {left})")

    def _shown(self) -> Shown:
        stage, seconds = self.stages[-1], time.monotonic() - self._begin
        facts = [_counted(stage.gates), f"{stage.method}, {stage.seconds:.1f} s"]
        facts += [f"at least {self.at_least}"] if self.at_least else []
        curve = [stage.gates for stage in self.stages]
        return Shown("minimising", seconds / self._max_seconds, self._left(seconds), facts, curve)

    def _left(self, seconds: float) -> str:
        return f"at most {max(0.0, self._max_seconds - seconds):.0f} s left"

    def _stop(self, share: float = 1.0) -> bool:
        late = time.monotonic() - self._begin > share * self._max_seconds
        return late or self._interrupt.requested is not Request.NONE
