"""NPZ files, ours and those of others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from boolearn.data import (
    Dataset,
    InputKind,
    multiplier,
    npz,
    read,
    read_npz,
    write,
    write_npz,
)
from boolearn.data.signs import as_bits
from boolearn.errors import FileError, ParameterError
from some_tables import assert_same, datasets


@given(dataset=datasets(least_classes=2))
def test_npz_gives_back_what_was_written(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("npz") / "data.npz"
    write(dataset, path)
    assert_same(read(path), dataset)


@given(dataset=datasets(least_classes=2))
def test_what_is_not_compressed_stays_on_the_disk(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("npz") / "data.npz"
    write_npz(dataset, path, compressed=False)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(npz, "LARGE", 1)
        mapped = read(path)
    assert mapped.on_disk
    assert_same(mapped, dataset)
    assert_same(read(path), dataset)
    assert not read(path).on_disk
    with np.load(path) as plain:  # an archive like any other
        assert np.array_equal(plain["outputs"], dataset.outputs)


@pytest.mark.parametrize("keep", [0.9, 0.999])
def test_an_archive_that_ends_too_early_is_not_mapped(
    tmp_path: Path, keep: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data.npz"
    write_npz(multiplier(5), path, compressed=False)
    content = path.read_bytes()
    path.write_bytes(content[: int(keep * len(content))])
    monkeypatch.setattr(npz, "LARGE", 1)
    with pytest.raises(FileError, match="is not an NPZ file, or is damaged"):
        read(path)


def save_npz(path: Path, content: Mapping[str, object]) -> None:
    np.savez(path, **{name: np.array(values) for name, values in content.items()})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "kind", "classes"),
    [
        ({"X": [[0, 1], [1, 1]], "y": [0, 1]}, InputKind.BOOLEAN, 0),
        ({"X": [[0.0, 1.0], [1.0, 1.0]], "y": [[0], [1]]}, InputKind.BOOLEAN, 0),
        ({"X": [[0.0, 0.5], [1.0, 1.0]], "y": [2, 0]}, InputKind.ANALOG, 3),
        ({"inputs": [[True], [False]], "outputs": ["b", "a"]}, InputKind.BOOLEAN, 2),
        ({"outputs": [[1, -1], [1, 1]]}, InputKind.ANY_CODE, 0),
    ],
)
def test_npz_of_others(tmp_path: Path, content: dict[str, list[object]], kind: InputKind, classes: int) -> None:
    save_npz(tmp_path / "a.npz", content)
    data = read(tmp_path / "a.npz")
    assert (data.input_kind, data.classes, len(data)) == (kind, classes, 2)


def test_npz_keeps_the_order_of_columns_and_bytes(tmp_path: Path) -> None:
    inputs = np.asfortranarray(np.array([[1, 0, 0], [1, 1, 0]], ">i4"))
    np.savez(tmp_path / "a.npz", inputs=inputs, outputs=inputs[:, :1])
    assert as_bits(read(tmp_path / "a.npz").inputs).tolist() == inputs.tolist()


@pytest.mark.parametrize(
    "content",
    [
        {"inputs": [[0, 1]]},
        {"X": [[0, 1]], "inputs": [[0, 1]], "y": [1]},
        {"X": [[0, 1]], "y": [0.5]},
        {"X": [[0, 1]], "y": [-7]},
        {"X": [["a", "b"]], "y": [1]},
        {"X": [[0, 2]], "y": [1]},
        {"X": [[0, 1]], "y": [1, 0]},
        {"X": [[0.5, 3.0]], "y": [1]},
        {"X": [[1j, 0]], "y": [1]},
        {"X": [[0, 1]], "y": [1], "classes": [3]},
        {"X": [[0, 1]], "y": [1], "classes": 10**9},
        {"X": [[0, 1]], "y": [1], "input_kind": "any code"},
        {"X": [[0, 1]], "y": [1], "input_kind": "other"},
        {"X": [[0, 1]], "y": [1], "input_names": [1, 2]},
        {"X": 1, "y": [1]},
        {"X": [[0, 1]], "y": [1], "input_names": ["\ud800", "b"]},
        {"X": [[0, 1]], "y": 1},
    ],
)
def test_wrong_npz_files_are_refused(tmp_path: Path, content: dict[str, object]) -> None:
    save_npz(tmp_path / "a.npz", content)
    with pytest.raises(FileError):
        read_npz(tmp_path / "a.npz")


def test_npz_texts_must_be_texts(tmp_path: Path) -> None:
    names = np.frombuffer(np.array([0x7FFFFFFF, 98], "<u4").tobytes(), "<U1")
    np.savez(tmp_path / "a.npz", X=np.array([[0, 1]]), y=np.array([1]), input_names=names)
    with pytest.raises(FileError, match="not an NPZ file, or is damaged"):
        read_npz(tmp_path / "a.npz")


def test_npz_never_unpickles(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", inputs=np.array([[object()]], dtype=object), outputs=np.array([[1]]))
    with pytest.raises(FileError, match="numbers or texts"):
        read_npz(tmp_path / "a.npz")


def test_npz_bombs_are_refused(tmp_path: Path) -> None:
    """An archive whose directory claims more content than its bytes could ever unpack to."""
    write_npz(multiplier(2), tmp_path / "a.npz")
    content = bytearray((tmp_path / "a.npz").read_bytes())
    entry = content.index(b"PK\x01\x02")
    content[entry + 24 : entry + 28] = (0x7FFFFFFF).to_bytes(4, "little")
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(FileError, match="claims"):
        read_npz(tmp_path / "a.npz")


def test_npz_inputs_may_be_said_to_be_analog(tmp_path: Path) -> None:
    save_npz(tmp_path / "a.npz", {"X": [[0, 1], [1, 1]], "y": [0, 1]})
    assert read(tmp_path / "a.npz").inputs.tolist() == [[-1, 1], [1, 1]]
    analog = read(tmp_path / "a.npz", input_kind=InputKind.ANALOG)
    assert (analog.input_kind, analog.inputs.tolist()) == (InputKind.ANALOG, [[0, 1], [1, 1]])
    with pytest.raises(ParameterError, match="input_kind"):
        read(tmp_path / "a.npz", input_kind=InputKind.ANY_CODE)
