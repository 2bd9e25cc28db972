"""bl.learn: from examples alone to a circuit."""

from __future__ import annotations

import itertools
import math
import os
import signal
import threading
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

import boolearn as bl
from boolearn.errors import DataError, ParameterError
from boolearn.learning import CLASSES, Learned, policy, rrr
from boolearn.solver import Run
from boolearn.solver.watching.callbacks import Callback, Tick

QUICK = 2_000_000
"""Units of work: a fraction of a second."""
Bits = npt.NDArray[np.bool_]


def examples(n: int, inputs: int, seed: int = 0) -> Bits:
    return np.random.default_rng(seed).random((n, inputs)) < 0.5


def hidden(x: Bits) -> Bits:
    """A circuit of a few gates that belongs to none of the classes."""
    return (x[:, 0] & x[:, 1]) ^ (x[:, 2] | x[:, 3]) ^ (x[:, 4] & ~x[:, 5]) ^ x[:, 6] & x[:, 7]


def test_a_parity_is_learned_exactly() -> None:
    x = examples(100, 12)
    y = x[:, [1, 4, 5, 9]].sum(axis=1) % 2 == 1
    found = bl.learn(x, y, max_work=QUICK)
    unseen = examples(1000, 12, 1)
    assert np.array_equal(found.predict(unseen)[:, 0] > 0, unseen[:, [1, 4, 5, 9]].sum(axis=1) % 2 == 1)
    assert found.method.startswith("affine")
    assert found.accuracy.accuracy == 1 > found.accuracy.low
    assert not found.cut


def test_the_search_learns_what_no_class_holds() -> None:
    x = examples(1500, 12)
    found = bl.learn(x, hidden(x), max_work=10 * QUICK, classes=())
    assert found.method.startswith(("gates", "majority"))
    assert found.accuracy.accuracy > 0.95
    assert len(found.tried) > 5
    assert sum(tried.chosen for tried in found.tried) == 1


def test_of_candidates_alike_one_is_chosen() -> None:
    """Searches that start elsewhere have the same name, and often find as many gates."""
    rng = np.random.default_rng(12)
    x = rng.random((80, 5)) < 0.5
    y = np.stack([x[:, 0] & x[:, 1], x[:, 2] | x[:, 3]], axis=1) ^ (rng.random((80, 2)) < 0.1)
    found = bl.learn(x, y, max_work=QUICK // 20, classes=(), seed=12)
    assert [tried.output for tried in found.tried if tried.chosen] == ["y0", "y1"]


def summary(found: Learned) -> tuple[object, ...]:
    return found.circuit, found.method, found.accuracy, found.tried


def test_same_seed_and_work_same_result_on_any_number_of_threads() -> None:
    x = examples(300, 8)
    results = [bl.learn(x, hidden(x), max_work=QUICK, seed=3, threads=threads, classes=()) for threads in (1, 2, 3)]
    assert summary(results[0]) == summary(results[1]) == summary(results[2])
    assert not results[0].cut


def test_the_work_that_fits_into_the_time_gives_the_same_again() -> None:
    x = examples(300, 8)
    by_time = bl.learn(x, hidden(x), max_seconds=4, threads=2, classes=())
    assert by_time.work > 0
    if not by_time.cut:
        assert summary(bl.learn(x, hidden(x), max_work=by_time.work, classes=())) == summary(by_time)


def test_time_is_kept() -> None:
    x = examples(4000, 30)
    begun = time.perf_counter()
    found = bl.learn(x, examples(4000, 1, 5)[:, 0], max_seconds=1)
    assert time.perf_counter() - begun < 10
    assert found.accuracy.low < 0.55  # nothing can be learned of random answers, and that is what it says


@pytest.mark.parametrize("most", [0, 3, 20])
def test_circuits_are_no_larger_than_allowed(most: int) -> None:
    x = examples(300, 8)
    y = np.stack([hidden(x), x[:, 0] ^ x[:, 1]], axis=1)
    found = bl.learn(x, y, max_work=QUICK, max_ands=most, classes=())
    assert found.ands == found.circuit.ands() <= most


def test_trees_that_cannot_be_grown_again_stay_as_they_are() -> None:
    """One tree is right on the training rows, and none of its size is right on all rows: there is nothing to boost."""
    rng = np.random.default_rng(1)
    x = rng.random((60, 12)) < 0.5
    y = ((x[:, 0] & x[:, 1]) | (x[:, 2] & x[:, 3]) | (x[:, 4] & x[:, 5])) ^ (rng.random(60) < 0.03)
    found = bl.learn(x, y, max_work=QUICK // 20, seed=1, classes=())
    assert any("boosted" in tried.method for tried in found.tried if tried.chosen)
    assert found.train_accuracy > 0.9


def test_several_outputs_share_gates_and_each_gets_its_best() -> None:
    x = examples(800, 8)
    carry = x[:, 0] & x[:, 1]
    y = np.stack([carry, carry & x[:, 2], hidden(x), np.ones(800, bool)], axis=1)
    found = bl.learn(x, y, max_work=3 * QUICK)
    assert [name for name, _ in found.circuit.outputs] == ["y0", "y1", "y2", "y3"]
    right = found.predict(x) > 0
    assert np.array_equal(right[:, [0, 1, 3]], y[:, [0, 1, 3]])
    assert found.train_accuracy > 0.9


def test_names_and_a_validation_set_are_used() -> None:
    x = examples(200, 4)
    data = bl.Dataset(x, (x[:, 0] & x[:, 3])[:, None], input_names=("a", "b", "c", "d"), output_names=("f",))
    found = bl.learn(data, valid=data.take(slice(0, 50)), max_work=QUICK)
    assert found.circuit.inputs == ("a", "b", "c", "d")
    assert found.accuracy.bits == 50
    assert found.circuit.prove_equal(bl.circuit.circuit_from_formulas({"f": "a & d"}, inputs=list("abcd")))


def test_a_complete_truth_table_leaves_nothing_to_estimate() -> None:
    table = bl.data.multiplier(bits=2)
    found = bl.learn(table, max_work=20 * QUICK)
    assert found.accuracy.low == found.accuracy.accuracy == found.accuracy.high == 1
    assert found.circuit.prove_equal(table)


def test_of_a_complete_truth_table_the_shortest_function_is_evidence_enough() -> None:
    x = np.array(list(itertools.product((0, 1), repeat=3)))
    found = bl.learn(x, x.sum(axis=1) > 1, max_work=QUICK)
    # A decision tree has 7. Eight rows would not be evidence for the class, if there were more rows than these.
    assert found.ands < 7


@pytest.mark.slow
def test_of_outputs_drawn_at_random_half_is_said_to_be_right() -> None:
    """Searches keep what does best on validation rows, and votes join such circuits: the interval allows for both.

    It may miss once in twenty.
    """
    missed = 0
    for seed in range(4):
        x, outputs = examples(400, 12, seed), np.random.default_rng(seed).random(400) < 0.5
        found = bl.learn(x, outputs, max_work=QUICK // 2, seed=seed)
        missed += not found.accuracy.low < 0.5 < found.accuracy.high
    assert missed <= 1


def test_noise_is_allowed_for() -> None:
    rng = np.random.default_rng(0)
    x = examples(1200, 10)
    truth = x[:, 0] & x[:, 1] | x[:, 2]
    found = bl.learn(x, truth ^ (rng.random(1200) < 0.05), noise=0.05, max_work=5 * QUICK)
    unseen = examples(1000, 10, 1)
    right = (found.predict(unseen)[:, 0] > 0) == (unseen[:, 0] & unseen[:, 1] | unseen[:, 2])
    assert right.mean() > 0.97


@pytest.mark.slow
def test_open_outputs_say_nothing() -> None:
    x = examples(400, 9)
    y = np.stack([hidden(x), x[:, 8]], axis=1)
    unknown = np.random.default_rng(1).random(y.shape) < 0.3
    unknown[:5] = True
    found = bl.learn(bl.Dataset(x, y, open=unknown), max_work=3 * QUICK)
    wrong = ((found.predict(x) > 0) != y) & ~unknown
    assert not wrong[:, 1].any()
    assert wrong[:, 0].mean() < 0.2
    assert found.accuracy.bits < 200


@pytest.mark.slow
def test_exclusive_ors_are_searched_where_they_may_be() -> None:
    x = examples(600, 10)
    y = x[:, 0] ^ x[:, 1] ^ (x[:, 2] & x[:, 3]) ^ (x[:, 4] | x[:, 5])
    found = bl.learn(x, y, max_work=10 * QUICK, classes=())
    assert any(tried.method.startswith("gates and xor") for tried in found.tried)
    plain = bl.learn(x, y, max_work=QUICK, gates=("and", "or", "maj"), classes=())
    assert not any("xor" in tried.method for tried in plain.tried)
    assert not any(gate.xor for gate in plain.circuit.gates)


def test_gates_may_be_restricted() -> None:
    x = examples(300, 8)
    found = bl.learn(x, hidden(x), max_work=QUICK, gates=("and", "or"), classes=())
    assert {kind.value for kind in found.circuit.counts} <= {"and", "or", "not", "copy", "constant"}


def test_contradictory_and_double_rows_are_counted() -> None:
    x = examples(60, 20)
    y = x[:, 0] & x[:, 1]
    x, y = np.concatenate((x, x[:10])), np.concatenate((y, ~y[:5], y[5:10]))
    found = bl.learn(x, y, max_work=QUICK)
    assert found.contradictory == 10
    assert found.duplicates == 5
    assert found.train_accuracy < 1


@pytest.mark.parametrize("value", [False, True])
def test_one_class_only_is_a_constant(value: bool) -> None:
    found = bl.learn(examples(30, 5), np.full(30, value), max_work=QUICK)
    assert (found.predict(examples(10, 5, 1)) > 0).all() == value
    assert found.ands == 0


def test_more_inputs_than_rows_and_few_rows() -> None:
    x = examples(20, 200)
    found = bl.learn(x, x[:, 7], max_work=QUICK)
    assert np.array_equal(found.predict(x)[:, 0] > 0, x[:, 7])
    assert found.accuracy.low < 0.6  # five rows to choose by say little


def test_class_labels_have_an_output_each() -> None:
    x = examples(400, 6)
    labels = x[:, 0] + 2 * (x[:, 1] & x[:, 2])
    found = bl.learn(x, labels, max_work=QUICK)
    assert np.array_equal((found.predict(x) > 0).argmax(axis=1), labels)


def test_interrupted_it_returns_the_best_so_far() -> None:
    x = examples(2000, 20)
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.perf_counter()
    found = bl.learn(x, examples(2000, 1, 1)[:, 0], max_seconds=300)
    assert time.perf_counter() - begun < 60
    assert found.cut


def test_interrupted_while_rrr_runs_it_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """RRR is a run of its own, which takes Ctrl-C first."""

    class Interrupt(Callback):
        once = False

        def on_trace(self, tick: Tick) -> None:
            if not self.once:
                self.once = True
                signal.raise_signal(signal.SIGINT)

    def interrupted(*args: Any, **options: Any) -> Run:
        return bl.train(*args, **options, callbacks=[Interrupt()])

    def voted(*_: object) -> None:
        raise AssertionError("there is no more time for votes")

    monkeypatch.setattr(rrr, "train", interrupted)
    monkeypatch.setattr(policy, "add_votes", voted)
    found = bl.learn(examples(100, 12), examples(100, 1, 1)[:, 0], max_work=QUICK, classes=())
    assert found.cut
    assert not found.trained_again


def test_progress_tells_stages(capsys: pytest.CaptureFixture[str]) -> None:
    x = examples(100, 8)
    bl.learn(x, hidden(x), max_work=QUICK // 2, progress=True, classes=())
    said = capsys.readouterr().err
    assert "gate search" in said
    assert "best" in said


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"valid": 1.5}, "valid"),
        ({"max_seconds": 0}, "max_seconds"),
        ({"max_seconds": math.inf}, "max_seconds"),
        ({"max_work": 0}, "max_work"),
        ({"max_ands": -1}, "max_ands"),
        ({"noise": 0.5}, "noise"),
        ({"gates": "nand"}, "gates"),
        ({"gates": ("maj",)}, "gates"),
        ({"classes": ("unheard of",)}, "classes"),
        ({"classes": 3}, "classes"),
        ({"threads": 0}, "threads"),
        ({"seed": -1}, "seed"),
    ],
)
def test_wrong_parameters_are_named(wrong: dict[str, object], rule: str) -> None:
    x = examples(30, 5)
    with pytest.raises(ParameterError, match=rule):
        bl.learn(x, x[:, 0], **wrong)  # type: ignore[arg-type]


def test_wrong_data_is_refused() -> None:
    x = examples(30, 5)
    with pytest.raises(DataError, match="Boolean inputs"):
        bl.learn(np.linspace(-1, 1, 60).reshape(30, 2), x[:, 0])
    with pytest.raises(DataError, match="at least 2 rows"):
        bl.learn(x[:1], x[:1, 0])
    with pytest.raises(DataError, match="as many inputs"):
        bl.learn(x, x[:, 0], valid=(x[:, :3], x[:, 0]))
    with pytest.raises(DataError, match="at least 1 item"):
        bl.learn(x[:0], x[:0, :1])


def test_classes_have_names() -> None:
    assert {"affine", "chain", "symmetric"} <= set(CLASSES)


def test_methods_speak_of_the_columns_by_name() -> None:
    rows = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1] for k in range(8)])
    parity = bl.learn(pd.DataFrame(rows, columns=["x1", "tea", "milk"]), rows.sum(axis=1) % 2, max_work=10_000)
    assert "x1, tea, milk" in parity.method
    assert any("tea" in tried.method for tried in parity.tried)


def test_validation_rows_are_matched_by_name() -> None:
    x = pd.DataFrame(examples(200, 6), columns=list("abcdef"))
    y = np.where(x["a"] & x["b"], "both", np.where(x["c"], "third", "none"))
    rows, others = slice(0, 150), slice(150, 200)
    train, valid = bl.Dataset(x[rows], y[rows]), bl.Dataset(x[others], y[others])
    shuffled = x[list("fedcba")]
    keep = y[others] != "both"  # and one class less
    fewer = bl.Dataset(shuffled[others][keep], y[others][keep])
    plain = bl.learn(train, valid=bl.Dataset(x[others][keep], y[others][keep]), max_work=QUICK)
    assert bl.learn(train, valid=fewer, max_work=QUICK).circuit == plain.circuit
    assert bl.learn(train, valid=valid, max_work=QUICK).accuracy.accuracy == 1
    with pytest.raises(DataError, match="class labels must be among 'both', 'none', 'third'. Got 'no' instead"):
        bl.learn(train, valid=bl.Dataset(x[others], np.resize(["no", "none"], 50)), max_work=QUICK)


def test_outputs_that_are_open_everywhere_are_refused() -> None:
    with pytest.raises(DataError, match="every output must be specified for some item. Got output 1 open for all"):
        bl.learn(examples(50, 4), np.full(50, np.nan), max_work=100)


@pytest.mark.parametrize("share", [0, 1, 2.0])
def test_a_share_is_checked_for_complete_tables_too(share: float) -> None:
    with pytest.raises(ParameterError, match="'valid' parameter must be a data set, or a share above 0 and below 1"):
        bl.learn([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1], valid=share, max_work=100)


def test_an_output_that_only_held_out_rows_specify() -> None:
    """With this seed the only row that says anything about the first output is among those to choose by."""
    x = examples(60, 6)
    x[0, 0] = False
    y = x[:, :2].copy()
    y[0, 0] = True
    where = np.zeros((60, 2), bool)
    where[1:, 0] = True
    found = bl.learn(bl.Dataset(x, y, open=where), max_work=100, seed=3, classes=())
    assert np.array_equal(found.predict(x)[:, 1] > 0, y[:, 1])


def test_a_small_circuit_may_be_a_small_tree() -> None:
    """Whatever the searches find is larger than is allowed."""
    cube = np.array(list(itertools.product((0, 1), repeat=2)))
    found = bl.learn(cube, [0, 1, 1, 0], max_ands=1, max_work=100_000)
    assert (found.predict(cube)[:, 0] > 0).astype(int).tolist() in (
        [0, 1, 1, 1],
        [1, 1, 1, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
    )
    assert found.circuit.ands() == 1


def test_validation_rows_may_have_some_of_the_classes() -> None:
    cube = np.array(list(itertools.product((0, 1), repeat=2)))
    valid = (cube[:2], [0, 1])
    found = bl.learn(np.repeat(cube, 3, axis=0), [*range(4)] * 3, valid=valid, max_work=1000)  # type: ignore[arg-type]
    assert len(found.circuit.outputs) == 4
    with pytest.raises(ParameterError, match="'valid' parameter"):
        bl.learn(cube, [0, 1, 1, 0], valid="half")  # type: ignore[arg-type]
