"""RRR with a σ that rises: the paper's iteration once it is there, a run that can be cut anywhere, better circuits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import Dataset, InputKind, automaton
from boolearn.errors import ParameterError
from boolearn.problem import Problem
from boolearn.runs.folder import load_model, load_settings
from boolearn.solver import RRR, Choice
from boolearn.solver.rrr.solver import anneal_for
from commands import boolearn


def lines(run: bl.Run) -> list[Any]:
    return [replace(line, seconds=0) for line in run.trace]


@pytest.mark.parametrize("batch", [None, 8])
def test_a_resumed_run_is_the_same(tmp_path: Path, two_bit_multiplier: Dataset, batch: int | None) -> None:
    settings: dict[str, Any] = {"solver": RRR(anneal=1000, gap_tol=0, batch=batch), "seed": 3}
    whole = bl.train([4, 4, 4, 4], two_bit_multiplier, max_iter=1500, **settings)
    for cut in (50, 500, 1230):
        folder = tmp_path / str(cut)
        bl.train([4, 4, 4, 4], two_bit_multiplier, max_iter=cut, checkpoint=folder, **settings)
        again = bl.Checkpoints(folder, resume=True)
        resumed = bl.train([4, 4, 4, 4], two_bit_multiplier, max_iter=1500, checkpoint=again, **settings)
        assert np.array_equal(whole.model.weights, resumed.model.weights)
        assert lines(whole) == lines(resumed)


def test_a_second_start_begins_with_the_first_margins_again(two_bit_multiplier: Dataset) -> None:
    settings: dict[str, Any] = {"solver": RRR(anneal=300, gap_tol=0), "max_iter": 400, "threads": 1}
    both = bl.train([4, 4, 4, 4], two_bit_multiplier, seed=5, restarts=bl.Restarts(2, all=True), **settings)
    second = bl.train([4, 4, 4, 4], two_bit_multiplier, seed=6, **settings)
    assert both.starts[1].gap == second.gap


def test_what_is_handed_over_is_not_melted_down(two_bit_multiplier: Dataset) -> None:
    """A search that begins from weights has its σ from the first iteration on, also after it was restored."""
    found = bl.train([4, 6, 6, 4], two_bit_multiplier, solver="gates", stop="fit", seed=1)
    problem = Problem(found.model.network, two_bit_multiplier)
    search, resumed = (RRR(anneal=20_000).search(problem, threads=1) for _ in range(2))
    search.begin_from(found.model.weights, 1)
    resumed.restore(search.snapshot())
    for tried in (search, resumed):
        assert tried.advance(1).gap < 0.01
        assert tried.status is bl.Status.SOLVED
    resumed.begin(1)
    assert resumed.advance(1).gap > 0.1


def test_engines_agree(two_bit_multiplier: Dataset) -> None:
    solver = RRR(anneal=150, gap_tol=0, precision="double")
    run, reference, plain = (
        bl.train([4, 4, 4, 4], two_bit_multiplier, solver=replace(solver, **other), max_iter=120, seed=1)
        for other in ({}, {"engine": "reference"}, {"anneal": 0})
    )
    assert run.gap == pytest.approx(reference.gap, rel=1e-7)
    assert abs(run.gap - plain.gap) > 1e-3


def test_what_is_solved_has_the_margins_of_sigma(two_bit_multiplier: Dataset) -> None:
    """Also where the gap was closed on the way, with larger margins."""
    run = bl.train([4, 4, 4, 4], two_bit_multiplier, solver=RRR(beta=0.5, anneal=20_000), restarts=40, max_iter=20_000)
    assert run.solved
    network = run.model.network
    values = run.model.node_values(two_bit_multiplier.inputs)
    for neuron in range(network.n_neurons):
        node = network.first_neuron + neuron
        sums = np.abs(values[:, network.senders(node)] @ run.model.weights_into(node))
        assert sums.min() > 0.9 * np.sqrt(network.fan_in[neuron] / 3)


@pytest.mark.slow
def test_rule_30_is_learned_in_fewer_iterations() -> None:
    samples = automaton(30, 8, 1, 1048, seed=1)
    accuracies = {
        anneal: [
            bl.train(
                [8, 16, 16, 8],
                samples,
                items=48,
                solver=RRR(beta=0.5, anneal=anneal),
                max_iter=20_000,
                seed=seed,
                stop="gap",
            ).test_accuracy
            for seed in range(3)
        ]
        for anneal in (0, 15_000)
    }
    assert np.mean(accuracies[15_000]) > np.mean(accuracies[0]) + 0.05


def test_it_is_an_option_and_checked(tmp_path: Path, two_bit_multiplier: Dataset) -> None:
    bl.data.write(two_bit_multiplier, tmp_path / "table.dat")
    words = ("train", str(tmp_path / "table.dat"), "--layers", "4,4,4,4", "--max-iter", "200")
    boolearn(*words, "--anneal", "1e3", "--out", str(tmp_path / "run"), status=1)
    assert load_settings(tmp_path / "run")["anneal"] == 1000
    same = bl.train([4, 4, 4, 4], two_bit_multiplier, anneal=1000, max_iter=200)
    assert np.array_equal(load_model(tmp_path / "run").weights, same.model.weights)
    with pytest.raises(ParameterError, match="'anneal' parameter must be"):
        RRR(anneal=-1)
    assert "anneal" not in bl.train([4, 4, 4, 4], two_bit_multiplier, max_iter=5).settings
    tuning = bl.tune([4, 4, 4, 4], two_bit_multiplier, RRR(anneal=Choice(0, 300)), trials=2, starts=1, max_iter=200)
    assert {tried.setting["solver"].anneal for tried in tuning.ranking()} == {0, 300}


def test_auto_lets_it_rise_longer_for_larger_networks_and_for_codes(two_bit_multiplier: Dataset) -> None:
    codes = bl.data.random_vectors(8, 8, 1, InputKind.ANY_CODE)
    grey = bl.data.digits()
    one_bit = Dataset(two_bit_multiplier.inputs, two_bit_multiplier.targets[:, :1])  # fewer outputs than inputs
    for network, data, rise in (
        ([4, 4, 4, 4], two_bit_multiplier, 2 * 60),
        ([4, 9, 4], two_bit_multiplier, 2 * 85),
        ([4, 4], two_bit_multiplier, 0),
        ([4, 9, 1], one_bit, 0),
        ([4, 49, 1], one_bit, 0),
        ([4, 50, 1], one_bit, 2 * 301),
        ([3, 8, 8], codes, 64 * 104),
        ([8, 3, 8, 8], bl.data.random_vectors(8, 8, seed=1), 0),
        ([16, 4, 16, 16], bl.data.random_vectors(16, 16, seed=1), 64 * 420),
        ([64, 10], grey, 0),
    ):
        assert anneal_for(Problem(bl.layered(network), data)) == rise
    auto, same = (
        bl.train([4, 4, 4, 4], two_bit_multiplier, solver=RRR(anneal=anneal), max_iter=300, seed=2)
        for anneal in ("auto", 120)
    )
    assert np.array_equal(auto.model.weights, same.model.weights)


def test_the_command_line_takes_auto(tmp_path: Path, two_bit_multiplier: Dataset) -> None:
    bl.data.write(two_bit_multiplier, tmp_path / "table.dat")
    words = ("train", str(tmp_path / "table.dat"), "--layers", "4,4,4,4", "--max-iter", "200", "--gap-tol", "0")
    auto, number = (str(tmp_path / name) for name in ("auto", "number"))
    boolearn(*words, "--anneal", "auto", "--out", auto, status=1)
    boolearn(*words, "--anneal", "1.2e2", "--out", number, status=1)
    assert np.array_equal(load_model(auto).weights, load_model(number).weights)
    assert load_settings(auto)["anneal"] == "auto"
    boolearn("train", "--resume", auto, "--max-iter", "300", status=1)
    assert "'anneal' parameter must be a whole number or auto" in boolearn(*words, "--anneal", "long", status=2).stderr
