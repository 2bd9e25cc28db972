"""The problems of ``gate_search.py``: circuits, automata and multipliers, and the items drawn of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boolearn._native import GateTask
from boolearn.checks import generator
from boolearn.circuit.bits import all_inputs
from boolearn.data import Dataset, automaton, multiplier
from boolearn.data.automata import evolve
from boolearn.model import BoolNet, random_model
from boolearn.model.random_model import draw_reads
from boolearn.network import Network, layered

UNSEEN = 10_000


@dataclass(frozen=True)
class Draw:
    train: Dataset
    test: Dataset | None
    truth: BoolNet | Dataset
    """A circuit, or all inputs with their outputs."""
    flips: np.ndarray[tuple[int, int], np.dtype[np.bool_]] | None = None


@dataclass(frozen=True)
class Case:
    network: Network
    draw: Callable[[int], Draw]
    draws: int
    noise: float = 0.0
    sigma: float = 3


def gate_task(network: Network, dataset: Dataset, **limits: Any) -> GateTask:
    """What the compiled gate search needs to know of a problem."""
    inputs, outputs = (np.ascontiguousarray(part > 0) for part in (dataset.inputs, dataset.outputs))
    return GateTask(network.n_inputs, network.n_outputs, network.start, network.sender, inputs, outputs, **limits)


def circuit_of_fives(*widths: int, seed: int) -> BoolNet:
    """Half of the neurons are copies, the others majorities of five, every edge negated with probability ½; every node
    is read, as in ``random_model``.
    """
    rng = generator(seed).spawn(1)[0]
    rows = []
    for below, width in itertools.pairwise(widths):
        sizes = np.where(rng.random(width) < 0.5, 5, 1)
        while sizes.sum() < below:
            sizes = np.where(rng.random(width) < 0.5, 5, 1)
        weights = np.zeros((width, below + 1))
        for row, reads in zip(weights, draw_reads(sizes, below, rng), strict=True):
            row[1 + np.array(reads)] = rng.choice([-1, 1], len(reads)) * np.sqrt((below + 1) / len(reads))
        rows.append(weights.ravel())
    return BoolNet(layered(*widths), np.concatenate(rows))


def circuit_case(gates: str, depth: int, width: int, items: int, draws: int, noise: float = 0.0) -> Case:
    widths = (width,) * (depth + 1)

    def draw(seed: int) -> Draw:
        fives = gates == "fives"
        circuit = circuit_of_fives(*widths, seed=seed) if fives else random_model(*widths, gates=gates, seed=seed)
        train, test = circuit.sample(items + UNSEEN, seed=seed).split(items)
        if not noise:
            return Draw(train, test, circuit)
        flips = np.random.default_rng(seed).random(train.outputs.shape) < noise
        return Draw(replace(train, outputs=np.where(flips, -train.outputs, train.outputs)), test, circuit, flips)

    return Case(layered(*widths), draw, draws, noise, sigma=5 if gates == "fives" else 3)


def rule_case(steps: int, items: int, draws: int, *widths: int) -> Case:
    def draw(seed: int) -> Draw:
        train, test = automaton(30, widths[0], steps, items + UNSEEN, seed=seed).split(items)
        states = all_inputs(widths[0])
        return Draw(train, test, Dataset(states, evolve(states, 30, steps)))

    return Case(layered(*widths), draw, draws)


def multiplier_case(bits: int, draws: int, *widths: int) -> Case:
    table = multiplier(bits)
    return Case(layered(*widths), lambda _: Draw(table, None, table), draws)


CASES = {
    "3-bit multiplier, 6→12→12→12→6": multiplier_case(3, 10, 6, 12, 12, 12, 6),
    **{f"3-bit multiplier, 6→{w}→{w}→{w}→6": multiplier_case(3, 5, 6, w, w, w, 6) for w in (10, 9, 8)},
    "3-bit multiplier, 6→16→16→6": multiplier_case(3, 5, 6, 16, 16, 6),
    "4-bit multiplier, 8→24→24→24→24→8": multiplier_case(4, 5, 8, 24, 24, 24, 24, 8),
    "4-bit multiplier, 8→32→32→32→32→8": multiplier_case(4, 5, 8, 32, 32, 32, 32, 8),
    **{f"rule 30, one step, {n} items": rule_case(1, n, 5, 16, 32, 32, 16) for n in (48, 64, 96)},
    **{f"rule 30, two steps, {n} items": rule_case(2, n, 5, 16, 48, 48, 48, 16) for n in (96, 128, 192)},
    **{f"Maj 5×32, {n} items": circuit_case("maj", 5, 32, n, 5) for n in (64, 96, 128)},
    **{f"Maj 5×32, {n} items": circuit_case("maj", 5, 32, n, 10) for n in (256, 384, 512)},
    **{f"And/Or 5×32, {n} items": circuit_case("andor", 5, 32, n, 5) for n in (64, 96, 128)},
    **{f"And/Or 5×32, {n} items": circuit_case("andor", 5, 32, n, 10) for n in (256, 384, 512)},
    **{f"And/Or 5×32, {n} items": circuit_case("andor", 5, 32, n, 5) for n in (1024, 2048, 16384)},
    **{
        f"And/Or 5×32, 512 items, {100 * p:g} % flipped": circuit_case("andor", 5, 32, 512, 5, p)
        for p in (0.01, 0.02, 0.05)
    },
    **{f"Maj 8×32, {n} items": circuit_case("maj", 8, 32, n, 5) for n in (512, 1024, 2048)},
    **{f"Maj 5×64, {n} items": circuit_case("maj", 5, 64, n, 5) for n in (512, 1024)},
    "Maj 5×128, 1024 items": circuit_case("maj", 5, 128, 1024, 5),
    **{f"Maj of five 3×16, {n} items": circuit_case("fives", 3, 16, n, 5) for n in (256, 512)},
    **{f"Maj of five 3×32, {n} items": circuit_case("fives", 3, 32, n, 5) for n in (512, 1024)},
}
