"""Data files: written and read back with the same meaning, and refused with file and line when wrong."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from boolearn.data import (
    Codes,
    Dataset,
    InputKind,
    multiplier,
    read,
    read_csv,
    read_gen,
    read_npz,
    read_pla,
    write,
    write_csv,
    write_dat,
    write_gen,
    write_npz,
    write_pla,
)
from boolearn.data.signs import as_bits
from boolearn.errors import DataError, FileError, ParameterError


def assert_same(one: Dataset, other: Dataset, names: bool = True) -> None:
    assert one.input_kind is other.input_kind
    assert one.classes == other.classes
    assert np.array_equal(one.inputs, other.inputs)
    assert np.array_equal(one.outputs, other.outputs)
    if names:
        assert one.input_names == other.input_names
        assert one.output_names == other.output_names


@st.composite
def datasets(draw: st.DrawFn, least_classes: int = 3) -> Dataset:
    """Data of every kind."""
    items = draw(st.integers(1, 6))
    kind = draw(st.sampled_from(InputKind))
    signs = st.sampled_from([-1, 1])
    if kind is InputKind.ANALOG:
        units = arrays.arrays(np.float64, (items, draw(st.integers(1, 4))), elements=st.floats(0, 1))
        inputs = 2 * draw(units) - 1
    else:
        inputs = draw(arrays.arrays(np.int8, (items, 0 if kind.free else draw(st.integers(1, 4))), elements=signs))
    if draw(st.booleans()):
        classes = draw(st.integers(least_classes, 12))
        labels = arrays.arrays(np.int64, items, elements=st.integers(0, classes - 1))
        return Dataset(inputs, draw(labels), kind, classes)
    outputs = arrays.arrays(np.int8, (items, draw(st.integers(1, 4))), elements=signs)
    return Dataset(inputs, draw(outputs), kind)


@given(dataset=datasets())
def test_dat_gives_back_what_was_written(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("dat") / "data.dat"
    write(dataset, path)
    found = read(path)
    if dataset.input_kind is InputKind.ANALOG:
        assert np.abs(found.inputs - dataset.inputs).max() < 1e-15  # −1 … 1 is written as 0 … 1
        found = Dataset(dataset.inputs, found.outputs, found.input_kind, found.classes)
    assert_same(found, dataset)


@given(dataset=datasets(least_classes=2))
def test_npz_gives_back_what_was_written(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("npz") / "data.npz"
    write(dataset, path)
    assert_same(read(path), dataset)


@given(dataset=datasets(least_classes=2), data=st.data())
def test_csv_gives_back_what_was_written_or_refuses_it(
    dataset: Dataset, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever the names are: read_csv is told how many outputs there are, and nothing else."""
    texts = st.sampled_from(
        ["a", "b", "y0", "class", "true", "1.0", "7", " a", "\ufeffa", 'a,"b\n', "é", "\ud800", "0", "1"]
    )
    for which, count in (("input_names", dataset.n_inputs), ("output_names", dataset.n_output_nodes)):
        if data.draw(st.booleans()):
            names = data.draw(st.lists(texts, min_size=min(count, 9), max_size=min(count, 9), unique=True))
            if len(names) == count:
                dataset = replace(dataset, **{which: tuple(names)})
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    try:
        write(dataset, path)
    except DataError:
        assert not path.exists()
        return
    found = read_csv(path, 1 if dataset.classes else dataset.n_output_nodes)
    assert_same(found, dataset, names=False)
    assert dataset.input_names in (None, found.input_names)
    assert dataset.output_names in (None, found.output_names)


UNREADABLE = {
    "two classes": (Dataset.labelled([[0, 1], [1, 1]], [0, 1]), "would be read as Boolean"),
    "a class too few": (Dataset.labelled([[0, 1], [1, 1]], [0, 2]), "no item is of class '1'"),
    "free inputs": (Dataset.generative([[0, 1], [1, 1]]), "inputs are free"),
    "a number for a name": (Dataset(np.ones((1, 1)), np.ones((1, 1)), input_names=("1",)), "'1' has a number"),
    "one name twice": (Dataset(np.ones((1, 1)), np.ones((1, 1)), input_names=("y0",)), "two columns .* 'y0'"),
    "analog bits": (Dataset(np.ones((1, 1)), np.ones((1, 1)), InputKind.ANALOG), "would be read as Boolean"),
    "order": (replace(Dataset.labelled([[0], [1]], [0, 1]), output_names=("b", "a")), "rising order"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_csv_says_what_it_cannot_hold(case: str, tmp_path: Path) -> None:
    dataset, message = UNREADABLE[case]
    with pytest.raises(DataError, match=message):
        write_csv(dataset, tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())


def test_csv_two_named_classes_come_back(tmp_path: Path) -> None:
    dataset = replace(Dataset.labelled([[0], [1]], [1, 0]), output_names=("cat", "dog"))
    write(dataset, tmp_path / "a.csv")
    assert_same(replace(read(tmp_path / "a.csv"), input_names=None), dataset)


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


PAPERS = {
    "2x2": (16, 4, 4, InputKind.BOOLEAN, 0),
    "3x3": (64, 6, 6, InputKind.BOOLEAN, 0),
    "auto8": (8, 8, 8, InputKind.BOOLEAN, 0),
    "auto16": (16, 16, 16, InputKind.BOOLEAN, 0),
    "auto32": (32, 32, 32, InputKind.BOOLEAN, 0),
    "mnistjr": (3823, 64, 10, InputKind.ANALOG, 10),
    "mnist4": (5842, 0, 256, InputKind.ONE_HOT_CODE, 0),
}


@pytest.mark.parametrize("name", PAPERS)
def test_the_papers_files_are_read_and_written_back(name: str, paper_data: Path, tmp_path: Path) -> None:
    items, inputs, outputs, kind, classes = PAPERS[name]
    original = paper_data / f"{name}.dat"
    dataset = read(original)
    assert (len(dataset), dataset.n_inputs, dataset.n_output_nodes) == (items, inputs, outputs)
    assert (dataset.input_kind, dataset.classes) == (kind, classes)
    write(dataset, tmp_path / "again.dat")
    assert (tmp_path / "again.dat").read_text().split() == original.read_text().split()
    write(dataset, tmp_path / "again.npz")
    assert_same(read(tmp_path / "again.npz"), dataset)


def test_dat_layout_is_the_toolkits(tmp_path: Path) -> None:
    write_dat(Dataset([[1, 0], [0, 1]], [[1], [0]]), tmp_path / "a.dat")  # type: ignore[arg-type]
    assert (tmp_path / "a.dat").read_text() == "2\n2 2\n2 1\n\n1 0\n1\n\n0 1\n0\n\n"


def test_two_classes_do_not_fit_into_dat(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="3 classes"):
        write_dat(Dataset.labelled([[0], [1]], [0, 1], 2), tmp_path / "a.dat")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 1, "number of items"),
        ("0\n2 1\n2 1\n", 1, "at least 1"),
        ("x", 1, "'x'"),
        ("1\n3 1\n2 1\n0 0", 2, "input type"),
        ("1\n0 0\n2 1\n0", 2, "one-hot code"),
        ("1\n2 1\n1 1\n0 0", 3, "output type"),
        ("1\n2 1\n3 2\n0 0 0", 3, "must be 1 output"),
        ("1\n2 1\n2 0\n0", 3, "number of outputs"),
        ("2\n2 2\n2 1\n\n1 0\n1\n\n2 0\n1\n", 8, "found '2'"),
        ("2\n2 2\n2 1\n\n1 0\n1\n\n1 0\n", 8, "end of the file"),
        ("1\n2 2\n2 1\n\n1 0\n1\n\n1 0\n", 8, "expected the end"),
        ("1\n0 1\n2 1\n\n1.5\n1\n", 5, "from 0 to 1"),
        ("1\n0 1\n2 1\n\nnan\n1\n", 5, "from 0 to 1"),
        ("1\n0 1\n4 1\n\n0.5\n4\n", 6, "class label"),
        ("1\n0 1\n4 1\n\n0.5\n-1\n", 6, "class label"),
        ("1\n2 1\n99999999999 1\n0 0\n", 3, "output type"),
    ],
)
def test_wrong_dat_files_are_refused_with_their_line(tmp_path: Path, content: str, line: int, message: str) -> None:
    path = tmp_path / "wrong.dat"
    path.write_text(content)
    with pytest.raises(FileError, match=message) as caught:
        read(path)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{path}:{line}: ")


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


def test_gen_codes(tmp_path: Path) -> None:
    values = [[0.9, -0.2, -1], [0.3, -0.2, -1], [-0.5, 0.1, -0.3]]
    one_hot = Codes.used_by(values, InputKind.ONE_HOT_CODE)
    assert as_bits(one_hot.codes).tolist() == np.eye(3).tolist()
    assert one_hot.counts.tolist() == [2, 1, 0]
    used = Codes.used_by(values)
    assert as_bits(used.codes).tolist() == [[1, 0, 0], [0, 1, 0]]  # 1 and 2: the first bit counts least
    write_gen(one_hot, tmp_path / "a.gen")
    assert (tmp_path / "a.gen").read_text() == "3  3\n\n 1 0 0\t2\n 0 1 0\t1\n 0 0 1\t0\n"
    again = read_gen(tmp_path / "a.gen")
    assert np.array_equal(again.codes, one_hot.codes)
    assert np.array_equal(again.counts, one_hot.counts)


@pytest.mark.parametrize(("codes", "counts"), [([[1, -1]], [1, 2]), ([[1, -1]], [-1]), ([1, -1], [1]), ([[2]], [1])])
def test_codes_are_checked(codes: list[list[int]], counts: list[int]) -> None:
    with pytest.raises(DataError):
        Codes(np.array(codes), np.array(counts))


@pytest.mark.parametrize(
    ("content", "line"),
    [("", 1), ("1 2\n0 1", 2), ("1 2\n0 2 3", 2), ("1 2\n0 1 -3", 2), ("1 2\n0 1 3 4", 2), ("0 2\n", 1)],
)
def test_wrong_gen_files_are_refused_with_their_line(tmp_path: Path, content: str, line: int) -> None:
    path = tmp_path / "wrong.gen"
    path.write_text(content)
    with pytest.raises(FileError) as caught:
        read_gen(path)
    assert caught.value.line == line


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_csv_writes_truth_in_many_ways(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path / "a.csv", "\ufeffa, b,c\n0,-1,true\n\n1,1,FALSE\n"))
    assert data.input_names == ("a", "b")
    assert data.output_names == ("c",)
    assert data.inputs.tolist() == [[-1, -1], [1, 1]]
    assert data.outputs.tolist() == [[1], [-1]]


def test_csv_without_header_and_with_quotes(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path / "a.csv", '0,1,"yes, sir"\n1,1,no\n'))
    assert data.input_names is None
    assert data.output_names == ("no", "yes, sir")
    assert data.outputs.tolist() == [1, 0]


def test_csv_numbers_classes_in_rising_order(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "x,class\n0,10\n1,9\n1,10\n0,2\n")
    data = read_csv(path)
    assert data.output_names == ("2", "9", "10")
    assert data.outputs.tolist() == [2, 1, 2, 0]
    fixed = read_csv(path, classes=["10", "9", "2", "1"])
    assert (fixed.classes, fixed.outputs.tolist()) == (4, [0, 1, 0, 2])


def test_csv_outputs_by_name_keep_the_order_asked_for(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path / "a.csv", "p,a,q,b\n0,1,1,0\n1,0,0,0\n"), outputs=["q", "p"])
    assert data.input_names == ("a", "b")
    assert data.output_names == ("q", "p")
    assert as_bits(data.outputs).tolist() == [[1, 0], [0, 1]]


def test_csv_analog_inputs(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path / "a.csv", "0.5,-1,1\n-.25,1e-1,0\n"))
    assert data.input_kind is InputKind.ANALOG
    assert data.inputs.tolist() == [[0.5, -1], [-0.25, 0.1]]


def test_csv_booleans_may_be_written_with_decimals(tmp_path: Path) -> None:
    """As pandas writes a column of floats."""
    data = read(written(tmp_path / "a.csv", "a,b,c\n0.0,True,1.0\n1.0,False,0.0\n"))
    assert (data.input_kind, data.classes) == (InputKind.BOOLEAN, 0)
    assert data.inputs.tolist() == [[-1, 1], [1, -1]]
    assert data.outputs.tolist() == [[1], [-1]]
    signs = read(written(tmp_path / "b.csv", "-1.0,1,-1.0\n1.0,1,1.0\n"))
    assert signs.input_kind is InputKind.BOOLEAN
    assert signs.outputs.tolist() == [[-1], [1]]
    assert read(written(tmp_path / "c.csv", "0.0,-1.0,1\n1.0,1.0,0\n")).input_kind is InputKind.ANALOG


def test_csv_inputs_may_be_said_to_be_analog(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "a,b,c\n0,1,1\n1,1,0\n")
    data = read(path, input_kind=InputKind.ANALOG)
    assert data.input_kind is InputKind.ANALOG
    assert data.inputs.tolist() == [[0, 1], [1, 1]]
    with pytest.raises(FileError, match=r"a.csv:1: expected 0/1, .* found '0.5'"):
        read(written(tmp_path / "a.csv", "0.5,1\n0,0\n"), input_kind=InputKind.BOOLEAN)
    with pytest.raises(ParameterError, match="input_kind"):
        read(path, input_kind="analog")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="input_kind"):
        read(path, input_kind=InputKind.ANY_CODE)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 1, "at least 1 item"),
        ("a,b\n", 1, "at least 1 item"),
        ("a,b\n0,1\n0\n", 3, "expected 2 cells, found 1"),
        ("a,b\n0,1\n2,1\n", 3, "'a', found '2'"),
        ("a,b\n0,1\n,1\n", 3, "found ''"),
        ("a,b\n0,1\n-1,1\n", 2, "in a column with −1"),
        ("0.5,1\n2,1\n", 2, "from −1 to 1"),
        ("0.5,1\nnan,1\n", 2, "from −1 to 1"),
        ("a,a\n0,1\n", 1, "different name"),
        ("a,\n0,1\n", 1, "different name"),
        ("1\n0\n", 1, "more than 1 columns"),
        ("a,b\n0,cat\n1,cat\n", 1, "2 or more different classes"),
        ("a,b\n0,cat\n1,\n", 3, "class label"),
        ('a,b\n0,"1\n', 2, "not a CSV file"),
    ],
)
def test_wrong_csv_files_are_refused_with_their_line(tmp_path: Path, content: str, line: int, message: str) -> None:
    path = written(tmp_path / "wrong.csv", content)
    with pytest.raises(FileError, match=message) as caught:
        read(path)
    assert caught.value.line == line


def test_csv_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a,b\n0,1\n\xff\xfe,1\n")
    with pytest.raises(FileError, match="expected UTF-8, found byte 0xff") as caught:
        read(tmp_path / "a.csv")
    assert caught.value.line == 3


def test_csv_options_are_checked(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "a,b,c\n0,1,1\n")
    with pytest.raises(FileError, match="'z'"):
        read(path, outputs=["z"])
    with pytest.raises(FileError, match="more than 3"):
        read(path, outputs=3)
    for outputs in (0, [], ["a", "a"], 1.5, True, [1]):
        with pytest.raises(ParameterError, match="outputs"):
            read(path, outputs=outputs)  # type: ignore[arg-type]
    for delimiter in (";;", "", "\n", 5):
        with pytest.raises(ParameterError, match="delimiter"):
            read_csv(path, delimiter=delimiter)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="generative"):
        read_csv(path, generative="any")  # type: ignore[arg-type]
    with pytest.raises(FileError, match="header"):
        read(written(tmp_path / "b.csv", "0,1,1\n"), outputs=["a"])
    with pytest.raises(FileError, match="input column"):
        read(path, outputs=["a", "b", "c"])


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
    with pytest.raises(FileError, match="not a sound NPZ file"):
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


XOR = ".i 2\n.o 1\n.ilb a b\n.ob y\n.p 2\n01 1\n10 1\n.e\n"


@pytest.mark.parametrize("kind", ["", ".type f\n", ".type fd\n"])
def test_pla_on_sets_are_complete_truth_tables(tmp_path: Path, kind: str) -> None:
    data = read(written(tmp_path / "a.pla", kind + XOR))
    assert as_bits(data.inputs).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert as_bits(data.outputs).ravel().tolist() == [0, 1, 1, 0]
    assert data.input_names == ("a", "b")
    assert data.output_names == ("y",)


def test_pla_examples_are_only_what_is_listed(tmp_path: Path) -> None:
    data = read(written(tmp_path / "a.pla", ".i 3\n.o 2\n.type fr\n1-0|10 # both\n000 01\n"))
    assert as_bits(data.inputs).tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 0]]
    assert as_bits(data.outputs).tolist() == [[1, 0], [1, 0], [0, 1]]


def test_pla_lines_may_speak_of_one_output_each(tmp_path: Path) -> None:
    data = read(written(tmp_path / "a.pla", ".i 1\n.o 2\n.type fr\n- 1~\n0 ~0\n1 ~1\n"))
    assert as_bits(data.inputs).ravel().tolist() == [0, 1]
    assert as_bits(data.outputs).tolist() == [[1, 0], [1, 1]]


@given(data=st.data(), n=st.integers(1, 5), m=st.integers(1, 3))
def test_pla_tables_agree_with_their_cubes(
    data: st.DataObject, n: int, m: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cubes = data.draw(
        st.lists(st.tuples(st.text("01-", min_size=n, max_size=n), st.text("01", min_size=m, max_size=m)), max_size=5)
    )
    lines = [f".i {n}", f".o {m}", *(f"{inputs} {outputs}" for inputs, outputs in cubes), ".end"]
    found = read(written(tmp_path_factory.mktemp("pla") / "a.pla", "\n".join(lines)))
    assert len(found) == 2**n
    for item, answer in zip(as_bits(found.inputs).tolist(), as_bits(found.outputs).tolist(), strict=True):
        covering = [
            outputs
            for inputs, outputs in cubes
            if all(c in ("-", str(bit)) for c, bit in zip(inputs, item, strict=True))
        ]
        assert answer == [int(any(outputs[place] == "1" for outputs in covering)) for place in range(m)]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 1, "expected .i and .o"),
        (".i 2\n", 1, "expected .i and .o"),
        ("01 1\n", 1, "before the table"),
        (".i x\n", 1, "positive integer"),
        (".i 0\n", 1, "positive integer"),
        (".i 2\n.i 2\n", 2, "once"),
        (".i 2\n.o 1\n01 1 1\n", 3, "found 4"),
        (".i 2\n.o 1\n0x 1\n", 3, "inputs 0, 1 or -"),
        (".i 2\n.o 1\n01 2\n", 3, "outputs 0, 1"),
        (".i 2\n.o 1\n01 -\n", 3, "don't care"),
        (".i 2\n.o 1\n.type fdr\n01 -\n", 4, "don't care"),
        (".i 2\n.o 1\n.type fr\n01 ~\n", 4, "left open"),
        (".i 2\n.o 1\n.type fr\n01 1\n-1 0\n", 5, "contradicts line 4"),
        (".i 2\n.o 1\n.type fr\n.e\n", 1, "at least 1 line"),
        (".i 2\n.o 1\n.type x\n", 3, "expected .type"),
        (".i 2\n.o 1\n.p 2\n01 1\n.e\n", 5, "expected 2 lines"),
        (".i 2\n.o 1\n.ilb a\n01 1\n", 3, "2 different names"),
        (".i 2\n.o 1\n.ilb a a\n01 1\n", 3, "2 different names"),
        (".i 2\n.o 1\n.e\n01 1\n", 4, "after .e"),
        (".i 2\n.o 1\n.mv 3\n", 3, "expected .i .o .p"),
        (".i 21\n.o 1\n.e\n", 1, "at most 20 inputs"),
        (".i 21\n.o 1\n.type fr\n" + "-" * 21 + " 1\n", 4, "too many"),
    ],
)
def test_wrong_pla_files_are_refused_with_their_line(tmp_path: Path, content: str, line: int, message: str) -> None:
    path = written(tmp_path / "wrong.pla", content)
    with pytest.raises(FileError, match=message) as caught:
        read_pla(path)
    assert caught.value.line == line


def test_pla_cannot_hold_everything(tmp_path: Path) -> None:
    path = tmp_path / "a.pla"
    with pytest.raises(DataError, match="Boolean"):
        write_pla(Dataset.labelled([[0], [1]], [0, 1]), path)
    with pytest.raises(DataError, match="item 1 contradicts"):
        write_pla(Dataset([[0], [0]], [[0], [1]]), path)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no space"):
        write_pla(Dataset([[0], [1]], [[0], [1]], input_names=("a b",)), path)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


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


def test_csv_header_is_written_with_invented_names(tmp_path: Path) -> None:
    write_csv(Dataset([[0, 1]], [[1]]), tmp_path / "a.csv")  # type: ignore[arg-type]
    assert (tmp_path / "a.csv").read_text() == "x0,x1,y0\n0,1,1\n"


def test_writing_leaves_the_umask_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The umask belongs to all threads: one that makes a file meanwhile must not find it at 0."""
    (tmp_path / "plain").touch()
    calls: list[int] = []
    monkeypatch.setattr("os.umask", calls.append)
    write(multiplier(1), tmp_path / "a.dat")
    assert not calls
    assert (tmp_path / "a.dat").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_npz_inputs_may_be_said_to_be_analog(tmp_path: Path) -> None:
    save_npz(tmp_path / "a.npz", {"X": [[0, 1], [1, 1]], "y": [0, 1]})
    assert read(tmp_path / "a.npz").inputs.tolist() == [[-1, 1], [1, 1]]
    analog = read(tmp_path / "a.npz", input_kind=InputKind.ANALOG)
    assert (analog.input_kind, analog.inputs.tolist()) == (InputKind.ANALOG, [[0, 1], [1, 1]])
    with pytest.raises(ParameterError, match="input_kind"):
        read(tmp_path / "a.npz", input_kind=InputKind.ANY_CODE)
