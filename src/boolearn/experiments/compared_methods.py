"""The methods that are compared, with the budget that each has on each family of problems."""

from __future__ import annotations

from dataclasses import dataclass

from boolearn.baselines import Boosting, Forest, KModes, Logistic, Method, Ridge, Tree
from boolearn.baselines.genetic import GeneticFormula
from boolearn.baselines.gradient import VARIANTS, Gradient
from boolearn.baselines.gradient.method import SCHEDULES
from boolearn.baselines.logic_gates import LogicGateNetwork
from boolearn.baselines.ours import Exact, Trained
from boolearn.baselines.tsetlin import Tsetlin
from boolearn.experiments.compared_problems import Case
from boolearn.solver import RRR, Gates


@dataclass(frozen=True)
class Budgets:
    """About ten seconds of CPU time a method, and so far less than the paper's 10⁶ steps; 0 where it is left out."""

    gradient: int = 0
    penalty: int = 0
    """Of Penalty-AdamW where it has more than the other gradient networks: its weights settle late."""
    rrr: int = 0
    gates: int = 0
    logic_gates: int = 0
    tsetlin: int = 0
    genetic: int = 0
    trees: int = 100


FULL = {
    "maj": Budgets(gradient=2500, rrr=2500, gates=4000, logic_gates=250, tsetlin=10),
    "andor": Budgets(gradient=2500, rrr=2500, gates=4000, logic_gates=250, tsetlin=10),
    "rule30": Budgets(gradient=5000, penalty=100_000, rrr=5000, gates=4000, logic_gates=500, tsetlin=40),
    "rule30-twice": Budgets(gradient=3000, rrr=2500, gates=4000, logic_gates=250, tsetlin=10),
    "digits": Budgets(gradient=2500, rrr=2500),
    "multiplier": Budgets(gradient=5000, rrr=20_000, gates=20_000, logic_gates=1000, tsetlin=100),
    "fours": Budgets(rrr=300),
    "iwls": Budgets(gradient=3000, rrr=100, gates=300, logic_gates=100, tsetlin=3, genetic=500),
}

_IWLS_BATCH = 256
"""6400 rows in every step would leave a gradient network few steps."""

_EXACT_SECONDS = 600
"""It takes a few seconds; a table of three bits would take days."""

_RRR = {
    "digits": (RRR(beta=0.05, gamma=0.0), 1.0),
    "fours": (RRR(), 5.0),
}
"""Settings and σ where they are not the usual ones; the paper's."""


def budgets(family: str, percent: int) -> Budgets:
    """The full budgets or a part of them, at least one step where there is a budget."""
    full = FULL[family]
    return Budgets(**{name: max(1, value * percent // 100) if value else 0 for name, value in vars(full).items()})


def methods(case: Case, percent: int, batches: tuple[int, ...] = ()) -> dict[str, Method]:
    """By the names that jobs carry."""
    budget, hidden = budgets(case.family, percent), case.widths[1:-1]
    solver, sigma = _RRR.get(case.family, (RRR(), 3.0))
    if case.family == "fours":
        codes = case.widths[0]
        return {
            "k-modes": KModes(codes, restarts=max(1, percent // 2)),
            "rrr": Trained(solver, hidden, budget.rrr, sigma, codes),
        }
    rrr_hidden = () if case.family == "digits" else hidden  # the paper's network for the digits has no hidden layer
    found: dict[str, Method | None] = {
        "rrr": Trained(solver, rrr_hidden, budget.rrr, sigma),
        "gates": Trained(Gates(), hidden, budget.gates) if budget.gates else None,
        "exact": Exact(_EXACT_SECONDS) if case.family == "multiplier" and case.size == 2 else None,
        "ridge": Ridge(),
        "logistic": Logistic(),
        "tree": Tree(),
        "forest": Forest(budget.trees),
        "boosting": Boosting(budget.trees),
        **gradient_methods(case, budget, batches),
        "logic-gates": LogicGateNetwork(budget.logic_gates, neurons=_neurons(case)) if budget.logic_gates else None,
        "tsetlin": Tsetlin(budget.tsetlin, clauses=_clauses(case)) if budget.tsetlin else None,
        "genetic": GeneticFormula(budget.genetic) if budget.genetic else None,
    }
    return {name: method for name, method in found.items() if method is not None}


def gradient_methods(case: Case, budget: Budgets, batches: tuple[int, ...]) -> dict[str, Gradient]:
    """All variants; where batch sizes are given, also the ways to take mini-batches of them."""
    hidden = case.widths[1:-1]
    schedule, batch = ("reshuffled", _IWLS_BATCH) if case.family == "iwls" else (None, 0)
    steps = dict.fromkeys(VARIANTS, budget.gradient)
    if budget.penalty:
        steps["penalty"] = budget.penalty
    found = {variant: Gradient(hidden, steps[variant], variant, schedule, batch) for variant in VARIANTS}
    for way in SCHEDULES:
        for size in batches:
            name = f"adamw-{way.replace(' ', '-')}-{size}"
            found[name] = Gradient(hidden, budget.gradient, "adamw", way, size)
    return found


def _neurons(case: Case) -> int:
    """Several for each of many outputs, many for a single one."""
    return 15 if case.widths[-1] > 1 else 101


def _clauses(case: Case) -> int:
    return 40 if case.widths[-1] > 1 else 200
