"""A Tsetlin machine: clauses vote on every output bit, and automata decide which literals a clause holds.

An own compact version of Granmo, "The Tsetlin machine" (2018), in NumPy; all outputs learn side by side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.baselines.method import Method, Model
from boolearn.checks import generator
from boolearn.circuit import Circuit
from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.data import Dataset, InputKind
from boolearn.errors import ParameterError

_STATES = 100
"""Of an automaton on either side: from −100 to 0 it leaves its literal out, from 1 to 100 it holds it."""

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Tsetlin(Method):
    """Half of the clauses vote for +1, the other half against it."""

    epochs: int
    clauses: int = 40
    """For each output, an even number."""
    threshold: float | None = None
    """T: the votes at which a bit counts as learned; by default a quarter of the clauses."""
    specificity: float = 3.9
    """s: the greater, the more literals a clause holds."""

    def __post_init__(self) -> None:
        if self.clauses < 2 or self.clauses % 2:
            raise ParameterError("clauses", "an even number of at least 2", self.clauses)

    @property
    def name(self) -> str:
        return "Tsetlin machine"

    @property
    def budget(self) -> str:
        return f"{self.epochs} epochs of {self.clauses} clauses a bit"

    def learn(self, data: Dataset, seed: int) -> Model:
        if data.input_kind is not InputKind.BOOLEAN:
            raise ParameterError("data", "with Boolean inputs", data)
        rng = generator(seed)
        states = np.zeros((data.n_output_nodes, self.clauses, 2 * data.n_inputs), np.int8)
        literals, wanted = with_negations(data.inputs), data.targets > 0
        for _ in range(self.epochs):
            for item in rng.permutation(len(data)):
                self.learn_item(states, literals[item], wanted[item], rng)
        included = states > 0
        circuit = clause_circuit(included, data.n_inputs)
        return Model(lambda inputs: _votes(included, inputs, self.votes), len(circuit.gates), "gates", circuit)

    @property
    def votes(self) -> npt.NDArray[np.int64]:
        return np.repeat([1, -1], self.clauses // 2)

    def learn_item(
        self, states: npt.NDArray[np.int8], literals: Bools, wanted: Bools, rng: np.random.Generator
    ) -> None:
        """Clauses that should vote are made to match (type I); clauses that should not are made to differ (type II)."""
        matches = np.logical_not(((states > 0) & ~literals).any(axis=2))  # an empty clause matches while it learns
        enough = self.threshold or self.clauses / 4
        sums = np.clip(matches @ self.votes, -enough, enough)
        chance = (enough - np.where(wanted, sums, -sums)) / (2 * enough)
        chosen = rng.random(matches.shape) < chance[:, None]
        match_it = (self.votes > 0) == wanted[:, None]
        forget = np.float32(1 / self.specificity)

        first = chosen & match_it
        rows = states[first]
        unlikely = rng.random(rows.shape, np.float32) < forget
        agrees = matches[first][:, None] & literals
        rows += np.where(agrees, ~unlikely, -unlikely.astype(np.int8)).astype(np.int8)
        states[first] = np.clip(rows, -_STATES, _STATES)

        second = chosen & ~match_it & matches
        rows = states[second]
        states[second] = rows + ((rows <= 0) & ~literals).astype(np.int8)


def with_negations(inputs: npt.NDArray[np.int8]) -> Bools:
    """All inputs, then all their negations."""
    return np.concatenate([inputs > 0, inputs < 0], axis=1)


def _votes(included: Bools, inputs: npt.NDArray[np.int8], votes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Shape (items, outputs): the sum of votes, by which classes are compared; an empty clause does not vote."""
    missing = (~with_negations(inputs)).astype(np.float32) @ included.reshape(-1, included.shape[2]).T
    matches = (missing == 0).reshape(len(inputs), *included.shape[:2]) & included.any(axis=2)
    return np.asarray(matches @ votes)


def clause_circuit(included: Bools, n_inputs: int) -> Circuit:
    """Votes of conjunctions as threshold gates; an empty clause does not vote, and a tie means −1."""
    builder = CircuitBuilder([f"x{place}" for place in range(n_inputs)])
    outputs = []
    for output, clauses in enumerate(included):
        votes = np.repeat([1, -1], len(clauses) // 2)
        kept = [
            (builder.conjunction(_literals(clause, n_inputs)), int(vote))
            for clause, vote in zip(clauses, votes, strict=True)
            if clause.any()
        ]
        weights = [vote for _, vote in kept]
        # The votes are (1 + clause)/2 each, so twice their sum is even and −1 decides a tie.
        value = builder.threshold([literal for literal, _ in kept], weights, sum(weights) - 1)
        outputs.append((f"y{output}", value))
    return builder.circuit(outputs).simplify()


def _literals(clause: Bools, n_inputs: int) -> list[Literal]:
    return [Literal(int(place % n_inputs), 1 if place < n_inputs else -1) for place in np.flatnonzero(clause)]
