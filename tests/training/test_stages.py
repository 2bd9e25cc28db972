"""Training in stages: one network of all stages, the same for the same seed, resumed where it was stopped."""

from __future__ import annotations

import json
import math
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import Dataset, automaton
from boolearn.errors import BoolearnError, DataError, FileError
from boolearn.model import random_model
from boolearn.network import layered
from boolearn.solver import RRR, Status
from boolearn.training.chosen import ChosenOutputs
from boolearn.training.signals import Signals
from commands import boolearn

SHORT: dict[str, Any] = {"items": 60, "max_iter": 300, "width": 12, "stages": 3, "seed": 3}


@pytest.fixture(scope="module")
def rule_30() -> Dataset:
    return automaton(30, 8, 1, 256, seed=1)


def test_rule_30_is_learned_without_layers() -> None:
    samples = automaton(30, 8, 1, 600, seed=1)
    run = bl.train_in_stages(samples, items=100, max_iter=2000, width=32, stages=4)
    assert run.train_accuracy == 1
    assert run.status is Status.FIT
    assert run.solved
    assert run.test_accuracy is not None
    assert run.test_accuracy > 0.97
    # With one stage the network is shallow, and wrong on more.
    one = bl.train_in_stages(samples, items=100, max_iter=2000, width=32, stages=1)
    assert one.train_accuracy < 1
    assert not one.solved


def test_the_model_is_one_network_and_the_circuit_does_the_same(rule_30: Dataset) -> None:
    run = bl.train_in_stages(rule_30, **SHORT)
    train_part, test_part = rule_30.split(60)
    assert run.model.network.n_inputs == 8
    assert run.model.accuracy(train_part) == run.train_accuracy
    assert test_part is not None
    assert run.model.accuracy(test_part) == run.test_accuracy
    assert run.model.network.level.max() > 2
    assert (run.model.weights != 0).all()
    circuit = run.circuit()
    assert np.array_equal(circuit.predict(train_part.inputs), run.model.predict(train_part.inputs))
    assert len(run.starts) == 3
    assert [start.seed for start in run.starts] == [3, 4, 5]
    assert run.iterations == sum(start.iterations for start in run.starts)
    iterations = [line.iteration for line in run.trace]
    assert iterations == sorted(iterations)
    assert iterations[-1] == 900


def test_no_training_bit_of_an_output_gets_worse_with_a_stage(rule_30: Dataset) -> None:
    wrong = math.inf
    for stages in (1, 2, 3):
        run = bl.train_in_stages(rule_30, **{**SHORT, "stages": stages})
        now = (run.model.predict(rule_30.inputs[:60]) != rule_30.targets[:60]).sum(axis=0)
        assert (now <= wrong).all()
        wrong = now


def test_the_first_stage_may_be_deep(rule_30: Dataset, tmp_path: Path) -> None:
    run = bl.train_in_stages(rule_30, **{**SHORT, "stages": 1}, first=(12, 10))
    assert run.model.network.level.max() == 3
    assert run.settings["first"] == [12, 10]
    train_part, _ = rule_30.split(60)
    deep = bl.train(
        [8, 12, 10, 8],
        rule_30,
        items=60,
        seed=3,
        max_iter=300,
        solver=bl.RRR(bl.Linear(0.9, 0.05, 300), anneal=210, support=6),
    )
    assert run.model.accuracy(train_part) == deep.train_accuracy
    more = bl.train_in_stages(rule_30, **SHORT, first=[12, 10])
    assert more.train_accuracy > run.train_accuracy
    bl.data.write(rule_30, tmp_path / "rule.dat")
    command = [
        "stages",
        str(tmp_path / "rule.dat"),
        "--items",
        "60",
        "--max-iter",
        "300",
        "--width",
        "12",
        "--seed",
        "3",
    ]
    said = boolearn(*command, "--first", "12,10", "--out", str(tmp_path / "run"), "--json", status=1)
    assert json.loads(said.stdout)["train_accuracy"] == more.train_accuracy


def test_same_seed_same_result_on_any_number_of_threads(rule_30: Dataset) -> None:
    one, two = (bl.train_in_stages(rule_30, **SHORT, threads=threads) for threads in (1, 2))
    assert np.array_equal(one.model.weights, two.model.weights)
    assert np.array_equal(one.model.network.sender, two.model.network.sender)
    other = bl.train_in_stages(rule_30, **{**SHORT, "seed": 4})
    assert one.gap != other.gap


def test_test_items_are_used_for_nothing(rule_30: Dataset) -> None:
    run = bl.train_in_stages(rule_30, **SHORT)
    outputs = rule_30.outputs.copy()
    outputs[60:] *= -1
    same = bl.train_in_stages(replace(rule_30, outputs=outputs), **SHORT)
    alone = bl.train_in_stages(rule_30.take(slice(0, 60)), **{**SHORT, "items": None})
    for other in (same, alone):
        assert np.array_equal(run.model.weights, other.model.weights)
    assert alone.test_accuracy is None


class _StopAt(bl.Callback):
    def __init__(self, start: int) -> None:
        self.left = start

    def on_start_end(self, outcome: Any) -> None:
        self.left -= 1
        if not self.left:
            raise RuntimeError("power is lost")


@pytest.mark.parametrize("stage", [1, 2])
def test_resumed_in_any_stage_it_is_the_same(tmp_path: Path, rule_30: Dataset, stage: int) -> None:
    whole = bl.train_in_stages(rule_30, **SHORT)
    with pytest.raises(RuntimeError, match="power is lost"):
        bl.train_in_stages(rule_30, **SHORT, checkpoint=tmp_path, callbacks=[_StopAt(stage)])
    resumed = bl.train_in_stages(rule_30, **SHORT, checkpoint=bl.Checkpoints(tmp_path, resume=True))
    assert np.array_equal(whole.model.weights, resumed.model.weights)
    assert [line.gap for line in whole.trace] == [line.gap for line in resumed.trace]
    with pytest.raises(FileError, match="holds checkpoints"):
        bl.train_in_stages(rule_30, **SHORT, checkpoint=tmp_path)


def test_time_is_for_all_stages_together(rule_30: Dataset) -> None:
    run = bl.train_in_stages(rule_30, **{**SHORT, "stages": 50, "max_iter": 10**6}, max_seconds=0.5)
    assert run.status is Status.TIME
    assert run.seconds < 5
    assert len(run.starts) == 1
    several = bl.train_in_stages(rule_30, **{**SHORT, "max_iter": 10**6}, max_seconds=0.6, restarts=3)
    assert several.status is Status.TIME
    assert 0.4 < sum(start.seconds for start in several.starts) < 3


def test_open_outputs_are_neither_right_nor_wrong(rule_30: Dataset) -> None:
    mask = np.random.default_rng(1).random(rule_30.outputs.shape) < 0.3
    run = bl.train_in_stages(replace(rule_30, open=mask), **SHORT)
    answers = run.model.predict(rule_30.inputs[:60])
    specified = ~mask[:60]
    right = (answers == rule_30.outputs[:60])[specified].mean()
    assert run.train_accuracy == pytest.approx(right)


def test_names_stay(rule_30: Dataset) -> None:
    named = replace(rule_30, input_names=tuple("abcdefgh"), output_names=tuple("stuvwxyz"))
    run = bl.train_in_stages(named, **{**SHORT, "stages": 2})
    assert run.model.input_names == tuple("abcdefgh")
    assert run.model.output_names == tuple("stuvwxyz")


def test_signals_leave_out_what_is_known_and_what_nobody_hears() -> None:
    samples = random_model(4, 4, 3, seed=2).sample(50, seed=3)
    signals = Signals(samples, 50)
    network = layered(4, 4, 3, reads="inputs")
    model = bl.BoolNet(network, np.zeros(network.n_weights))
    rows = np.zeros((7, 9))
    rows[0, 1] = 1  # a copy of an input, heard
    rows[1, [0, 1, 2]] = 1  # And, heard
    rows[2, [0, 2, 3]] = 1  # And, heard by the third output
    rows[3, [0, 1, 2]] = -1  # the negation of the first And, heard
    rows[4, [1, 5]] = 0.5, 1
    rows[5, [2, 6, 7]] = 1
    rows[6, [7, 8]] = 1, 0.9
    weights = np.concatenate([rows[k, : 5 if k < 4 else 9] for k in range(7)])
    model = bl.BoolNet(network, weights)
    node = signals.add(model)
    signals.pass_on_heard(model, node, np.array([False, True, False]))
    assert node.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    found = model.node_values(samples.inputs)
    heard = [6, 7, 10]  # the two Ands, not the copy and the negation; the output that is better
    assert signals.values.shape[1] == 4 + len(heard)
    assert np.array_equal(signals.values[:, 4:], found[:, heard])
    whole = signals.network(node[-3:], samples)
    assert np.array_equal(whole.predict(samples.inputs), model.predict(samples.inputs))


def test_signals_are_shared_by_as_many_models_as_wanted() -> None:
    samples = random_model(5, 5, seed=2).sample(60, seed=3)
    network = layered(5, 3, 1)

    def gates(*read: tuple[int, int]) -> bl.BoolNet:
        weights = np.zeros((3, 6))
        for row, pair in zip(weights, read, strict=True):
            row[[0, *pair]] = 1
        return bl.BoolNet(network, np.concatenate([weights.ravel(), [0, 1, 0, 0]]))

    # Ands: (1, 2) is in all three models, once negated, (2, 3) in two, (4, 5) twice in one; outputs copy the first.
    models = [gates((1, 2), (4, 5), (4, 5)), gates((1, 2), (2, 3), (1, 3)), gates((2, 1), (3, 2), (1, 4))]
    weights = models[2].weights.copy()
    weights[:6] *= -1
    models[2] = bl.BoolNet(network, weights)
    x = samples.inputs
    ands = {pair: np.where((x[:, pair[0] - 1] > 0) & (x[:, pair[1] - 1] > 0), 1, -1) for pair in [(1, 2), (2, 3)]}
    for consensus, wanted in [(2, [(1, 2), (2, 3)]), (3, [(1, 2)])]:
        signals = Signals(samples, 60)
        nodes = [signals.add(model) for model in models]
        signals.pass_on_shared(models, nodes, consensus)
        new = signals.values[:, 5:].T
        assert len(new) == len(wanted)
        for values, pair in zip(new, wanted, strict=True):
            assert np.array_equal(values, ands[pair])
    # What a later stage makes of them is one network in the end.
    later = layered(6, 1)
    copy = bl.BoolNet(later, np.eye(7)[6])
    node = signals.add(copy)
    whole = signals.network(node[-1:], replace(samples, outputs=samples.outputs[:, :1], output_names=None))
    assert np.array_equal(whole.predict(x)[:, 0], ands[1, 2])


def _copying(*senders: int) -> bl.BoolNet:
    """A model of four inputs whose outputs copy these nodes."""
    return bl.BoolNet(layered(4, len(senders)), np.eye(5)[list(senders)].ravel())


def test_outputs_are_settled_when_enough_starts_are_right_and_say_the_same() -> None:
    unseen = np.array(np.meshgrid(*[[-1, 1]] * 4), np.int8).reshape(4, -1).T
    inputs = unseen[(unseen[:, 0] == unseen[:, 1])]  # the first two inputs are the same there, and nowhere else
    training = Dataset(inputs, inputs[:, [0, 2]])
    nodes = [np.arange(7) + first for first in (0, 10, 20)]

    def chosen(consensus: int) -> ChosenOutputs:
        return ChosenOutputs(2, len(inputs), consensus)

    # Both are right on the first output by different functions, and the second is wrong in one.
    apart = [_copying(1, 3), _copying(2, 4)]
    first, done = chosen(2), []
    assert first.choose(apart, nodes[:2], training, unseen).tolist() == [True, True]
    assert first.nodes.tolist() == [5, 6]
    done.append(first.done)
    # Two of three agree: the first output is theirs now, although it was right before. The second is wrong in all.
    third = [_copying(1, 4), _copying(2, 4), _copying(2, 1)]
    assert first.choose(third, nodes, training, unseen).tolist() == [True, False]
    assert first.nodes.tolist() == [15, 6]
    done.append(first.done)
    # What is settled stays; that two starts agree on what is wrong settles nothing.
    assert first.choose([_copying(1, 3)] * 2, nodes[1:], training, unseen).tolist() == [False, True]
    assert first.nodes.tolist() == [15, 16]
    assert [*done, first.done] == [False, False, True]
    # Two right starts that say the same count for more than one that agrees with those that are wrong.
    three = chosen(2)
    wrong = [_copying(2, 4)] * 3
    only_second = Dataset(inputs, inputs[:, [2, 2]])
    right = [_copying(3, 3), _copying(3, 3)]
    assert three.choose([*wrong, *right], [*nodes, nodes[0] + 30, nodes[0] + 40], only_second, unseen).all()
    assert three.done
    assert three.nodes.tolist() == [35, 36]
    # Without a consensus what is right on all training items is settled.
    alone = chosen(1)
    assert alone.choose(apart[:1], nodes[:1], training, unseen).all()
    assert alone.done


TOGETHER: dict[str, Any] = {**SHORT, "restarts": 3, "consensus": 2, "stages": 3}


def test_with_a_consensus_stages_read_less(rule_30: Dataset) -> None:
    alone, together = _Watch(), _Watch()
    bl.train_in_stages(rule_30, **{**TOGETHER, "consensus": 1}, callbacks=[alone])
    run = bl.train_in_stages(rule_30, **TOGETHER, callbacks=[together])
    assert len(run.starts) == 9
    assert run.settings["consensus"] == 2
    read = [max(int(stage.split(", ")[1].split()[0]) for stage in watch.stages) for watch in (alone, together)]
    assert 8 < read[1] < read[0]
    # Each output is that of the start that is right on most items.
    first = bl.train_in_stages(rule_30, **{**TOGETHER, "stages": 1})
    of_one = [
        bl.train_in_stages(rule_30, **{**SHORT, "stages": 1, "seed": seed}).model.predict(rule_30.inputs[:60])
        for seed in (3, 4, 5)
    ]
    wanted = rule_30.targets[:60]
    most = np.max([(answers == wanted).sum(axis=0) for answers in of_one], axis=0)
    assert ((first.model.predict(rule_30.inputs[:60]) == wanted).sum(axis=0) == most).all()


@pytest.mark.parametrize("start", [2, 4])
def test_a_consensus_is_the_same_on_threads_and_when_resumed(tmp_path: Path, rule_30: Dataset, start: int) -> None:
    whole = bl.train_in_stages(rule_30, **TOGETHER, threads=1)
    with pytest.raises(RuntimeError, match="power is lost"):
        bl.train_in_stages(rule_30, **TOGETHER, threads=2, checkpoint=tmp_path, callbacks=[_StopAt(start)])
    resumed = bl.train_in_stages(rule_30, **TOGETHER, threads=2, checkpoint=bl.Checkpoints(tmp_path, resume=True))
    assert np.array_equal(whole.model.weights, resumed.model.weights)
    assert np.array_equal(whole.model.network.sender, resumed.model.network.sender)


def _two_gates() -> tuple[Any, Any]:
    """An And and an Or of six inputs: every start solves it."""
    x = np.random.default_rng(0).choice(np.array([-1, 1], np.int8), (60, 6))
    return x, np.where(np.column_stack([x[:, :2].min(axis=1), x[:, 2:4].max(axis=1)]) > 0, 1, -1)


def test_with_a_consensus_all_starts_run_also_where_one_is_solved() -> None:
    run = bl.train_in_stages(_two_gates(), max_iter=400, width=4, restarts=4, consensus=2, stages=6)
    assert [start.seed for start in run.starts] == [0, 1, 2, 3]
    assert all(start.status is Status.SOLVED for start in run.starts)
    assert run.solved
    assert len(bl.train_in_stages(_two_gates(), max_iter=400, width=4, restarts=4).starts) == 1


class _Signal(bl.Callback):
    """What a person does after so many starts."""

    def __init__(self, starts: int, number: signal.Signals = signal.SIGINT) -> None:
        self.left, self.number = starts, number

    def on_start_end(self, outcome: Any) -> None:
        self.left -= 1
        if not self.left:
            signal.raise_signal(self.number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_a_stage_whose_start_is_solved_ends_all_stages(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    settings: dict[str, Any] = {"max_iter": 400, "width": 4, "restarts": 4, "consensus": 4, "stages": 6, "threads": 1}
    run = bl.train_in_stages(_two_gates(), **settings, callbacks=[_Signal(2, number)])
    assert len(run.starts) < 5
    assert run.status is Status.INTERRUPTED
    assert signal.getsignal(number) is before


APART: dict[str, Any] = {"items": 50, "width": 24, "max_iter": 600, "restarts": 3, "consensus": 3, "seed": 3}
"""Every training bit is right after two stages, but not all three starts have found the same outputs."""


def test_a_run_that_is_right_but_not_agreed_upon_is_resumed(tmp_path: Path, rule_30: Dataset) -> None:
    whole = bl.train_in_stages(rule_30, **APART, stages=2)
    assert whole.train_accuracy == 1
    assert whole.status is Status.FIT
    assert len(whole.starts) == 6
    stopped = bl.train_in_stages(rule_30, **APART, stages=3, checkpoint=tmp_path, callbacks=[_Signal(6)])
    assert stopped.train_accuracy == 1
    assert stopped.status is Status.INTERRUPTED
    resumed = bl.train_in_stages(rule_30, **APART, stages=3, checkpoint=bl.Checkpoints(tmp_path, resume=True))
    assert len(resumed.starts) == 9
    assert resumed.status is Status.FIT


def test_the_command_offers_more_stages_to_a_run_that_is_not_agreed_upon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    boolearn("make", "automaton", "--size=8", "--items=256", "--seed=1", "-o", "rule.dat")
    options = [f"--{name.replace('_', '-')}={value}" for name, value in APART.items()]
    first = boolearn("stages", "rule.dat", *options, "--stages=2", "--out=run")
    assert "for more stages: boolearn stages --resume run --stages 4" in first.stdout
    more = boolearn("stages", "--resume=run", "--stages=3", "--json")
    assert json.loads(more.stdout)["starts"] == 9


def test_no_stage_reads_what_a_start_found_that_was_cut_off_by_time(tmp_path: Path, rule_30: Dataset) -> None:
    settings: dict[str, Any] = {**TOGETHER, "max_iter": 2000}
    for seconds in (0.05, 0.2, 0.4):
        cut = bl.train_in_stages(rule_30, **settings, max_seconds=seconds, checkpoint=tmp_path / f"{seconds}")
        stages = [cut.starts[first : first + 3] for first in range(0, len(cut.starts), 3)]
        assert not any(start.status is Status.TIME for stage in stages[:-1] for start in stage)
        resumed = bl.train_in_stages(
            rule_30, **settings, max_seconds=100, checkpoint=bl.Checkpoints(tmp_path / f"{seconds}", resume=True)
        )
        assert resumed.status is not Status.TIME


class _Watch(bl.Callback):
    def __init__(self) -> None:
        self.stages: set[str] = set()
        self.ends = self.closed = 0

    def on_trace(self, tick: bl.Tick) -> None:
        assert not self.closed
        self.stages.add(tick.stage)

    def on_start_end(self, outcome: Any) -> None:
        assert not self.closed
        self.ends += 1

    def close(self) -> None:
        self.closed += 1


def test_callbacks_are_told_the_stage_and_closed_once(rule_30: Dataset) -> None:
    watch = _Watch()
    bl.train_in_stages(rule_30, **SHORT, callbacks=[watch])
    assert {stage.split(",")[0] for stage in watch.stages} == {"stage 1 of 3", "stage 2 of 3", "stage 3 of 3"}
    assert "stage 1 of 3, 8 signals" in watch.stages
    assert (watch.ends, watch.closed) == (3, 1)


def test_ctrl_c_between_stages_takes_what_there_is(rule_30: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    add = Signals.add

    def pressed(self: Signals, *arguments: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return add(self, *arguments)

    monkeypatch.setattr(Signals, "add", pressed)
    run = bl.train_in_stages(rule_30, **SHORT)
    assert run.status is Status.INTERRUPTED
    assert len(run.starts) == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_neuron_that_reads_only_the_constant_stays_in_the_network() -> None:
    samples = random_model(3, 2, seed=1).sample(40, seed=1)
    network = layered(3, 2, 2, reads="inputs")
    weights = np.zeros(network.n_weights)
    weights[[0, 5]] = 1, 1  # the first hidden neuron reads the constant, the second an input
    weights[8 + 4] = 1  # the first output reads the first hidden neuron; the second reads nothing at all
    model = bl.BoolNet(network, weights)
    signals = Signals(samples, 40)
    node = signals.add(model)
    whole = signals.network(node[-2:], samples)
    assert np.array_equal(whole.predict(samples.inputs), model.predict(samples.inputs))


def test_a_folder_is_for_one_process_between_stages_too(tmp_path: Path, rule_30: Dataset) -> None:
    class Second(bl.Callback):
        def on_start_end(self, outcome: Any) -> None:
            with pytest.raises(FileError, match="is in use"):
                bl.train_in_stages(rule_30, **SHORT, checkpoint=bl.Checkpoints(tmp_path, resume=True))

    bl.train_in_stages(rule_30, **SHORT, checkpoint=tmp_path, callbacks=[Second()])


def test_mistakes_are_named(rule_30: Dataset, tmp_path: Path) -> None:
    classes = Dataset(rule_30.inputs, np.arange(256) % 3)
    analog = Dataset(rule_30.inputs * 0.5, rule_30.outputs)
    for data in (classes, analog):
        with pytest.raises(DataError, match="takes Boolean inputs and outputs without classes"):
            bl.train_in_stages(data)
    for wrong, message in [
        ({"first": (3, 0)}, "'first' parameter must be an integer of at least 1"),
        ({"first": 3}, "'first' parameter must be widths of hidden layers"),
        ({"stages": 0}, "'stages' parameter must be an integer of at least 1"),
        ({"width": 1.5}, "'width' parameter must be an integer"),
        ({"max_iter": 0}, "'max_iter' parameter must be an integer of at least 1"),
        ({"sigma": 0.5}, "'sigma' parameter must be finite and at least 1"),
        ({"support": 0.5}, "'support' parameter must be finite and at least 1"),
        ({"support": 5, "solver": RRR()}, "'support' parameter must be left out with 'solver'"),
        ({"solver": "rrr"}, "'solver' parameter must be a solver object"),
        ({"max_seconds": 0}, "'max_seconds' parameter must be finite and above 0"),
        ({"max_seconds": math.inf}, "'max_seconds' parameter must be finite and above 0"),
        ({"seed": -1}, "'seed' parameter must be an integer of at least 0"),
        ({"callbacks": [3]}, "'callbacks' parameter must be"),
        ({"consensus": 0}, "'consensus' parameter must be an integer of at least 1"),
        ({"consensus": 3, "restarts": 2}, "'consensus' parameter must be at most 'restarts', which is 2"),
        ({"consensus": 2, "restarts": bl.Restarts(4, halving=2)}, "'consensus' parameter must be 1 with 'halving'"),
        ({"items": 300}, "'items' parameter must be an integer from 1 to 256"),
    ]:
        with pytest.raises(BoolearnError, match=message):
            bl.train_in_stages(rule_30, **wrong)  # type: ignore[arg-type]


def test_the_command_saves_resumes_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    boolearn("make", "automaton", "--rule", "30", "--size", "8", "--items", "300", "-o", "rule.dat")
    short = ["--items", "60", "--max-iter", "300", "--width", "12", "--out", "run"]
    first = boolearn("stages", "rule.dat", *short, "--stages", "1", "--json", status=1)
    one = json.loads(first.stdout)
    assert one["iterations"] == 300
    again = boolearn("stages", "--resume", "run", "--stages", "3", "--json", status=1)
    three = json.loads(again.stdout)
    assert three["iterations"] == 900
    assert three["train_accuracy"] > one["train_accuracy"]
    boolearn("predict", "run", "rule.dat")
    for arguments, message in [
        (["train", "--resume", "run"], "run of another command. To resume it: boolearn stages --resume run"),
        (["stages", "--resume", "run", "--width", "5"], "'width' parameter must be left out with --resume"),
        (["stages"], "'data' parameter must be given"),
        (["stages", "rule.dat", "--out", "run"], "already holds a run"),
    ]:
        failed = boolearn(*arguments, status=2)
        assert message in failed.stderr


def test_a_finished_run_and_a_better_result_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    boolearn("make", "automaton", "--rule", "30", "--size", "8", "--items", "600", "--seed", "1", "-o", "rule.dat")
    boolearn("stages", "rule.dat", "--items", "100", "--max-iter", "2000", "--width", "32", "--out", "done")
    before = (tmp_path / "done/model.safetensors").read_bytes()
    assert "nothing to resume" in boolearn("stages", "--resume", "done", "--stages", "1").stdout
    assert (tmp_path / "done/model.safetensors").read_bytes() == before
    report = boolearn("report", "done").stdout
    page = next(tmp_path.glob("**/*.html")).read_text(encoding="utf-8")
    assert "boolearn stages " in page, report
    assert "boolearn train" not in page

    short = ["--items", "60", "--max-iter", "300", "--width", "12", "--out", "open"]
    boolearn("stages", "rule.dat", *short, status=1)
    before = (tmp_path / "open/model.safetensors").read_bytes()
    fewer = boolearn("stages", "--resume", "open", "--stages", "1", status=1)
    assert "stays in open" in fewer.stdout
    assert (tmp_path / "open/model.safetensors").read_bytes() == before
