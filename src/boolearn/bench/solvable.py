"""The problems whose solutions are timed: the paper's small and middle ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from boolearn.data import Dataset, InputKind, automaton, digits, multiplier, random_vectors
from boolearn.model import random_model
from boolearn.network import Network, layered


@dataclass(frozen=True)
class SolvableProblem:
    """A problem to solve, with the paper's β and γ for the C toolkit, which has no defaults."""

    name: str
    network: Network
    dataset: Dataset
    max_iter: int
    sigma: float = 3.0
    beta: float = 0.2
    gamma: float = 1e-3
    items: int | None = None
    """How many items, the first, are learned; the others are tested. By default all are learned."""
    target: float | None = None
    """The accuracy on tested items that ends a start; by default it ends when the gap is below 0.01. With free inputs
    that does not show that the codes give every bit, but it is when the C toolkit ends."""
    starts_at_once: int = 1
    """More for problems that are solved in seconds: several cores share them, and end at about the same time."""

    @property
    def learned_items(self) -> int:
        return self.items or len(self.dataset)


def solvable_problems() -> list[SolvableProblem]:
    """All of them, from small to large."""
    return [
        SolvableProblem("2-bit multiplier", layered(4, 4, 4, 4), multiplier(2), 10_000, starts_at_once=40),
        _autoencoder(3, 100_000),
        _decoder(3, 100_000),
        _circuit("And/Or circuit 3×8, 64 items", "andor", 100_000),
        _circuit("Maj circuit 3×8, 64 items", "maj", 100_000),
        _digits(256),
        _decoder(4, 1_000_000),
        _autoencoder(4, 1_000_000),
        SolvableProblem("3-bit multiplier", layered(6, 12, 12, 12, 6), multiplier(3), 1_000_000),
        SolvableProblem("rule 30, one step", layered(16, 32, 32, 16), automaton(30, 16, 1, 96, seed=1), 1_000_000),
        SolvableProblem(
            "rule 30, two steps", layered(16, 48, 48, 48, 16), automaton(30, 16, 2, 256, seed=1), 2_000_000
        ),
    ]


def _autoencoder(k: int, max_iter: int) -> SolvableProblem:
    n = 2**k
    return SolvableProblem(
        f"autoencoder, k = {k}",
        layered(n, k, n, n),
        random_vectors(n, n, seed=1),
        max_iter,
        7,
        gamma=1e-4,
        starts_at_once=_at_once(k),
    )


def _decoder(k: int, max_iter: int) -> SolvableProblem:
    n = 2**k
    vectors = random_vectors(n, n, 1, InputKind.ANY_CODE)
    return SolvableProblem(
        f"decoder, k = {k}", layered(k, n, n), vectors, max_iter, 5, gamma=1e-4, starts_at_once=_at_once(k)
    )


def _at_once(k: int) -> int:
    return 40 if k == 3 else 4


def _circuit(name: str, gates: str, max_iter: int) -> SolvableProblem:
    circuit = random_model(8, 8, 8, 8, gates=gates, seed=1)
    return SolvableProblem(name, circuit.network, circuit.sample(64, seed=1), max_iter, starts_at_once=4)


def _digits(items: int) -> SolvableProblem:
    """In black and white: the C toolkit learns from grey values and predicts from their signs."""
    grey = digits()
    images = replace(grey, inputs=np.where(grey.inputs > 0, 1, -1).astype(np.int8), input_kind=InputKind.BOOLEAN)
    name = f"digits, {items} items, to 70 %"
    return SolvableProblem(
        name, layered(64, 10), images, 2000, 1, beta=0.05, gamma=0.0, items=items, target=0.7, starts_at_once=20
    )
