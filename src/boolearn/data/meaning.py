"""What arrays mean that do not say it themselves: Boolean or analog inputs, bits or class labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.data.values import is_boolean
from boolearn.errors import DataError

Array = npt.NDArray[Any]
Names = tuple[str, ...]

MOST_CLASSES = 1_000_000
"""Every class is an output node; a label beyond this is a number that was taken for one."""


def looks_analog(inputs: Array) -> bool:
    """Are the inputs numbers that no Boolean value is written as?"""
    return inputs.dtype.kind == "f" and not is_boolean(inputs)


def are_texts(labels: Array) -> bool:
    """Are the labels words, as NumPy or as pandas holds them?"""
    if labels.dtype == np.object_:
        return bool(labels.size) and all(isinstance(label, str) for label in labels.flat)
    return labels.dtype.kind in "UT"


def meant_outputs(outputs: Array, names: Sequence[str] | None = None) -> tuple[Array, int, Names | None]:
    """The outputs, the number of classes (0 when Boolean) and the names that text labels give.

    ``names`` are the classes in their order where they are known; the texts that occur, in the order of the alphabet,
    where they are not.
    """
    if outputs.shape[1:] in ((), (1,)) and are_texts(outputs):
        return text_labels(outputs, names)
    if outputs.ndim != 1:
        return outputs, 0, None
    if is_boolean(outputs):
        return outputs[:, None], 0, None
    labels = whole_numbers(outputs)
    if labels.dtype.kind not in "iu" or labels.min() < 0 or labels.max() >= MOST_CLASSES:
        raise DataError(
            f"class labels must be integers from 0 to {MOST_CLASSES - 1}, or texts. "
            f"Got {_first_stranger(labels)} instead."
        )
    return labels, max(int(labels.max()) + 1, len(names or ())), None


def text_labels(labels: Array, names: Sequence[str] | None = None) -> tuple[Array, int, Names]:
    """Text labels by their numbers, how many classes there are, and their names."""
    if labels.shape[1:] not in ((), (1,)):
        raise DataError(f"class labels must be one text per item. Got shape {labels.shape} instead.")
    words = labels.astype(np.str_).reshape(-1)
    known = tuple(names) if names is not None else tuple(np.unique(words).tolist())
    if len(known) < 2:
        raise DataError(f"class labels must be at least two different texts. Got {known[0]!r} everywhere instead.")
    place = {name: number for number, name in enumerate(known)}
    for word in np.unique(words).tolist():
        if word not in place:
            raise DataError(f"class labels must be among {list(known)}. Got {word!r} instead.")
    return np.array([place[word] for word in words.tolist()], np.int64), len(known), known


def whole_numbers(labels: Array) -> Array:
    """Labels that are whole numbers of another type as integers; any others as they are."""
    if labels.dtype.kind == "f" and np.isfinite(labels).all() and (labels == np.rint(labels)).all():
        return labels.astype(np.int64) if (np.abs(labels) < 2**53).all() else labels
    return labels


def _first_stranger(labels: Array) -> object:
    if labels.dtype.kind not in "iu":
        strange = labels if labels.dtype.kind != "f" else labels[labels != np.rint(labels)]
        return repr((strange if strange.size else labels).flat[0])
    return labels[(labels < 0) | (labels >= MOST_CLASSES)][0]
