"""infer_network: from transitions to an update function for every variable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from boolearn.cells.best_fit import shortest_description
from boolearn.cells.delays import all_delayed, influence
from boolearn.cells.expressions import check_names, write_expressions
from boolearn.cells.inference import MOST_ALTERNATIVES, Inference, InferredRule
from boolearn.cells.many import circuit_of_many
from boolearn.cells.network import CellNetwork, truth_table
from boolearn.cells.regulators import explains, smallest_explanations
from boolearn.cells.rule import Function, Seen, simplest_function
from boolearn.cells.transitions import Transitions
from boolearn.checks import checked_choice, checked_integer, checked_number
from boolearn.circuit.circuit import Circuit
from boolearn.errors import DataError, ParameterError

Bits = npt.NDArray[np.bool_]

METHODS = ("exact", "best-fit", "delays")
_HELD_OUT = 5
"""One transition of five is held out."""
_MOST_COMPARED = 32
"""Sets of regulators whose functions are written out to choose the simplest."""
_MOST_TABULATED = 10
_MUST = 1e6
"""Bits: what it costs to contradict a change that was seen."""


def infer_network(
    transitions: Transitions,
    *,
    possible: Mapping[str, Iterable[str]] | None = None,
    method: str = "exact",
    noise: float | None = None,
    max_regulators: int | None = None,
    self_regulation: bool | None = None,
    hold_out: bool = True,
    seed: int = 0,
) -> Inference:
    """Infer the update function of every variable, with as few regulators as explain its transitions.

    possible
        Prior knowledge: for some variables the names of all variables that may regulate them.
    method
        ``"exact"``: the smallest sets of regulators that explain every transition, and of them the simplest function;
        functions of more regulators by the gate search; ``"best-fit"`` for variables whose data contradict each other.
        ``"best-fit"``: the shortest description of regulators, function and errors together. ``"delays"``: for noisy
        series that were measured often; regulators are ranked by transfer entropy over several delays.
    noise
        The share of values that may be wrong, when it is known; it implies ``"best-fit"``.
    max_regulators
        The most regulators of a variable: by default 6, with delays 2. The gate search may find functions of more.
    self_regulation
        Whether a variable may regulate itself; by default it may, except with delays.
    hold_out
        Whether to measure the accuracy: a fifth of the transitions is predicted by functions inferred from the rest.
        The functions that are returned are inferred from all.
    """
    if not isinstance(transitions, Transitions):
        raise ParameterError(
            "transitions", "Transitions; boolearn.cells.read_series reads them from a file", transitions
        )
    check_names(transitions.names)
    checked_choice("method", method, METHODS)
    if noise is not None:
        checked_number("noise", noise, "from 0 to 0.5, without 0.5", lambda share: 0 <= share < 0.5)
        method = "best-fit" if noise and method == "exact" else method
    most = max_regulators if max_regulators is not None else 2 if method == "delays" else 6
    settings = _Settings(
        method,
        noise or None,
        checked_integer("max_regulators", most, 1, 12),
        self_regulation if self_regulation is not None else method != "delays",
        checked_integer("seed", seed, 0),
        _checked_possible(possible or {}, transitions.names),
    )
    rules = _Data(transitions, settings).rules()
    held = 0
    if hold_out and len(transitions) >= 2 * _HELD_OUT:
        kept, out = _split(transitions, seed)
        part = _Data(transitions.take(kept), settings).rules()
        held = len(out)
        shares = _shares(CellNetwork(_formulas(part)), transitions.take(out))
        rules = {name: replace(rule, held_out=shares[name]) for name, rule in rules.items()}
    return Inference(
        CellNetwork(_formulas(rules)), rules, len(transitions), transitions.contradictions, transitions.constant, held
    )


@dataclass(frozen=True)
class _Settings:
    method: str
    noise: float | None
    max_regulators: int
    self_regulation: bool
    seed: int
    possible: dict[str, list[int]]


@dataclass(frozen=True)
class _Data:
    """Transitions, looked at one variable at a time."""

    transitions: Transitions
    settings: _Settings

    def rules(self) -> dict[str, InferredRule]:
        return {name: self._rule(place) for place, name in enumerate(self.transitions.names)}

    def _rule(self, place: int) -> InferredRule:
        name, settings, data = self.transitions.names[place], self.settings, self.transitions
        candidates = [
            k for k in settings.possible.get(name, range(len(data.names))) if k != place or settings.self_regulation
        ]
        values = data.after[:, place]
        if settings.method == "delays":
            return self._from_delays(place, np.array(candidates, np.int64))
        states = data.before[:, candidates]
        names = tuple(data.names[k] for k in candidates)
        if data.asynchronous:
            return self._from_turns(place, states, names)
        if settings.method == "exact":
            found = smallest_explanations(states, values, settings.max_regulators, settings.seed)
            if found is not None:
                return _simplest(name, names, states, values, found.sets, found.complete)
            if explains(states, values):
                circuit = circuit_of_many(states, values, names, settings.seed)
                if circuit is not None:
                    return _of_circuit(name, circuit, states, values, names)
        weights = None
        if settings.noise is not None:
            weights = np.full(len(values), np.log2((1 - settings.noise) / settings.noise))
        chosen = shortest_description(states, values, settings.max_regulators, weights)
        return _fitted(name, names, states, values, chosen, "best fit")

    def _from_turns(self, place: int, states: Bits, names: tuple[str, ...]) -> InferredRule:
        """Asynchronous updates: a change shows the function; no change says little, it may not have been its turn."""
        values = self.transitions.after[:, place]
        changed = values != self.transitions.before[:, place]
        # If each of n variables is equally likely to have its turn, one that ought to change does not with 1 − 1/n.
        weights = np.where(changed, _MUST, -np.log2(1 - 1 / max(2, len(self.transitions.names))))
        name = self.transitions.names[place]
        if not changed.any():  # nothing is known but that it kept its value
            return InferredRule(name, name, {name: 1}, "constant", 0, 0, 1, 0, complete=True)
        chosen = shortest_description(states, values, self.settings.max_regulators, weights)
        return _fitted(name, names, states, values, chosen, "best fit", weights, changed)

    def _from_delays(self, place: int, candidates: npt.NDArray[np.int64]) -> InferredRule:
        told = self._influence[candidates, place]
        order = np.argsort(-told, kind="stable")[: self.settings.max_regulators]
        chosen = np.sort(order[told[order] > 0])
        names = tuple(self.transitions.names[k] for k in candidates)
        before, after = self._all_delayed
        states, values = before[:, candidates], after[:, place]
        rule = _fitted(self.transitions.names[place], names, states, values, chosen, "delays")
        return replace(rule, suggested=tuple(names[k] for k in chosen if names[k] not in rule.regulators))

    @cached_property
    def _influence(self) -> npt.NDArray[np.float64]:
        return influence(self.transitions)

    @cached_property
    def _all_delayed(self) -> tuple[Bits, Bits]:
        return all_delayed(self.transitions)


def _simplest(
    name: str, names: tuple[str, ...], states: Bits, values: Bits, sets: npt.NDArray[np.int64], complete: bool
) -> InferredRule:
    """Among sets of regulators that all explain everything: one whose function is unate and short."""
    if not sets.shape[1]:
        return _rule(
            name, (), simplest_function(Seen.count(states[:, :0], values)), "constant", 0, len(values), 0, 0, True
        )
    centred = values - values.mean()
    told = np.abs(centred @ states) / np.sqrt(len(values))
    likely = sets[np.argsort(-told[sets].sum(axis=1), kind="stable")[:_MOST_COMPARED]]
    tried = [(simplest_function(Seen.count(states[:, chosen], values)), chosen) for chosen in likely]
    function, chosen = min(tried, key=lambda pair: (not pair[0].unate, pair[0].literals))
    cells = 1 << sets.shape[1]
    powers = 1 << np.arange(sets.shape[1])
    unseen = [cells - len(np.unique(states[:, one] @ powers)) for one in sets]
    own = Seen.count(states[:, chosen], values).unseen
    others = _others(*unseen)
    return _rule(name, tuple(names[k] for k in chosen), function, "exact", 0, len(values), own, others, complete)


def _fitted(
    name: str,
    names: tuple[str, ...],
    states: Bits,
    values: Bits,
    chosen: npt.NDArray[np.int64],
    method: str,
    weights: npt.NDArray[np.float64] | None = None,
    telling: Bits | None = None,
) -> InferredRule:
    """The best function of chosen regulators; ``telling`` are the rows that are counted as right or wrong."""
    seen = Seen.count(states[:, chosen], values, weights)
    function = simplest_function(seen)
    answers = (
        function.table[tuple(states[:, chosen].T.astype(int))] if len(chosen) else np.full(len(values), function.table)
    )
    counted = np.ones(len(values), bool) if telling is None else telling
    wrong = int((answers != values)[counted].sum())
    open_cells = int((seen.ones == seen.zeros).sum())
    constant = "constant" if not len(chosen) and not wrong else method
    return _rule(
        *(name, tuple(names[k] for k in chosen), function, constant, wrong, int(counted.sum())),
        *(seen.unseen, _others(open_cells), not wrong),
    )


def _of_circuit(name: str, circuit: Circuit, states: Bits, values: Bits, names: tuple[str, ...]) -> InferredRule:
    """A function of many regulators, as the gate search found it."""
    regulators = circuit.inputs
    chosen = [names.index(regulator) for regulator in regulators]
    if len(regulators) <= _MOST_TABULATED:
        table = truth_table(circuit)
        rows = (np.arange(len(table))[:, None] >> np.arange(len(regulators))) & 1
        function = simplest_function(Seen.count(rows.astype(bool), table))
        seen = Seen.count(states[:, chosen], values)
        others = _others(seen.unseen)
        return _rule(name, regulators, function, "gate search", 0, len(values), seen.unseen, others, False)
    formula = write_expressions(circuit)["next"]
    unseen = (1 << len(regulators)) - len(np.unique(states[:, chosen], axis=0))
    signs = dict.fromkeys(regulators, 0)
    return InferredRule(name, formula, signs, "gate search", 0, len(values), unseen, _others(unseen), complete=False)


def _others(*unseen: int) -> int:
    """Functions besides the chosen one, where each set of regulators leaves so many states open, up to the limit."""
    most = MOST_ALTERNATIVES.bit_length()
    return min(sum(1 << min(count, most) for count in unseen) - 1, MOST_ALTERNATIVES)


def _rule(
    name: str,
    regulators: tuple[str, ...],
    function: Function,
    method: str,
    wrong: int,
    transitions: int,
    unseen: int,
    alternatives: int,
    complete: bool,
) -> InferredRule:
    used = np.flatnonzero(np.abs(np.array(function.terms or [[0] * len(regulators)])).any(axis=0))
    signs = {regulators[k]: function.signs[k] for k in used}
    formula = function.formula(list(regulators))
    return InferredRule(name, formula, signs, method, wrong, transitions, unseen, alternatives, complete)


def _formulas(rules: dict[str, InferredRule]) -> dict[str, str]:
    return {name: rule.formula for name, rule in rules.items()}


def _checked_possible(possible: Mapping[str, Iterable[str]], names: tuple[str, ...]) -> dict[str, list[int]]:
    place = {name: k for k, name in enumerate(names)}
    found = {}
    for target, regulators in possible.items():
        several = [regulators] if isinstance(regulators, str) else list(regulators)
        for name in (target, *several):
            if name not in place:
                raise DataError(
                    f"the possible regulators of {target!r} name {name!r}, which is no variable of the data."
                )
        found[target] = sorted({place[name] for name in several})
    return found


def _split(transitions: Transitions, seed: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Rows to infer from and rows held out: whole series where there are enough of them, else single transitions."""
    series = np.unique(transitions.series)
    groups = transitions.series if _HELD_OUT <= len(series) < len(transitions) else np.arange(len(transitions))
    different = np.unique(groups)
    drawn = np.random.default_rng(seed).permutation(different)[: max(1, len(different) // _HELD_OUT)]
    out = np.isin(groups, drawn)
    return np.flatnonzero(~out), np.flatnonzero(out)


def _shares(network: CellNetwork, transitions: Transitions) -> dict[str, float | None]:
    """For every variable the share of transitions that are predicted right; asynchronous: of its changes."""
    columns = [transitions.names.index(name) for name in network.names]
    right = network.step(transitions.before[:, columns]) == transitions.after[:, columns]
    if transitions.asynchronous:
        changed = (transitions.before != transitions.after)[:, columns]
        return {
            name: float(right[changed[:, k], k].mean()) if changed[:, k].any() else None
            for k, name in enumerate(network.names)
        }
    return {name: float(right[:, k].mean()) for k, name in enumerate(network.names)}
