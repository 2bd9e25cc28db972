"""A finished run on disk: model.safetensors, config.toml, trace.jsonl and, for free inputs, codes.gen."""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tomli_w

from boolearn.data.gen import Codes, write_gen
from boolearn.errors import FileError
from boolearn.files import PathLike, write_text
from boolearn.model import BoolNet
from boolearn.solver.run import Run

MODEL, CONFIG, TRACE, CODES = "model.safetensors", "config.toml", "trace.jsonl", "codes.gen"


def check_free(directory: PathLike) -> Path:
    """Refuse a directory that already holds a run: nothing that was learned is overwritten."""
    path = Path(directory)
    if path.exists() and not path.is_dir():
        raise FileError(path, None, "is not a directory.")
    for name in (MODEL, CONFIG, TRACE):
        if (path / name).exists():
            raise FileError(path, None, f"already holds a run ({name}); choose another directory.")
    return path


def save_run(run: Run, directory: PathLike, **about: object) -> None:
    """Write a run. ``about`` joins the settings in config.toml: where the data lies, for example."""
    path = check_free(directory)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(path, None, f"cannot be made: {error.strerror or error}.") from error
    starts = [{**asdict(start), "status": start.status.word} for start in run.starts]
    config = {"settings": {**run.settings, **about}, "result": run.result(), "starts": [_present(s) for s in starts]}
    write_text(path / TRACE, "".join(json.dumps(asdict(line)) + "\n" for line in run.trace))
    write_text(path / CONFIG, tomli_w.dumps({name: _present(part) for name, part in config.items()}))
    if run.codes is not None:
        write_gen(Codes.used_by(run.codes), path / CODES)
    run.model.save(path / MODEL)


def load_model(directory: PathLike) -> BoolNet:
    """The model of a run directory, or of a model file."""
    path = Path(directory)
    return BoolNet.load(path / MODEL if path.is_dir() else path)


def load_settings(directory: PathLike) -> dict[str, Any]:
    """What config.toml says of a run."""
    path = Path(directory) / CONFIG
    try:
        settings = tomllib.loads(path.read_text())["settings"]
    except OSError as error:
        raise FileError(path, None, f"cannot be read: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError) as error:
        raise FileError(path, None, f"is not a run's configuration: {error}.") from error
    if not isinstance(settings, dict):
        raise FileError(path, None, "is not a run's configuration: 'settings' is no table.")
    return settings


def _present(part: Any) -> Any:
    """TOML has no word for nothing, so what is None is left out."""
    return {name: value for name, value in part.items() if value is not None} if isinstance(part, dict) else part
