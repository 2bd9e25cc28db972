"""New data for some of an engine's items: what both engines ask of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer
from boolearn.data import InputKind
from boolearn.data.open_outputs import signs_with_open
from boolearn.data.signs import Signs, as_array, as_signs
from boolearn.errors import DataError
from boolearn.problem import Problem


class Replacement(NamedTuple):
    """Data that fit the places they are to take."""

    items: slice
    inputs: Signs | npt.NDArray[np.float64]
    """Shape (items, n_inputs): the data, or a code to start from where inputs are free."""
    targets: Signs
    """Shape (items, n_outputs): ±1, 0 where open."""


def checked_replacement(problem: Problem, first: int, inputs: npt.ArrayLike, targets: npt.ArrayLike) -> Replacement:
    """Refuse data of another shape or kind than the problem's, and places it does not have."""
    network, kind = problem.network, problem.dataset.input_kind
    values = _checked_inputs(as_array(inputs, "inputs"), network.n_inputs, kind)
    wanted = _checked_targets(as_array(targets, "targets"))
    if wanted.ndim != 2 or wanted.shape[1] != network.n_outputs:
        raise DataError(f"targets must have shape (items, {network.n_outputs}). Got {wanted.shape} instead.")
    if len(values) != len(wanted):
        raise DataError(
            f"inputs and targets must have equally many items. Got {len(values)} and {len(wanted)} instead."
        )
    last = problem.n_items - len(wanted)
    if last < 0:
        raise DataError(f"a replacement must have at most {problem.n_items} items. Got {len(wanted)} instead.")
    place = checked_integer("first", first, 0, last)
    return Replacement(slice(place, place + len(wanted)), values, np.ascontiguousarray(wanted))


def start_inputs(problem: Problem, codes: npt.NDArray[np.float64]) -> npt.NDArray[np.generic]:
    """What the items begin from: their data, or the codes of a start where inputs are free."""
    return codes if problem.dataset.input_kind.free else problem.dataset.inputs


def _checked_targets(array: npt.NDArray[np.generic]) -> Signs:
    if array.dtype == np.int8 and (array == 0).any():  # as data sets hold outputs of which some are open
        signs_with_open(np.where(array == 0, np.int8(1), array), None, "targets")
        return np.asarray(array, np.int8)
    return as_signs(array, "targets")


def _checked_inputs(array: npt.NDArray[np.generic], width: int, kind: InputKind) -> Signs | npt.NDArray[np.float64]:
    if array.ndim != 2 or array.shape[1] != width:
        raise DataError(f"inputs must have shape (items, {width}). Got {array.shape} instead.")
    if kind is InputKind.ANALOG:
        values = array.astype(np.float64)
        if not (np.abs(values) <= 1).all():
            stranger = values[~(np.abs(values) <= 1)][0]
            raise DataError(f"analog inputs must be finite and from −1 to 1. Got {stranger} instead.")
        return np.ascontiguousarray(values)
    signs = as_signs(array, "inputs")
    if kind is InputKind.ONE_HOT_CODE and ((signs > 0).sum(axis=1) != 1).any():
        item = int(np.argmax((signs > 0).sum(axis=1) != 1))
        raise DataError(f"a one-hot code must have one +1 per item. Got {signs[item].tolist()} at item {item} instead.")
    return np.ascontiguousarray(signs)
