"""Restarts whose limits grow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from boolearn.data import Dataset
from boolearn.errors import FileError, ParameterError
from boolearn.network import layered
from boolearn.runs import Checkpoints
from boolearn.solver import Restarts, Status
from boolearn.training import train

NEURON = layered(2, 1)
"""Three edges: the first start gets 192 iterations."""
XOR = Dataset(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([[0], [1], [1], [0]]))
"""More than one neuron can do, so no start is solved."""


@pytest.mark.parametrize("threads", [1, 2])
def test_each_start_gets_more_than_the_one_before_up_to_the_limit(threads: int) -> None:
    run = train(NEURON, XOR, max_iter=1000, restarts=Restarts(5, growing=2), threads=threads)
    assert [start.iterations for start in run.starts] == [192, 384, 768, 1000, 1000]
    assert all(start.status is Status.BUDGET for start in run.starts)


def test_a_start_is_the_one_that_its_seed_and_limit_give() -> None:
    run = train(NEURON, XOR, seed=3, restarts=Restarts(3, all=True, growing=1.5))
    for number, start in enumerate(run.starts):
        alone = train(NEURON, XOR, seed=3 + number, max_iter=round(192 * 1.5**number))
        assert (start.iterations, start.gap) == (alone.iterations, alone.gap)


def test_the_first_that_is_solved_ends_the_run(two_bit_multiplier: Dataset) -> None:
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, restarts=Restarts(50, growing=1.5))
    *others, last = run.starts
    assert last.status is Status.SOLVED
    assert all(start.status is Status.BUDGET for start in others)


@pytest.mark.parametrize(("growing", "number", "limit"), [(1.0, 10**9, 192), (10.0, 10**9, 5000), (1.1, 1, 211)])
def test_limits_of_late_starts(growing: float, number: int, limit: int) -> None:
    assert Restarts(growing=growing).limit(number, 3, 5000) == limit


def test_without_a_limit_of_iterations_there_is_one_of_seconds() -> None:
    assert Restarts(growing=2.0).limit(3, 3, None) == 8 * 192


def test_more_restarts_go_on_where_the_others_ended(tmp_path: Path) -> None:
    train(NEURON, XOR, max_iter=1000, restarts=Restarts(2, growing=2), checkpoint=tmp_path)
    kept = Checkpoints(tmp_path, resume=True)
    more = train(NEURON, XOR, max_iter=1000, restarts=Restarts(4, growing=2), checkpoint=kept)
    once = train(NEURON, XOR, max_iter=1000, restarts=Restarts(4, growing=2))
    assert [(start.iterations, start.gap) for start in more.starts] == [(s.iterations, s.gap) for s in once.starts]
    with pytest.raises(FileError, match=r"whose 'growing' is 2\.0.*Got None"):
        train(NEURON, XOR, max_iter=1000, restarts=4, checkpoint=kept)


def test_what_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"The 'growing' parameter must be finite and at least 1\. Got 0\.5"):
        Restarts(5, growing=0.5)
    with pytest.raises(ParameterError, match="'growing' parameter must be None with 'halving'"):
        Restarts(5, halving=2, growing=1.5)
