from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from boolearn.data import Dataset, InputKind, read_gen
from boolearn.errors import FileError
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.runs.folder import load_model, load_result, load_settings, save_run, write_command
from boolearn.solver import Run
from boolearn.training import train


@pytest.fixture
def run(two_bit_multiplier: Dataset) -> Run:
    return train(layered(4, 4, 4, 4), two_bit_multiplier, max_iter=50, items=12, sigma=[3, 3, 5])


def test_a_run_directory_holds_model_settings_and_trace(run: Run, tmp_path: Path) -> None:
    save_run(run, tmp_path / "deep" / "run", data="somewhere.dat")
    folder = tmp_path / "deep" / "run"
    assert np.array_equal(load_model(folder).weights, run.model.weights)
    settings = load_settings(folder)
    assert settings["data"] == "somewhere.dat"
    assert settings["sigma"] == [3, 3, 5]
    assert settings["items"] == 12
    config = tomllib.loads((folder / "config.toml").read_text())
    assert config["result"]["iterations"] == 50
    assert [start["seed"] for start in config["starts"]] == [0]
    lines = [json.loads(line) for line in (folder / "trace.jsonl").read_text().splitlines()]
    assert [line["iteration"] for line in lines] == [line.iteration for line in run.trace]


def test_codes_of_a_generator_are_kept(tmp_path: Path) -> None:
    vectors = 2 * np.eye(4, dtype=np.int8) - 1
    run = train(layered(2, 4, 4), Dataset.generative(vectors, InputKind.ANY_CODE), max_iter=20)
    save_run(run, tmp_path / "run")
    assert read_gen(tmp_path / "run" / "codes.gen").counts.sum() == 4


def test_a_run_whose_model_cannot_be_written_has_no_result(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: BoolNet, path: Path) -> None:
        raise FileError(path, None, "cannot be written: No space left on device.")

    command: dict[str, object] = {"data": "somewhere.dat"}
    write_command(tmp_path, command)
    monkeypatch.setattr(BoolNet, "save", full)
    with pytest.raises(FileError, match="No space left"):
        save_run(run, tmp_path, command=command)
    assert load_result(tmp_path) is None
    monkeypatch.undo()
    save_run(run, tmp_path, command=command)
    assert load_result(tmp_path) is not None


def test_an_earlier_run_is_never_overwritten(run: Run, tmp_path: Path) -> None:
    save_run(run, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(FileError, match="already holds a run"):
        save_run(run, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_is_no_directory_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(FileError, match="is not a directory"):
        save_run(run, tmp_path / "file")
    with pytest.raises(FileError, match="cannot be made"):
        save_run(run, tmp_path / "file" / "below")


@pytest.mark.parametrize("text", ["", "x", "settings = 3", "[settings\n", b"\xff\xfe"])
def test_a_spoilt_configuration_is_refused(tmp_path: Path, text: str | bytes) -> None:
    (tmp_path / "config.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(FileError, match="config.toml"):
        load_settings(tmp_path)
    with pytest.raises(FileError, match="cannot be read"):
        load_settings(tmp_path / "none")
