"""Decision trees as circuits: one tree, and boosted trees that vote.

Trees are weak on arithmetic and strong on pictures and tables, so they are candidates like others. A tree is a
multiplexer for every test. Boosted trees (Freund and Schapire's AdaBoost) vote, but each with one vote: their weights
differ little, gain next to nothing, and cost And nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
from sklearn.tree import DecisionTreeClassifier

from boolearn.circuit import Circuit
from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.circuit.rewriting.simplify import remove_dead
from boolearn.learning.found import Bits, Rows
from boolearn.learning.joining import majority, multiplexer

_ROUNDS_TO_REPORT = (3, 5, 9, 17, 33, 65, 97, 129)


def tree_circuit(rows: Rows, leaves: int, seed: int, inputs: tuple[str, ...], name: str) -> Circuit:
    """A decision tree with at most ``leaves`` leaves, for rows with one output."""
    return _circuit(_grown(rows, leaves, seed, None), inputs, name)


def boosted(
    rows: Rows,
    leaves: int,
    most: int,
    seed: int,
    inputs: tuple[str, ...],
    name: str,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[int, Circuit]]:
    """Ever larger votes of trees, each grown where those before are wrong: pairs (trees, circuit)."""
    wanted = np.where(rows.outputs[:, 0], 1.0, -1.0)
    weight = np.full(len(rows), 1 / len(rows))
    circuits: list[Circuit] = []
    for number in range(1, most + 1):
        if stop():
            return
        tree = _grown(rows, leaves, seed + number, weight)
        said = np.where(tree.predict(rows.inputs), 1.0, -1.0)
        wrong = float(weight[said != wanted].sum())
        if not 0 < wrong < 0.5:
            if not circuits and wrong == 0:
                yield 1, _circuit(tree, inputs, name)
            return
        share = 0.5 * np.log((1 - wrong) / wrong)
        circuits.append(_circuit(tree, inputs, name))
        weight *= np.exp(-share * said * wanted)
        weight /= weight.sum()
        if number in _ROUNDS_TO_REPORT:
            yield number, majority(circuits)


def _grown(rows: Rows, leaves: int, seed: int, weight: npt.NDArray[np.float64] | None) -> DecisionTreeClassifier:
    tree = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=seed % (1 << 32))
    return tree.fit(rows.inputs, rows.outputs[:, 0], sample_weight=weight)


def _circuit(tree: DecisionTreeClassifier, inputs: tuple[str, ...], name: str) -> Circuit:
    builder = CircuitBuilder(inputs)
    nodes = tree.tree_
    literals: dict[int, Literal] = {}
    for node in range(nodes.node_count - 1, -1, -1):  # children have larger numbers
        left, right = int(nodes.children_left[node]), int(nodes.children_right[node])
        if left < 0:
            says: Bits = tree.classes_[np.argmax(nodes.value[node][0])]
            literals[node] = TRUE if says else FALSE
        else:
            test = Literal(int(nodes.feature[node]))
            literals[node] = multiplexer(builder, test, literals[right], literals[left])
    return remove_dead(builder.circuit([(name, literals[0])]))
