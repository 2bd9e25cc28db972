"""The results of the benchmarks for theory, made from the records in ``experiments/results``."""

from __future__ import annotations

from results import section

from boolearn.theory import NAMES, find


def markdown() -> str:
    """A section for every benchmark."""
    parts = (section(find(name), "theory", "expected", "Question", "../..") for name in NAMES)
    return "\n\n".join(text for part in parts for text in part)
