"""Problems of every kind for the engines: networks, inputs and margins that each take another way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from boolearn.data import Dataset, InputKind
from boolearn.engine.native import NativeEngine
from boolearn.network import Network, layered
from boolearn.problem import Problem

STEP = {"beta": 0.3, "gamma": 0.02}


def signs(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).choice(np.array([-1, 1], np.int8), shape)


def data(network: Network, items: int, kind: InputKind = InputKind.BOOLEAN) -> Dataset:
    outputs = signs(items, network.n_outputs, seed=1)
    if kind.free:
        return Dataset.generative(outputs, kind)
    if kind is InputKind.ANALOG:
        return Dataset(np.random.default_rng(2).uniform(-1, 1, (items, network.n_inputs)), outputs, kind)
    return Dataset(signs(items, network.n_inputs, seed=3), outputs)


def with_open_outputs(dataset: Dataset) -> Dataset:
    """A third of the output bits open, and one item without any other."""
    mask = np.random.default_rng(9).random(dataset.outputs.shape) < 1 / 3
    mask[len(mask) // 2] = True
    return replace(dataset, open=mask)


def from_rows(n_inputs: int, n_outputs: int, rows: list[list[int]], tie: list[int] | None = None) -> Network:
    start = np.cumsum([0, *map(len, rows)])
    return Network(n_inputs, n_outputs, start, np.concatenate(rows), None if tie is None else np.array(tie))


def irregular(n_inputs: int, hidden: int, n_outputs: int) -> Network:
    """A random graph: every neuron reads the one before it and a few earlier nodes."""
    rng = np.random.default_rng(4)
    rows = []
    for k in range(hidden + n_outputs):
        earlier = 1 + n_inputs + min(k, hidden)
        chosen = set(rng.choice(earlier, size=rng.integers(1, min(earlier, 9) + 1), replace=False).tolist())
        rows.append(sorted(chosen | {earlier - 1, 1}))
    return from_rows(n_inputs, n_outputs, rows)


def shared_rows() -> Network:
    """Eight neurons with two weight vectors between them, some edges in another order, then a layer of its own."""
    rows, tie = [], []
    for k in range(8):
        window, weights = [0, 1 + k, 2 + k, 3 + k], [w + 4 * (k % 2) for w in range(4)]
        rows.append(window if k < 4 else window[::-1])
        tie += weights if k < 4 else weights[::-1]
    rows += [[0, *range(11, 19)]] * 3
    return from_rows(10, 3, rows, tie + list(range(8, 8 + 27)))


PROBLEMS: dict[str, Callable[[], Problem]] = {
    "layered": lambda: Problem(layered(4, 6, 5, 3), data(layered(4, 6, 5, 3), 37)),
    "deep": lambda: Problem(layered(5, 5, 5, 5, 5), data(layered(5, 5, 5, 5, 5), 64), sigma=9),
    "irregular": lambda: Problem(irregular(6, 14, 4), data(irregular(6, 14, 4), 50)),
    "tied": lambda: Problem(shared_rows(), data(shared_rows(), 30)),
    "analog": lambda: Problem(layered(7, 6, 3), data(layered(7, 6, 3), 33, InputKind.ANALOG)),
    "any code": lambda: Problem(layered(4, 8, 6), data(layered(4, 8, 6), 45, InputKind.ANY_CODE)),
    "one-hot code": lambda: Problem(layered(5, 8, 6), data(layered(5, 8, 6), 45, InputKind.ONE_HOT_CODE)),
    "classes": lambda: Problem(layered(6, 8, 4), Dataset(signs(40, 6), np.arange(40) % 4, classes=4)),
    "fan-in 1": lambda: Problem(from_rows(2, 2, [[1], [2], [3], [4]]), Dataset(signs(17, 2), signs(17, 2, seed=1))),
    "fan-in 2000": lambda: Problem(layered(1999, 2, 1), data(layered(1999, 2, 1), 5)),
    "one item": lambda: Problem(layered(4, 4, 4, 4), data(layered(4, 4, 4, 4), 1)),
    # Half a line of lanes, and one more: in single precision, where a line has sixteen, and in double.
    "eight items": lambda: Problem(layered(4, 6, 5, 3), data(layered(4, 6, 5, 3), 8)),
    "nine items": lambda: Problem(layered(4, 6, 5, 3), data(layered(4, 6, 5, 3), 9)),
    "four items, any code": lambda: Problem(layered(4, 8, 6), data(layered(4, 8, 6), 4, InputKind.ANY_CODE)),
    "five items": lambda: Problem(layered(4, 6, 5, 3), data(layered(4, 6, 5, 3), 5)),
    "many items": lambda: Problem(layered(3, 4, 2), data(layered(3, 4, 2), 700)),
    "open outputs": lambda: Problem(layered(4, 6, 5, 3), with_open_outputs(data(layered(4, 6, 5, 3), 37))),
    "open, any code": lambda: Problem(
        layered(4, 8, 6), with_open_outputs(data(layered(4, 8, 6), 45, InputKind.ANY_CODE))
    ),
    "open, with noise": lambda: Problem(
        layered(4, 6, 5, 3), with_open_outputs(data(layered(4, 6, 5, 3), 70)), noise=0.1
    ),
    "bounded support": lambda: Problem(layered(9, 12, 4), data(layered(9, 12, 4), 60), support=3.5),
    "tied, bounded support": lambda: Problem(shared_rows(), data(shared_rows(), 30), support=2.6),
    "margins of their own": lambda: Problem(layered(4, 6, 4), data(layered(4, 6, 4), 35), sigma=np.linspace(1, 20, 10)),
}


def point(engine: NativeEngine) -> dict[str, np.ndarray]:
    return engine.compiled.point()
