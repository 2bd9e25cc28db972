"""From how few states one shared cell learns the rule of a cellular automaton.

    python benchmarks/weight_sharing.py [--only NAME] [--draws N] [-o benchmarks/results/weight_sharing.json]

Draw k uses seed k for the states and seed 1000·k for the first start. A draw is exact when the learned cell is right on
every neighbourhood: the same weights then are right in a world of any size. Some draws do not show all neighbourhoods;
those need not determine the rule, and the record has how many each draw shows. For the first exact draw of each
number of items the whole world's circuit is read and proved equal to the model, and where the states can be listed the
model is compared with the rule on all of them.
"""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from common import arguments, chosen, recording, run_script

from boolearn.bench.record import Row
from boolearn.circuit import extract
from boolearn.circuit.bits import all_inputs
from boolearn.data import Dataset, automaton, evolve, evolve_life, life
from boolearn.data.signs import Signs
from boolearn.model import BoolNet
from boolearn.network import Network, convolution_1d, convolution_2d, layered
from boolearn.solver import Run
from boolearn.training import train

BETA, GAMMA = 0.5, 1e-3
MOST_STARTS = 30
MOST_ITERATIONS = 8000
UNSEEN = 1000
WITHOUT_SHARING = "rule 30, one step, without sharing"


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


def one_draw(case: Case, items: int, draw: int, prove: bool) -> Row:
    data = case.data(items + UNSEEN, draw)
    seen, unseen = data.split(items)
    assert unseen is not None
    begun, cpu = time.perf_counter(), time.process_time()
    run = train(
        case.world,
        seen,
        sigma=case.sigma,
        beta=BETA,
        gamma=GAMMA,
        max_iter=MOST_ITERATIONS,
        stop=case.stop,
        restarts=MOST_STARTS,
        seed=1000 * draw,
        trace_ratio=1.02 if case.stop == "fit" else 1.2,
        threads=1,
    )
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    cells = all_inputs(case.cell.n_inputs)
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
        states = all_inputs(case.world.n_inputs)
        expected = case.rule(case.windows(states)).reshape(len(states), -1)
        right = bool((run.model.predict(states) == expected).all())
        proof += f" The model is {'right' if right else 'wrong'} on all {len(states)} states."
    return f"{len(circuit.gates)} gates. {proof}"


def without_sharing(items: int, draw: int) -> Row:
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


def measured(case: Case, name: str, draws: int) -> Iterator[Row]:
    for items in case.items:
        rows: list[Row] = []
        for draw in range(draws):
            rows.append(one_draw(case, items, draw, prove=not any(row["exact"] for row in rows)))
        print(
            f"{name}, {items:2} items: {sum(row['exact'] for row in rows)} of {len(rows)} exact, "
            f"{sum(row['status'] in ('solved', 'fit') for row in rows)} solved, "
            f"neighbourhoods shown {[row['neighbourhoods_shown'] for row in rows]}, "
            f"CPU {sum(row['cpu_seconds'] for row in rows):.1f} s",
            flush=True,
        )
        yield from rows


def measured_without_sharing(draws: int) -> Iterator[Row]:
    for items, draw in itertools.product((4, 16), range(min(2, draws))):
        row = without_sharing(items, draw)
        print(f"without sharing, {items} items: {row}", flush=True)
        yield row


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--draws", type=int, default=5)
    options = parser.parse_args()
    measurements: dict[str, Callable[[int], Iterator[Row]]] = {
        name: functools.partial(measured, case, name) for name, case in CASES.items()
    }
    measurements[WITHOUT_SHARING] = measured_without_sharing
    wanted = chosen(measurements, options.only)
    seeds = "draw k, from 0, has seed k; its first start has seed 1000·k"
    cells = {
        name: {"network": repr(case.world), "sigma": case.sigma, "stop": case.stop} for name, case in CASES.items()
    }
    with recording(
        ("problem", "items", "draw"),
        options,
        seeds,
        beta=BETA,
        gamma=GAMMA,
        restarts=MOST_STARTS,
        max_iter=MOST_ITERATIONS,
        cells=cells,
    ) as record:
        for name, measure in wanted.items():
            for row in measure(options.draws):
                record.add({"problem": name, **row})


if __name__ == "__main__":
    run_script(main)
