"""What is tried, in which order, with which share of the work.

1. Constants and single inputs; then classes with exact learners. What fits every row ends the matter.
2. Decision trees, one and boosted: quick, and hard to beat on pictures and tables.
3. The gate search, all open outputs in one network, which shares gates between them.
4. The gate search for each output that is still wrong, alone.
5. RRR with neurons of many inputs, on data that is small enough for it.
6. Majorities of the best circuits.
7. For each output the circuit that does best on validation rows, the smallest of those that do equally well; trained
   once more on all rows.

Everything here is a function of rows, seed and ``work``; the clock only stops it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from dataclasses import replace
from functools import partial

from boolearn.circuit import Circuit
from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.learning.anneal import SWEEPS, Options, cool
from boolearn.learning.choosing import choose
from boolearn.learning.classes import CLASSES
from boolearn.learning.clock import cost, two_digits
from boolearn.learning.found import Found, Rows, count_wrong, from_not_too_many
from boolearn.learning.rrr import add_rrr
from boolearn.learning.task import Task
from boolearn.learning.tournament import LADDER, Tournament
from boolearn.learning.trees import boosted, tree_circuit
from boolearn.learning.voting import add_votes
from boolearn.solver import Run

CLASS_NAMES: tuple[str, ...] = tuple(one.NAME for one in CLASSES)
_TRIAL = 2e6
"""Work of the search that measures the speed of the machine: a fraction of a second."""
_USED = 0.75
"""The share of the time that work is planned for; the rest is for votes and for training again."""
_JOINT = 0.5
"""Of the work, for all outputs together where there are several."""
_MOST_ALONE = 8
"""Outputs that get a search of their own."""
_LEAVES = (8, 32, 128)
_FEW_LEAVES = (3, 4, 6)
"""Also, where circuits must be small: what else is found may all be too large."""
_BOOSTED_LEAVES = (16, 32, 64)
_TREE_WORK = 0.1
"""Of the work, for boosted trees."""
_RRR_WORK = 0.05
_TREE_COST = 0.12
"""Work of one tree for each row, input and level; measured."""
_CLASS_VALUES = 10**7
"""Classes are fitted to no more rows times inputs than this."""
_EVIDENCE = 0.5
"""A function that takes more yes-or-no choices than this share of the rows to single out fits them by accident."""
_MOST_TREES = 129
_TREES_AT_LEAST = 10
"""Trees look at fewer rows, where else the work is not enough for this many,"""
_FEWEST_ROWS = 4096
"""but not at fewer than this."""


class Policy:
    """Learns all outputs of a task."""

    def __init__(self, task: Task, max_work: int | None, classes: Collection[str] = CLASS_NAMES) -> None:
        self.task = task
        self.classes = [one for one in CLASSES if one.NAME in classes]
        self.work = max_work
        """Units of work, known once the speed is measured; see ``clock.cost``."""
        self.run_of_rrr: Run | None = None

    def run(self) -> None:
        task = self.task
        task.tell("constants, inputs and exact classes")
        for output in range(len(task.outputs)):
            self._trivial(output)
            self._classes(output)
        outputs = task.open()
        if not outputs:
            return
        if self.work is None:
            self.work = self._affordable()
        task.tell("decision trees")
        trees = _TREE_WORK * self.work / len(outputs)
        for output, found in zip(outputs, task.side_by_side(lambda o: self._trees(o, trees), outputs), strict=True):
            for one in found:
                task.add(output, one)
        # Also where a tree is right on every row: a circuit may be right that is much smaller.
        self._search(outputs, (1 - _TREE_WORK - _RRR_WORK) * self.work)
        if task.open():
            task.tell("RRR")
            self.run_of_rrr = add_rrr(task, task.open(), _RRR_WORK * self.work)
        if task.clock.interrupted():
            return
        task.tell("votes")
        for output in task.open():
            add_votes(task, output)

    def chosen(self, output: int) -> Found:
        """The smallest circuit that is not clearly worse than the best."""
        return choose(self.task.found[output])

    def again(self, output: int, found: Found) -> Circuit:
        """The circuit trained once more, on validation rows too; as it was where that makes it worse."""
        task = self.task
        if found.again is None or found.right or task.clock.ended:
            return found.circuit
        rows = _together(task, output)
        circuit = found.again(rows)
        limit = task.max_ands
        small = limit is None or circuit.ands() <= limit
        better = count_wrong(circuit, rows) <= found.train_wrong + found.valid_wrong
        return circuit if small and better else found.circuit

    def _trivial(self, output: int) -> None:
        task, name = self.task, self.task.outputs[output]
        builder = CircuitBuilder(task.inputs)
        train, _ = task.rows(output)
        agree = (train.inputs == train.outputs).sum(axis=0)
        closest = int(abs(2 * agree - len(train)).argmax())
        literal = Literal(closest, 1 if 2 * agree[closest] >= len(train) else -1)
        constant = TRUE if 2 * train.outputs.sum() > len(train) else FALSE
        for method, answer in (("constant", constant), ("one input", literal)):
            task.add(output, task.judge(output, builder.circuit([(name, answer)]), method))

    def _classes(self, output: int) -> None:
        """What fits every training row is a candidate like others; if it fits validation rows too it is the answer."""
        task, name = self.task, self.task.outputs[output]
        if task.noise:
            return
        train, _ = task.rows(output)
        train = train.take(slice(0, max(1, _CLASS_VALUES // train.n_inputs)))
        for one in self.classes:
            if not task.open([output]) or task.clock.over():
                return
            fitted = one.fit(train.inputs, train.outputs[:, 0])
            if fitted is None or (fitted.bits > _EVIDENCE * len(train) and not task.complete):
                continue
            circuit = fitted.circuit if task.max_ands is None else fitted.within(task.max_ands)
            if circuit is not None:
                named = replace(circuit, inputs=task.inputs, outputs=((name, circuit.outputs[0][1]),))
                task.add(output, task.judge(output, named, f"{fitted.name}: {fitted.in_names(task.inputs)}"))

    def _affordable(self) -> int:
        """The work that fits into the time, by measuring how long a short search takes on all threads."""
        task, shape = self.task, LADDER[1]
        rows = task.train.only(task.open()[:1]).take(slice(0, 1 << 14))
        neurons = sum(shape.widths) + 1
        rounds = max(2, int(_TRIAL / cost(1, neurons, len(rows), SWEEPS)))
        nothing, workers = Rows(rows.inputs[:0], rows.outputs[:0]), task.workers
        task.side_by_side(abs, range(workers))  # other processes have to be started first
        begun = time.perf_counter()
        task.side_by_side(lambda k: cool(rows, nothing, shape, rounds, (k, 0), Options()), range(workers))
        rate = workers * cost(rounds, neurons, len(rows), SWEEPS) / (time.perf_counter() - begun)
        return two_digits(max(0.0, _USED * task.clock.left) * rate)

    def _trees(self, output: int, work: float) -> list[Found]:
        found: list[Found] = []
        task, name = self.task, self.task.outputs[output]
        seed, inputs = task.seed, task.inputs  # all that may be remembered: it may be sent to another process
        rows, _ = task.rows(output)
        levels = math.log2(max(_LEAVES))
        rows = rows.take(slice(0, max(_FEWEST_ROWS, int(work / _TREES_AT_LEAST / _TREE_COST / rows.n_inputs / levels))))
        again = partial(from_not_too_many, seen=len(rows))
        for leaves in _LEAVES if task.max_ands is None else (*_FEW_LEAVES, *_LEAVES):
            if task.clock.over():
                return found

            def grow(rows: Rows, leaves: int = leaves) -> Circuit:
                return tree_circuit(rows, leaves, seed, inputs, name)

            found.append(task.judge(output, grow(rows), f"decision tree of {leaves} leaves", again(grow)))
        for leaves in _BOOSTED_LEAVES:
            each = _TREE_COST * len(rows) * rows.n_inputs * math.log2(leaves)
            most = min(_MOST_TREES, int(work / len(_BOOSTED_LEAVES) / each))
            for trees, circuit in boosted(rows, leaves, most, seed, inputs, name, task.clock.over):
                if task.clock.over():
                    return found

                def boost(rows: Rows, leaves: int = leaves, trees: int = trees, first: Circuit = circuit) -> Circuit:
                    """As it was where other rows end the boosting before there is a vote."""
                    votes = [first, *(vote for _, vote in boosted(rows, leaves, trees, seed, inputs, name))]
                    return votes[-1]

                method = f"{trees} boosted trees of {leaves} leaves"
                found.append(task.judge(output, circuit, method, again(boost)))
        return found

    def _search(self, outputs: list[int], work: float) -> None:
        """All these outputs in one network; then those that are still wrong, the worst first, each alone."""
        task = self.task
        Tournament(task, outputs, work if len(outputs) == 1 else _JOINT * work).run()
        if len(outputs) > 1:
            left = sorted(task.open(outputs), key=lambda output: -task.best(output).score)[:_MOST_ALONE]
            for output in left:
                if not task.clock.over():
                    Tournament(task, [output], (1 - _JOINT) * work / len(left)).run()


def _together(task: Task, output: int) -> Rows:
    train, valid = task.rows(output)
    return train.and_also(valid)
