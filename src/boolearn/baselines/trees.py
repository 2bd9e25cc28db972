"""Decision trees, random forests and gradient boosting of scikit-learn, one for each output bit."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from boolearn.baselines.method import Array, Method, Model
from boolearn.circuit import Circuit
from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, negation
from boolearn.circuit.circuit import Literal
from boolearn.data import Dataset, InputKind


class _PerBit(Method):
    """One classifier of scikit-learn for each output bit; a bit that never changes is a constant."""

    @abstractmethod
    def classifier(self, seed: int) -> Any: ...

    @abstractmethod
    def nodes(self, fitted: Any) -> int: ...

    def fitted(self, data: Dataset, seed: int) -> list[Any]:
        """A fitted classifier or a constant for each output."""
        return [
            self.classifier(seed).fit(data.inputs, bit > 0) if len(set(bit)) > 1 else bool(bit[0] > 0)
            for bit in data.targets.T
        ]

    def learn(self, data: Dataset, seed: int) -> Model:
        found = self.fitted(data, seed)

        def scores(given: Array) -> Array:
            return np.column_stack([_probability(one, given) - 0.5 for one in found])

        return Model(scores, sum(1 if isinstance(one, bool) else self.nodes(one) for one in found), "nodes")


def _probability(fitted: Any, given: Array) -> Array:
    """Of +1; a class is a greatest probability, so the answer of a single tree is not enough."""
    if isinstance(fitted, bool):
        return np.full(len(given), float(fitted))
    return np.asarray(fitted.predict_proba(given)[:, 1])


@dataclass(frozen=True)
class Tree(_PerBit):
    """A tree on Boolean inputs is a circuit of multiplexers, which are counted as its gates."""

    depth: int | None = None

    @property
    def name(self) -> str:
        return "decision tree"

    @property
    def budget(self) -> str:
        return "grown until pure" if self.depth is None else f"depth {self.depth}"

    def classifier(self, seed: int) -> Any:
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(max_depth=self.depth, random_state=seed)

    def nodes(self, fitted: Any) -> int:
        return int(fitted.tree_.node_count)

    def learn(self, data: Dataset, seed: int) -> Model:
        if data.input_kind is not InputKind.BOOLEAN or data.classes:
            return super().learn(data, seed)
        circuit = tree_circuit(self.fitted(data, seed), data.n_inputs)
        return Model(circuit.predict, len(circuit.gates), "gates", circuit)


def tree_circuit(trees: list[Any], n_inputs: int) -> Circuit:
    """Every decision is And and Or; what several trees have in common is shared."""
    builder = CircuitBuilder([f"x{place}" for place in range(n_inputs)])
    return builder.circuit([(f"y{place}", _literal(builder, tree)) for place, tree in enumerate(trees)])


def _literal(builder: CircuitBuilder, fitted: Any) -> Literal:
    if isinstance(fitted, bool):
        return TRUE if fitted else FALSE
    tree = fitted.tree_
    made: dict[int, Literal] = {}
    for node in reversed(range(tree.node_count)):  # children have greater numbers than their parents
        if tree.feature[node] < 0:
            made[node] = TRUE if tree.value[node, 0, 1] > tree.value[node, 0, 0] else FALSE
            continue
        high, low, by = made[tree.children_right[node]], made[tree.children_left[node]], Literal(tree.feature[node])
        ways = builder.conjunction((by, high)), builder.conjunction((negation(by), low))
        made[node] = high if high == low else builder.disjunction(ways)
    return made[0]


@dataclass(frozen=True)
class Forest(_PerBit):
    trees: int = 100

    @property
    def name(self) -> str:
        return "random forest"

    @property
    def budget(self) -> str:
        return f"{self.trees} trees a bit"

    def classifier(self, seed: int) -> Any:
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(self.trees, random_state=seed)

    def nodes(self, fitted: Any) -> int:
        return sum(tree.tree_.node_count for tree in fitted.estimators_)


@dataclass(frozen=True)
class Boosting(_PerBit):
    """scikit-learn's GradientBoostingClassifier, with its own depth of 3."""

    trees: int = 100

    @property
    def name(self) -> str:
        return "gradient boosting"

    @property
    def budget(self) -> str:
        return f"{self.trees} trees a bit"

    def classifier(self, seed: int) -> Any:
        from sklearn.ensemble import GradientBoostingClassifier

        return GradientBoostingClassifier(n_estimators=self.trees, random_state=seed)

    def nodes(self, fitted: Any) -> int:
        return sum(tree.tree_.node_count for tree in fitted.estimators_.ravel())
