"""Divide and learn: the first tests of a decision tree choose among circuits that are learned apart.

A circuit that needs different logic where some input is true and where it is false is two smaller circuits and a
multiplexer. Each sees only its part of the rows, so this pays where inputs are few and loses where rows are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from boolearn.circuit import Circuit
from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.circuit.rewriting.simplify import remove_dead
from boolearn.learning.anneal import Cooled, Options, Shape, circuit_of, cool, cool_again
from boolearn.learning.found import Rows
from boolearn.learning.joining import copied, multiplexer
from boolearn.solver.gates.table import GateTable


@dataclass(frozen=True)
class Divided:
    """A tree of tests with a circuit at every leaf."""

    tree: DecisionTreeClassifier
    leaves: dict[int, Cooled | bool]
    """By their number in the tree; a bool where all rows agree."""
    seed: tuple[int, int]

    def circuit(self, inputs: tuple[str, ...], name: str) -> Circuit:
        return self._joined(inputs, name, {n: leaf.tables[0] for n, leaf in self._searched.items()})

    def again(self, rows: Rows, rounds: int, inputs: tuple[str, ...], name: str) -> Circuit:
        """With more rows; the tests stay."""
        at = self.tree.apply(rows.inputs)
        tables = {
            number: cool_again(leaf, 0, rows.take(at == number), rounds, self.seed)
            for number, leaf in self._searched.items()
        }
        return self._joined(inputs, name, tables)

    @property
    def choices(self) -> float:
        """Every leaf was chosen apart, so there were as many circuits as the product of their numbers."""
        return sum(math.log(leaf.looks) for leaf in self._searched.values())

    @property
    def _searched(self) -> dict[int, Cooled]:
        return {number: leaf for number, leaf in self.leaves.items() if isinstance(leaf, Cooled)}

    def _joined(self, inputs: tuple[str, ...], name: str, tables: dict[int, GateTable]) -> Circuit:
        builder = CircuitBuilder(inputs)
        nodes = self.tree.tree_
        literals: dict[int, Literal] = {}
        for node in range(nodes.node_count - 1, -1, -1):  # children have larger numbers
            leaf = self.leaves.get(node)
            if isinstance(leaf, Cooled):
                circuit = circuit_of(leaf.network, tables[node], inputs, 0, name)
                literals[node] = copied(builder, circuit)[0]
            elif leaf is not None:
                literals[node] = TRUE if leaf else FALSE
            else:
                high, low = literals[int(nodes.children_right[node])], literals[int(nodes.children_left[node])]
                literals[node] = multiplexer(builder, Literal(int(nodes.feature[node])), high, low)
        return remove_dead(builder.circuit([(name, literals[0])]))


def cool_divided(
    train: Rows,
    valid: Rows,
    tests: int,
    shape: Shape,
    rounds: int,
    seed: tuple[int, int],
    options: Options,
) -> Divided:
    """For rows with one output: ask ``tests`` inputs on every path, and search at every leaf."""
    tree = DecisionTreeClassifier(max_depth=tests, random_state=0).fit(train.inputs, train.outputs[:, 0])
    at_train, at_valid = tree.apply(train.inputs), tree.apply(valid.inputs)
    leaves: dict[int, Cooled | bool] = {}
    for number in np.unique(at_train).tolist():
        rows, judged = train.take(at_train == number), valid.take(at_valid == number)
        same = rows.outputs.all() or not rows.outputs.any()
        leaves[number] = bool(rows.outputs[0, 0]) if same else cool(rows, judged, shape, rounds, seed, options)
    return Divided(tree, leaves, seed)
