"""Data of every kind, for tests of files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from boolearn.data import (
    Dataset,
    InputKind,
)


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


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path
