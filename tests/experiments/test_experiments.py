"""Every experiment of the paper, as small as it can be, from its jobs to its pictures."""

from __future__ import annotations

import math
import pickle
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boolearn.bench.record import Document, read_record
from boolearn.data import Dataset, InputKind, evolve, multiplier, one_hot_vectors, write
from boolearn.errors import DataError
from boolearn.experiments import NAMES, draw, find, reproduce
from boolearn.experiments.autoencoder import layer_values, one_hot_sigma
from boolearn.experiments.exact_circuits import proved_outputs
from boolearn.experiments.mnist4 import fours
from boolearn.experiments.multiplier_2 import weight_evolution
from boolearn.experiments.rule30 import exact_outputs
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.training import train
from commands import boolearn

TINY: dict[str, dict[str, Any]] = {
    "multiplier-2": {"starts": 4, "block": 3},
    "multiplier-3": {"starts": 1, "max_iter": 300},
    "autoencoder": {"bits": (2, 3), "starts": 1, "max_iter": 20_000, "max_iter_two_layers": 300, "max_sweeps": 50},
    "decoder": {"bits": 3, "starts": 1, "max_iter": 1000},
    "circuits": {
        "widths": (6, 6, 6),
        "items": (8, 16),
        "draws": 2,
        "drawn_items": (16,),
        "max_iter": 300,
        "max_sweeps": 500,
    },
    "mnist4": {"items": 40, "codes": 4, "hidden": 8, "restarts": 2, "max_iter": 30},
    "digits": {"items": (40, 80), "max_iter": 40},
    "estimate": {"widths": (6, 6, 6), "draws": 2, "samples": (64, 256)},
    "exact-circuits": {"widths": (6, 6, 6), "items": (16, 64), "draws": 1, "max_sweeps": 500},
    "metric-order": {
        "widths": (6, 6, 6),
        "items": 16,
        "max_iter": 60,
        "multiplier_starts": 2,
        "block": 1,
        "max_iter_multiplier": 40,
    },
    "constrained": {"widths": (6, 6, 6), "under": (4, 8), "over": (16, 32), "max_iter": 300},
    "rule30": {"networks": ((5, 10, 10, 5), (5, 15, 5)), "items": (8, 24), "max_iter": 300, "max_sweeps": 500},
    "rule30-two-steps": {"networks": ((5, 15, 15, 15, 5),), "items": (24,), "max_iter": 300, "max_sweeps": 500},
    "starts": {"widths": (6, 6, 6), "items": 16, "starts": 2, "max_iter": 300},
    "baselines": {
        "circuit": (6, 6, 6),
        "circuit_items": (16, 32),
        "batches": (),
        "rule30": (5, 10, 10, 5),
        "rule30_items": (16,),
        "rule30_twice_items": (),
        "digit_items": (),
        "multipliers": (),
        "fours": (4, 8, 256),
        "fours_items": (64,),
        "max_iter_percent": 1,
    },
    "batches": {"widths": (6, 6, 6), "items": 16, "fractions": (1, 2), "batch_iter": 20, "max_iter": 300},
}


SLOW = {"baselines"}
"""Trains gradient networks, however small; test_compared.py has a quick one."""


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in NAMES]
)
def tiny(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, Document]:
    """A reproduction that is done: the experiment's name, its folder and its record."""
    experiment = find(request.param)
    folder = tmp_path_factory.mktemp(request.param) / "out"
    parameters = replace(experiment.quick, **TINY[request.param])
    record = reproduce(experiment, parameters, 1, folder, command=["boolearn"], threads=1)
    return request.param, folder, record


@pytest.mark.parametrize("name", NAMES)
def test_jobs_have_names_of_their_own_and_can_be_sent_to_other_processes(name: str) -> None:
    experiment = find(name)
    assert experiment.name == name
    for parameters in (experiment.full, experiment.quick):
        jobs = experiment.jobs(parameters, 0)
        names = [job.name for job in jobs]
        assert len(set(names)) == len(names) > 1
        assert all(re.fullmatch(r"[A-Za-z0-9.-]+", word) for word in names)
        assert all(job.cost > 0 and pickle.dumps(job) for job in jobs)


def test_a_tiny_reproduction_has_a_row_for_every_job_a_summary_and_pictures(tiny: tuple[str, Path, Document]) -> None:
    name, folder, record = tiny
    experiment = find(name)
    parameters = replace(experiment.quick, **TINY[name])
    assert [row["job"] for row in record["rows"]] == [job.name for job in experiment.jobs(parameters, 1)]
    assert all(line["what"] and line["ours"] for line in record["summary"])
    assert set(record["parameters"]) == set(asdict(parameters))
    assert len(list(folder.glob("*.png"))) >= 1


@pytest.mark.slow
def test_pictures_are_drawn_from_the_record_alone(
    tiny: tuple[str, Path, Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, folder, _ = tiny
    monkeypatch.setattr("boolearn.experiments.training.train", None)
    monkeypatch.setattr("boolearn.solver.rrr.solver.RRR.search", None)
    drawn = draw(find(name), read_record(folder / "record.json"), tmp_path)
    assert sorted(path.name for path in drawn) == sorted(path.name for path in folder.glob("*.png"))
    for path in drawn:
        assert path.read_bytes() == (folder / path.name).read_bytes()


@pytest.mark.slow
def test_the_numbers_of_the_rows_reach_the_pictures(tiny: tuple[str, Path, Document], tmp_path: Path) -> None:
    """Another trace, another picture: so what is drawn is in the rows, and not computed elsewhere."""
    name, folder, _ = tiny
    record = read_record(folder / "record.json")
    for row in record["rows"]:
        if row.get("test_bits") is not None:
            row["test_bits"] = 0.5
        for column in ("gap", "least_gap", "train_accuracy", "test_accuracy"):
            if column in row.get("trace", {}):
                row["trace"][column] = [0.5] * len(row["trace"]["iteration"])
        for estimate in row.get("entropy", []):
            estimate["tree"] = 1.0
        if "proved" in row:
            row["proved"] = 1
    changed = [path.read_bytes() != (folder / path.name).read_bytes() for path in draw(find(name), record, tmp_path)]
    assert any(changed)


def test_the_same_seed_gives_the_same_rows(tiny: tuple[str, Path, Document]) -> None:
    name, _, record = tiny
    jobs = find(name).jobs(replace(find(name).quick, **TINY[name]), 1)
    job = min((job for job in jobs if job.name != "smallest"), key=lambda job: job.cost)
    (before,) = (row for row in record["rows"] if row["job"] == job.name)
    again = job.run()
    fields = ("iterations", "gap", "least_gap", "train_accuracy", "test_accuracy", "solved_iterations")
    for field in (*fields, "train_bits", "test_bits", "size"):
        assert again.get(field) == before.get(field), field


def test_a_weight_evolution_ends_with_the_weights_of_the_run() -> None:
    table = multiplier(2)
    run = train([4, 4, 4, 4], table, seed=1, max_iter=10_000, threads=1)
    assert run.solved
    found = weight_evolution(Problem(layered(4, 4, 4, 4), table, 3), run.seed, run.iterations)
    assert found["iteration"][-1] == run.iterations
    assert found["weights"][-1] == run.model.weights.tolist()


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_an_and_of_a_whole_code_just_has_the_margin_of_one_hot_sigma(k: int) -> None:
    weights = np.array([*[1.0] * k, k - 1.0])
    scaled = weights * math.sqrt((k + 1) / (weights @ weights))
    least_sum = scaled[0]  # all bits agree: k − (k − 1); one differs: (k − 2) − (k − 1)
    assert least_sum == pytest.approx(math.sqrt((k + 1) / one_hot_sigma(k)))


def test_layers_of_a_solved_autoencoder_hold_its_vectors_and_all_codes() -> None:
    data = one_hot_vectors(8)
    run = train([8, 3, 8], data, sigma=one_hot_sigma(3), gamma=1e-4, max_iter=50_000, threads=1)
    assert run.solved
    assert np.array_equal(layer_values(run.model, data, 0), data.inputs)
    assert np.array_equal(layer_values(run.model, data, 2), data.outputs)
    assert len(np.unique(layer_values(run.model, data, 1), axis=0)) == 8


def test_exact_outputs_are_those_that_follow_the_rule_in_all_states() -> None:
    from boolearn.circuit import circuit_from_formulas

    cells = ["a", "b", "c", "d"]
    right = {f"n{cell}": f"{cells[i - 1]} ^ ({cell} | {cells[(i + 1) % 4]})" for i, cell in enumerate(cells)}
    assert exact_outputs(circuit_from_formulas(right, cells, list(right)), 1) == [True] * 4
    wrong = {**right, "nc": "b ^ c"}
    assert exact_outputs(circuit_from_formulas(wrong, cells, list(wrong)), 1) == [True, True, False, True]
    assert evolve([[1, -1, -1, -1]], 30, 1).tolist() == [[1, 1, -1, 1]]


def test_outputs_are_proved_one_by_one() -> None:
    from boolearn.circuit import circuit_from_formulas

    first = circuit_from_formulas({"p": "a & b", "q": "a | b", "r": "a ^ b"}, ["a", "b"], ["p", "q", "r"])
    second = circuit_from_formulas(
        {"p": "~(~a | ~b)", "q": "a", "r": "(a | b) & ~(a & b)"}, ["a", "b"], ["p", "q", "r"]
    )
    assert proved_outputs(first, second) == 2
    assert proved_outputs(first, first) == 3


def test_the_command_runs_an_experiment_and_compares_it_with_the_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from boolearn.experiments import constrained

    monkeypatch.chdir(tmp_path)
    small = replace(constrained.EXPERIMENT, quick=replace(constrained.EXPERIMENT.quick, **TINY["constrained"]))
    monkeypatch.setattr(constrained, "EXPERIMENT", small)
    said = boolearn("reproduce", "constrained", "--quick", "--threads", "1", "--seed", "2")
    assert "4 of 4 jobs" in said.stderr
    assert re.search(r"under-constrained, 4 items: least gap +0\.\d+ .* rises with the items", said.stdout)
    record = read_record(tmp_path / "constrained-quick-run/record.json")
    assert record["command"] == "boolearn reproduce constrained --quick --threads 1 --seed 2"
    assert (tmp_path / "constrained-quick-run/least-gap.png").exists()


def test_the_list_has_every_experiment_with_what_the_paper_shows() -> None:
    said = boolearn("reproduce", "--list").stdout
    for name in NAMES:
        assert re.search(rf"^{name} +\S", said, re.MULTILINE)
        assert find(name).paper in said


def test_the_list_says_how_long_a_recorded_experiment_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = find("starts")
    reproduce(experiment, replace(experiment.quick, **TINY["starts"]), 0, tmp_path / "out", command=["x"], threads=1)
    monkeypatch.setattr("boolearn.cli.jobs._RESULTS", tmp_path)
    (tmp_path / "starts.json").write_bytes((tmp_path / "out/record.json").read_bytes())
    said = boolearn("reproduce", "--list").stdout
    assert len(re.findall(r"Takes \d+ s on one core of ", said)) == 1


def test_mistakes_are_named() -> None:
    assert "one of those that --list shows" in boolearn("reproduce", status=2).stderr
    said = boolearn("reproduce", "multiplier-9", status=2).stderr
    assert "The 'name' parameter must be one of 'multiplier-2', " in said
    assert "Got 'multiplier-9' instead." in said
    said = boolearn("reproduce", "starts", "--quick", "--data", "x.dat", status=2).stderr
    assert "The 'data' parameter must be left out: starts makes its own data. Got 'x.dat' instead." in said


def test_pictures_that_are_too_few_or_too_large_are_refused(tmp_path: Path) -> None:
    few = tmp_path / "few.dat"
    write(Dataset.generative(np.ones((20, 256)), InputKind.ONE_HOT_CODE), few)
    with pytest.raises(DataError, match="mnist4 needs more than 20 pictures of 256 bits"):
        fours(str(few), 20)
    assert len(fours(str(few), 15)[1]) == 5
    large = tmp_path / "large.dat"
    write(Dataset.generative(np.ones((20, 300)), InputKind.ONE_HOT_CODE), large)
    with pytest.raises(DataError, match="pictures of 256 bits"):
        fours(str(large), 10)
