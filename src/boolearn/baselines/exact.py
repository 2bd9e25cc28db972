"""Exact synthesis: the smallest circuit there is for a truth table, with the proof that none is smaller.

Gate budgets are raised from 0. Every budget is one question to a SAT solver; the first that can be met gives the
circuit, and the ones before it, all refuted, make it the smallest.
"""

from __future__ import annotations

import enum
import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from boolearn.baselines.exact_encoding import CompactEncoding, Library
from boolearn.baselines.paper_encoding import PaperEncoding
from boolearn.baselines.specification import Specification
from boolearn.baselines.specification_files import read_specification
from boolearn.checks import checked_integer, checked_number
from boolearn.circuit import Circuit, circuit_from_formulas
from boolearn.circuit.text.definitions import Formulas
from boolearn.data import Dataset
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from pysat.solvers import Solver  # type: ignore[import-untyped]

SOLVERS = ("cadical195", "glucose42", "minisat22")

_LEAST_CONFLICTS = 2000
"""Solvers can be stopped after a number of conflicts, not of seconds; the clock is not checked sooner."""


_SECONDS_BETWEEN_QUESTIONS = 2.0
"""How long a slice may take where somebody may want to stop."""


class SynthesisStatus(enum.Enum):
    """How the search for the smallest circuit ended."""

    FOUND = "The circuit is the smallest: every smaller budget was refuted."
    NONE = "There is no such circuit within max_gates gates and the depth asked for; raise them."
    NO_ANSWER = "The time was up before a budget was decided; raise max_seconds, or ask for fewer outputs at a time."


class Answer(enum.Enum):
    """What the SAT solver said about one budget."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    NO_ANSWER = "no answer in time"


@dataclass(frozen=True)
class SynthesisBudget:
    """One question to the solver: is there a circuit with this number of gates?"""

    gates: int
    answer: Answer
    variables: int
    clauses: int
    conflicts: int
    seconds: float


@dataclass(frozen=True)
class ExactSynthesis:
    """What exact synthesis found and what it proved."""

    status: SynthesisStatus
    circuit: Circuit | None
    budgets: tuple[SynthesisBudget, ...]

    @property
    def gates(self) -> int | None:
        """The least number of gates; None when it is not known."""
        return self.budgets[-1].gates if self.status is SynthesisStatus.FOUND else None

    @property
    def at_least(self) -> int:
        """A proven lower bound: every smaller budget was refuted."""
        return next((b.gates for b in self.budgets if b.answer is not Answer.UNSATISFIABLE), len(self.budgets))

    @property
    def seconds(self) -> float:
        return sum(budget.seconds for budget in self.budgets)

    def __str__(self) -> str:
        if self.status is SynthesisStatus.FOUND:
            refuted = f"; that {self.gates - 1} are too few is proved" if self.gates else ""
            return f"The smallest circuit has {_count(self.gates or 0)}{refuted} ({self.seconds:.1f} s)."
        return f"{self.status.value} Every circuit has {_count(self.at_least)} or more ({self.seconds:.1f} s)."


def smallest_circuit(
    table: Dataset | Specification | Circuit | Formulas | os.PathLike[str],
    *,
    library: Library | str = Library.AND_OR,
    depth: int | None = None,
    max_gates: int | None = None,
    max_seconds: float | None = None,
    encoding: OneOf["compact", "paper"] = "compact",
    solver: str = "cadical195",
    stop: Callable[[], bool] | None = None,
) -> ExactSynthesis:
    """Find the smallest circuit that gives every row of a table its outputs.

    The table is a data set, a Specification, or the truth table of a circuit or of formulas; or the ``Path`` of a
    file with one of them: PLA, BLIF, AIGER, JSON, or data.

    Gates are And and Or of two signals, or with ``library="and-or-maj"`` also majorities of three. Negation is free
    at every input of a gate and at every output; constants are free. Outputs share gates. What the table leaves
    open (rows it lacks, open bits of a data set, zeros in a Specification) may come out either way.

    depth
        The most gates allowed on any path from an input to an output.
    max_gates, max_seconds
        Where to give up. Without them the search ends when the circuit is found, however long that takes.
    encoding
        ``"paper"`` takes the paper's clauses instead of ours: slower, without the majority library and without a
        limit on the depth. There an output cannot be negated and a constant costs a gate.
    stop
        Asked every few seconds; where it says so the search ends as if the time were up.
    """
    spec = _specification(table)
    if library not in (*Library, *(known.value for known in Library)):
        raise ParameterError("library", f"one of {', '.join(known.value for known in Library)}", library)
    library = Library(library)
    _check(library, depth, max_gates, max_seconds, encoding, solver)
    most = _most_useful_gates(spec, library, depth)
    if max_gates is not None:
        most = max_gates if most is None else min(most, max_gates)
    deadline = None if max_seconds is None else time.monotonic() + max_seconds
    budgets: list[SynthesisBudget] = []
    gates = 0
    while most is None or gates <= most:
        budget, circuit = _ask(spec, gates, library, depth, encoding, solver, deadline, stop)
        budgets.append(budget)
        if budget.answer is Answer.SATISFIABLE:
            return ExactSynthesis(SynthesisStatus.FOUND, circuit, tuple(budgets))
        if budget.answer is Answer.NO_ANSWER:
            return ExactSynthesis(SynthesisStatus.NO_ANSWER, None, tuple(budgets))
        gates += 1
    return ExactSynthesis(SynthesisStatus.NONE, None, tuple(budgets))


def _specification(table: object) -> Specification:
    if isinstance(table, Specification):
        return table
    if isinstance(table, os.PathLike):
        table = read_specification(table)
    if isinstance(table, Dataset):
        return Specification.from_dataset(table)
    if isinstance(table, str | Mapping):
        table = circuit_from_formulas(table)
    if isinstance(table, Circuit):
        return Specification.from_circuit(table)
    rule = "a Dataset, a Specification, a Circuit, formulas or a Path (for an array: Specification.from_truth_table)"
    raise ParameterError("table", rule, table)


def _count(gates: int) -> str:
    return f"{gates} gate{'s' * (gates != 1)}"


def _ask(
    spec: Specification,
    gates: int,
    library: Library,
    depth: int | None,
    encoding: str,
    solver_name: str,
    deadline: float | None,
    stop: Callable[[], bool] | None,
) -> tuple[SynthesisBudget, Circuit | None]:
    from pysat.solvers import Solver

    begin = time.monotonic()
    question: CompactEncoding | PaperEncoding
    question = PaperEncoding(spec, gates) if encoding == "paper" else CompactEncoding(spec, gates, library, depth)
    formula, circuit = question.formula, None
    with Solver(name=solver_name, bootstrap_with=formula.clauses) as solver:
        verdict = solver.solve() if deadline is None and stop is None else _solve_until(deadline, stop, solver)
        if verdict:
            circuit = question.decode(solver.get_model())
            if not spec.met_by(circuit.predict(spec.inputs)):
                raise AssertionError("a decoded circuit must meet its specification")
        conflicts = int(solver.accum_stats()["conflicts"])
    answer = {True: Answer.SATISFIABLE, False: Answer.UNSATISFIABLE, None: Answer.NO_ANSWER}[verdict]
    seconds = time.monotonic() - begin
    return SynthesisBudget(gates, answer, formula.variables, len(formula.clauses), conflicts, seconds), circuit


def _solve_until(deadline: float | None, stop: Callable[[], bool] | None, solver: Solver) -> bool | None:
    """Solve in a few long slices: many short ones would make the solver forget what it learned."""
    conflicts = _LEAST_CONFLICTS
    longest = math.inf if stop is None else 4 * _SECONDS_BETWEEN_QUESTIONS
    end = math.inf if deadline is None else deadline
    while (begin := time.monotonic()) < end and not (stop is not None and stop()):
        solver.conf_budget(conflicts)
        verdict = solver.solve_limited()
        if verdict is not None:
            return bool(verdict)
        now = time.monotonic()
        # A quarter of the time left at the speed just seen, for solvers get slower as they learn.
        conflicts = max(_LEAST_CONFLICTS, int(conflicts / (now - begin + 1e-9) * min(end - now, longest) / 4))
    return None


def _most_useful_gates(spec: Specification, library: Library, depth: int | None) -> int | None:
    """How many gates can serve the outputs at all: without a limit on the depth, any number."""
    if depth is None:
        return None
    fan_in = 2 if library is Library.AND_OR else 3
    return spec.n_outputs * int(sum(fan_in**level for level in range(depth)))


def _check(
    library: Library,
    depth: int | None,
    max_gates: int | None,
    max_seconds: float | None,
    encoding: str,
    solver: str,
) -> None:
    if encoding not in ("compact", "paper"):
        raise ParameterError("encoding", "'compact' or 'paper'", encoding)
    if encoding == "paper" and library is not Library.AND_OR:
        raise ParameterError("library", "'and-or' with the paper's encoding", library.value)
    if depth is not None and encoding == "paper":
        raise ParameterError("depth", "None with the paper's encoding", depth)
    for name, limit in (("depth", depth), ("max_gates", max_gates)):
        if limit is not None:
            checked_integer(name, limit, 0)
    if max_seconds is not None:
        checked_number("max_seconds", max_seconds, "None or greater than 0", lambda v: v > 0)
    if solver not in SOLVERS:
        raise ParameterError("solver", f"one of {', '.join(SOLVERS)}", solver)
