"""Which arrays of a snapshot have a part for each item. On several ranks only rank 0 has them whole."""

from __future__ import annotations

_SHARDED = frozenset(("sd", "y", "y_a", "g", "gap2", "alpha", "delta", "heard", "target", "held", "given"))


def is_sharded(name: str) -> bool:
    """By its name in the native engine's snapshot; a search may have put its own before it."""
    return name.rpartition(":")[2] in _SHARDED
