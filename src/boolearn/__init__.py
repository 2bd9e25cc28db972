"""Learn networks of Boolean threshold functions from data and read them as logic circuits.

>>> import boolearn as bl
>>> table = bl.data.multiplier(bits=2)
>>> run = bl.train(bl.layered(4, 4, 4, 4), table, sigma=3, seed=1)

Names are loaded when they are first used, so that ``import boolearn`` and ``boolearn --help`` are quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boolearn import circuit as circuit
    from boolearn import data as data
    from boolearn import errors as errors
    from boolearn import network as network
    from boolearn._version import __version__ as __version__
    from boolearn.circuit import Circuit as Circuit
    from boolearn.circuit import extract as extract
    from boolearn.circuit import prove_equal as prove_equal
    from boolearn.data import Dataset as Dataset
    from boolearn.data import InputKind as InputKind
    from boolearn.data import OutputKind as OutputKind
    from boolearn.model import BoolNet as BoolNet
    from boolearn.model import Generator as Generator
    from boolearn.model import random_model as random_model
    from boolearn.network import Network as Network
    from boolearn.network import convolution_1d as convolution_1d
    from boolearn.network import convolution_2d as convolution_2d
    from boolearn.network import from_edges as from_edges
    from boolearn.network import from_names as from_names
    from boolearn.network import layered as layered
    from boolearn.network import repeated as repeated
    from boolearn.network import stacked as stacked
    from boolearn.problem import Problem as Problem
    from boolearn.solver import Callback as Callback
    from boolearn.solver import CsvTable as CsvTable
    from boolearn.solver import Fit as Fit
    from boolearn.solver import Geometric as Geometric
    from boolearn.solver import JsonLines as JsonLines
    from boolearn.solver import Linear as Linear
    from boolearn.solver import Run as Run
    from boolearn.solver import Stagnation as Stagnation
    from boolearn.solver import Status as Status
    from boolearn.solver import Target as Target
    from boolearn.solver import TensorBoard as TensorBoard
    from boolearn.solver import Tuning as Tuning
    from boolearn.solver import TuningCallback as TuningCallback
    from boolearn.solver import success_rate as success_rate
    from boolearn.solver import train as train
    from boolearn.solver import tune as tune

_HOME = {
    "__version__": "boolearn._version",
    "Circuit": "boolearn.circuit",
    "extract": "boolearn.circuit",
    "prove_equal": "boolearn.circuit",
    "Dataset": "boolearn.data",
    "InputKind": "boolearn.data",
    "OutputKind": "boolearn.data",
    "BoolNet": "boolearn.model",
    "Generator": "boolearn.model",
    "random_model": "boolearn.model",
    "Network": "boolearn.network",
    "convolution_1d": "boolearn.network",
    "convolution_2d": "boolearn.network",
    "from_edges": "boolearn.network",
    "from_names": "boolearn.network",
    "layered": "boolearn.network",
    "repeated": "boolearn.network",
    "stacked": "boolearn.network",
    "Problem": "boolearn.problem",
    "Callback": "boolearn.solver",
    "CsvTable": "boolearn.solver",
    "Fit": "boolearn.solver",
    "Geometric": "boolearn.solver",
    "JsonLines": "boolearn.solver",
    "Linear": "boolearn.solver",
    "Run": "boolearn.solver",
    "Stagnation": "boolearn.solver",
    "Status": "boolearn.solver",
    "Target": "boolearn.solver",
    "TensorBoard": "boolearn.solver",
    "Tuning": "boolearn.solver",
    "TuningCallback": "boolearn.solver",
    "success_rate": "boolearn.solver",
    "train": "boolearn.solver",
    "tune": "boolearn.solver",
}
_PACKAGES = ("circuit", "data", "errors", "network")

__all__ = [*_HOME, *_PACKAGES]


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return importlib.import_module(f"boolearn.{name}")
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'boolearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
