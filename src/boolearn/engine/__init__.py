"""Engines: how one RRR iteration is computed."""

from boolearn.engine.available import check_engine, native_available
from boolearn.engine.choose import make_engine
from boolearn.engine.protocol import Engine, EngineName, Precision, Progress, Snapshot
from boolearn.engine.reference import ReferenceEngine

__all__ = [
    "Engine",
    "EngineName",
    "Precision",
    "Progress",
    "ReferenceEngine",
    "Snapshot",
    "check_engine",
    "make_engine",
    "native_available",
]
