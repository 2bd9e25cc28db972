"""boolearn learn, and what other commands do with its folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from boolearn.circuit import load
from boolearn.data import read
from commands import boolearn


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    inputs = rng.random((120, 7)) < 0.5
    outputs = (inputs[:, 1] & inputs[:, 4]) ^ inputs[:, 6]
    rows = [",".join(str(int(bit)) for bit in (*row, out)) for row, out in zip(inputs, outputs, strict=True)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["a,b,c,d,e,f,g,y", *rows, ""]))
    return path


def test_the_circuit_can_be_written_and_used(table: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ("--test", str(table), "--max-work", "1e6", "--out", str(run), "--json")
    result = json.loads(boolearn("learn", str(table), *words).stdout)
    for name in ("train_accuracy", "valid_accuracy", "test_accuracy", "ands", "depth", "method", "seconds"):
        assert name in result
    assert result["test_accuracy"] == 1
    boolearn("circuit", str(run), "-o", str(tmp_path / "out.aig"))
    data = read(table)
    circuit = load(tmp_path / "out.aig")
    assert np.array_equal(circuit.predict(data.inputs), data.outputs)
    assert circuit.ands() == result["ands"]
    assert "100.000 %" in boolearn("predict", str(run), str(table)).stdout


def test_it_tells_what_it_found(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = boolearn("learn", str(table), "--valid-share", "0.3", "--max-work", "1e6")
    assert "And nodes" in done.stdout
    assert "table-run" in done.stdout
    assert "best" in done.stderr


def test_class_labels_are_learned_and_predicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "a,b,what\n0,0,cat\n0,1,dog\n1,0,dog\n1,1,cow\n"
    Path("pets.csv").write_text(text)
    boolearn("learn", "pets.csv", "--max-work", "1000", "--out", "run")
    assert "100.000 % of 4 items" in boolearn("predict", "run", "pets.csv", "-o", "answers.csv").stdout
    assert Path("answers.csv").read_text() == "".join(f"{line.split(',')[2]}\n" for line in text.splitlines())
    assert "4 of 4 items" in boolearn("circuit", "run").stdout


LETTERS = "p,q,y\n0,0,a\n0,1,b\n1,0,c\n1,1,a\n"


@pytest.mark.parametrize(
    ("rows", "accuracy"),
    [("p,q,y\n0,0,a\n0,1,b\n", 1), ("q,p,y\n1,0,b\n0,1,c\n", 1), ("p,q,y\n0,0,b\n0,1,c\n1,0,a\n", 1 / 3)],
    ids=["fewer classes", "other order", "wrong labels"],
)
def test_other_files_are_read_with_the_names_of_the_first(
    rows: str, accuracy: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.csv").write_text(LETTERS)
    Path("test.csv").write_text(rows)
    done = boolearn("learn", "train.csv", "--test", "test.csv", "--max-work", "100", "--out", "run", "--json")
    assert json.loads(done.stdout)["test_accuracy"] == pytest.approx(accuracy)


@pytest.mark.parametrize("option", ["--test", "--valid"])
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("p,q,y\n0,0,a\n1,0,d\n", "other.csv:3: expected a class label ('a', 'b', 'c') in 'y', found 'd'"),
        ("p,r,y\n0,0,a\n", "other.csv:1: expected columns with the model's names, found them without 'q' and with 'r'"),
        ("p,q\n0,0\n", "other.csv:1: expected outputs to compare with, found inputs only"),
    ],
    ids=["unknown class", "another column", "no outputs"],
)
def test_other_files_that_do_not_fit_are_refused_before_the_search(
    option: str, rows: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.csv").write_text(LETTERS)
    Path("other.csv").write_text(rows)
    done = boolearn("learn", "train.csv", option, "other.csv", "--out", "run", status=2)
    assert message in done.stderr
    assert "learning" not in done.stderr
    assert not Path("run").exists()


def test_other_data_may_have_the_same_share_wrong_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    noisy = ["0,0,0"] * 30 + ["0,0,1"] * 10 + ["1,1,1"] * 40
    Path("noisy.csv").write_text("\n".join(["a,b,y", *noisy, ""]))
    boolearn("learn", "noisy.csv", "--max-work", "100", "--out", "run")
    for name, rows, status in (
        ("alike", ["0,0,0"] * 7 + ["0,0,1"] + ["1,1,1"] * 2, 0),
        ("worse", ["0,0,0"] * 6 + ["0,0,1"] * 2 + ["1,1,1"] * 2, 1),
    ):
        Path(f"{name}.csv").write_text("\n".join(["a,b,y", *rows, ""]))
        boolearn("circuit", "run", "--data", f"{name}.csv", status=status)
    boolearn("circuit", "run", "--data", "noisy.csv")
    boolearn("circuit", "run")


def test_a_folder_of_learn_cannot_be_resumed(table: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    boolearn("learn", str(table), "--max-work", "100", "--out", str(run))
    done = boolearn("train", "--resume", str(run), status=2)
    assert "run: is a folder of learn, which cannot be resumed" in done.stderr


def test_mistakes_are_one_line(table: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    for words in (
        (empty,),
        (tmp_path / "missing.csv",),
        (table, "--valid", table, "--valid-share", "0.2"),
        (table, "--gates", "nand"),
        (table, "--max-seconds", "-1"),
    ):
        done = boolearn("learn", *map(str, words), "--out", str(tmp_path / "run"), status=2)
        assert done.stderr.strip().splitlines()[-1].startswith("boolearn: ")
        assert not (tmp_path / "run").exists()
