"""Engines: how one RRR iteration is computed."""

from boolearn.engine.protocol import Engine, Progress, Snapshot
from boolearn.engine.reference import ReferenceEngine

__all__ = ["Engine", "Progress", "ReferenceEngine", "Snapshot"]
