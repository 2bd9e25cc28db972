"""Engines: how one RRR iteration is computed."""

from boolearn.engine.choose import EngineName, Precision, check_engine, make_engine, native_available
from boolearn.engine.protocol import Engine, Progress, Snapshot
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
