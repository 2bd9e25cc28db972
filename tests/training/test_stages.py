"""Training in stages: one network of all stages, the same for the same seed, resumed where it was stopped."""

from __future__ import annotations

import errno
import json
import math
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import Dataset, automaton
from boolearn.errors import BoolearnError, DataError, FileError
from boolearn.runs.folder import load_settings
from boolearn.solver import RRR, Status
from boolearn.training import stage
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


def test_a_folder_is_for_one_process_between_stages_too(tmp_path: Path, rule_30: Dataset) -> None:
    class Second(bl.Callback):
        def on_start_end(self, outcome: Any) -> None:
            with pytest.raises(FileError, match="is in use"):
                bl.train_in_stages(rule_30, **SHORT, checkpoint=bl.Checkpoints(tmp_path, resume=True))

    bl.train_in_stages(rule_30, **SHORT, checkpoint=tmp_path, callbacks=[Second()])


def test_checkpoints_with_and_without_stages_are_not_mixed(rule_30: Dataset, tmp_path: Path) -> None:
    bl.train_in_stages(rule_30, **{**SHORT, "stages": 1}, checkpoint=tmp_path / "stages")
    bl.train([8, 12, 8], rule_30, max_iter=100, checkpoint=tmp_path / "plain")
    before = _contents(tmp_path)
    for resume in (False, True):
        stages, plain = (bl.Checkpoints(tmp_path / name, resume=resume) for name in ("stages", "plain"))
        with pytest.raises(FileError, match="stages: holds checkpoints of training in stages; resume that or"):
            bl.train([8, 12, 8], rule_30, max_iter=100, checkpoint=stages)
        with pytest.raises(FileError, match="plain: holds checkpoints of training without stages; resume that or"):
            bl.train_in_stages(rule_30, **SHORT, checkpoint=plain)
    assert _contents(tmp_path) == before


def test_a_folder_that_may_not_be_opened_is_named(
    rule_30: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = os.open

    def refusing(path: Any, *arguments: Any, **options: Any) -> int:
        if path == tmp_path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return system(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refusing)
    with pytest.raises(FileError, match="cannot be written to: Permission denied"):
        bl.train_in_stages(rule_30, **SHORT, checkpoint=tmp_path)


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
    assert not (tmp_path / "open/live.jsonl").exists()
    assert (tmp_path / "open/model.safetensors").read_bytes() == before


def _same(one: Any, other: Any) -> bool:
    networks = one.model.network, other.model.network
    return np.array_equal(one.model.weights, other.model.weights) and np.array_equal(*(n.sender for n in networks))


class _StopAtFit(bl.Callback):
    """SIGTERM as soon as every training bit is right."""

    def __init__(self) -> None:
        self.iteration = 0

    def on_trace(self, tick: bl.Tick) -> None:
        if not self.iteration and tick.last is not None and tick.last.train_accuracy == 1:
            self.iteration = tick.iteration
            signal.raise_signal(signal.SIGTERM)


def test_a_stopped_run_is_not_finished_because_it_fits(tmp_path: Path) -> None:
    samples = automaton(30, 4, 1, 12, seed=1)
    settings: dict[str, Any] = {"max_iter": 2000, "width": 24, "stages": 1, "threads": 1}
    whole = bl.train_in_stages(samples, **settings)
    stop = _StopAtFit()
    stopped = bl.train_in_stages(samples, **settings, checkpoint=tmp_path, callbacks=[stop])
    assert 0 < stop.iteration < whole.iterations
    assert stopped.train_accuracy == 1
    assert stopped.status is Status.INTERRUPTED
    assert not stopped.solved
    assert stopped.settings["whole_stages"] == 0
    resumed = bl.train_in_stages(samples, **settings, checkpoint=bl.Checkpoints(tmp_path, resume=True))
    assert resumed.status is whole.status is Status.FIT
    assert _same(resumed, whole)


@pytest.mark.parametrize("how", ["signal", "time"])
def test_a_stopped_run_is_not_finished_because_enough_starts_agree(tmp_path: Path, how: str) -> None:
    settings: dict[str, Any] = {"max_iter": 400, "width": 4, "restarts": 4, "consensus": 2, "threads": 1}
    settings["solver"] = RRR(gap_tol=0)  # every start uses up its iterations
    whole = bl.train_in_stages(_two_gates(), **settings, stages=1)
    assert whole.status is Status.FIT
    assert whole.settings["settled_outputs"] == 2
    ending: dict[str, Any] = {"callbacks": [_Signal(3, signal.SIGTERM)]}
    if how == "time":
        ending = {"callbacks": [_Slow(whole.starts[-1].seed)], "max_seconds": 4.0}
    stopped = bl.train_in_stages(_two_gates(), **settings, stages=1, checkpoint=tmp_path, **ending)
    assert stopped.settings["settled_outputs"] == 2
    assert stopped.status is (Status.INTERRUPTED if how == "signal" else Status.TIME)
    resumed = bl.train_in_stages(_two_gates(), **settings, stages=1, checkpoint=bl.Checkpoints(tmp_path, resume=True))
    assert resumed.status is Status.FIT
    assert len(resumed.starts) == 4
    assert _same(resumed, whole)


class _Slow(bl.Callback):
    """Makes one start so slow that its part of the time is over."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def on_trace(self, tick: bl.Tick) -> None:
        if tick.seed == self.seed and tick.iteration < 10:
            time.sleep(1.1)


def test_a_stage_that_time_has_cut_off_goes_on_where_its_starts_stood(tmp_path: Path, rule_30: Dataset) -> None:
    settings: dict[str, Any] = {**TOGETHER, "max_iter": 8000, "stages": 1, "threads": 1}
    cut = bl.train_in_stages(rule_30, **settings, max_seconds=0.15, checkpoint=tmp_path)
    assert [start.status for start in cut.starts] == [Status.TIME] * 3
    watch = _Begins()
    kept = bl.Checkpoints(tmp_path, resume=True)
    resumed = bl.train_in_stages(rule_30, **settings, max_seconds=100, checkpoint=kept, callbacks=[watch])
    for start in cut.starts:
        assert watch.iterations[start.seed] > start.iterations > 0
    assert _same(resumed, bl.train_in_stages(rule_30, **settings))


class _Begins(bl.Callback):
    """At which iteration of each start a trace line is first taken."""

    def __init__(self) -> None:
        self.iterations: dict[int, int] = {}

    def on_trace(self, tick: bl.Tick) -> None:
        self.iterations.setdefault(tick.seed, tick.iteration)


def _contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("name", "change", "old", "new"),
    [
        ("width", {"width": 13}, "12", "13"),
        ("first", {"first": (8, 8)}, r"\[\]", r"\[8, 8\]"),
        ("consensus", {"consensus": 3}, "2", "3"),
        ("restarts", {"restarts": 4}, "3", "4"),
        ("growing", {"restarts": bl.Restarts(3, growing=2)}, "None", "2.0"),
        ("max_iter", {"max_iter": 301}, "300", "301"),
        ("max_iter", {"max_iter": 301, "solver": RRR(support=6)}, "300", "301"),
        ("seed", {"seed": 4}, "3", "4"),
        ("sigma", {"sigma": 4, "support": 6}, "3.0", "4.0"),
        ("support", {"support": 7}, "6.0", "7.0"),
        ("items", {"items": 61}, "60", "61"),
        ("solver", {"solver": bl.Gates()}, "'rrr'", "'gates'"),
    ],
)
def test_another_run_is_refused_before_the_first_stage(
    tmp_path: Path, rule_30: Dataset, name: str, change: dict[str, Any], old: str, new: str
) -> None:
    settings = {**TOGETHER, "stages": 2}
    if "solver" in change and name != "solver":
        settings["solver"] = change["solver"]
    whole = bl.train_in_stages(rule_30, **settings, checkpoint=tmp_path)
    before = _contents(tmp_path)
    kept = bl.Checkpoints(tmp_path, resume=True)
    with pytest.raises(FileError, match=f"run.json: is of a run whose '{name}' is {old}; only .* Got {new} instead"):
        bl.train_in_stages(rule_30, **{**settings, **change}, checkpoint=kept)
    assert _contents(tmp_path) == before
    may_change: dict[str, Any] = {"max_seconds": 100, "threads": 2, "checkpoint": replace(kept, every=1)}
    assert _same(whole, bl.train_in_stages(rule_30, **settings, **may_change))
    assert len(bl.train_in_stages(rule_30, **{**settings, "stages": 3}, **may_change).starts) == 9


def test_other_data_are_refused_and_folders_from_before_are_not(tmp_path: Path, rule_30: Dataset) -> None:
    settings = {**SHORT, "stages": 2}
    whole = bl.train_in_stages(rule_30, **settings, checkpoint=tmp_path)
    outputs = rule_30.outputs.copy()
    outputs[3, 1] *= -1
    kept = bl.Checkpoints(tmp_path, resume=True)
    with pytest.raises(FileError, match="stages-run.json: is of a run whose 'data' is"):
        bl.train_in_stages(replace(rule_30, outputs=outputs), **settings, checkpoint=kept)
    (tmp_path / "stages-run.json").write_text("[1]")
    with pytest.raises(FileError, match="stages-run.json: does not say of which run the checkpoints are"):
        bl.train_in_stages(rule_30, **settings, checkpoint=kept)
    (tmp_path / "stages-run.json").unlink()
    assert _same(whole, bl.train_in_stages(rule_30, **settings, checkpoint=kept))
    with pytest.raises(FileError, match=r"stage-1.start-0.npz: is of a run whose 'data' is"):
        bl.train_in_stages(replace(rule_30, outputs=outputs), **settings, checkpoint=kept)
    assert _same(whole, bl.train_in_stages(rule_30, **settings, checkpoint=kept))


def test_what_a_killed_process_leaves_before_its_first_checkpoint_is_in_nobodys_way(
    tmp_path: Path, rule_30: Dataset
) -> None:
    (tmp_path / ".stages-run.json.abc.part").write_bytes(b"{")
    (tmp_path / "stages-run.json").write_text('{"seed": 7}')
    bl.train_in_stages(rule_30, **{**SHORT, "stages": 1}, checkpoint=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["stage-1", "stages-run.json"]
    assert json.loads((tmp_path / "stages-run.json").read_text())["seed"] == 3


def test_what_is_refused_before_the_first_start_leaves_nothing(tmp_path: Path, rule_30: Dataset) -> None:
    mask = np.zeros(rule_30.outputs.shape, np.bool_)
    mask[:, 2] = True
    with pytest.raises(DataError, match="every output must be specified"):
        bl.train_in_stages(replace(rule_30, open=mask), **SHORT, checkpoint=tmp_path / "states")
    assert not any((tmp_path / "states").iterdir())


def test_test_items_may_all_be_open(rule_30: Dataset) -> None:
    mask = np.zeros(rule_30.outputs.shape, np.bool_)
    mask[60:] = True
    run = bl.train_in_stages(replace(rule_30, open=mask), **SHORT)
    assert run.test_accuracy is None
    assert run.train_accuracy == bl.train_in_stages(rule_30, **SHORT).train_accuracy


@pytest.mark.parametrize("moment", ["after what is passed on", "while train sets up"])
def test_a_signal_before_a_stage_begins_ends_the_run(
    tmp_path: Path, rule_30: Dataset, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Between stages, and while the next one makes its network."""
    whole = bl.train_in_stages(rule_30, **SHORT)
    place, name = (Signals, "pass_on_heard") if moment.startswith("after") else (stage, "layered")
    calls, left = getattr(place, name), [1 if place is Signals else 2]

    def pressed(*arguments: Any, **settings: Any) -> Any:
        left[0] -= 1
        if not left[0]:
            signal.raise_signal(signal.SIGTERM)
        return calls(*arguments, **settings)

    monkeypatch.setattr(place, name, pressed)
    run = bl.train_in_stages(rule_30, **SHORT, checkpoint=tmp_path)
    assert run.status is Status.INTERRUPTED
    assert [start.iterations for start in run.starts] == ([300] if place is Signals else [300, 0])
    assert run.settings["whole_stages"] == 1
    monkeypatch.undo()
    assert _same(whole, bl.train_in_stages(rule_30, **SHORT, checkpoint=bl.Checkpoints(tmp_path, resume=True)))


def test_work_is_that_of_all_starts_where_all_are_made_use_of(rule_30: Dataset) -> None:
    run = bl.train_in_stages(rule_30, **{**TOGETHER, "stages": 2})
    assert run.iterations == 2 * 3 * 300
    assert run.seconds == pytest.approx(sum(start.seconds for start in run.starts))
    best = bl.train_in_stages(rule_30, **{**TOGETHER, "stages": 2, "consensus": 1})
    assert best.iterations == 2 * 300


def _write_two_gates() -> None:
    bl.data.write(Dataset(*_two_gates()), "gates.dat")


def test_the_command_knows_that_all_outputs_are_settled_in_the_last_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _write_two_gates()
    options = ["--max-iter=400", "--width=4", "--restarts=4", "--consensus=2", "--stages=1"]
    said = boolearn("stages", "gates.dat", *options, "--out=run")
    assert "2 of 2 outputs are settled" in said.stdout
    assert "for more stages" not in said.stdout
    assert "training in up to 1 stage, seed 0" in said.stderr
    assert not (tmp_path / "run/states").exists()
    assert "nothing to resume" in boolearn("stages", "--resume=run").stdout


def test_a_result_is_not_replaced_by_a_lesser_one_of_the_same_accuracy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    boolearn("make", "automaton", "--size=8", "--items=256", "--seed=1", "-o", "rule.dat")
    options = [f"--{name.replace('_', '-')}={value}" for name, value in APART.items()]
    boolearn("stages", "rule.dat", *options, "--stages=3", "--out=run")
    before = (tmp_path / "run/model.safetensors").read_bytes()
    for lesser in (["--stages=2"], ["--stages=8", "--max-seconds=1e-9"]):
        said = boolearn("stages", "--resume=run", *lesser)
        assert "an earlier result, which is right on more training bits or came further, stays in run" in said.stdout
        if lesser == ["--stages=2"]:
            assert "for more stages: boolearn stages --resume run --stages 6" in said.stdout
        assert (tmp_path / "run/model.safetensors").read_bytes() == before
    assert "to resume: boolearn stages --resume run --stages 8 --max-seconds" in said.stdout
    assert load_settings("run")["whole_stages"] == 3
    boolearn("stages", "--resume=run", "--stages=4")
    assert load_settings("run")["whole_stages"] == 4


def test_the_exit_status_says_whether_every_training_bit_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a run that was stopped, and can be resumed."""
    monkeypatch.chdir(tmp_path)
    _write_two_gates()
    monkeypatch.setattr("boolearn.solver.JsonLines", lambda *_, **__: _Signal(3))
    options = ["--max-iter=400", "--width=4", "--restarts=4", "--consensus=2", "--stages=1", "--threads=1"]
    said = boolearn("stages", "gates.dat", *options, "--out=run", status=0)
    assert said.stdout.startswith("interrupted: ")
    assert "to resume: boolearn stages --resume run\n" in said.stdout
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert "to resume" not in boolearn("stages", "--resume=run").stdout
    assert not (tmp_path / "run/states").exists()
