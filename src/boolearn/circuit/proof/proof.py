"""Whether two descriptions compute the same function, and how that is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Timer
from typing import Literal as OneOf

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_number
from boolearn.circuit.bits.instructions import Words
from boolearn.circuit.bits.packing import WORD, n_words, unpack
from boolearn.circuit.bits.patterns import patterns
from boolearn.circuit.proof.cnf import ClauseBuilder
from boolearn.circuit.proof.matching import match_inputs, numbered
from boolearn.circuit.proof.sides import Side, Subject, both_sides
from boolearn.circuit.threshold.all_inputs import all_inputs
from boolearn.data import Dataset
from boolearn.data.signs import Signs, as_signs
from boolearn.errors import DataError, ParameterError

Method = OneOf["exhaustive", "sat", "data"]

_EXHAUSTIVE_INPUTS = 24
_EXHAUSTIVE_WORK = 1 << 35
_MOST_INPUTS = 40
"""Beyond it trying every input would take days."""
_ITEMS_AT_A_TIME = 1 << 16


@dataclass(frozen=True)
class Counterexample:
    """One input on which the two differ; values are ±1, in the order of the names."""

    inputs: dict[str, int]
    mine: dict[str, int]
    theirs: dict[str, int]

    def worded(self, mine: str, theirs: str) -> str:
        """The example in words, given what to call the two."""
        wrong = [name for name in self.mine if self.mine[name] != self.theirs[name]]
        given = _assigned(self.inputs, list(self.inputs))
        said = _assigned(self.mine, wrong), _assigned(self.theirs, wrong)
        return f"with {given}, {mine} gives {said[0]} and {theirs} gives {said[1]}"

    def __str__(self) -> str:
        return self.worded("the first", "the second")


def _assigned(values: dict[str, int], names: list[str]) -> str:
    return ", ".join(f"{name}={int(values[name] > 0)}" for name in names)


@dataclass(frozen=True, repr=False)
class Proof:
    """What was compared with what, on which inputs, and the result; true exactly when equality is proved."""

    equal: bool | None
    """None when a time limit ended the search."""
    method: Method
    inputs_checked: int | None
    """How many inputs were compared one by one; None for a proof by SAT, which covers all."""
    n_inputs: int
    counterexample: Counterexample | None = None
    in_order: str = ""
    """What was compared by position because one side has no names for it: "inputs", "outputs" or both."""
    sides: tuple[str, str] = ("circuit", "circuit")
    """What was compared: "circuit", "network", "formulas", "truth table" or "data"."""
    all_inputs: bool = True
    """Whether the comparison covers every input there is; False for items that are only some of them."""

    def __bool__(self) -> bool:
        return self.equal is True

    @property
    def where(self) -> str:
        """The inputs of the comparison in words: "all 16 inputs", "12 items"."""
        if self.method == "sat":
            return f"all 2^{self.n_inputs} inputs"
        return f"all {1 << self.n_inputs} inputs" if self.all_inputs else f"{self.inputs_checked} items"

    def __str__(self) -> str:
        mine, theirs = self.sides
        both = f"the {mine} and the {theirs}" if mine != theirs else f"the two {_PLURAL.get(mine, f'{mine}s')}"
        taken = f" ({self.in_order} taken in order)" if self.in_order else ""
        if self.equal is None:
            return f"It is not decided whether {both} are equal: the time limit ended the search by SAT{taken}."
        both = both[0].upper() + both[1:]
        if self.counterexample is not None:
            names = (f"the {mine}", f"the {theirs}") if mine != theirs else ("the first", "the second")
            return f"{both} differ: {self.counterexample.worded(*names)}{taken}."
        how = {
            "sat": "proved by a SAT solver",
            "data": "each compared" if self.all_inputs else "each compared; other inputs were not compared",
            "exhaustive": "each compared",
        }
        return f"{both} are equal on {self.where}, {how[self.method]}{taken}."

    def __repr__(self) -> str:
        return f"<Proof: {self}>"


_PLURAL = {"formulas": "sets of formulas", "data": "data sets"}


def prove_equal(
    a: Subject,
    b: Subject,
    on: OneOf["all"] | Dataset | npt.NDArray[np.generic] = "all",
    method: OneOf["auto", "exhaustive", "sat"] = "auto",
    time_limit: float | None = None,
) -> Proof:
    """Compare two functions on all inputs, or on the inputs of a data set only.

    a, b
        Circuits, models, formulas (a mapping from output names to expressions, or text with a line for each), or
        truth tables of shape (2^inputs, outputs) in the order of ``bits.all_inputs``. A data set stands for its
        outputs, and the comparison is then on its items; bits that it leaves open are equal to anything. Inputs and
        outputs are matched by name, or by the identifiers that formulas write for the names; names that do not match
        are refused, unless there is only one. Where a side has no names (x0, x1, … and y0, y1, … count as none) they
        are taken in order, and the proof says so.
    method
        By default all inputs are tried when they are up to about 24, else a SAT solver shows that no input makes a
        difference or finds one that does. Models are taken with exact arithmetic: floats as the fractions they are.
    time_limit
        Seconds a SAT solver may take.
    """
    if method not in ("auto", "exhaustive", "sat"):
        raise ParameterError("method", "'auto', 'exhaustive' or 'sat'", method)
    if time_limit is not None:
        rule = "None or a number of seconds of at least 0"
        time_limit = checked_number("time_limit", time_limit, rule, lambda v: v >= 0)
    for subject in (a, b):
        if isinstance(subject, Dataset) and isinstance(on, str):
            on = subject
    mine, theirs, in_order = both_sides(a, b)
    proof = _compared(mine, theirs, on, method, time_limit)
    return replace(proof, in_order=in_order, sides=(mine.what, theirs.what))


def _compared(
    mine: Side,
    theirs: Side,
    on: OneOf["all"] | Dataset | npt.NDArray[np.generic],
    method: OneOf["auto", "exhaustive", "sat"],
    time_limit: float | None,
) -> Proof:
    if isinstance(on, Dataset):
        columns = match_inputs(mine.inputs or theirs.inputs, on.input_names)
        return _on_items(mine, theirs, on.inputs if columns is None else on.inputs[:, columns])
    if on is None or (isinstance(on, str) and on != "all"):
        raise ParameterError("on", "'all', a data set or an array of inputs", on)
    if not isinstance(on, str):
        return _on_items(mine, theirs, on)
    work = (mine.work + theirs.work) << min(mine.n_inputs, 64)
    small = mine.n_inputs <= _EXHAUSTIVE_INPUTS and work <= _EXHAUSTIVE_WORK
    if method == "exhaustive" and mine.n_inputs > _MOST_INPUTS:
        raise ParameterError("method", f"'auto' or 'sat' for more than {_MOST_INPUTS} inputs", method)
    if method == "exhaustive" or mine.table or theirs.table or (method == "auto" and small):
        return _exhaustively(mine, theirs)
    return _by_sat(mine, theirs, time_limit)


def _on_items(mine: Side, theirs: Side, inputs: npt.NDArray[np.generic]) -> Proof:
    given = as_signs(inputs, "inputs")
    if given.ndim != 2 or given.shape[1] != mine.n_inputs:
        raise DataError(f"inputs must have shape (items, {mine.n_inputs}). Got {given.shape} instead.")
    differ = np.flatnonzero((mine.values(given) * theirs.values(given) < 0).any(axis=1))
    example = _example(mine, theirs, given[differ[:1]]) if differ.size else None
    return Proof(example is None, "data", len(given), mine.n_inputs, example, all_inputs=_are_all(given))


def _are_all(inputs: Signs) -> bool:
    """Whether listed inputs are all there are."""
    items, n_inputs = inputs.shape
    return items >> n_inputs > 0 and len(np.unique(inputs, axis=0)) == 1 << int(n_inputs)


def _exhaustively(mine: Side, theirs: Side) -> Proof:
    total = 1 << mine.n_inputs
    step = min(_ITEMS_AT_A_TIME, total)
    for first in range(0, total, step):
        planes = patterns(mine.n_inputs, first // WORD, n_words(step))
        item = _first_difference(mine.words(planes, first), theirs.words(planes, first), step)
        if item is not None:
            example = _example(mine, theirs, all_inputs(mine.n_inputs, first + item, 1))
            return Proof(False, "exhaustive", first + item + 1, mine.n_inputs, example)
    return Proof(True, "exhaustive", total, mine.n_inputs)


def _first_difference(mine: Words, theirs: Words, items: int) -> int | None:
    """The first item on which two sides differ; bits past ``items`` do not count."""
    differ = np.bitwise_or.reduce(mine ^ theirs, axis=0)
    words = np.flatnonzero(differ)
    if not words.size:
        return None
    word = int(words[0])
    bits = unpack(differ[None, word : word + 1], WORD)[:, 0] > 0
    item = word * WORD + int(np.argmax(bits))
    return item if item < items else None


def _by_sat(mine: Side, theirs: Side, time_limit: float | None) -> Proof:
    from pysat.solvers import Solver  # type: ignore[import-untyped]

    builder = ClauseBuilder()
    inputs = [builder.variable() for _ in range(mine.n_inputs)]
    pairs = zip(mine.literals(builder, inputs), theirs.literals(builder, inputs), strict=True)
    differences = [builder.differ(a, b) for a, b in pairs if a != b]
    with Solver(name="glucose4", bootstrap_with=builder.clauses) as solver:
        timer = Timer(time_limit, solver.interrupt) if time_limit is not None else None
        if timer is not None:
            timer.start()
        try:
            for difference in differences:
                answer = solver.solve_limited([difference], expect_interrupt=timer is not None)
                if answer is None:
                    return Proof(None, "sat", None, mine.n_inputs)
                if answer:
                    model = set(solver.get_model())
                    values = np.array([[1 if literal in model else -1 for literal in inputs]], np.int8)
                    return Proof(False, "sat", None, mine.n_inputs, _example(mine, theirs, values))
                solver.add_clause([-difference])
        finally:
            if timer is not None:
                timer.cancel()
    return Proof(True, "sat", None, mine.n_inputs)


def _example(mine: Side, theirs: Side, inputs: Signs) -> Counterexample:
    """Evaluate both sides once more: a counterexample must stand on its own."""
    said = mine.values(inputs)[0].tolist(), theirs.values(inputs)[0].tolist()
    if said[0] == said[1]:
        raise AssertionError("the two sides must differ on a counterexample")
    names = mine.inputs or theirs.inputs or numbered("x", mine.n_inputs)
    outputs = mine.outputs or theirs.outputs or numbered("y", mine.n_outputs)
    return Counterexample(
        dict(zip(names, inputs[0].tolist(), strict=True)),
        dict(zip(outputs, said[0], strict=True)),
        dict(zip(outputs, said[1], strict=True)),
    )
