"""Whatever a data file holds, only a FileError ever comes out of its reader."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boolearn.data import Codes, Dataset, read, read_csv, read_dat, read_gen, read_npz, read_pla, write
from boolearn.data.gen import write_gen
from boolearn.data.idx import read_idx
from mutations import result_or_file_error, spoiled

DATS = [
    b"2\n2 2\n2 1\n\n1 0\n1\n\n0 1\n0\n",
    b"2\n0 2\n3 1\n\n0.25 1\n2\n\n0 .5\n0\n",
    b"1\n1 0\n2 3\n\n1 0 1\n",
]
CSVS = [b"a,b,y\n0,1,1\n1,1,0\n", b"0.5,1,cat\n-0.5,0,dog\n", b'-1,true,"7"\n1,false,8\n1,true,9\n']
PLAS = [
    b".i 2\n.o 1\n.ilb a b\n.ob y\n.p 2\n01 1\n1- 1\n.e\n",
    b".i 3\n.o 2\n.type fr\n0-1 10\n10- 0~\n10- ~1\n.end\n",
]
GENS = [b"2  3\n\n 1 0 0\t4\n 0 1 1\t2\n"]
IDXS = [bytes([0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3]) + bytes(range(6))]


def npz_files() -> list[bytes]:
    contents = []
    for save in (np.savez, np.savez_compressed):
        for arrays in (
            {"X": np.array([[0, 1], [1, 0]]), "y": np.array([2, 0])},
            {"inputs": np.array([[0.5]]), "outputs": np.array([[True]]), "input_names": np.array(["a"])},
        ):
            buffer = io.BytesIO()
            save(buffer, **arrays)  # type: ignore[arg-type]
            contents.append(buffer.getvalue())
    return contents


Reader = Callable[[Path], Dataset]


def check(reader: Reader, content: bytes, folders: pytest.TempPathFactory) -> None:
    """A FileError, or a data set that can be written and read again."""
    path = folders.getbasetemp() / "fuzz.file"
    path.write_bytes(content)
    dataset = result_or_file_error(reader, path)
    if dataset is not None:
        again = folders.getbasetemp() / "fuzz.npz"
        write(dataset, again)
        assert np.array_equal(read(again).outputs, dataset.outputs)
        if not dataset.input_kind.free:
            assert np.array_equal(read(again).inputs, dataset.inputs)


@given(content=spoiled(*DATS))
@settings(max_examples=300)
def test_dat(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    check(read_dat, content, tmp_path_factory)


@given(content=spoiled(*CSVS), outputs=st.integers(1, 3), header=st.sampled_from([None, True, False]))
@settings(max_examples=300)
def test_csv(content: bytes, outputs: int, header: bool | None, tmp_path_factory: pytest.TempPathFactory) -> None:
    check(lambda path: read_csv(path, outputs, header=header), content, tmp_path_factory)


@given(content=spoiled(*PLAS))
@settings(max_examples=300)
def test_pla(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    check(read_pla, content, tmp_path_factory)


@given(content=spoiled(*npz_files()))
@settings(max_examples=300)
def test_npz(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the header parser of NumPy warns before it gives up
        check(read_npz, content, tmp_path_factory)


@given(content=spoiled(*GENS))
@settings(max_examples=200)
def test_gen(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.gen"
    path.write_bytes(content)
    codes = result_or_file_error(read_gen, path)
    if codes is not None:
        write_gen(codes, path)
        again = read_gen(path)
        assert isinstance(again, Codes)
        assert np.array_equal(again.codes, codes.codes)


@given(content=spoiled(*IDXS))
@settings(max_examples=200)
def test_idx(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.idx"
    path.write_bytes(content)
    result_or_file_error(lambda path: read_idx(path, 2), path)
