"""RRR as a candidate: a hidden layer of neurons with many inputs, which no few gates of three inputs can stand for.

An iteration takes time with the rows times the edges, and thousands are needed, so this is for small data. Where a gate
search fits every row there is nothing to do for it.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from boolearn.circuit.rewriting.simplify import remove_dead
from boolearn.data import Dataset
from boolearn.learning.found import Bits
from boolearn.learning.task import Task
from boolearn.solver import Run, Status
from boolearn.training import train

METHOD = "RRR"
_HIDDEN = 8
_VALUES_IN_WORK = 70
"""Products of a weight and an input that take as long as a unit of work."""
_FEWEST_ITERATIONS = 200
_MOST_ITERATIONS = 20_000
_MOST_SUPPORT = 9


def add_rrr(task: Task, outputs: list[int], work: float) -> Run | None:
    """Train on the outputs and add what each of them became; None where it does not fit every row."""
    rows = task.train.only(outputs)
    widths = [rows.n_inputs, _HIDDEN + len(outputs), len(outputs)]
    edges = sum(a * b for a, b in itertools.pairwise(widths))
    iterations = int(work * _VALUES_IN_WORK / (edges * len(rows)))
    if iterations < _FEWEST_ITERATIONS or task.clock.over():
        return None
    names = tuple(task.outputs[output] for output in outputs)
    run = train(
        widths,
        Dataset(
            _signs(rows.inputs),
            _signs(rows.outputs),
            input_names=task.inputs,
            output_names=names,
            open=rows.open,
        ),
        sigma=min(_MOST_SUPPORT, rows.n_inputs),
        noise=task.noise,
        seed=task.seed,
        max_iter=min(iterations, _MOST_ITERATIONS),
        max_seconds=task.clock.left if np.isfinite(task.clock.left) else None,
        stop="fit",
        threads=task.threads,
    )
    if run.status is Status.INTERRUPTED:
        task.clock.interrupt()
    if not run.solved:  # wrong as often as not, and slow to read as gates
        return None
    circuit = run.circuit()
    for place, output in enumerate(outputs):
        alone = remove_dead(replace(circuit, outputs=circuit.outputs[place : place + 1]))
        task.add(output, task.judge(output, alone, f"{METHOD} {','.join(map(str, widths))}"))
    return run


def _signs(bits: Bits) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    return np.where(bits, np.int8(1), np.int8(-1))
