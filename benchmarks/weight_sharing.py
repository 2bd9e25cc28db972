"""From how few states one shared cell learns the rule of a cellular automaton.

    python benchmarks/weight_sharing.py [--only NAME] [--draws N] [-o benchmarks/results/weight_sharing.json]

Draw k uses seed k for the states and seed 1000·k for the first start. A draw is exact when the learned cell is right on
every neighbourhood: the same weights then are right in a world of any size. Some draws do not show all neighbourhoods;
those need not determine the rule, and the record tells how many each draw shows. For the first exact draw of each
number of items the whole world's circuit is read and proved equal to the model, and where the states can be listed the
model is compared with the rule on all of them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from boolearn.solver.benchmark import machine

from boolearn import __version__
from boolearn.circuit import extract
from boolearn.data import Dataset, automaton, evolve, evolve_life, life
from boolearn.data.signs import Signs
from boolearn.files import write_text
from boolearn.model import BoolNet
from boolearn.network import Network, convolution_1d, convolution_2d, layered
from boolearn.solver import Run
from boolearn.training import train

MOST_STARTS = 30
UNSEEN = 1000


@dataclass(frozen=True)
class Case:
    """A world with one shared cell, and the same cell alone: one neighbourhood in, one cell out."""

    world: Network
    cell: Network
    data: Callable[[int, int], Dataset]
    """States and their successors, from a number of items and a seed."""
    rule: Callable[[Signs], Signs]
    """What becomes of neighbourhoods."""
    windows: Callable[[Signs], Signs]
    """All neighbourhoods in some states."""
    sigma: tuple[int, ...]
    stop: str = "gap"
    items: tuple[int, ...] = (1, 2, 3, 4, 8, 16)


def rule_30(steps: int) -> Case:
    span = 1 + 2 * steps
    channels, kernel = (1, 3, 1), (3, 1)

    def windows(states: Signs) -> Signs:
        turned = [np.roll(states, steps - place, axis=1) for place in range(span)]
        return np.stack(turned, axis=2).reshape(-1, span)

    return Case(
        convolution_1d(16, channels, kernel, repeat=steps),
        convolution_1d(span, channels, kernel, periodic=False, repeat=steps),
        lambda items, seed: automaton(30, 16, steps, items, seed),
        # The ring of span cells joins its ends, which the cell in the middle does not yet see after these steps.
        lambda cells: evolve(cells, 30, steps)[:, [steps]],
        windows,
        (7, 3) * steps,
        stop="gap" if steps == 1 else "fit",
    )


def game_of_life() -> Case:
    channels, kernel = (1, 2, 1), (3, 1)

    def windows(states: Signs) -> Signs:
        grid = states.reshape(-1, 8, 8)
        turned = [np.roll(grid, (1 - row, 1 - column), axis=(1, 2)) for row in range(3) for column in range(3)]
        return np.stack(turned, axis=3).reshape(-1, 9)

    return Case(
        convolution_2d((8, 8), channels, kernel),
        convolution_2d((3, 3), channels, kernel, periodic=False),
        lambda items, seed: life(8, 8, 1, items, seed),
        lambda cells: evolve_life(cells, (3, 3), 1)[:, [4]],  # on the 3×3 torus the centre sees the other eight
        windows,
        (25, 3),
    )


CASES = {"rule 30, one step": rule_30(1), "rule 30, two steps": rule_30(2), "Game of Life, 8×8": game_of_life()}


def every_input(bits: int) -> Signs:
    return ((np.arange(1 << bits)[:, None] >> np.arange(bits) & 1) * 2 - 1).astype(np.int8)


def one_draw(case: Case, items: int, draw: int, prove: bool) -> dict[str, object]:
    data = case.data(items + UNSEEN, draw)
    seen, unseen = data.split(items)
    assert unseen is not None
    begun, cpu = time.perf_counter(), time.process_time()
    run = train(
        case.world,
        seen,
        sigma=case.sigma,
        beta=0.5,
        max_iter=8000,
        stop=case.stop,
        restarts=MOST_STARTS,
        seed=1000 * draw,
        trace_ratio=1.02 if case.stop == "fit" else 1.2,
        threads=1,
    )
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    cells = every_input(case.cell.n_inputs)
    exact = bool((BoolNet(case.cell, run.model.weights).predict(cells) == case.rule(cells)).all())
    return {
        "items": items,
        "draw": draw,
        "status": run.status.word,
        "starts": len(run.starts),
        "iterations": sum(start.iterations for start in run.starts),
        "neighbourhoods_shown": len(np.unique(case.windows(seen.inputs), axis=0)),
        "neighbourhoods": len(cells),
        "test_accuracy": run.model.accuracy(unseen),
        "exact": exact,
        "proof": whole_world(case, run) if exact and prove else None,
        "seconds": seconds,
        "cpu_seconds": cpu,
    }


def whole_world(case: Case, run: Run) -> str:
    """The circuit of all cells together: equal to the model, and the model to the rule where states can be listed."""
    circuit = extract(run.model)
    proof = str(circuit.prove_equal(run.model))
    if case.world.n_inputs <= 16:
        states = every_input(case.world.n_inputs)
        expected = case.rule(case.windows(states)).reshape(len(states), -1)
        right = bool((run.model.predict(states) == expected).all())
        proof += f" The model is {'right' if right else 'wrong'} on all {len(states)} states."
    return f"{len(circuit.gates)} gates. {proof}"


def without_sharing(items: int, draw: int) -> dict[str, object]:
    """The paper's network for the same data, every neuron with weights of its own."""
    data = automaton(30, 16, 1, items + UNSEEN, draw)
    run = train(layered(16, 32, 32, 16), data, items=items, seed=1000 * draw, max_iter=4000, threads=1)
    return {
        "items": items,
        "draw": draw,
        "status": run.status.word,
        "iterations": run.iterations,
        "train_accuracy": run.train_accuracy,
        "test_accuracy": run.test_accuracy,
        "seconds": run.seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    shared: dict[str, list[dict[str, object]]] = {}
    for name, case in CASES.items():
        if options.only not in name:
            continue
        shared[name] = []
        for items in case.items:
            rows: list[dict[str, object]] = []
            for draw in range(options.draws):
                rows.append(one_draw(case, items, draw, prove=not any(row["exact"] for row in rows)))
            shared[name] += rows
            cpu = sum(float(str(row["cpu_seconds"])) for row in rows)
            print(
                f"{name}, {items:2} items: {sum(bool(row['exact']) for row in rows)} of {len(rows)} exact, "
                f"{sum(row['status'] in ('solved', 'fit') for row in rows)} solved, "
                f"neighbourhoods shown {[row['neighbourhoods_shown'] for row in rows]}, CPU {cpu:.1f} s",
                flush=True,
            )
    untied = []
    if options.only in "without sharing":
        for items in (4, 16):
            for draw in range(min(2, options.draws)):
                untied.append(without_sharing(items, draw))
                print(f"without sharing, {items} items: {untied[-1]}", flush=True)
    if options.out:
        record = {
            "version": __version__,
            "machine": machine(),
            "settings": {
                "beta": 0.5,
                "gamma": 0.001,
                "max_iter": 8000,
                "restarts": MOST_STARTS,
                "draws": options.draws,
                "cells": {
                    name: {"network": repr(case.world), "sigma": case.sigma, "stop": case.stop}
                    for name, case in CASES.items()
                },
            },
            "shared": shared,
            "without_sharing": untied,
        }
        write_text(options.out, json.dumps(record, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
