"""Runs: what a run folder holds. No other package knows its files.

``folder`` has the model, settings and trace of a run; ``checkpoints`` what it is resumed from, ``stages`` those of
training in stages; ``toolkit`` the C toolkit's records of training.
"""

from boolearn.runs.checkpoints import Checkpoints, CheckpointStore, remove_checkpoints
from boolearn.runs.folder import load_model, save_run
from boolearn.runs.identity import check_same_on_all, data_fingerprint, fingerprint
from boolearn.runs.stages import kept_stages, remove_stages, stage_folder

__all__ = [
    "CheckpointStore",
    "Checkpoints",
    "check_same_on_all",
    "data_fingerprint",
    "fingerprint",
    "kept_stages",
    "load_model",
    "remove_checkpoints",
    "remove_stages",
    "save_run",
    "stage_folder",
]
