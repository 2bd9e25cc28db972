"""Every benchmark for theory, as small as it can be, from its jobs to its pictures; and the command."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boolearn.bench.record import Document, read_record
from boolearn.circuit import circuit_from_formulas
from boolearn.data import Dataset, mirror, write
from boolearn.errors import ParameterError
from boolearn.experiments import draw, reproduce
from boolearn.theory import NAMES, find
from boolearn.theory.learnable import learn_set
from boolearn.theory.member_sets import named_set
from boolearn.theory.transition import fitted, learn_from_few
from commands import boolearn

ROOT = Path(__file__).parents[2]

TINY: dict[str, dict[str, Any]] = {
    "learnable": {"sets": ("mirror-2", "mirror-4"), "max_iter": 5, "max_iter_gates": 60, "members": 300},
    "transition": {"settings": ((4, 1, "andor", 0.5), (4, 1, "maj", 0.5)), "draws": 2, "ratios": (0.5, 3.0)},
    "width-depth": {"problems": ("multiplier", "maj"), "hidden_layers": (1, 2), "edges": 200, "max_iter": 20},
    "dimensions": {"features": (3,), "fewer": 1, "more": 1, "draws": 2, "max_iter": 500},
    "cost": {"problems": ("multiplier",), "rrr": (5, 10), "gates": (5, 10), "learn": (1000,)},
}
SHORT = {"transition": {"max_iter": 100, "max_iter_gates": 100}, "width-depth": {"max_iter_gates": 20}}


@pytest.fixture(scope="module", params=NAMES)
def tiny(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, Document]:
    """A benchmark that is done: its name, its folder and its record."""
    experiment = find(request.param)
    folder = tmp_path_factory.mktemp(request.param) / "out"
    parameters = replace(experiment.quick, **TINY[request.param], **SHORT.get(request.param, {}))
    record = reproduce(experiment, parameters, 0, folder, command=["boolearn"], threads=1)
    return request.param, folder, record


def test_a_benchmark_ends_with_a_table_and_pictures(tiny: tuple[str, Path, Document]) -> None:
    name, folder, record = tiny
    assert record == read_record(folder / "record.json")
    assert record["benchmark"] == name
    assert all(line["what"] and line["ours"] for line in record["summary"])
    assert len({line["what"] for line in record["summary"]}) == len(record["summary"])
    pictures = {path.name for path in folder.glob("*.png")}
    assert pictures
    assert {path.name for path in draw(find(name), record, folder)} == pictures


def test_jobs_have_different_names_and_depend_on_the_seed() -> None:
    for name in NAMES:
        experiment = find(name)
        for parameters in (experiment.quick, experiment.full):
            names = [job.name for job in experiment.jobs(parameters, 0)]
            assert len(set(names)) == len(names)
            assert all(re.fullmatch(r"[\w.-]+", job) for job in names)
        ours, theirs = ([job.computation for job in experiment.jobs(experiment.quick, seed)] for seed in (0, 1000))
        assert not any(job in theirs for job in ours)


def test_mirror_images_pass_through_nine_bits_and_no_fewer() -> None:
    row = learn_set("mirror-4", False, 600, 0, "gates", 1, 300)
    assert row["least"] == row["least_bits"] == 9
    assert row["circuits_exact"] == 1
    assert row["non_members"]["neighbours"]["reconstructed"] == 0
    assert row["non_members"]["codes_to_members"] == 1
    encoder, decoder = (
        circuit_from_formulas(row[half]["formulas"], row[half]["inputs"], row[half]["outputs"])
        for half in ("encoder", "decoder")
    )
    members = named_set("mirror-4", 0, 600).members
    assert np.array_equal(decoder.predict(encoder.predict(members)), members)


def test_a_bottleneck_that_is_not_closed_is_not_found_and_not_called_impossible(tmp_path: Path) -> None:
    """Random strings have nothing to be found; in so few sweeps no width below that of copies is closed."""
    rows = np.unique(np.random.default_rng(0).choice([-1, 1], (40, 8)), axis=0)
    write(Dataset(rows, rows), tmp_path / "noise.npz")
    row = learn_set(str(tmp_path / "noise.npz"), True, 0, 0, "gates", 1, 20)
    assert row["least"] is None
    assert len(row["tries"]) > 1
    (line,) = find("learnable").summary([row])
    assert line.ours == "not found below 8 bits with 20 sweeps × 1 start × 3 networks"
    assert line.paper == f"at least {row['least_bits']}"


def test_more_items_make_more_outputs_exact() -> None:
    rows = [learn_from_few(6, 1, "andor", 0.5, (0.25, 4.0), "gates", seed, 400) for seed in range(3)]
    few, many = np.mean([row["exact_outputs"] for row in rows], axis=0)
    assert many > few
    assert many > 0.9
    assert 0.1 < fitted(rows).middle < 4
    line = find("transition").summary([{**row, "seconds": 0.1} for row in rows])[-1]
    assert re.match(r"half of the outputs exact at \d\.\d\d \(", line.ours)
    never = [{**row, "exact_outputs": [0.0, 0.0], "seconds": 0.1} for row in rows]
    said = find("transition").summary(never)[-1].ours
    assert said.startswith("half of the outputs exact beyond 4, half of the circuits beyond 4; in estimates")
    for row in rows:
        assert row["estimate"] == pytest.approx(row["h"] / row["s"])
        assert row["items"] == [round(0.25 * row["estimate"]), round(4 * row["estimate"])]


def test_the_command_lists_the_benchmarks() -> None:
    said = boolearn("theory", "--list").stdout
    assert re.findall(r"^(\S+)", said, re.MULTILINE) == list(NAMES)
    assert "Question: what is the best tradeoff between width and depth." in said


def test_the_command_takes_a_file(tmp_path: Path) -> None:
    write(mirror(4, 4, 300, seed=0, task="copy"), tmp_path / "pictures.dat")
    words = ("theory", "learnable", str(tmp_path / "pictures.dat"), "--quick", "--threads", "1", "--scale", "0.1")
    said = boolearn(*words, "--out", str(tmp_path / "out")).stdout
    assert "9 of 16 bits; all" in said
    assert "at least 8" in said  # the file holds fewer than 2^8 of the 2^9 pictures, and no rule
    record = read_record(tmp_path / "out/record.json")
    assert {row["solver"] for row in record["rows"]} == {"gates", "rrr", "affine"}
    assert len(record["parameters"]["digest"]) == 64
    write(mirror(4, 4, 300, seed=1, task="copy"), tmp_path / "pictures.dat")
    refused = boolearn(*words, "--out", str(tmp_path / "out"), status=2).stderr
    assert "holds the results of another reproduction: its parameters" in refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "'name' parameter must be one of those that --list shows"),
        (("everything",), "'name' parameter must be one of"),
        (("cost", "data.csv"), "'data' parameter must be left out: cost makes its own data"),
        (("learnable", "nowhere.csv"), "nowhere.csv: there is no such file, and the named sets are mirror-2"),
        (("learnable", "data.txt"), "data.txt: must end in .dat"),
        (("learnable", "few.csv"), "at least 4 different rows, some to learn from and some to test on. Got 2"),
        (("learnable", "grey.csv"), "a set must consist of bits"),
    ],
)
def test_what_cannot_be_done_is_refused(
    words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.txt").write_text("0 1\n")
    (tmp_path / "few.csv").write_text("a,b\n0,1\n1,0\n0,1\n")
    (tmp_path / "grey.csv").write_text("a,b\n0.5,1\n0.2,0\n0.1,1\n0.7,0\n")
    assert message in boolearn("theory", *words, status=2).stderr
    assert not list(tmp_path.glob("*-run"))


def test_the_page_has_a_section_for_every_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    text = importlib.import_module("theory_results").markdown()
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == list(NAMES)
    page = ROOT / "docs" / "method" / "theory.md"
    for link in re.findall(r"\]\((\S+\.png)\)", text):
        assert (page.parent / link).exists()


def test_an_unknown_benchmark_is_refused() -> None:
    with pytest.raises(ParameterError, match="'name'"):
        find("words")
