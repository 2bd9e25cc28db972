"""Runs: what a run folder holds. No other package knows its files.

``folder`` has the model, settings and trace of a run; ``checkpoints`` what it is resumed from; ``toolkit`` the C
toolkit's records of training.
"""

from boolearn.runs.checkpoints import Checkpoints, CheckpointStore, kept_to_oneself, remove_checkpoints
from boolearn.runs.folder import load_model, save_run
from boolearn.runs.identity import check_same_on_all, fingerprint

__all__ = [
    "CheckpointStore",
    "Checkpoints",
    "check_same_on_all",
    "fingerprint",
    "kept_to_oneself",
    "load_model",
    "remove_checkpoints",
    "save_run",
]
