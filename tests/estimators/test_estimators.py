"""Estimators for scikit-learn: tables of every kind in, labels, rules and exports out, each run by the real thing."""

from __future__ import annotations

import pickle
import runpy
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import boolearn as bl
from boolearn.data import multiplier
from boolearn.errors import DataError, ParameterError
from boolearn.estimators import BTFAutoencoder, BTFClassifier, BTFFunction, BTFGenerator
from boolearn.estimators.patterns import PatternTable
from boolearn.estimators.rules import certain_answers
from every_gate import circuits

WORK = 100_000


def passengers(rows: int, seed: int = 0) -> pd.DataFrame:
    """Numbers, text, bools and missing values. Women live, and children that are not in the third class."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": np.where(rng.random(rows) < 0.1, np.nan, rng.integers(1, 80, rows)),
            "sex": rng.choice(["woman", "man"], rows),
            "class": rng.choice(["first", "second", "third"], rows),
            "alone": rng.random(rows) < 0.5,
        }
    )
    lives = (frame["sex"] == "woman") | ((frame["age"] <= 12) & (frame["class"] != "third"))
    frame["outcome"] = np.where(lives, "lives", "dies")
    return frame


@pytest.fixture(scope="module")
def fitted() -> tuple[BTFClassifier, pd.DataFrame]:
    frame = passengers(400)
    return BTFClassifier(max_work=WORK).fit(frame.drop(columns="outcome"), frame["outcome"]), frame


def test_a_raw_table_is_learned_at_the_first_attempt(fitted: tuple[BTFClassifier, pd.DataFrame]) -> None:
    classifier, _ = fitted
    more = passengers(1000, seed=1)
    assert classifier.classes_.tolist() == ["dies", "lives"]
    assert classifier.score(more.drop(columns="outcome"), more["outcome"]) > 0.97
    same = classifier.predict(pl.from_pandas(more.drop(columns="outcome"), nan_to_null=False))
    assert np.array_equal(same, classifier.predict(more.drop(columns="outcome")))
    assert classifier.feature_names_in_.tolist() == ["age", "sex", "class", "alone"]
    learned = classifier.fitted_[0].learned
    assert learned is not None
    assert classifier.gap_ == pytest.approx(1 - learned.train_accuracy)
    assert not classifier.trace_


def test_rules_explain_every_row_and_decide_alone(fitted: tuple[BTFClassifier, pd.DataFrame]) -> None:
    classifier, frame = fitted
    found = classifier.find_rules()
    tests, circuit = classifier.binariser_.tests, classifier.circuit_
    bits = classifier.tests(frame.drop(columns="outcome"))
    covered = np.zeros(len(frame), bool)
    for rule in found:
        applies = np.all([bits[:, test] == sign for test, sign in rule.literals], axis=0)
        covered |= applies
        assert rule.coverage == applies.mean()
        predicted = classifier.predict(frame.drop(columns="outcome"))[applies]
        assert set(predicted) == {rule.prediction}
        assert rule.precision == (frame["outcome"][applies] == rule.prediction).mean()
        assert all(tests[test].column in rule.text for test, _ in rule.literals)
    assert covered.all()
    table = classifier.rules()
    assert table.columns.tolist() == ["rule", "prediction", "coverage", "precision"]
    assert len(table) == len(found)
    assert circuit.outputs[0][0] == "outcome = lives"
    assert "sex" in str(circuit)


@given(circuits(most_gates=8), st.integers(0, 2**32))
@settings(deadline=None, max_examples=50)
def test_an_answer_that_is_certain_holds_whatever_is_unknown(circuit: bl.Circuit, seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = rng.choice(np.array([-1, 0, 1], np.int8), (20, len(circuit.inputs)))
    certain = certain_answers(circuit, known)
    for _ in range(5):
        full = np.where(known == 0, rng.choice(np.array([-1, 1], np.int8), known.shape), known)
        answers = circuit.predict(full)
        assert ((certain == 0) | (certain == answers)).all()
    nothing_open = np.where(known == 0, np.int8(1), known)
    assert np.array_equal(certain_answers(circuit, nothing_open), circuit.predict(nothing_open))


def test_sqlite_and_python_answer_as_the_circuit_does(
    fitted: tuple[BTFClassifier, pd.DataFrame], tmp_path: Path
) -> None:
    classifier, _ = fitted
    rows = passengers(200, seed=2).drop(columns="outcome")
    expected = classifier.circuit_.predict(classifier.tests(rows))[:, 0] > 0
    classifier.export(tmp_path / "rule.sql")
    classifier.export(tmp_path / "rule.py")
    with sqlite3.connect(":memory:") as database:
        rows.to_sql("data", database, index=False)
        found = pd.read_sql((tmp_path / "rule.sql").read_text(), database)
    assert found["outcome = lives"].astype(bool).tolist() == expected.tolist()
    predict = runpy.run_path(str(tmp_path / "rule.py"))["predict"]
    records = rows.astype(object).where(rows.notna(), None).to_dict("records")
    assert [predict(row)["outcome = lives"] for row in records] == expected.tolist()
    classifier.export(tmp_path / "rule.v")
    assert "module" in (tmp_path / "rule.v").read_text()


def test_columns_named_like_signals_do_not_change_the_answers_of_sql() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({name: rng.integers(0, 21, 400) for name in ("g1", "G2", "step1")})
    labels = (table["g1"] > 9) & (table["G2"] > 11) | (table["step1"] > 15) & (table["G2"] > 5)
    classifier = BTFClassifier(max_work=WORK).fit(table, labels)
    table["g4"], table["id"] = 1, range(400)  # columns that training did not have
    with sqlite3.connect(":memory:") as database:
        table.to_sql("step2", database, index=False)
        all_columns = pd.read_sql(classifier.to_sql("step2"), database)
        few = pd.read_sql(classifier.to_sql("step2", columns=["id"]), database)
    expected = classifier.predict(table[["g1", "G2", "step1"]]).tolist()
    assert all_columns["True"].astype(bool).tolist() == expected
    assert all_columns.columns[-6:].tolist() == ["g1", "G2", "step1", "g4", "id", "True"]
    assert few.columns.tolist() == ["id", "True"]
    assert few["True"].astype(bool).tolist() == expected


AGES = pd.DataFrame({"age": [np.nan, 30, 40, np.nan, 20, 10] * 10})
CODES = pd.DataFrame({"code": pd.Series([1, "a", 2.0, "b", np.float64(2.5), None] * 10, dtype=object)})


@pytest.mark.parametrize(
    ("table", "labels"),
    [
        (AGES, np.where(AGES["age"].isna(), "missing", "known")),
        (AGES.convert_dtypes(), np.where(AGES["age"].isna(), "missing", "known")),
        (AGES, np.where(AGES["age"] > 25, "old", "other")),
        *((CODES, np.where(CODES["code"] == code, "p", "q")) for code in (1, "a", 2, 2.5)),
        (CODES, np.where(CODES["code"].isna(), "p", "q")),
    ],
)
def test_python_takes_missing_values_and_categories_as_the_model_does(
    table: pd.DataFrame, labels: Any, tmp_path: Path
) -> None:
    classifier = BTFClassifier(max_work=500, n_jobs=1).fit(table, labels)
    assert classifier.predict(table).tolist() == labels.tolist()
    classifier.export(tmp_path / "rule.py")
    assert classifier.to_python() == (tmp_path / "rule.py").read_text()
    predict = runpy.run_path(str(tmp_path / "rule.py"))["predict"]
    name = classifier.classes_[1]
    found = [predict(row)[name] for row in table.to_dict("records")]
    assert found == (labels == name).tolist()


def test_three_classes_and_several_circuits() -> None:
    from sklearn.datasets import load_iris

    iris = load_iris(as_frame=True)
    labels = iris.target_names[iris.target]
    classifier = BTFClassifier(max_work=10_000, n_circuits=2).fit(iris.data, labels)
    assert classifier.score(iris.data, labels) > 0.95
    chances = classifier.predict_proba(iris.data)
    assert chances.shape == (150, 3)
    assert np.allclose(chances.sum(axis=1), 1)
    assert (chances > 0).all()
    assert [name for name, _ in classifier.circuit_.outputs] == ["setosa", "versicolor", "virginica"]
    assert len(classifier.fitted_) == 2


def test_exports_of_several_circuits_say_that_they_are_the_first(tmp_path: Path) -> None:
    frame = passengers(60)
    X, y = frame.drop(columns="outcome"), frame["outcome"]
    several = BTFClassifier(max_work=1000, n_circuits=3).fit(X, y)
    for export in (several.to_sql, several.to_python, lambda: several.export(tmp_path / "c.v")):
        with pytest.warns(UserWarning, match="the first of 3 circuits, is exported") as warned:
            export()
        assert warned[0].filename == __file__
    BTFClassifier(max_work=1000).fit(X, y).to_sql()  # one circuit: no warning


def test_where_no_output_or_several_are_true_counts_decide() -> None:
    seen = np.array([[1, -1, -1]] * 5 + [[-1, -1, -1]] * 4 + [[-1, 1, 1]] * 3, np.int8)
    labels = np.array([0] * 5 + [1] * 3 + [2] + [2] * 3)
    table = PatternTable.count(seen, labels, np.ones(12), 3)
    assert np.argmax(table.shares(seen[[0, 5, 9]]), axis=1).tolist() == [0, 1, 2]
    never_seen = np.array([[1, 1, 1], [-1, 1, -1], [-1, -1, 1]], np.int8)  # training had 5, 3 and 4 rows of the classes
    assert np.argmax(table.shares(never_seen), axis=1).tolist() == [0, 1, 2]


def test_labels_keep_their_kind_and_their_name() -> None:
    X = [[0, 1], [1, 0], [0, 0], [1, 1]] * 5
    y = pd.Series([True, False, True, False] * 5, dtype="boolean", name="fine")
    classifier = BTFClassifier(max_work=1000).fit(X, y)
    assert classifier.predict(X).tolist() == y.tolist()
    assert classifier.predict(X).dtype == np.bool_
    assert [name for name, _ in classifier.circuit_.outputs] == ["fine = True"]


def test_before_fitting_there_is_no_circuit() -> None:
    for name in ("circuit_", "gap_", "n_iter_", "trace_"):
        with pytest.raises(NotFittedError):
            getattr(BTFClassifier(), name)
    with pytest.raises(NotFittedError):
        BTFFunction().find_rules()


def test_with_layers_a_network_is_trained() -> None:
    table = multiplier(bits=2)
    function = BTFFunction(layers=[4, 4], solver="rrr", restarts=30, max_iter=10_000).fit(table.inputs, table.outputs)
    assert function.score(table.inputs, table.outputs) == 1
    assert np.array_equal(function.predict(table.inputs), table.outputs)
    assert function.gap_ < 0.01
    assert function.n_iter_ > 1
    assert function.trace_
    with pytest.warns(ConvergenceWarning):
        BTFFunction(layers=[1], max_iter=10).fit(table.inputs, table.outputs)


def test_a_function_keeps_the_values_of_its_outputs() -> None:
    X = pd.DataFrame({"a": [0, 0, 1, 1] * 5, "b": [0, 1, 0, 1] * 5})
    y = pd.DataFrame({"both": X["a"] & X["b"], "word": np.where(X["a"] ^ X["b"], "odd", "even")})
    function = BTFFunction(max_work=WORK).fit(X, y)
    assert [name for name, _ in function.circuit_.outputs] == ["both", "word"]
    assert function.predict(X)[:, 1].tolist() == y["word"].tolist()
    assert function.score(X, y) == 1
    assert set(function.rules()["precision"]) == {1.0}
    single = BTFFunction(max_work=WORK).fit(X, y["both"])
    assert single.predict(X).tolist() == y["both"].tolist()
    with pytest.raises(DataError, match="'y0' must have two different values. Got 3"):
        BTFFunction().fit(X, [0, 1, 2, 0] * 5)


def test_weights_count_rows_more_often() -> None:
    X, y = [[0], [0], [0], [1], [1], [1]] * 10, [0, 0, 1, 1, 1, 0] * 10
    plain = BTFClassifier(max_work=WORK).fit(X, y)
    assert plain.predict([[0], [1]]).tolist() == [0, 1]
    heavy = BTFClassifier(max_work=WORK).fit(X, y, sample_weight=[1, 1, 9, 1, 1, 1] * 10)
    assert heavy.predict([[0], [1]]).tolist() == [1, 1]
    by_class = BTFClassifier(max_work=WORK, class_weight={0: 9, 1: 1}).fit(X, y)
    assert by_class.predict([[0], [1]]).tolist() == [0, 0]
    with pytest.raises(DataError, match="sample_weight must be at least 0"):
        BTFClassifier().fit(X, y, sample_weight=[-1] * 60)


def test_in_pipelines_searches_clones_and_pickles() -> None:
    frame = passengers(60)
    X, y = frame[["age", "alone"]].fillna(0).astype(float), frame["sex"] == "woman"
    pipe = make_pipeline(StandardScaler(), BTFClassifier(max_work=5000))
    assert len(cross_val_score(pipe, X, y, cv=2)) == 2
    search = GridSearchCV(BTFClassifier(max_work=5000), {"bits": [1, 3]}, cv=2).fit(X, y)
    assert search.best_params_["bits"] in (1, 3)
    copy = clone(search.best_estimator_)
    assert copy.get_params() == search.best_estimator_.get_params()
    again = pickle.loads(pickle.dumps(search.best_estimator_))  # noqa: S301
    assert np.array_equal(again.predict(X), search.best_estimator_.predict(X))


def test_an_autoencoder_gives_rows_back() -> None:
    rows = pd.DataFrame(np.eye(4), columns=list("abcd"))
    encoder = BTFAutoencoder(2, sigma=3, restarts=20, max_iter=5000).fit(rows)
    codes = encoder.transform(rows)
    assert codes.shape == (4, 2)
    assert len(np.unique(codes, axis=0)) == 4
    assert np.array_equal(encoder.inverse_transform(codes) > 0, rows.to_numpy() > 0)
    assert encoder.score(rows) == 1
    assert encoder.get_feature_names_out().tolist() == ["btfautoencoder0", "btfautoencoder1"]
    with pytest.raises(DataError, match="codes must have shape"):
        encoder.inverse_transform([[1]])


def test_a_generator_finds_codes_archetypes_and_samples() -> None:
    rows = np.repeat(np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0]]), 5, axis=0)
    generator = BTFGenerator(3, code="one-hot", layers=[], restarts=10, max_iter=5000).fit(rows)
    assert sorted(generator.archetypes_.tolist()) == sorted((2 * rows[::5] - 1).tolist())
    assert generator.counts_.sum() == 15
    assert generator.score(rows) == 1
    nearest = generator.nearest(rows)
    assert np.array_equal(generator.archetypes_[nearest] > 0, rows > 0)
    assert np.array_equal(generator.inverse_transform(generator.transform(rows)) > 0, rows > 0)
    drawn = generator.sample(20, random_state=1)
    assert {tuple(row) for row in drawn} <= {tuple(row) for row in generator.archetypes_}
    with pytest.raises(ParameterError, match="code"):
        BTFGenerator(3, code="two-hot").fit(rows)


@pytest.mark.parametrize(
    ("X", "y", "text"),
    [
        ([[1, 2], [3, 4]], [1, 1], "at least two classes. Got 1 class"),
        ([[1, 2], [1, 2]], [0, 1], "all columns are constant"),
        ([[1, 2]], [0], "1 sample"),
        ([[1, 2], [3, 4]], None, "the target y is None"),
        (np.ones((3, 0)), [0, 1, 1], "0 feature"),
        ([[1, 2], [3, 4]], pd.Series(["a", None]), "Row 1 has none"),
        (pd.DataFrame({"day": pd.to_datetime(["2020-01-01", "2020-01-02"])}), [0, 1], "dates or times in 'day'"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), [0, 1], "for every column. Got 'a' more than once"),
        (pd.DataFrame({"id": [f"id {k}" for k in range(120)]}), [0, 1] * 60, "Got 120 in 'id' instead, none twice"),
    ],
)
def test_what_cannot_be_learned_is_refused(X: Any, y: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text) as refused:
        BTFClassifier().fit(X, y)
    assert isinstance(refused.value, DataError)


def test_no_rows_are_refused(fitted: tuple[BTFClassifier, pd.DataFrame]) -> None:
    classifier, frame = fitted
    with pytest.raises(DataError, match="at least 1 item and 1 column. Got 0 items instead"):
        classifier.predict(frame.drop(columns="outcome")[:0])


def test_rules_of_other_rows_need_their_labels(fitted: tuple[BTFClassifier, pd.DataFrame]) -> None:
    classifier, frame = fitted
    with pytest.raises(ParameterError, match="given with X"):
        classifier.rules(frame.drop(columns="outcome"))
    assert len(classifier.rules(frame.drop(columns="outcome"), frame["outcome"])) == len(classifier.rules())


def test_outputs_of_different_types_keep_them() -> None:
    x = np.random.default_rng(0).integers(0, 2, (40, 4))
    y = pd.DataFrame({"a": x[:, 0] > 0, "b": x[:, 1] * 5, "c": np.where(x[:, 2], "yes", "no")})
    for frame in (y, pl.from_pandas(y)):
        function = BTFFunction(max_work=WORK).fit(x, frame)
        assert function.predict(x[:1]).tolist() == [[bool(x[0, 0]), int(x[0, 1]) * 5, "yes" if x[0, 2] else "no"]]
        assert function.score(x, frame) == 1


@pytest.mark.parametrize(
    ("estimator", "name"),
    [
        (BTFClassifier(n_circuits=0), "n_circuits"),
        (BTFClassifier(n_circuits=1.5), "n_circuits"),  # type: ignore[arg-type]
        (BTFClassifier(layers=3), "layers"),  # type: ignore[arg-type]
        (BTFFunction(layers=[0]), "layers"),
        (BTFClassifier(random_state=-1), "random_state"),
        (BTFGenerator(1.5), "n_bits"),  # type: ignore[arg-type]
        (BTFGenerator(2, layers=3), "layers"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_parameter_is_named(estimator: Any, name: str) -> None:
    x = np.random.default_rng(0).integers(0, 2, (40, 4))
    with pytest.raises(ParameterError, match=f"'{name}' parameter"):
        estimator.fit(x, x[:, 0])
