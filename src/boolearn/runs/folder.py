"""A run folder: model.safetensors, config.toml, trace.jsonl; codes.gen for free inputs, circuit.json where learned."""

from __future__ import annotations

import contextlib
import json
import math
import os
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import tomli_w

from boolearn.circuit import Circuit
from boolearn.circuit.formats.json import read_json, write_json
from boolearn.circuit.rewriting.as_model import as_model
from boolearn.data import Codes, InputKind, write_gen
from boolearn.errors import FileError
from boolearn.files import PathLike, write_text
from boolearn.model import BoolNet
from boolearn.model.generator import CODES_FILE, MODEL_FILE
from boolearn.solver.run import Run

CONFIG, TRACE, CIRCUIT = "config.toml", "trace.jsonl", "circuit.json"
BINARISER = "binariser.json"
"""The tests that make a raw table Boolean, where the run was given one."""
LIVE = "live.jsonl"
"""The trace of all starts while the run is under way; removed when the run is saved."""
CHECKPOINTS = "states"
"""Directory of the checkpoints from which a run that was stopped is resumed."""
HANDED_ON = "items.npz"
"""Large data as rank 0 has read them, for the other ranks, until the run has ended."""


def check_free(directory: PathLike) -> Path:
    """Refuse a directory that already holds a run: nothing that was learned is overwritten."""
    path = Path(directory)
    if path.exists() and not path.is_dir():
        raise FileError(path, None, "is not a directory.")
    for name in (MODEL_FILE, CONFIG, TRACE, CODES_FILE, CIRCUIT):
        if (path / name).exists():
            raise FileError(path, None, f"already holds a run ({name}); choose another directory.")
    return path


@contextlib.contextmanager
def reserved(directory: PathLike) -> Iterator[Path]:
    """Make a run's directory before the run, so that what was learned has a place to go to.

    When the run fails the directory is removed again, if it was made here and holds nothing.
    """
    path = check_free(directory)
    made = not path.exists()
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise FileError(path, None, f"cannot be made or written to: {error.strerror or error}.") from error
    try:
        yield path
    except BaseException:
        if made:
            _remove_if_nothing_was_learned(path)
        raise


def _remove_if_nothing_was_learned(path: Path) -> None:
    """A run's directory that holds no more than what was asked for."""
    checkpoints = path / CHECKPOINTS
    if checkpoints.is_dir() and not any(checkpoints.iterdir()):
        checkpoints.rmdir()
    if {entry.name for entry in path.iterdir()} <= {CONFIG, HANDED_ON}:
        for name in (CONFIG, HANDED_ON):
            (path / name).unlink(missing_ok=True)
        path.rmdir()


def write_command(directory: PathLike, command: dict[str, object]) -> None:
    """Write down what a run was asked for before it begins, so that it can be resumed whatever happens."""
    write_text(Path(directory) / CONFIG, tomli_w.dumps({"command": _present(command)}))


def save_run(run: Run, directory: PathLike, *, command: dict[str, object] | None = None, **about: object) -> None:
    """Write a run. ``about`` joins the settings in config.toml: where the data lies, for example.

    A directory that already holds a run is refused, unless it is this very run's: the one with ``command``.
    """
    starts = [_present({**asdict(start), "status": start.status.word}) for start in run.starts]
    config = {"settings": _present({**run.settings, **about}), "result": _present(run.result()), "starts": starts}
    if command is not None:
        config["command"] = _present(command)
    config_text = tomli_w.dumps(config)
    trace_text = "".join(json.dumps(_finite(asdict(line)), allow_nan=False) + "\n" for line in run.trace)
    with reserved(directory) if command is None else contextlib.nullcontext(Path(directory)) as path:
        write_text(path / TRACE, trace_text)
        if run.codes is not None:
            kind = InputKind(run.settings.get("input_kind", InputKind.ANY_CODE.value))
            write_gen(Codes.used_by(run.codes, kind), path / CODES_FILE)
        run.model.save(path / MODEL_FILE)
        write_text(path / CONFIG, config_text)  # last, for it says that there is a result
        (path / LIVE).unlink(missing_ok=True)


def save_circuit(
    circuit: Circuit, directory: PathLike, settings: dict[str, object], result: dict[str, object], classes: int = 0
) -> None:
    """Write a circuit that was learned as such, and the same function as a model, into a directory that is there.

    ``classes`` says how many classes the outputs stand for, where they do: the model then answers with labels.
    """
    path = Path(directory)
    config = {"settings": _present(settings), "result": _present(result)}
    write_json(circuit, path / CIRCUIT)
    write_text(path / CONFIG, tomli_w.dumps(config))
    replace(as_model(circuit), classes=classes).save(path / MODEL_FILE)


def load_circuit(directory: PathLike) -> Circuit | None:
    """The circuit that was learned; None where the run trained a network, of which a circuit is to be extracted."""
    path = Path(directory) / CIRCUIT
    return read_json(path) if path.exists() else None


def load_model(directory: PathLike) -> BoolNet:
    """The model of a run directory, or of a model file."""
    path = Path(directory)
    if not path.exists():
        raise FileError(path, None, "there is no run folder or model file of this name.")
    if (path / CONFIG).exists() and not (path / MODEL_FILE).exists():
        if _is_under_way(path):
            raise FileError(path, None, f"this run is under way. To follow it: boolearn report --watch {path}")
        raise FileError(path, None, f"this run has not finished. To resume it: {_resuming(path)}")
    return BoolNet.load(path / MODEL_FILE if path.is_dir() else path)


def _is_under_way(directory: PathLike) -> bool:
    """Whether a process is at work on a run: it has the directory of checkpoints to itself as long as it lives."""
    try:
        import fcntl

        handle = os.open(Path(directory) / CHECKPOINTS, os.O_RDONLY)
    except (ImportError, OSError):  # Windows has no such locks; without checkpoints nobody is at work
        return False
    try:
        # Shared, so that those who ask do not disturb each other, and given back at once.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(handle)
    return False


def load_settings(directory: PathLike) -> dict[str, Any]:
    """What config.toml says of a run's settings."""
    return _table(directory, "settings")


def load_command(
    directory: PathLike, kinds: Mapping[str, type], needed: Sequence[tuple[str, ...]] = ()
) -> dict[str, Any]:
    """What config.toml says a run was asked for, as far as a person may have edited it.

    kinds
        The entries that may be there, and whether they are text (str), int, float or bool.
    needed
        Of each of these groups exactly one entry must be there.
    """
    path = Path(directory) / CONFIG
    if (Path(directory) / CIRCUIT).exists():
        raise FileError(directory, None, "is a folder of learn, which cannot be resumed; only training can.")
    table = _table(directory, "command")
    if ("stages" in table) != ("stages" in kinds):
        raise FileError(directory, None, f"is a run of another command. To resume it: {_resuming(directory)}")
    command = {name: _checked_entry(path, name, value, kinds.get(name)) for name, value in table.items()}
    for group in needed:
        present = [name for name in group if name in table]
        if len(present) != 1:
            wanted = " or ".join(map(repr, group))
            raise FileError(path, None, f"[command] must have one entry {wanted}. Got {present!r} instead.")
    return command


def _resuming(directory: PathLike) -> str:
    """The command that resumes a run."""
    in_stages = "stages" in load_configuration(directory).get("command", {})
    return f"boolearn {'stages' if in_stages else 'train'} --resume {directory}"


_RULES = {str: "text in quotes", int: "a whole number", float: "a number", bool: "true or false"}


def _checked_entry(path: Path, name: str, value: object, kind: type | None) -> object:
    if kind is None:
        rule = "left out: there is no option of this name"
    elif type(value) is kind:
        return value
    elif kind is float and type(value) is int:  # people write 60 for 60.0
        return float(value)
    else:
        rule = _RULES[kind]
    raise FileError(path, None, f"the entry {name!r} of [command] must be {rule}. Got {value!r} instead.")


def load_result(directory: PathLike) -> dict[str, Any] | None:
    """What config.toml says of a run's result; None where it has not ended yet."""
    return _table(directory, "result") if "result" in load_configuration(directory) else None


def _table(directory: PathLike, name: str) -> dict[str, Any]:
    table = load_configuration(directory).get(name)
    if not isinstance(table, dict):
        raise FileError(
            Path(directory) / CONFIG, None, f"is not the configuration of a run: there is no table {name!r}."
        )
    return table


def load_configuration(directory: PathLike) -> dict[str, Any]:
    """All of config.toml."""
    path = Path(directory) / CONFIG
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(path, None, f"cannot be read: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(path, None, f"is not the configuration of a run: {error}.") from error


def _present(part: dict[str, object]) -> dict[str, object]:
    """TOML has no word for nothing, so what is None is left out."""
    return {name: value for name, value in part.items() if value is not None}


def _finite(line: dict[str, object]) -> dict[str, object]:
    """JSON has no word for what is not a number."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in line.items()
    }
