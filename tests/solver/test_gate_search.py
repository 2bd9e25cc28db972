"""The search as an object: rounds, snapshots, given starts."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from boolearn.data import Dataset, multiplier
from boolearn.errors import BoolearnError
from boolearn.model import BoolNet, random_circuit
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver.gate_search import GateSearch, Progress, Stage
from boolearn.solver.gate_table import table_of, weights_of

Snapshot = dict[str, npt.NDArray[np.generic]]


def small_problem() -> Problem:
    return Problem(layered(4, 5, 5, 4), multiplier(2), 3)


def noisy_problem() -> Problem:
    circuit = random_circuit(6, 6, 6, gates="andor", seed=3)
    data = circuit.sample(100, seed=1)
    flips = np.random.default_rng(0).random(data.outputs.shape) < 0.02
    return Problem(circuit.network, replace(data, outputs=np.where(flips, -data.outputs, data.outputs)), 3)


def sparse_problem() -> Problem:
    circuit = random_circuit(6, 6, 6, gates="andor", seed=3)
    return Problem(circuit.network, circuit.sample(25, seed=1), 3)


def impossible_problem() -> Problem:
    return Problem(layered(3, 2, 1), Dataset(np.ones((2, 3), np.int8), np.array([[1], [-1]])), 3)


def run(search: GateSearch, most: int = 10_000) -> list[Progress]:
    lines = []
    while not search.finished and len(lines) < most:
        lines.append(search.advance())
    search.close()
    return lines


def relayed(problem: Problem, noise: float = 0.0, most: int = 10**6) -> tuple[GateSearch, set[int]]:
    """A search, after another that a fresh object took over every round went the same way; and the stages of both."""
    whole = GateSearch(problem, 5, noise=noise)
    relay = GateSearch(problem, 5, noise=noise)
    stages = set()
    for _ in range(most):
        if whole.finished:
            break
        expected = whole.advance()
        # A fresh object every round: whatever were left out of the snapshot would show at once.
        relay.close()
        state = relay.snapshot()
        relay = GateSearch(problem, 5, noise=noise, threads=2)
        relay.restore(state)
        assert relay.advance() == expected
        after = relay.snapshot()
        stages.add(int(after["stage"]))
        for name, array in whole.snapshot().items():
            assert np.array_equal(array, after[name]), name
    assert whole.finished == relay.finished
    whole.close()
    relay.close()
    return whole, stages


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
    _, stages = relayed(problem, noise, most)
    assert len(stages) >= 2


def test_a_finished_search_stays_as_it_is() -> None:
    search = GateSearch(small_problem(), 5)
    lines = run(search)
    assert search.finished
    assert search.fits
    assert lines[-1].least == 0
    before = search.snapshot()
    assert search.advance().sweeps == lines[-1].sweeps
    assert all(np.array_equal(array, before[name]) for name, array in search.snapshot().items())


def test_taking_snapshots_changes_nothing() -> None:
    quiet, watched = GateSearch(small_problem(), 3), GateSearch(small_problem(), 3)
    lines = run(quiet, 40)
    seen = []
    for _ in lines:
        seen.append(watched.advance())
        watched.snapshot()
    watched.close()
    assert seen == lines


def test_snapshots_of_other_problems_are_refused() -> None:
    search, other = GateSearch(small_problem(), 0), GateSearch(impossible_problem(), 0)
    state: Snapshot = search.snapshot()
    with pytest.raises(BoolearnError, match="'gates' does not fit"):
        other.restore(state)
    with pytest.raises(BoolearnError, match="lacks 'best'"):
        search.restore({name: array for name, array in state.items() if name != "best"})
    with pytest.raises(BoolearnError, match="another problem: a gate's inputs must be rising"):
        search.restore({**state, "gates": np.full_like(state["gates"], 77)})
    with pytest.raises(BoolearnError, match="typical circuits must be from 0 to 64"):
        search.restore({**state, "typical_kept": np.array(65)})
    with pytest.raises(BoolearnError, match="another problem: a gate's inputs must be rising"):
        search.restore({**state, "typical_kept": np.array(64)})
    assert all(np.array_equal(array, state[name]) for name, array in search.snapshot().items())
    search.close()
    other.close()


def test_a_search_can_begin_from_given_gates() -> None:
    circuit = random_circuit(8, 8, 8, 8, gates="maj", seed=2)
    problem = Problem(circuit.network, circuit.sample(60, seed=5), 3)
    truth = table_of(circuit.network, circuit.weights)
    search = GateSearch(problem, 0)
    search.begin_from(truth)
    assert search.fits
    assert search.least == 0
    assert int(search.snapshot()["stage"]) == Stage.REFINE
    run(search)

    damaged = truth.copy()
    damaged[3] = [1, -1, -1, 1, 0, 0]
    sweeps = {"near": 0, "far": 0}
    for seed, start in product(range(6), sweeps):
        search = GateSearch(problem, seed)
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
    search = GateSearch(impossible_problem(), 5, noise=noise, replicas=3)
    lowest = np.full(3, np.inf)
    while search._streams == 3:
        lowest = np.minimum(lowest, [search._temperature(replica) for replica in range(3)])
        search.advance()
    search.close()
    assert not search.fits
    assert lowest == pytest.approx(coldest)


def test_a_circuit_that_fits_is_refined_and_then_sampled_where_there_is_something_to_tell() -> None:
    for problem, noise, then in (
        (small_problem(), 0.0, [Stage.REFINE, Stage.MEND, Stage.FINISHED]),
        (sparse_problem(), 0.0, [Stage.REFINE, Stage.MEND, Stage.SAMPLE, Stage.FINISHED]),
        (noisy_problem(), 0.02, [Stage.SAMPLE, Stage.FINISHED]),
    ):
        search = GateSearch(problem, 5, noise=noise)
        stages = []
        while not search.finished:
            search.advance()
            if search.fits:
                stages.append(search._stage)
                if search._stage is Stage.SAMPLE:
                    assert all(sampler.price == 0 for sampler in search._samplers)
        search.close()
        assert sorted(set(stages)) == then


def test_votes_of_likely_circuits_beat_the_first_that_fits() -> None:
    """On unseen inputs, over a few circuits: the search is for what made the data, not for any circuit that fits."""
    wrong = {"first": 0, "last": 0}
    for seed in range(4):
        circuit = random_circuit(8, 8, 8, gates="andor", seed=seed)
        train, test = circuit.sample(60 + 2000, seed=seed).split(60)
        search = GateSearch(Problem(circuit.network, train, 3), seed)
        while not search.fits:
            search.advance()
        first = search.best
        run(search)
        for name, table in (("first", first), ("last", search.best)):
            said = BoolNet(circuit.network, weights_of(circuit.network, table)).predict(test.inputs)
            wrong[name] += int((said != test.outputs).sum())
    assert wrong["last"] < wrong["first"]


def test_beginning_from_given_gates_begins() -> None:
    """Whatever the search was at: no weights of bits are left, and it cools."""
    problem = Problem(layered(3, 2, 1), Dataset(np.ones((2, 3), np.int8), np.array([[1], [-1]])))
    search = GateSearch(problem, 1)
    while not any((sampler.weights > 1).any() for sampler in search._samplers):
        search.advance()
    search.begin_from(search.best, temperature=3.0)
    assert all((sampler.weights == 1).all() for sampler in search._samplers)
    assert search.advance().temperature == 3.0
    search.close()
