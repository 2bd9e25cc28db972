"""The benchmarks by name, each imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from boolearn.checks import checked_choice
from boolearn.experiments import Experiment

NAMES = ("learnable", "transition", "width-depth", "dimensions", "cost")


def find(name: str) -> Experiment[Any]:
    """The benchmark of this name; its module is called so too."""
    module = checked_choice("name", name, NAMES).replace("-", "_")
    experiment = importlib.import_module(f"boolearn.theory.{module}").EXPERIMENT
    assert isinstance(experiment, Experiment)
    return experiment
