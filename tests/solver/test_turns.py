"""RRR and the gate search in turns: what either can solve is solved, and a run can be cut anywhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import Dataset, InputKind, random_vectors
from boolearn.errors import DataError, ParameterError
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver import RRR, Gates, Status, Turns
from boolearn.solver.turns import TurnsSearch
from boolearn.training import train


def majority_of_nine() -> Dataset:
    inputs = np.random.default_rng(0).choice(np.array([-1, 1], np.int8), (200, 9))
    return Dataset(inputs, np.where(inputs.sum(axis=1) > 0, 1, -1)[:, None])


@pytest.mark.parametrize("solver", ["auto", "hybrid"])
def test_both_kinds_of_problems_are_solved(solver: str, two_bit_multiplier: Dataset) -> None:
    small_gates = train(layered(4, 6, 6, 4), two_bit_multiplier, solver=solver, seed=1)  # type: ignore[arg-type]
    assert small_gates.status is Status.SOLVED
    assert small_gates.proved
    wide_gate = train(layered(9, 1), majority_of_nine(), solver=solver, sigma=9, seed=1)  # type: ignore[arg-type]
    assert wide_gate.status is Status.SOLVED
    assert wide_gate.train_accuracy == 1
    assert wide_gate.iterations < 5000  # in the first look of RRR


def test_rrr_looks_first_then_come_the_gates() -> None:
    """The look is the shorter the larger the problem; where codes have to be found RRR has long turns."""
    small, large = (Problem(layered(9, 3, 1), majority_of_nine().take(slice(0, n))) for n in (20, 200))
    huge = Problem(layered(64, 512, 64), random_vectors(4096, 64, seed=1))
    codes = Problem(layered(8, 3, 8, 8), random_vectors(8, 8, seed=1), 7)
    rrr, gates = Turns().solvers
    look = 30_000_000 // (34 * 20)
    assert [rrr.leg(small, turn) for turn in range(6)] == [look, look, look, look, look, 80_000]
    assert [rrr.leg(large, turn) for turn in range(3)] == [30_000_000 // (34 * 200), 5000, 10_000]
    assert rrr.leg(huge, 0) == 1
    assert [rrr.leg(codes, turn) for turn in range(3)] == [100_000, 200_000, 400_000]
    many = Problem(layered(64, 16, 64), random_vectors(4096, 64, seed=1))
    assert [rrr.leg(many, turn) for turn in range(4)] == [114, 5000, 10_000, 20_000]
    assert rrr.leg(Problem(small.network, small.dataset, noise=0.1), 0) == 1
    assert [gates.leg(small, turn) for turn in range(3)] == [1000, 2000, 4000]
    search = Turns((RRR(gap_tol=0), Gates())).search(large, threads=1)
    search.begin(1)
    stages = []
    for solver, turn in ((rrr, 0), (gates, 0), (rrr, 1)):
        done = 0
        while done < solver.leg(large, turn):
            done += search.advance(solver.leg(large, turn) - done).iterations
            stages.append(search.stage.partition(":")[0])
        assert done == solver.leg(large, turn)
    search.close()
    assert [stage for k, stage in enumerate(stages) if stage != stages[k - 1] or k == 0] == ["rrr", "gates", "rrr"]


def test_auto_is_rrr_where_there_are_no_gates_to_search_for(two_bit_multiplier: Dataset) -> None:
    analog = replace(two_bit_multiplier, inputs=two_bit_multiplier.inputs / 2, input_kind=InputKind.ANALOG)
    chosen, rrr = (train(layered(4, 4, 4, 4), analog, solver=s, max_iter=50) for s in ("auto", "rrr"))  # type: ignore[arg-type]
    assert np.array_equal(chosen.model.weights, rrr.model.weights)
    with pytest.raises(DataError, match="needs Boolean inputs"):
        train(layered(4, 4, 4, 4), analog, solver="hybrid")
    with pytest.raises(ParameterError, match="'solver' parameter must be one of 'rrr', 'gates', 'auto', 'hybrid'"):
        train(layered(4, 4, 4, 4), analog, solver="magic")  # type: ignore[arg-type]


@pytest.mark.parametrize("handover", [False, True])
def test_a_snapshot_in_any_leg_goes_on_bit_for_bit(handover: bool) -> None:
    problem = Problem(layered(9, 3, 1), majority_of_nine())

    def fresh() -> TurnsSearch:
        solver = Turns((RRR(gap_tol=0, precision="double"), Gates()), handover=handover)
        search = solver.search(problem, threads=1)
        assert isinstance(search, TurnsSearch)
        search.begin(3)
        return search

    def advance(search: TurnsSearch, n: int) -> None:
        done = 0
        while done < n:
            done += search.advance(n - done).iterations

    look, sweeps = (solver.leg(problem, 0) for solver in (RRR(), Gates()))
    for cut in (look // 2, look + 700, look + sweeps + 300, look + sweeps + RRR().leg(problem, 1) + 300):
        whole, resumed = fresh(), fresh()
        advance(whole, cut)
        resumed.restore({name: array.copy() for name, array in whole.snapshot().items()})
        for search in (whole, resumed):
            advance(search, sweeps)
        assert np.array_equal(whole.weights(), resumed.weights())
        for search in (whole, resumed):
            search.close()


def test_a_resumed_run_is_the_same(tmp_path: Path) -> None:
    settings = {"solver": "hybrid", "sigma": 3, "seed": 2, "stop": "gap"}
    network, dataset = layered(9, 2, 1), majority_of_nine()
    whole = train(network, dataset, max_iter=9000, **settings)  # type: ignore[arg-type]
    train(network, dataset, max_iter=4000, checkpoint=tmp_path, **settings)  # type: ignore[arg-type]
    resumed = train(network, dataset, max_iter=9000, checkpoint=bl.Checkpoints(tmp_path, resume=True), **settings)  # type: ignore[arg-type]
    assert np.array_equal(whole.model.weights, resumed.model.weights)
    assert [replace(line, seconds=0) for line in whole.trace] == [replace(line, seconds=0) for line in resumed.trace]
