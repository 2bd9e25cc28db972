"""The committed records, and the page that shows them."""

from __future__ import annotations

import importlib
import importlib.util
import re
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType

import pytest

from boolearn import theory
from boolearn.bench.record import read_record
from boolearn.experiments import NAMES, find, reproduce

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "experiments" / "results"
RECORDS = sorted(RESULTS.glob("*.json"))
MOST_BYTES = 100_000


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "docs")
    return importlib.import_module("results")


@pytest.fixture
def publishing() -> ModuleType:
    specification = importlib.util.spec_from_file_location("publish", ROOT / "experiments" / "publish.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_committed_record_is_complete_and_says_where_it_comes_from(path: Path, publishing: ModuleType) -> None:
    record = read_record(path)
    assert record["benchmark"] == path.stem
    assert path.stem in (*NAMES, *theory.NAMES)
    assert re.fullmatch(r"[0-9a-f]{40}", record["commit"]), "made from source code that was committed"
    assert "/" not in record["command"]
    assert record["core_seconds"] == pytest.approx(sum(row["seconds"] for row in record["rows"]))
    assert all(line["what"] and line["ours"] for line in record["summary"])
    pictures = {file.name for file in (RESULTS / path.stem).glob("*.png")}
    assert pictures == set(publishing.find(path.stem).pictures(record))
    assert all(file.stat().st_size < MOST_BYTES for file in (RESULTS / path.stem).glob("*.png"))


def test_the_page_shows_every_number_of_the_records(page: ModuleType) -> None:
    text = page.markdown()
    sections = dict(part.split("\n", 1) for part in f"\n{text}".split("\n## ")[1:])
    assert list(sections) == list(NAMES)
    assert "(method/comparison.md)" in sections.pop("baselines")  # its tables are there
    for name, section in sections.items():
        if (RESULTS / f"{name}.json").exists() and name != "baselines":
            record = read_record(RESULTS / f"{name}.json")
            for line in record["summary"]:
                assert f"| {line['what']} | {line['ours']} | {line['paper']} |" in plain(section)
            assert f"```sh\n{record['command']}\n```" in section
            assert (record.get("scale", 1) != 1) == ("of the iterations**" in section)
            for picture in (RESULTS / name).glob("*.png"):
                assert f"(../experiments/results/{name}/{picture.name})" in section
        elif name == "baselines":  # its tables are a page of their own
            assert "(method/comparison.md)" in section
        else:
            assert "Not yet run at full size." in section


def plain(section: str) -> str:
    """Without the signs that keep Markdown from reading formulas."""
    return re.sub(r"\\([\\|~*_<>`$])", r"\1", section)


def test_formulas_do_not_break_the_table(page: ModuleType) -> None:
    (row,) = page.table({"summary": [{"what": "a", "ours": "x | ~y", "paper": ""}]}).splitlines()[2:]
    assert len(re.split(r"(?<!\\)\|", row)) == 5
    assert plain(row) == "| a | x | ~y |  |"


def test_remarks_are_about_experiments_with_a_record(page: ModuleType) -> None:
    assert set(page.REMARKS) <= {path.stem for path in RECORDS}


def test_publishing_keeps_every_number_and_makes_small_pictures(publishing: ModuleType, tmp_path: Path) -> None:
    experiment = find("starts")
    small = replace(experiment.quick, widths=(4, 4, 4), items=8, starts=2, max_iter=40)
    run, results = tmp_path / "run", tmp_path / "results"
    record = reproduce(experiment, small, 3, run, command=["boolearn", "--out", str(run)], scale=0.5, threads=1)
    assert publishing.publish(run, results) == "starts"
    published = read_record(results / "starts.json")
    assert published["command"] == "boolearn reproduce starts --seed 3 --scale 0.5"
    assert published["rows"] == record["rows"]
    assert {name: value for name, value in published.items() if name != "command"} == {
        name: value for name, value in record.items() if name != "command"
    }
    assert asdict(small)["max_iter"] == 40
    assert published["parameters"]["max_iter"] == 20
    picture = (results / "starts" / "starts.png").read_bytes()
    assert 1000 < len(picture) < (run / "starts.png").stat().st_size
