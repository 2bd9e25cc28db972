from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boolearn.data import Binariser, Thermometer, Threshold
from boolearn.errors import DataError, FileError, ParameterError

REALS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, 1.0, -1.0, 5e-324, 1e-3])
TABLES = hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=8), elements=REALS)


@given(TABLES, st.integers(1, 6), st.sampled_from(["quantiles", "width"]))
def test_bits_of_a_thermometer_rise_with_the_value_and_all_tell_items_apart(
    x: npt.NDArray[np.float64], bits: int, by: str
) -> None:
    if (x == x[0]).all():
        with pytest.raises(DataError, match="all columns are constant"):
            Thermometer.fit(x, bits, by)
        return
    fitted = Thermometer.fit(x, bits, by)
    signs = fitted.transform(x)
    assert signs.shape == (len(x), fitted.n_bits) == (len(x), len(fitted.names))
    assert len(set(fitted.names)) == fitted.n_bits
    first = 0
    for column, row in zip(x.T, fitted.thresholds, strict=True):
        part = signs[:, first : first + len(row)]
        first += len(row)
        assert len(row) <= min(bits, len(np.unique(column)) - 1)
        assert bool(row) == (len(np.unique(column)) > 1)
        assert (np.diff(part, axis=1) <= 0).all()  # higher thresholds are passed later
        assert (part.min(axis=0) == -1).all()
        assert (part.max(axis=0) == 1).all()
        order = np.argsort(column)
        assert (np.diff(part[order].sum(axis=1, dtype=int)) >= 0).all()


@given(TABLES, st.sampled_from(["median", "clusters", "otsu"]))
def test_one_threshold_makes_one_bit_of_every_column_that_is_not_constant(x: npt.NDArray[np.float64], by: str) -> None:
    varied = (x != x[0]).any(axis=0)
    if not varied.any():
        with pytest.raises(DataError, match="all columns are constant"):
            Threshold.fit(x, by)
        return
    fitted = Threshold.fit(x, by)
    assert [len(row) for row in fitted.thresholds] == varied.astype(int).tolist()
    signs = fitted.transform(x)
    assert (signs.min(axis=0) == -1).all()
    assert (signs.max(axis=0) == 1).all()


@given(TABLES, st.integers(1, 4))
def test_what_is_saved_is_loaded_and_does_the_same(
    tmp_path_factory: pytest.TempPathFactory, x: npt.NDArray[np.float64], bits: int
) -> None:
    if (x == x[0]).all():
        return
    path = tmp_path_factory.mktemp("binarise") / "bits.json"
    fitted = Thermometer.fit(x, bits, columns=[f"ö{n}" for n in range(x.shape[1])])
    fitted.save(path)
    again = Binariser.load(path)
    assert again == fitted
    assert isinstance(again, Thermometer)
    assert Binariser.from_dict(tomllib.loads(tomli_w.dumps(fitted.as_dict()))) == fitted
    assert (again.transform(x) == fitted.transform(x)).all()


def test_quantiles_split_evenly_and_widths_evenly_in_value() -> None:
    x = np.array([[0.0], [1], [2], [3], [4], [5], [6], [100]])
    assert Thermometer.fit(x, 3).thresholds == ((1.5, 3.5, 5.5),)
    assert Thermometer.fit(x, 3, by="width").thresholds == ((53.0,),)  # nothing lies between 6 and 100
    assert Thermometer.fit(x[:5], 3, by="width").thresholds == ((1.5, 2.5, 3.5),)


def test_thresholds_by_their_definition() -> None:
    low, high = [1.0, 2.0, 3.0], [11.0, 12.0, 13.0, 14.0]
    x = np.array([low + high]).T
    assert Threshold.fit(x, "median").thresholds == ((11.5,),)
    assert Threshold.fit(x, "clusters").thresholds == ((7.0,),)
    assert Threshold.fit(x, "otsu").thresholds == ((7.0,),)


@given(hnp.arrays(np.float64, st.integers(2, 12), elements=st.integers(0, 20).map(float)))
def test_otsu_cuts_where_the_variance_within_is_least(column: npt.NDArray[np.float64]) -> None:
    if len(np.unique(column)) < 2:
        return

    def within(threshold: float) -> float:
        low, high = column[column <= threshold], column[column > threshold]
        return float(low.var() * len(low) + high.var() * len(high))

    ((found,),) = Threshold.fit(column[:, None], "otsu").thresholds
    values = np.unique(column)
    assert within(found) <= min(within(value) for value in values[:-1]) + 1e-9


def test_names_are_as_long_as_needed() -> None:
    bits = Binariser.given([37.5, (1.00001, 1.00002)], columns=["age", "mass"])
    assert bits.names == ("age > 37.5", "mass > 1.00001", "mass > 1.00002")
    assert Binariser.given([(-123456.5, 1e30)]).names == ("x0 > -123456", "x0 > 1e+30")
    assert bits.transform([[38, 1.000015]]).tolist() == [[1, 1, -1]]
    assert bits.transform([[37.5, 0]]).tolist() == [[-1, -1, -1]]


def test_data_sets_carry_the_names() -> None:
    x = np.array([[1.0, 7], [2, 7], [3, 7]])
    bits = Thermometer.fit(x, 2, columns=["a", "b"])
    data = bits.labelled(x, [0, 1, 2])
    assert data.input_names == ("a > 1.5", "a > 2.5")
    assert data.classes == 3
    table = bits.dataset(x, [True, False, True], output_names=["odd"])
    assert table.outputs.tolist() == [[1], [-1], [1]]
    assert table.output_names == ("odd",)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([[1.0, np.nan], [2, 3]], "nan at item 0, column 1"),
        ([[1.0, 2], [np.inf, 3]], "inf at item 1, column 0"),
        ([["a"]], "must be numbers"),
        ([1.0, 2.0], "two axes"),
        (np.empty((0, 3)), "none empty"),
        ([[1.0], [1.0, 2.0]], "all rows equally long"),
    ],
)
def test_values_that_cannot_be_compared_are_refused(x: npt.ArrayLike, message: str) -> None:
    for use in (Thermometer.fit, Threshold.fit, Binariser.given([0.0, 0.0]).transform):
        with pytest.raises(DataError, match=message):
            use(x)


def test_bad_parameters_are_refused() -> None:
    x = np.arange(6.0).reshape(3, 2)
    with pytest.raises(ParameterError, match="'bits'"):
        Thermometer.fit(x, 0)
    with pytest.raises(ParameterError, match="'by'"):
        Thermometer.fit(x, 2, by="median")
    with pytest.raises(ParameterError, match="'by'"):
        Threshold.fit(x, by="mean")
    with pytest.raises(DataError, match="2 different names"):
        Threshold.fit(x, columns=["a", "a"])
    with pytest.raises(ParameterError, match="finite and rising"):
        Binariser.given([(2, 1)])
    with pytest.raises(ParameterError, match="finite and rising"):
        Binariser.given([float("nan")])
    for wrong in ([None], 5, ["1"], "12", [10**400], [[None]]):
        with pytest.raises(ParameterError, match="'thresholds'"):
            Binariser.given(wrong)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="different names, none empty. Got 5"):
        Binariser.given([1.0], columns=5)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="different names, none empty. Got 5"):
        Threshold.fit(x, columns=5)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="must have 2 columns. Got 1"):
        Threshold.fit(x).transform(x[:, :1])


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"format": 2}',
        '{"format": 1, "kind": "pickle", "columns": ["a"], "thresholds": [[1]]}',
        '{"format": 1, "kind": "given", "columns": ["a"], "thresholds": [[true]]}',
        '{"format": 1, "kind": "given", "columns": ["a"], "thresholds": [[NaN]]}',
        '{"format": 1, "kind": "given", "columns": [1], "thresholds": [[1]]}',
        '{"format": 1, "kind": "given", "columns": ["a", "b"], "thresholds": [[1]]}',
        "\xff",
    ],
)
def test_files_that_hold_no_binariser_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "bits.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(FileError, match="bits.json: holds no binariser"):
        Binariser.load(path)


def test_files_are_plain_json(tmp_path: Path) -> None:
    Binariser.given([1.5], columns=["x"]).save(tmp_path / "b.json")
    assert json.loads((tmp_path / "b.json").read_text())["thresholds"] == [[1.5]]
    with pytest.raises(FileError, match="cannot be read"):
        Binariser.load(tmp_path / "none.json")
