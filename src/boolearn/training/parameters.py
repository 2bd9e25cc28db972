"""What train and tune take in several forms."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

from boolearn.checks import checked_number
from boolearn.errors import ParameterError
from boolearn.problem import Sigma
from boolearn.runs import Checkpoints
from boolearn.solver.starts import Restarts


@dataclass(frozen=True)
class Noise:
    """The shares of output and of input bits that may be wrong in the data.

    Allow a little more than you expect: with less the gap stays open, with much more right bits are given up. RRR
    starts all items again from a forward pass every 2000 iterations when output bits may be wrong (or as a batch
    of all items says).
    """

    outputs: float = 0.0
    inputs: float = 0.0

    def __post_init__(self) -> None:
        for name in ("outputs", "inputs"):
            rule = f"at least 0 and below 0.5 for {name}, a share of bits"
            value = checked_number("noise", getattr(self, name), rule, lambda v: 0 <= v < 0.5)
            object.__setattr__(self, name, value)


def as_noise(noise: float | Noise) -> Noise:
    return noise if isinstance(noise, Noise) else Noise(noise)


def as_restarts(restarts: int | Restarts) -> Restarts:
    return restarts if isinstance(restarts, Restarts) else Restarts(restarts)


def as_checkpoints(checkpoint: object) -> Checkpoints | None:
    return checkpoint if checkpoint is None or isinstance(checkpoint, Checkpoints) else Checkpoints(checkpoint)  # type: ignore[arg-type]


def check_callbacks(callbacks: object, base: type) -> None:
    if isinstance(callbacks, base) or not isinstance(callbacks, list | tuple):
        raise ParameterError("callbacks", "a list or tuple of Callback objects", callbacks)
    for callback in callbacks:
        if not isinstance(callback, base):
            raise ParameterError("callbacks", "Callback objects; derive a class from boolearn.Callback", callback)


def plain_sigma(sigma: Sigma) -> object:
    """σ as a configuration file can hold it."""
    if callable(sigma):
        return getattr(sigma, "__qualname__", "a function")
    return float(sigma) if isinstance(sigma, numbers.Real) else [float(value) for value in sigma]  # type: ignore[union-attr]
