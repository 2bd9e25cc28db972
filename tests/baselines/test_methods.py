"""Every baseline behind the one interface: what it reports is what it predicts, and its circuits are exact."""

from __future__ import annotations

import numpy as np
import pytest

from boolearn.baselines import Boosting, Forest, KModes, Logistic, Method, Model, Ridge, Tree
from boolearn.baselines.genetic import GeneticFormula
from boolearn.baselines.gradient import Gradient
from boolearn.baselines.logic_gates import LogicGateNetwork
from boolearn.baselines.ours import Exact, Trained
from boolearn.baselines.tsetlin import Tsetlin
from boolearn.circuit.bits import all_inputs
from boolearn.data import Dataset, digits, multiplier
from boolearn.data.signs import Signs
from boolearn.errors import CircuitError, MissingExtraError, ParameterError
from boolearn.model import random_model
from boolearn.solver import RRR, Gates

METHODS: dict[str, Method] = {
    "ridge": Ridge(),
    "logistic": Logistic(),
    "tree": Tree(),
    "shallow tree": Tree(depth=2),
    "forest": Forest(5),
    "boosting": Boosting(5),
    "gradient": Gradient((8,), 60),
    "batches": Gradient((8,), 60, "adamw", "cyclic", 16),
    "logic gates": LogicGateNetwork(40, neurons=5),
    "tsetlin": Tsetlin(3, clauses=10),
    "rrr": Trained(RRR(), (6, 6), 50),
    "gates": Trained(Gates(), (6, 6), 200),
}


@pytest.fixture(scope="module")
def parts() -> tuple[Dataset, Dataset]:
    train, test = random_model(6, 6, 6, 6, gates="andor", seed=3).sample(300, seed=3).split(48)
    assert test is not None
    return train, test


@pytest.mark.parametrize("name", METHODS)
def test_a_report_counts_what_is_predicted(name: str, parts: tuple[Dataset, Dataset]) -> None:
    train, test = parts
    fitted = METHODS[name].fit(train, seed=2)
    report = fitted.report(train, test)
    for part, bits, items in (
        (train, report.train_bits, report.train_items),
        (test, report.test_bits, report.test_items),
    ):
        predicted = fitted.predict(part.inputs)
        assert predicted.shape == part.targets.shape
        assert set(np.unique(predicted)) <= {-1, 1}
        assert bits == pytest.approx(np.mean(predicted == part.targets), abs=1e-12)
        assert items == np.mean([(row == wanted).all() for row, wanted in zip(predicted, part.targets, strict=True)])
    assert report.train_bits > 0.55, "it has learned something"
    assert report.size > 0
    assert report.cpu_seconds >= 0
    assert fitted.report(train).test_bits is None
    assert METHODS[name].name
    assert METHODS[name].budget


@pytest.mark.parametrize("name", METHODS)
def test_the_same_seed_gives_the_same_bits(name: str, parts: tuple[Dataset, Dataset]) -> None:
    train, test = parts
    first, second = (METHODS[name].fit(train, seed=5).predict(test.inputs) for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("name", ["tree", "shallow tree", "logic gates", "tsetlin", "gates"])
def test_a_circuit_predicts_what_its_method_predicts(name: str, parts: tuple[Dataset, Dataset]) -> None:
    fitted = METHODS[name].fit(parts[0], seed=1)
    assert fitted.model.circuit is not None
    rows = all_inputs(6)
    assert np.array_equal(fitted.model.circuit.predict(rows), fitted.predict(rows))
    assert fitted.model.size == len(fitted.model.circuit.gates)


def test_ridge_solves_its_normal_equations(parts: tuple[Dataset, Dataset]) -> None:
    """The gradient of |X w − y|² + |w|² vanishes, with a column of ones in X."""
    train, _ = parts
    scores = Ridge(strength=1.0).fit(train).model.scores
    eye = np.vstack([np.zeros(6), np.eye(6)])
    constant = scores(eye)[0]
    coefficients = np.vstack([scores(eye)[1:] - constant, constant])
    inputs = np.column_stack([train.inputs, np.ones(len(train))])
    slope = inputs.T @ (inputs @ coefficients - train.targets) + coefficients
    np.testing.assert_allclose(slope, 0, atol=1e-9)


def test_a_tree_as_a_circuit_is_what_scikit_learn_predicts(parts: tuple[Dataset, Dataset]) -> None:
    train, _ = parts
    trees, rows = Tree(depth=3).fitted(train, 7), all_inputs(6)
    expected = np.column_stack([tree.predict(rows) for tree in trees])
    assert np.array_equal(Tree(depth=3).fit(train, seed=7).predict(rows) > 0, expected)


@pytest.mark.parametrize("method", [Logistic(), Tree(), Forest(3), Boosting(3), Ridge()])
def test_a_bit_that_never_changes_is_a_constant(method: Method) -> None:
    rows = all_inputs(3)
    data = Dataset(rows, np.column_stack([np.ones(8), -np.ones(8), rows[:, 0]]))
    assert np.array_equal(method.fit(data).predict(rows), data.targets)


def test_classes_are_the_greatest_score() -> None:
    data = digits().shuffled(0)
    train, test = data.take(slice(0, 300)), data.take(slice(300, 500))
    for method in (Ridge(), Forest(10), Gradient((16,), 400), Trained(RRR(beta=0.05, gamma=0), (), 500, 1.0)):
        fitted = method.fit(train)
        predicted = fitted.predict(test.inputs)
        assert ((predicted > 0).sum(axis=1) == 1).all()
        report = fitted.report(train, test)
        assert report.test_items == np.mean(predicted.argmax(axis=1) == test.outputs)
        assert report.test_items is not None
        assert report.test_items > 0.5
        assert not report.circuit


def test_exact_synthesis_is_a_row_with_the_least_gates() -> None:
    table = multiplier(2)
    report = Exact().fit(table).report(table)
    assert (report.size, report.unit, report.circuit, report.train_items) == (8, "gates", True, 1)
    with pytest.raises(CircuitError, match="max_seconds"):
        Exact(max_seconds=0.01).fit(multiplier(3))


def test_rrr_gives_a_circuit_when_it_is_solved() -> None:
    table = multiplier(2)
    solved = Trained(RRR(), (4, 4), 10_000).fit(table, seed=3).report(table)
    assert (solved.train_items, solved.circuit, solved.unit) == (1, True, "gates")
    open_gap = Trained(RRR(), (4, 4), 20).fit(table, seed=3).report(table)
    assert (open_gap.circuit, open_gap.unit) == (False, "numbers")


def test_vectors_without_inputs_are_reproduced() -> None:
    rng = np.random.default_rng(0)
    centres = rng.choice([-1, 1], (4, 30))
    vectors = np.where(rng.random((80, 30)) < 0.05, -1, 1) * centres[np.arange(80) % 4]
    train, test = Dataset.generative(vectors[:40]), Dataset.generative(vectors[40:])
    report = KModes(4, restarts=5).fit(train).report(train, test)
    assert report.test_bits == pytest.approx(np.mean(vectors[40:] == centres[np.arange(40) % 4]), abs=1e-12)
    assert (report.size, report.unit) == (4 * 30, "bits")


def parity(rows: Signs) -> Signs:
    return (rows[:, :1] * rows[:, 1:2]).astype(np.int8)


def test_a_tsetlin_machine_learns_an_exclusive_or_among_other_inputs() -> None:
    rng = np.random.default_rng(0)
    rows = rng.choice(np.array([-1, 1], np.int8), (400, 6))
    fitted = Tsetlin(10, clauses=10, threshold=3).fit(Dataset(rows, parity(rows)))
    assert np.array_equal(fitted.predict(all_inputs(6)), parity(all_inputs(6)))


def test_logic_gates_learn_an_exclusive_or_of_two_inputs() -> None:
    rows = all_inputs(2)
    fitted = LogicGateNetwork(300, layers=2, neurons=9, rate=0.05).fit(Dataset(rows, parity(rows)))
    assert np.array_equal(fitted.predict(rows), parity(rows))


def test_the_polynomials_of_logic_gates_are_their_truth_tables() -> None:
    from boolearn.baselines.logic_gates import POLYNOMIALS, TRUTH_TABLES

    corners = np.array([(1, a, b, a * b) for a in (0, 1) for b in (0, 1)])
    assert np.array_equal(POLYNOMIALS @ corners.T, TRUTH_TABLES)
    assert len(np.unique(TRUTH_TABLES, axis=0)) == 16


@pytest.mark.parametrize("gate", range(16))
def test_every_logic_gate_is_read_off(gate: int) -> None:
    from boolearn.baselines.logic_gates import TRUTH_TABLES, read_off

    circuit = read_off([np.array([[0], [1]])], [np.array([gate])], 2, 1)
    rows = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    assert np.array_equal(circuit.predict(rows)[:, 0] > 0, TRUTH_TABLES[gate] > 0)


def test_genetic_formulas_find_a_small_formula_and_leave_the_global_generators_alone() -> None:
    pytest.importorskip("hgp_lib", reason="hgp-lib comes with the extra 'peers'")
    rows = all_inputs(6)
    wanted = np.where((rows[:, :1] > 0) & ((rows[:, 2:3] > 0) | (rows[:, 4:5] < 0)), 1, -1)
    np.random.seed(3)  # noqa: NPY002
    fitted = GeneticFormula(60).fit(Dataset(rows, wanted), seed=1)
    drawn = np.random.random()  # noqa: NPY002
    np.random.seed(3)  # noqa: NPY002
    assert drawn == np.random.random()  # noqa: NPY002
    assert fitted.model.circuit is not None
    assert np.array_equal(fitted.predict(rows), wanted)


def test_without_hgp_lib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "hgp_lib", None)
    with pytest.raises(MissingExtraError, match=r"boolearn\[peers\]"):
        GeneticFormula(1).fit(Dataset([[1, -1]], [[1]]))


def test_without_torch_logic_gates_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"boolearn\[gradient\]"):
        LogicGateNetwork(1).fit(multiplier(2))


def test_mistakes_are_named() -> None:
    analog = digits().take(slice(0, 20))
    for method in (LogicGateNetwork(1), Tsetlin(1)):
        with pytest.raises(ParameterError, match="Boolean inputs"):
            method.fit(analog)
    with pytest.raises(ParameterError, match="neurons"):
        LogicGateNetwork(1, neurons=4)
    with pytest.raises(ParameterError, match="clauses"):
        Tsetlin(1, clauses=3)
    with pytest.raises(ParameterError, match="schedule"):
        Gradient((4,), 1, "adamw", "random", 2)


def test_open_bits_count_for_nobody_and_only_our_solvers_learn_from_them(parts: tuple[Dataset, Dataset]) -> None:
    train, _ = parts
    open_bits = np.random.default_rng(0).random(train.outputs.shape) < 0.3
    partly = Dataset(train.inputs, train.outputs, open=open_bits)
    fitted = METHODS["gates"].fit(partly)
    right = (fitted.predict(train.inputs) == train.outputs) | open_bits
    report = fitted.report(partly)
    assert report.train_bits == pytest.approx(right[~open_bits].mean())
    assert report.train_items == right.all(axis=1).mean()
    with pytest.raises(ParameterError, match="without open output bits for ridge"):
        Ridge().fit(partly)


def test_the_time_to_import_is_not_counted() -> None:
    class Slow(Method):
        name, budget = "slow", "none"
        prepared = False

        def prepare(self) -> None:
            self.prepared = True
            sum(range(10_000_000))

        def learn(self, data: Dataset, seed: int) -> Model:
            assert self.prepared
            return Model(lambda given: given, 1, "numbers")

    assert Slow().fit(multiplier(2)).cpu_seconds < 0.05
