"""Read and write data files, by the ending of their name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from boolearn.data.csv import read_csv, write_csv
from boolearn.data.dat import read_dat, write_dat
from boolearn.data.dataset import Dataset, InputKind
from boolearn.data.npz import read_npz, write_npz
from boolearn.data.pla import read_pla, write_pla
from boolearn.errors import FileError, ParameterError
from boolearn.files import PathLike, checked_path

COLUMNS = {".csv": ",", ".tsv": "\t"}
"""Endings of files with columns, and what stands between them."""

_READERS: dict[str, Callable[[PathLike], Dataset]] = {".dat": read_dat, ".npz": read_npz, ".pla": read_pla}
_WRITERS: dict[str, Callable[[Dataset, PathLike], None]] = {
    ".dat": write_dat,
    ".npz": write_npz,
    ".pla": write_pla,
    ".csv": write_csv,
    ".tsv": partial(write_csv, delimiter="\t"),
}


def read(path: PathLike, outputs: int | Sequence[str] | None = None, *, input_kind: InputKind | None = None) -> Dataset:
    """Read a data set from a .dat, .csv, .tsv, .npz or .pla file.

    ``outputs`` is, for .csv and .tsv, the number of output columns, the last ones, or their names; by
    default the last column is the output. ``input_kind``, BOOLEAN or ANALOG, overrules what the values
    look like, for these and for .npz files that do not say it. The other formats say both themselves.
    """
    ending = checked_path(path).suffix.lower()
    if ending in COLUMNS:
        number = 1 if outputs is None else outputs
        return read_csv(path, number, input_kind=input_kind, delimiter=COLUMNS[ending])
    if ending not in _READERS:
        raise _unknown(path)
    for name, value in (("outputs", outputs), ("input_kind", input_kind if ending != ".npz" else None)):
        if value is not None:
            raise ParameterError(name, f"left out for {ending} files, which say it themselves", value)
    if ending == ".npz":
        return read_npz(path, input_kind)
    return _READERS[ending](path)


def write(dataset: Dataset, path: PathLike) -> None:
    """Write a data set; the ending of the file's name says in which format."""
    if not isinstance(dataset, Dataset):
        raise ParameterError("dataset", "a Dataset", dataset)
    ending = checked_path(path).suffix.lower()
    if ending not in _WRITERS:
        raise _unknown(path)
    _WRITERS[ending](dataset, path)


def _unknown(path: PathLike) -> FileError:
    return FileError(path, None, f"must end in {', '.join(_WRITERS)}.")
