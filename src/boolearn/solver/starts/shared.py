"""Checkpoints of a run on several ranks: rank 0 keeps them, and all ranks resume from what it has."""

from __future__ import annotations

from dataclasses import replace

from boolearn.engine.sharded import is_sharded
from boolearn.ranks import Ranks
from boolearn.solver.starts.checkpoint import Checkpoint, Keeper, Keepers


class SharedKeepers:
    """``kept`` is what keeps them on rank 0; None on other ranks."""

    def __init__(self, kept: Keepers | None, ranks: Ranks) -> None:
        self._kept = kept
        self._ranks = ranks

    def keeper(self, number: int, extendable: bool) -> SharedKeeper:
        return SharedKeeper(
            None if self._kept is None else self._kept.keeper(number, extendable), self._ranks, extendable
        )

    def load(self, number: int, seed: int) -> Checkpoint | None:
        """On other ranks without the arrays that have a part for each item: rank 0 deals these out."""
        checkpoint: Checkpoint | None = None
        with self._ranks.together():
            if self._kept is not None:
                checkpoint = self._kept.load(number, seed)
        trimmed = checkpoint
        if checkpoint is not None:
            small = {name: array for name, array in checkpoint.search.items() if not is_sharded(name)}
            trimmed = replace(checkpoint, search=small)
        agreed = self._ranks.agreed(trimmed)
        return checkpoint if self._ranks.leads else agreed

    def refuse(self, number: int, error: Exception) -> Exception:
        return error if self._kept is None else self._kept.refuse(number, error)


class SharedKeeper:
    """Of one start."""

    def __init__(self, kept: Keeper | None, ranks: Ranks, extendable: bool) -> None:
        self._kept = kept
        self._ranks = ranks
        self.extendable = extendable

    def due(self) -> bool:
        return self._ranks.agreed(self._kept is not None and self._kept.due())

    def keep(self, checkpoint: Checkpoint) -> None:
        if self._kept is not None:
            self._kept.keep(checkpoint)
