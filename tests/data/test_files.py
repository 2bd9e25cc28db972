"""What all data files have in common."""

from __future__ import annotations

import io
import os
import tracemalloc
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from boolearn.data import (
    multiplier,
    read,
    read_gen,
    write,
)
from boolearn.errors import FileError, ParameterError
from boolearn.files import fault, write_text
from some_tables import assert_same


def test_named_tables_of_every_kind(tmp_path: Path) -> None:
    table = multiplier(2)
    for ending, names in ((".dat", False), (".npz", True), (".pla", True)):
        write(table, tmp_path / f"table{ending}")
        assert_same(read(tmp_path / f"table{ending}"), table, names)
    for ending in (".csv", ".tsv"):
        write(table, tmp_path / f"table{ending}")
        assert_same(read(tmp_path / f"table{ending}", outputs=4), table)
        assert_same(read(tmp_path / f"table{ending}", outputs=["p3", "p2", "p1", "p0"]), table)
    assert "\t" in (tmp_path / "table.tsv").read_text()


def npz_promising(shape: tuple[int, ...]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("inputs", "outputs"):
            header = io.BytesIO()
            np.lib.format.write_array_header_1_0(header, {"descr": "|i1", "fortran_order": False, "shape": shape})
            archive.writestr(f"{name}.npy", header.getvalue() + bytes(8))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("items.dat", b"1000000000000\n2 4\n2 4\n0 0 0 0 0 0 0 0"),
        ("width.dat", b"1\n2 1000000000000\n2 4\n0 0 0 0 0 0 0 0"),
        ("outputs.dat", b"1\n2 4\n2 1000000000000\n0 0 0 0 0 0 0 0"),
        ("codes.gen", b"1000000000000 1000000000000\n0 1 0"),
        ("table.pla", b".i 20\n.o 1000000000000\n.e\n"),
        ("inputs.pla", b".i 1000000000000\n.o 1\n.type fr\n1 1\n"),
        ("cube.pla", b".i 60\n.o 1\n.type fr\n" + b"-" * 60 + b" 1\n"),
        ("promise.npz", npz_promising((10**12, 4))),
    ],
)
def test_promises_allocate_nothing(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    reader: Callable[[Path], object] = read_gen if path.suffix == ".gen" else read
    tracemalloc.start()
    with pytest.raises(FileError):
        reader(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20e6


def test_endings_decide(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"must end in \.dat"):
        read(tmp_path / "a.xls")
    with pytest.raises(FileError, match="must end in"):
        write(multiplier(1), tmp_path / "a")
    write(multiplier(1), tmp_path / "A.DAT")
    assert len(read(tmp_path / "A.DAT")) == 4
    with pytest.raises(ParameterError, match="outputs"):
        read(tmp_path / "A.DAT", outputs=2)
    for ending in ("dat", "csv", "npz", "pla"):
        with pytest.raises(FileError, match="cannot be read"):
            read(tmp_path / f"none.{ending}")
        with pytest.raises(FileError, match="cannot be written"):
            write(multiplier(1), tmp_path / "none" / f"a.{ending}")


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    name = "a" * 251 + ".dat"
    write(multiplier(1), tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_not_a_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as readers:
        content = readers.submit(pipe.read_text)
        write_text(pipe, "hello")
        assert content.result(timeout=10) == "hello"
    assert pipe.is_fifo()


def test_a_damaged_file_brings_no_advice_to_load_it_unsafely() -> None:
    with pytest.raises(ValueError, match="allow_pickle") as caught:
        np.load(io.BytesIO(b"no archive at all"), allow_pickle=False)
    assert fault(caught.value) == "it is not a NumPy archive"
    assert fault(ValueError("two\n lines.")) == "two lines"
    assert fault(EOFError()) == "EOFError"


def test_writing_leaves_the_umask_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The umask belongs to all threads: one that makes a file meanwhile must not find it at 0."""
    (tmp_path / "plain").touch()
    calls: list[int] = []
    monkeypatch.setattr("os.umask", calls.append)
    write(multiplier(1), tmp_path / "a.dat")
    assert not calls
    assert (tmp_path / "a.dat").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_file_that_is_replaced_keeps_its_permissions_and_links(tmp_path: Path) -> None:
    secret, link = tmp_path / "secret.csv", tmp_path / "link.csv"
    secret.write_text("old")
    secret.chmod(0o600)
    link.symlink_to(secret)
    write_text(link, "new")
    assert link.is_symlink()
    assert secret.read_text() == "new"
    assert secret.stat().st_mode & 0o777 == 0o600
