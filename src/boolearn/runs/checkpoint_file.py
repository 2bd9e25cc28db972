"""One checkpoint in one file: a NumPy archive, written whole or not at all."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import astuple, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.engine import Progress
from boolearn.errors import FileError
from boolearn.files import fault, opened, parse_json, replacing
from boolearn.runs.identity import check_same
from boolearn.solver.starts.checkpoint import Checkpoint
from boolearn.solver.starts.measure import Measured
from boolearn.solver.status import Status
from boolearn.solver.trace import TraceLine


def write_checkpoint(path: Path, checkpoint: Checkpoint, identity: Mapping[str, Any]) -> None:
    """Write one array after another, so that no second copy is in memory."""
    about = {
        "identity": identity,
        "seed": checkpoint.seed,
        "status": None if checkpoint.status is None else checkpoint.status.word,
        "seconds": checkpoint.seconds,
        "iterations": checkpoint.progress.iterations,
        "max_iter": checkpoint.max_iter,
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "about": np.array(json.dumps(about)),
        "gaps": np.array(checkpoint.progress[1:], np.float64),
        "trace": _table(list(checkpoint.trace)),
    }
    if checkpoint.best is not None:
        arrays["best.line"] = _table([checkpoint.best.line])
        arrays["best.finite"] = np.array(checkpoint.best.finite)
        for name in ("weights", "codes", "doubted_inputs"):
            if (array := getattr(checkpoint.best, name)) is not None:
                arrays[f"best.{name}"] = array
    arrays |= {f"search/{name}": array for name, array in checkpoint.search.items()}
    with replacing(path) as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]


def read_checkpoint(path: Path, identity: Mapping[str, Any]) -> Checkpoint:
    """Read a checkpoint, when it is of the same run."""
    try:
        with opened(path) as stream, np.load(stream, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        about = parse_json(str(arrays["about"]))
        check_same(path, about["identity"], identity)
        best = None
        if "best.line" in arrays:
            best = Measured(
                weights=arrays["best.weights"],
                codes=arrays.get("best.codes"),
                doubted_inputs=arrays.get("best.doubted_inputs"),
                line=_lines(arrays["best.line"])[0],
                finite=_flag(arrays["best.finite"]),
            )
        search = {name.removeprefix("search/"): a for name, a in arrays.items() if name.startswith("search/")}
        if "hybrid" in search:  # its name in format 1
            search["turns"] = search.pop("hybrid")
        return Checkpoint(
            seed=int(about["seed"]),
            status=None if about["status"] is None else Status[about["status"].upper()],
            seconds=float(about["seconds"]),
            progress=Progress(int(about["iterations"]), *(float(gap) for gap in arrays["gaps"])),
            trace=tuple(_lines(arrays["trace"])),
            best=best,
            search=search,
            max_iter=None if about["max_iter"] is None else int(about["max_iter"]),
        )
    except FileError:
        raise
    except Exception as error:  # a corrupt archive can fail in any way at all
        raise FileError(path, None, f"is not a checkpoint: {fault(error)}.") from error


def _flag(array: npt.NDArray[Any]) -> bool:
    if array.dtype != np.bool_ or array.shape:
        raise ValueError(f"'best.finite' must be one truth value. Got {array.dtype} {array.shape} instead")
    return bool(array)


def _table(lines: list[TraceLine]) -> npt.NDArray[np.float64]:
    rows = [[np.nan if value is None else value for value in astuple(line)] for line in lines]
    return np.array(rows, np.float64).reshape(len(lines), len(fields(TraceLine)))  # there may be none yet


def _lines(table: npt.NDArray[np.float64]) -> list[TraceLine]:
    names = [field.name for field in fields(TraceLine)]
    lines = [dict(zip(names, row, strict=True)) for row in table.tolist()]
    return [
        replace(
            TraceLine(**line),
            iteration=int(line["iteration"]),
            test_accuracy=None if math.isnan(line["test_accuracy"]) else line["test_accuracy"],
        )
        for line in lines
    ]
