"""Random Boolean networks with known functions."""

from __future__ import annotations

import numpy as np

from boolearn.cells import CellNetwork


def random_network(variables: int, regulators: int, seed: int) -> CellNetwork:
    """Every variable has so many regulators and a nested canalising function of theirs: a & (!b | c & …)."""
    rng = np.random.default_rng(seed)
    rules = {}
    for k in range(variables):
        chosen = rng.choice(variables, regulators, replace=False)
        formula = ""
        for number in chosen:
            literal = f"{'!' if rng.random() < 0.4 else ''}g{number}"
            formula = f"{literal} {'&' if rng.random() < 0.5 else '|'} ({formula})" if formula else literal
        rules[f"g{k}"] = formula
    return CellNetwork(rules)
