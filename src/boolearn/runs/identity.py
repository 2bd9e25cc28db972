"""Which run a checkpoint belongs to: its settings, network, margins and data. Only the same run can be resumed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from boolearn.data import Dataset
from boolearn.errors import DataError, FileError
from boolearn.problem import Problem
from boolearn.ranks import Ranks

FORMAT = 2
_MAY_CHANGE = ("format", "version", "max_iter", "max_seconds", "restarts")
"""What may be different when a run is resumed."""
_SHARED_OUT = ("max_iter", "restarts")
"""What halving shares out among starts from the beginning, so with it they may not change."""
_ROWS_AT_A_TIME = 1 << 16
_DIGITS = 16


def plain_identity(identity: Mapping[str, object]) -> dict[str, Any]:
    """As it comes back from a file."""
    plain: dict[str, Any] = json.loads(json.dumps({"format": FORMAT, **identity}))
    return plain


def fingerprint(problem: Problem, *datasets: Dataset | None) -> dict[str, str]:
    """What distinguishes networks, margins and data from others."""
    network = problem.network
    wiring = hashlib.sha256(f"{network.n_inputs} {network.n_outputs}".encode())
    for array in (network.start, network.sender, network.tie):
        wiring.update(np.ascontiguousarray(array, np.int64).tobytes())
    return {
        "network": wiring.hexdigest()[:_DIGITS],
        "data": data_fingerprint(*datasets),
        "margins": hashlib.sha256(problem.margins.tobytes()).hexdigest()[:_DIGITS],
    }


def data_fingerprint(*datasets: Dataset | None) -> str:
    """What distinguishes data from others."""
    content = hashlib.sha256()
    for dataset in datasets:
        if dataset is None:
            continue
        content.update(f"{dataset.input_kind.value} {dataset.classes} {dataset.inputs.shape}".encode())
        for first in range(0, len(dataset), _ROWS_AT_A_TIME):
            rows = slice(first, first + _ROWS_AT_A_TIME)
            content.update(np.ascontiguousarray(dataset.inputs[rows]).data)
            content.update(np.ascontiguousarray(dataset.outputs[rows]).data)
    return content.hexdigest()[:_DIGITS]


def check_same(path: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Refuse the checkpoint of another run."""
    may_change = [name for name in _MAY_CHANGE if new.get("halving") is None or name not in _SHARED_OUT]
    refuse_other(path, _upgraded(old, new), new, may_change)


def refuse_other(
    path: Path, old: Mapping[str, Any], new: Mapping[str, Any], may_change: Container[str] = ("format",)
) -> None:
    """Refuse what a file says is of another run, by the first thing that differs."""
    for name in (*new, *old):
        if name not in may_change and old.get(name) != new.get(name):
            raise FileError(
                path,
                None,
                f"is of a run whose {name!r} is {old.get(name)!r}; only the same run can be resumed. "
                f"Got {new.get(name)!r} instead.",
            )


def check_same_on_all(ranks: Ranks, identity: Mapping[str, object]) -> None:
    """Refuse ranks that were not all asked for the same training, before any of them begins."""
    own = plain_identity(identity) if ranks.size > 1 else {}
    every = ranks.each(own)
    for rank, other in enumerate(every):
        for name in (*every[0], *other):
            if other.get(name) != every[0].get(name):
                raise DataError(
                    f"All ranks must train the same network on the same data with the same parameters. "
                    f"Got another {name!r} on rank {rank} instead: {other.get(name)!r}, where rank 0 has "
                    f"{every[0].get(name)!r}."
                )


def _upgraded(old: Mapping[str, Any], new: Mapping[str, Any]) -> Mapping[str, Any]:
    """An identity as written now. In format 1 the gate search had fewer settings and the trace's ratio another name."""
    if old.get("format") != 1:
        return old
    renamed = {{"checkpoint_ratio": "trace_ratio"}.get(name, name): value for name, value in old.items()}
    if old.get("solver") != "rrr":
        renamed.setdefault("replicas", 2)
    if old.get("solver") in ("auto", "hybrid"):
        renamed.setdefault("solvers", ["gates", "rrr"])
    renamed.setdefault("input_noise", 0.0)
    renamed.setdefault("sigma", new.get("sigma"))  # left out where it did not matter; the margins say the same
    return renamed
