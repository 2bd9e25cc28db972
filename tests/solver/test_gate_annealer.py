"""The search as an object: rounds, snapshots, given starts."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from relay import relayed

from boolearn.data import Dataset, multiplier
from boolearn.errors import BoolearnError
from boolearn.model import BoolNet, random_model
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver.gates.annealer import GateAnnealer, Round, Stage
from boolearn.solver.gates.table import table_of, weights_of

Snapshot = dict[str, npt.NDArray[np.generic]]


def small_problem() -> Problem:
    return Problem(layered(4, 5, 5, 4), multiplier(2), 3)


def noisy_problem() -> Problem:
    circuit = random_model(6, 6, 6, gates="andor", seed=3)
    data = circuit.sample(100, seed=1)
    flips = np.random.default_rng(0).random(data.outputs.shape) < 0.02
    return Problem(circuit.network, replace(data, outputs=np.where(flips, -data.outputs, data.outputs)), 3)


def sparse_problem() -> Problem:
    circuit = random_model(6, 6, 6, gates="andor", seed=3)
    return Problem(circuit.network, circuit.sample(25, seed=1), 3)


def impossible_problem() -> Problem:
    return Problem(layered(3, 2, 1), Dataset(np.ones((2, 3), np.int8), np.array([[1], [-1]])), 3)


def run(search: GateAnnealer, most: int = 10_000) -> list[Round]:
    lines: list[Round] = []
    while not search.finished and len(lines) < most:
        lines.append(search.advance())
    search.close()
    return lines


@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "noise", "most"),
    [
        (small_problem(), 0.0, 10_000),
        (sparse_problem(), 0.0, 10_000),
        (noisy_problem(), 0.02, 10_000),
        (impossible_problem(), 0.0, 700),
    ],
    ids=["fits", "sparse", "noisy", "begins anew"],
)
def test_a_restored_search_goes_on_bit_for_bit(problem: Problem, noise: float, most: int) -> None:
    whole, stages = relayed(problem, noise, most)
    assert len(stages) >= 2
    assert (Stage.SAMPLE in stages) == (whole.fits and not problem.dataset.complete)


def test_a_finished_search_stays_as_it_is() -> None:
    search = GateAnnealer(small_problem(), 5)
    lines = run(search)
    assert search.finished
    assert search.fits
    assert lines[-1].least == 0
    before = search.snapshot()
    assert search.advance().sweeps == lines[-1].sweeps
    assert all(np.array_equal(array, before[name]) for name, array in search.snapshot().items())


def test_taking_snapshots_changes_nothing() -> None:
    quiet, watched = GateAnnealer(small_problem(), 3), GateAnnealer(small_problem(), 3)
    lines = run(quiet, 40)
    seen = []
    for _ in lines:
        seen.append(watched.advance())
        watched.snapshot()
    watched.close()
    assert seen == lines


def test_snapshots_of_other_problems_are_refused() -> None:
    search, other = GateAnnealer(small_problem(), 0), GateAnnealer(impossible_problem(), 0)
    state: Snapshot = search.snapshot()
    with pytest.raises(BoolearnError, match="'gates' does not fit"):
        other.restore(state)
    with pytest.raises(BoolearnError, match="lacks 'best'"):
        search.restore({name: array for name, array in state.items() if name != "best"})
    with pytest.raises(BoolearnError, match="another problem: a gate's inputs must be rising"):
        search.restore({**state, "gates": np.full_like(state["gates"], 77)})
    with pytest.raises(BoolearnError, match="the kept circuits must number 0 to 64"):
        search.restore({**state, "typical_kept": np.array(65)})
    with pytest.raises(BoolearnError, match="another problem: a gate's inputs must be rising"):
        search.restore({**state, "typical_kept": np.array(64)})
    assert all(np.array_equal(array, state[name]) for name, array in search.snapshot().items())
    search.close()
    other.close()


def test_a_search_can_begin_from_given_gates() -> None:
    circuit = random_model(8, 8, 8, 8, gates="maj", seed=2)
    problem = Problem(circuit.network, circuit.sample(60, seed=5), 3)
    truth = table_of(circuit.network, circuit.weights)
    search = GateAnnealer(problem, 0)
    search.begin_from(truth)
    assert search.fits
    assert search.least == 0
    assert int(search.snapshot()["stage"]) == Stage.REFINE
    run(search)

    damaged = truth.copy()
    damaged[3] = [1, -1, -1, 1, 0, 0]
    sweeps = {"near": 0, "far": 0}
    for seed, start in product(range(6), sweeps):
        search = GateAnnealer(problem, seed)
        if start == "near":
            search.begin_from(damaged)
            assert not search.fits
            assert np.array_equal(search.best, damaged)
        while not search.fits:
            search.advance()
        sweeps[start] += search.sweeps
        search.close()
    assert sweeps["near"] < sweeps["far"]


@pytest.mark.parametrize(("noise", "coldest"), [(0.0, [1.0, 0.4, 1.0]), (0.02, [1 / np.log(49)] * 3)])
def test_every_second_replica_is_colder_where_there_is_no_noise(noise: float, coldest: list[float]) -> None:
    search = GateAnnealer(replace(impossible_problem(), noise=noise), 5, replicas=3)
    lowest = np.full(3, np.inf)
    while search._streams == 3:
        lowest = np.minimum(lowest, [search._temperature(replica) for replica in range(3)])
        search.advance()
    search.close()
    assert not search.fits
    assert lowest == pytest.approx(coldest)


def test_replicas_are_swept_at_their_own_temperatures() -> None:
    """Where nothing is decided all gates are as likely as their prior; at a low temperature only those that fit."""
    search = GateAnnealer(sparse_problem(), 5)
    search._temperature = lambda replica: (1000.0, 0.05)[replica]  # type: ignore[method-assign]
    errors = []
    for _ in range(20):
        search.fits = True  # or a replica would rest once nothing is wrong
        search._round(insist=False)
        errors.append([sampler.errors for sampler in search._samplers])
    search.close()
    hot, cold = np.array(errors)[10:].mean(axis=0)
    assert cold < 10 < hot


STAGES = [
    (small_problem(), 0.0, [Stage.COOL, Stage.INSIST, Stage.REFINE, Stage.MEND]),
    (sparse_problem(), 0.0, [Stage.COOL, Stage.INSIST, Stage.REFINE, Stage.MEND, Stage.SAMPLE]),
    (noisy_problem(), 0.02, [Stage.COOL, Stage.SAMPLE]),
]


@pytest.mark.parametrize(("problem", "noise", "expected"), STAGES, ids=["whole table", "sparse", "noisy"])
def test_a_circuit_that_fits_is_refined_and_sampled_where_there_is_something_to_tell(
    problem: Problem, noise: float, expected: list[Stage]
) -> None:
    search = GateAnnealer(replace(problem, noise=noise), 5)
    rounds: list[Stage] = []
    while not search.finished:
        stage, step, before = search._stage, search._step, search.best.copy()
        rounds.append(stage)
        temperature = search.advance().temperature
        if stage is Stage.SAMPLE:
            assert temperature == (1 / np.log(49) if noise else 0.1)
            assert all(sampler.price == 0 for sampler in search._samplers)
            # The first quarter finds its place, and no votes are counted.
            assert step >= 200 or np.array_equal(search.best, before)
        elif noise:
            assert step < 320
    search.close()
    assert search.fits
    assert [stage for stage in expected if stage in rounds] == list(dict.fromkeys(rounds))
    assert {Stage.COOL, *expected[-1:]} <= set(rounds)
    assert rounds.count(Stage.SAMPLE) in ((400, 800) if Stage.SAMPLE in expected else (0,))


@pytest.mark.slow
def test_votes_of_likely_circuits_beat_the_shortest_that_was_found() -> None:
    """On unseen inputs, over a few circuits: what made the data is wanted, not any circuit that fits."""
    wrong = {"refined": 0, "voted": 0}
    for seed in (2, 4, 6, 10):
        circuit = random_model(8, 8, 8, gates="andor", seed=seed)
        train, test = circuit.sample(30 + 2000, seed=seed).split(30)
        assert test is not None
        search = GateAnnealer(Problem(circuit.network, train, 3), seed)
        while search._stage is not Stage.SAMPLE:
            search.advance()
        refined = search.best
        run(search)
        for name, table in (("refined", refined), ("voted", search.best)):
            said = BoolNet(circuit.network, weights_of(circuit.network, table)).predict(test.inputs)
            wrong[name] += int((said != test.outputs).sum())
    assert wrong["voted"] < wrong["refined"]


def test_a_price_is_of_no_effect_where_there_is_noise() -> None:
    free, dear = (GateAnnealer(replace(noisy_problem(), noise=0.02), 5, price=price) for price in (0.0, 3.0))
    assert run(free) == run(dear)
    assert np.array_equal(free.best, dear.best)


def test_beginning_from_given_gates_begins() -> None:
    """Whatever the search was at: no weights of bits are left, and it cools."""
    problem = Problem(layered(3, 2, 1), Dataset(np.ones((2, 3), np.int8), np.array([[1], [-1]])))
    search = GateAnnealer(problem, 1)
    while not any((sampler.weights > 1).any() for sampler in search._samplers):
        search.advance()
    search.begin_from(search.best)
    assert all((sampler.weights == 1).all() for sampler in search._samplers)
    assert search.advance().temperature == search.plan.least_hot
    search.close()
