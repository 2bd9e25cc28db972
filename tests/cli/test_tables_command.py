"""Raw tables on the command line: learn, train, predict and circuit at the first attempt."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from sklearn.datasets import load_iris

from commands import boolearn

pytestmark = pytest.mark.usefixtures("in_tmp")


@pytest.fixture
def iris(in_tmp: None) -> None:
    data = load_iris(as_frame=True)
    frame = data.data.copy()
    frame.columns = ["sepal length", "sepal width", "petal length", "petal width"]
    frame.loc[3, "sepal width"] = None
    frame["species"] = data.target_names[data.target]
    frame.sample(frac=1, random_state=0).to_csv("iris.csv", index=False)


@pytest.mark.usefixtures("iris")
def test_a_raw_csv_is_learned_predicted_and_exported() -> None:
    done = boolearn("learn", "iris.csv", "--target", "species", "--max-work", "1e5", "--out", "run", "--json")
    assert json.loads(done.stdout)["train_accuracy"] > 0.93
    said = boolearn("predict", "run", "iris.csv", "-o", "answers.csv")
    assert "accuracy by class" in said.stdout
    rows = list(csv.reader(Path("answers.csv").read_text().splitlines()))
    truth = [row[-1] for row in csv.reader(Path("iris.csv").read_text().splitlines())]
    assert rows[0] == ["species"]
    right = sum(row[0] == word for row, word in zip(rows[1:], truth[1:], strict=True))
    assert right > 140
    assert f"accuracy by class: {right / 1.5:.3f} % of 150 items" in said.stdout
    circuit = boolearn("circuit", "run", "-o", "iris.v", "-o", "iris.sql", "-o", "iris_rules.py", "--json")
    assert '"petal length" > ' in Path("iris.sql").read_text()  # the columns of the table, not the tests
    assert "row['petal length'] > " in Path("iris_rules.py").read_text()
    report = json.loads(circuit.stdout)
    assert report["success"]
    assert "species_setosa" in report["formulas"]
    Path("new.csv").write_text("petal width,petal length,sepal width,sepal length\n0.2,1.4,,5.1\n")
    said = boolearn("predict", "run", "new.csv", "-o", "new-answers.csv")
    assert "no column 'species' to compare with" in said.stdout
    assert Path("new-answers.csv").read_text() == "species\nsetosa\n"


@pytest.mark.usefixtures("iris")
def test_predict_names_the_cell_that_is_no_number() -> None:
    boolearn("learn", "iris.csv", "--target", "species", "--max-work", "1e4", "--out", "run", "--json")
    Path("text.csv").write_text("sepal length,sepal width,petal length,petal width\n5.1,3,1.4,0.2\n5.1,3,abc,abc\n")
    said = boolearn("predict", "run", "text.csv", status=2).stderr
    assert "text.csv:3: the column 'petal " in said
    assert "must hold numbers, as in training. Got 'abc' instead." in said


def test_codes_are_categories_in_every_file_once_they_were_in_training() -> None:
    rows = [f"{code},{answer}\n" for code, answer in (("01", "yes"), ("02", "no"), ("x", "no"), ("03", "yes"))] * 10
    Path("all.csv").write_text("code,y\n" + "".join(rows))
    Path("part.csv").write_text("code,y\n" + "".join(row for row in rows if row[0] != "x"))
    boolearn("learn", "all.csv", "--target", "y", "--max-work", "1e4", "--out", "run", "--json")
    for name in ("all.csv", "part.csv"):
        assert json.loads(boolearn("predict", "run", name, "--json").stdout)["accuracy"]["class"] == 1


@pytest.mark.usefixtures("iris")
def test_hidden_layers_are_enough_to_train_on_a_table() -> None:
    boolearn(
        *("train", "iris.csv", "--target", "species", "--hidden", "6", "--solver", "gates", "--noise", "0.05"),
        *("--max-iter", "300", "--out", "run", "--json"),
    )
    assert json.loads(boolearn("predict", "run", "iris.csv", "--json").stdout)["accuracy"]["class"] > 0.9
    assert "species" in boolearn("circuit", "run", "--json").stdout


@pytest.mark.usefixtures("iris")
@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("learn", "iris.csv"), "iris.csv:2: expected a number from −1 to 1 in 'sepal length'"),
        (("learn", "iris.csv"), "--target names the column to be learned"),
        (
            ("learn", "semicolons.csv", "--target", "species"),
            "semicolons.csv:1: expected ',' between columns, found ';'",
        ),
        (("learn", "iris.csv", "--target", "colour"), "must have a column 'colour'"),
        (("learn", "target.csv", "--target", "y"), "target.csv:1: expected a column besides 'y'."),
        (("learn", "iris.csv", "--target", "species", "--outputs", "1"), "left out with 'target'"),
        (("learn", "iris.dat", "--target", "species"), "must be a .csv or .tsv file"),
        (("circuit", "iris.csv"), "boolearn learn and boolearn minimise make a circuit from data"),
        (("train", "iris.csv", "--target", "species"), "given by --layers, --hidden or --network"),
        (("train", "iris.csv", "--target", "species", "--hidden", "3", "--layers", "3,3"), "left out with 'layers'"),
    ],
)
def test_mistakes_are_named(words: tuple[str, ...], text: str) -> None:
    Path("semicolons.csv").write_text("petal length;species\n1,4;setosa\n")
    Path("target.csv").write_text("y\n0\n1\n")
    assert text in boolearn(*words, status=2).stderr


def test_rows_of_a_table_without_a_known_target_are_predicted_and_not_compared() -> None:
    rows = "50,m,yes\n10,m,no\n60,f,yes\n,f,no\n" * 10
    Path("all.csv").write_text("age,sex,y\n" + rows)
    boolearn("learn", "all.csv", "--target", "y", "--max-work", "1e4", "--out", "run", "--json")
    Path("some.csv").write_text("age,sex,y\n50,m,yes\n10,m,\n60,f,maybe\n10,m,yes\n")
    said = boolearn("predict", "run", "some.csv", "-o", "answers.csv").stdout
    assert "accuracy by class: 50.000 % of 2 items" in said
    assert "4 items predicted, 2 compared: the others have no label of training" in said
    assert Path("answers.csv").read_text() == "y\nyes\nno\nyes\nno\n"
    Path("none.csv").write_text("age,sex,y\n50,m,\n,,\n10,m,\n")
    said = boolearn("predict", "run", "none.csv", "-o", "answers.csv").stdout
    assert "3 items predicted; the column 'y' of none.csv holds no value of training to compare with" in said
    assert Path("answers.csv").read_text().splitlines()[1::2] == ["yes", "no"]
    Path("empty.csv").write_text("age,sex\n50,m\n,\n10,m\n")
    boolearn("predict", "run", "empty.csv", "-o", "answers.csv")
    assert len(Path("answers.csv").read_text().splitlines()) == 4, "a row of empty cells is a row"


def test_gaps_and_new_values_in_the_target_are_refused_with_their_line() -> None:
    Path("gap.csv").write_text("a,y\n1,yes\n2,\n")
    assert "gap.csv:3" in boolearn("learn", "gap.csv", "--target", "y", status=2).stderr
    Path("train.csv").write_text("a,y\n1,yes\n2,no\n1,yes\n2,no\n")
    Path("test.csv").write_text("a,y\n1,yes\n2,maybe\n")
    said = boolearn("learn", "train.csv", "--target", "y", "--test", "test.csv", status=2)
    assert "test.csv:3" in said.stderr
    assert "must be one of ['no', 'yes']. Got 'maybe'" in said.stderr
