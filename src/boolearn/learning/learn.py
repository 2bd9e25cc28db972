"""learn: from examples alone to a circuit."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from contextlib import ExitStack

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer, checked_number, generator
from boolearn.circuit import Circuit
from boolearn.cores import check_threads
from boolearn.data import Dataset, InputKind, as_dataset
from boolearn.data.matching import matched
from boolearn.data.open_outputs import check_specified
from boolearn.errors import DataError, ParameterError
from boolearn.learning.clock import Clock
from boolearn.learning.estimate import Estimate, estimate
from boolearn.learning.found import Found, Rows
from boolearn.learning.joining import side_by_side
from boolearn.learning.learned import Learned, Tried
from boolearn.learning.policy import CLASS_NAMES, Policy
from boolearn.learning.progress import StageLine
from boolearn.learning.rrr import METHOD as RRR_METHOD
from boolearn.learning.task import Task
from boolearn.solver.interrupt import Interruptible

_DEFAULT_SECONDS = 60.0
_DEFAULT_SHARE = 0.25
GATES = ("and", "or", "maj", "threshold", "xor")
"""Kinds of gates that a circuit may be asked to be made of; Nots are free."""


def learn(
    X: Dataset | npt.ArrayLike,
    y: npt.ArrayLike | None = None,
    *,
    valid: Dataset | tuple[npt.ArrayLike, npt.ArrayLike] | float | None = None,
    max_seconds: float | None = None,
    max_work: int | None = None,
    max_ands: int | None = None,
    noise: float | None = None,
    gates: Collection[str] = GATES,
    classes: Collection[str] = CLASS_NAMES,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
) -> Learned:
    """Learn a circuit from examples, without being told its layers, its gates or the noise of the data.

    Parameters
    ----------
    X, y
        Boolean inputs and outputs, one row for each example, as train takes them; or a Dataset. Every class of
        class labels is an output that is true for this class.
    valid
        Examples to choose by: a data set, or the share of the rows to hold out for it, by default a quarter. What is
        chosen is trained once more on all rows.
    max_seconds
        How long to search, by default 60 seconds. What is known to be right is returned earlier.
    max_work
        Search for this many units of work instead. The same seed then gives the same result on every machine and on any
        number of threads. With ``max_seconds`` the speed is measured first; ``Learned.work`` is the work that was
        found to fit.
    max_ands
        The most And nodes that the circuit may have as an And-inverter graph.
    noise
        The share of output bits expected to be wrong; by default the validation rows tell.
    gates
        Kinds of gates that the circuit may have: "and" and "or", and as wanted "maj", "threshold" and "xor".
    classes
        Names of the classes with exact learners that are tried first, by default all of ``boolearn.learning.CLASSES``;
        ``()`` leaves everything to the searches.
    progress
        Print the stage, the best so far and the time left on standard error.

    Ctrl-C returns the best so far.
    """
    data = as_dataset(X if y is None and isinstance(X, Dataset) else (X, y))  # type: ignore[arg-type]
    _check_kind(data)
    if data.open is not None:
        check_specified(data.targets, data.output_names)
    kinds, names = _checked_gates(gates), _checked_classes(classes)
    seed = checked_integer("seed", seed, 0)
    if max_ands is not None:
        max_ands = checked_integer("max_ands", max_ands, 0)
    if max_work is not None:
        max_work = checked_integer("max_work", max_work, 1)
    elif max_seconds is None:
        max_seconds = _DEFAULT_SECONDS
    if max_seconds is not None:
        max_seconds = checked_number("max_seconds", max_seconds, "finite and above 0", lambda v: 0 < v < math.inf)
    share = 0.0
    if noise is not None:
        share = checked_number("noise", noise, "at least 0 and below 0.5", lambda value: 0 <= value < 0.5)
    train, judged = _parts(data, valid, seed)
    with ExitStack() as stack:
        interrupt = stack.enter_context(Interruptible())
        clock = Clock(max_seconds, lambda: bool(interrupt.requested))
        task = Task(
            _rows(train),
            _rows(judged),
            data.input_names or _numbered("x", data.n_inputs),
            data.output_names or _numbered("y", data.n_output_nodes),
            seed,
            check_threads(threads),
            clock,
            max_ands,
            share,
            "xor" in kinds,
            data.complete and judged is data,
            waiting=interrupt.waiting,
        )
        if progress:
            line = stack.enter_context(StageLine(task))
            task.tell = line.tell
        policy = Policy(task, max_work, names)
        policy.run()
        chosen = _within(max_ands, [policy.chosen(output) for output in range(len(task.outputs))], task)
        task.tell("training again on all rows")
        final = task.side_by_side(lambda output: policy.again(output, chosen[output]), range(len(task.outputs)))
        circuit = side_by_side(final)
        if max_ands is not None and circuit.ands() > max_ands:
            final = [found.circuit for found in chosen]
            circuit = side_by_side(final)
        seconds = clock.seconds
    again = any(found.circuit is not circuit for found, circuit in zip(chosen, final, strict=True))
    return _learned(data, train, task, policy, chosen, _made_of(circuit, kinds), seconds, again)


def _learned(
    data: Dataset,
    train: Dataset,
    task: Task,
    policy: Policy,
    chosen: Sequence[Found],
    circuit: Circuit,
    seconds: float,
    again: bool,
) -> Learned:
    tried = tuple(
        Tried(
            name,
            found.method,
            1 - found.train_wrong / max(1, found.train_rows),
            1 - found.valid_wrong / max(1, len(found.on_valid)),
            found.ands,
            found is picked,
        )
        for name, candidates, picked in zip(task.outputs, task.found, chosen, strict=True)
        for found in candidates
    )
    methods = list(dict.fromkeys(found.method for found in chosen))
    named = zip(task.outputs, (found.method for found in chosen), strict=True)
    wrong = int(task.train.wrong(circuit.predict(train.inputs) > 0).sum())
    return Learned(
        circuit=circuit,
        method=methods[0] if len(methods) == 1 else "; ".join(f"{name}: {method}" for name, method in named),
        train_accuracy=1 - wrong / max(1, task.train.bits),
        accuracy=_estimate(data, task, chosen),
        ands=circuit.ands(),
        why=_why(task, chosen),
        tried=tried,
        contradictory=data.contradictions.items,
        duplicates=len(data) - _distinct(data),
        seed=task.seed,
        seconds=seconds,
        work=policy.work or 0,
        cut=task.clock.cut,
        trained_again=again,
        run=policy.run_of_rrr if any(found.method.startswith(RRR_METHOD) for found in chosen) else None,
    )


def _estimate(data: Dataset, task: Task, chosen: Sequence[Found]) -> Estimate:
    wrong = sum(found.valid_wrong for found in chosen)
    if data.complete:  # nothing is unseen
        share = 1 - wrong / max(1, task.valid.bits)
        return Estimate(share, share, share, task.valid.bits)
    choices = sum(float(np.logaddexp.reduce([one.choices for one in candidates])) for candidates in task.found)
    return estimate(wrong, task.valid.bits, choices)


def _distinct(data: Dataset) -> int:
    """How many different rows there are; packed, because there may be millions."""
    packed = np.packbits(np.hstack((data.inputs > 0, data.targets > 0, data.targets == 0)), axis=1)
    return len(np.unique(np.ascontiguousarray(packed).view(f"V{packed.shape[1]}")))


def _why(task: Task, chosen: Sequence[Found]) -> str:
    if all(found.right for found in chosen):
        return "right on every training and validation row; of such circuits the smallest"
    tried = sum(map(len, task.found))
    return f"least often wrong on validation rows of {tried} candidates, or smaller and not clearly worse"


def _within(max_ands: int | None, chosen: list[Found], task: Task) -> list[Found]:
    """Give up accuracy where it costs least, until all outputs together are small enough."""
    chosen = list(chosen)
    while max_ands is not None and side_by_side([found.circuit for found in chosen]).ands() > max_ands:
        best: tuple[float, int, Found] | None = None
        for output, now in enumerate(chosen):
            for other in task.found[output]:
                if other.ands < now.ands:
                    loss = (other.score - now.score) / (now.ands - other.ands)
                    if best is None or loss < best[0]:
                        best = loss, output, other
        if best is None:
            break
        chosen[best[1]] = best[2]
    return chosen


def _parts(
    data: Dataset, valid: Dataset | tuple[npt.ArrayLike, npt.ArrayLike] | float | None, seed: int
) -> tuple[Dataset, Dataset]:
    """Rows to train on, in random order so that a part of them is a fair sample, and rows to choose by."""
    if valid is not None and not isinstance(valid, int | float | np.number):
        judged = matched(as_dataset(valid, "valid", data.classes), data.input_names, data.output_names)
        _check_kind(judged)
        for what, mine, theirs in (
            ("inputs", data.n_inputs, judged.n_inputs),
            ("outputs", data.n_output_nodes, judged.n_output_nodes),
        ):
            if mine != theirs:
                raise DataError(f"'valid' must have as many {what} as the training rows, {mine}. Got {theirs} instead.")
        return data.shuffled(seed), judged.shuffled(seed)
    rule = "a data set, or a share above 0 and below 1"
    share = _DEFAULT_SHARE if valid is None else checked_number("valid", valid, rule, lambda value: 0 < value < 1)
    if data.complete:  # there is nothing to hold out: every input is known
        return data.shuffled(seed), data
    if len(data) < 2:
        raise DataError("learn needs at least 2 rows, one to train on and one to choose by. Got 1 instead.")
    held = min(len(data) - 1, max(1, round(share * len(data))))
    mixed = data.take(generator(seed).permutation(len(data)))
    return mixed.take(slice(held, None)), mixed.take(slice(0, held))


def _rows(data: Dataset) -> Rows:
    return Rows.of(data.inputs, data.targets)


def _check_kind(data: Dataset) -> None:
    if data.input_kind is not InputKind.BOOLEAN:
        raise DataError(
            f"learn needs Boolean inputs (boolearn.data.Thermometer makes bits of numbers). "
            f"Got {data.input_kind.value} inputs instead."
        )


def _checked_gates(gates: Collection[str]) -> frozenset[str]:
    rule = f"'and', 'or' and any of {', '.join(map(repr, GATES[2:]))}"
    try:
        kinds = frozenset([gates] if isinstance(gates, str) else gates)
    except TypeError:
        raise ParameterError("gates", rule, gates) from None
    if not {"and", "or"} <= kinds <= set(GATES):
        raise ParameterError("gates", rule, gates)
    return kinds


def _checked_classes(classes: Collection[str]) -> frozenset[str]:
    rule = f"any of {', '.join(map(repr, CLASS_NAMES))}"
    try:
        names = frozenset([classes] if isinstance(classes, str) else classes)
    except TypeError:
        raise ParameterError("classes", rule, classes) from None
    if not names <= set(CLASS_NAMES):
        raise ParameterError("classes", rule, classes)
    return names


def _made_of(circuit: Circuit, kinds: frozenset[str]) -> Circuit:
    unwanted = {"maj", "threshold", "xor"} - kinds & {kind.value for kind in circuit.counts}
    return circuit.decompose(majority="maj" in kinds, xor="xor" in kinds) if unwanted else circuit


def _numbered(letter: str, count: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number}" for number in range(count))
