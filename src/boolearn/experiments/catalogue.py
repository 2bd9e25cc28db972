"""The experiments by name, each imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from boolearn.checks import checked_choice
from boolearn.experiments.experiment import Experiment

NAMES = (
    "multiplier-2",
    "multiplier-3",
    "autoencoder",
    "decoder",
    "mnist4",
    "digits",
    "circuits",
    "estimate",
    "constrained",
    "rule30",
    "rule30-two-steps",
    "starts",
    "batches",
    "exact-circuits",
    "metric-order",
    "baselines",
)
"""In the order of the paper."""


def find(name: str) -> Experiment[Any]:
    """The experiment of this name; its module is called so too."""
    module = checked_choice("name", name, NAMES).replace("-", "_")
    experiment = importlib.import_module(f"boolearn.experiments.{module}").EXPERIMENT
    assert isinstance(experiment, Experiment)
    return experiment
