"""boolearn predict: what a model is asked is read as the model knows it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from boolearn.data import InputKind
from boolearn.model import BoolNet
from boolearn.network import layered
from commands import boolearn


@pytest.fixture(autouse=True)
def _models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory with two models in it, which know their names."""
    monkeypatch.chdir(tmp_path)
    # The constant is −1: "high" when a > 0.5 and b is small, "low" when a < 0.5, "odd" when b is large.
    pets = np.array([[0.5, 1, -1], [-0.5, -1, -1], [0.75, 0, 1]])
    names = {"input_names": ("a", "b"), "output_names": ("high", "low", "odd")}
    BoolNet(layered(2, 3), pets.ravel(), InputKind.ANALOG, 3, **names).save("grey.safetensors")
    BoolNet(layered(2, 1), np.array([0.5, 1, -1]), input_names=("a", "b"), output_names=("a_not_b",)).save(
        "gate.safetensors"
    )
    BoolNet(layered(2, 1), np.array([0.5, 1, -1])).save("gate.net")


def predict(*words: str, status: int = 0) -> str:
    done = boolearn("predict", *words, status=status)
    return done.stdout if not status else " ".join(done.stderr.split())


def test_an_analog_model_takes_zeros_and_ones_as_they_are() -> None:
    Path("a.csv").write_text("b,a,what\n0,1,high\n0,0,low\n1,0,odd\n")
    report = json.loads(predict("grey.safetensors", "a.csv", "--json", "-o", "answers.csv"))
    assert Path("answers.csv").read_text() == "what\nhigh\nlow\nodd\n"
    assert report == {"items": 3, "compared": 3, "accuracy": {"class": 1.0}, "out": "answers.csv"}


def test_fewer_classes_and_no_outputs_at_all() -> None:
    Path("a.csv").write_text("a,b,what\n1,0,high\n0.9,0,low\n")
    assert "accuracy by class: 50.000 % of 2 items" in predict("grey.safetensors", "a.csv")
    Path("b.tsv").write_text("a\tb\n1\t0\n0\t0\n")
    assert "2 items predicted" in predict("grey.safetensors", "b.tsv", "-o", "answers.csv")
    assert Path("answers.csv").read_text() == "class\nhigh\nlow\n"  # the file has no such column
    assert json.loads(predict("grey.safetensors", "b.tsv", "--json"))["accuracy"] == {}


@pytest.mark.parametrize("model", ["gate.safetensors", "gate.net"])
def test_bits(model: str) -> None:
    Path("a.csv").write_text("a,b,a_not_b\n0.0,0.0,0.0\n1.0,0.0,1.0\n0.0,1.0,0.0\n1.0,1.0,0.0\n")
    report = json.loads(predict(model, "a.csv", "--json", "-o", "answers.csv"))
    assert report["accuracy"] == {"bits": 1.0, "items": 1.0}
    header = "a_not_b\n" if model == "gate.safetensors" else ""  # .net files keep no names
    assert Path("answers.csv").read_text() == header + "0\n1\n0\n0\n"


def test_what_does_not_fit_gets_one_clear_line() -> None:
    Path("a.csv").write_text("a,c\n0,1\n")
    assert "a.csv:1: expected columns with the model's names, found them without 'b' and with 'c'" in predict(
        "gate.safetensors", "a.csv", status=2
    )
    Path("b.csv").write_text("a,b,what\n0,1,high\n0,1\n")
    assert "b.csv:3: expected 3 cells, found 2" in predict("grey.safetensors", "b.csv", status=2)
    Path("c.csv").write_text("a,b,a_not_b\n0,1,0\n0,1,maybe\n")
    assert "c.csv:3: expected 0/1" in predict("gate.safetensors", "c.csv", status=2)


def test_rows_without_a_known_label_are_predicted_and_not_compared() -> None:
    Path("some.csv").write_text("a,b,what\n1,0,high\n0,0,\n1,0,low\n0,1,cat\n")
    said = predict("grey.safetensors", "some.csv", "-o", "answers.csv")
    assert "accuracy by class: 50.000 % of 2 items" in said
    assert "4 items predicted, 2 compared: the others have no label of training" in said
    assert Path("answers.csv").read_text() == "what\nhigh\nlow\nhigh\nodd\n"
    Path("none.csv").write_text("a,b,what\n1,0,\n0,0,\n")
    assert "2 items predicted; none.csv holds no label of training to compare with" in predict(
        "grey.safetensors", "none.csv"
    )
    report = json.loads(predict("grey.safetensors", "none.csv", "--json"))
    assert report == {"items": 2, "compared": 0, "accuracy": {}, "out": None}


def test_bits_that_are_open_are_predicted_and_not_compared() -> None:
    Path("some.csv").write_text("a,b,a_not_b\n0,0,0\n1,0,\n0,1,1\n")
    said = predict("gate.safetensors", "some.csv")
    assert "accuracy by bits: 50.000 % of 2 items" in said
    assert "3 items predicted, 2 compared: the others have no outputs" in said
    Path("none.csv").write_text("a,b,a_not_b\n1,0,\n0,1,\n")
    assert "2 items predicted; none.csv holds no outputs to compare with" in predict(
        "gate.safetensors", "none.csv", "-o", "answers.csv"
    )
    assert Path("answers.csv").read_text() == "a_not_b\n1\n0\n"


def test_the_ending_of_the_predictions_says_how_they_are_written() -> None:
    two = BoolNet(layered(2, 2), np.array([0.5, 1, -1, 0.5, -1, 1]), output_names=("p", "q"))
    two.save("two.safetensors")
    Path("a.csv").write_text("1,0\n0,1\n")
    for name, between in (("a.tsv", "\t"), ("b.csv", ","), ("b.txt", ","), ("b", ",")):
        predict("two.safetensors", "a.csv", "-o", name)
        assert Path(name).read_text() == f"p{between}q\n1{between}0\n0{between}1\n"
    said = predict("two.safetensors", "a.csv", "-o", "out.parquet", status=2)
    assert "out.parquet: must end in .csv, .tsv or .txt, or have no ending" in said
    assert not Path("out.parquet").exists()


def test_free_codes_are_asked_about_as_boolean_inputs() -> None:
    BoolNet(layered(2, 1), np.array([0.5, 1, -1]), InputKind.ANY_CODE).save("free.safetensors")
    Path("free.dat").write_text("2\n2 0\n2 1\n\n1\n\n0\n\n")
    assert "free.dat: holds outputs only, so there is nothing to predict" in predict(
        "free.safetensors", "free.dat", status=2
    )
    Path("codes.csv").write_text("1,0\n0,0\n")
    predict("free.safetensors", "codes.csv", "-o", "answers.csv")
    assert Path("answers.csv").read_text() == "1\n0\n"
