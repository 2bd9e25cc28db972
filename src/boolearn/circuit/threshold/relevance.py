"""What a neuron depends on, decided exactly on the whole cube of its inputs.

An input is relevant when some pattern of the others lets it decide the sign (Elser & Lal, Section III). With the
weights sorted by size this takes one number: input p is relevant exactly when the larger weights, with some choice
of signs and the bias, sum to less in size than p's weight and all smaller ones together. For from such a sum the
smaller weights can be used up, each against the sign of the sum so far, to bring it below p's weight; and without
one nothing below p can turn the sign. So relevant inputs are always those with the largest weights, and the search
stops at the first that is not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.circuit.threshold.all_inputs import all_inputs
from boolearn.circuit.threshold.integer_weights import as_integers, smallest_weights
from boolearn.data.signs import signs_of
from boolearn.errors import ParameterError

_TABLE_INPUTS = 9
_HALVES_INPUTS = 36
_GRID = 1 << 20
_INT64 = 1 << 62
_EXACT_INPUTS = 20

_Number = type[np.int64] | type[np.float64] | type[int]


@dataclass(frozen=True)
class ThresholdForm:
    """A neuron as a function of its relevant inputs alone, with integer weights.

    ``inputs`` are positions in the neuron's own list. ``certain`` is False when some input could not be decided
    and was kept; ``smallest`` is False when the integer weights need not be the least ones.
    """

    inputs: tuple[int, ...]
    weights: tuple[int, ...]
    bias: int
    certain: bool = True
    smallest: bool = True

    @property
    def support(self) -> int:
        """The relevant inputs, the constant included when the bias is not zero."""
        return len(self.inputs) + (self.bias != 0)

    @property
    def margin_ratio(self) -> float | None:
        """μ(w)/‖w‖, at most 1/√support by the paper's theorem; None when there are too many inputs to compute it."""
        if self.support > _HALVES_INPUTS:
            return None
        norm = math.isqrt(sum(weight**2 for weight in (*self.weights, self.bias)) << 128)
        return (least_sum(self.bias, self.weights)[0] << 64) / norm


def threshold_form(weights: Sequence[float], bias: float = 0.0) -> ThresholdForm:
    """The function sgn(bias + Σ weight·x) over x = ±1, zero counted as −1, reduced to what it depends on.

    Floats are taken as the binary fractions they are, integers may be of any size: nothing is rounded.
    """
    if np.ndim(weights) != 1:
        raise ParameterError("weights", "a sequence of numbers", weights)
    *integers, offset = as_integers([*weights, bias])
    return _form(integers, offset, *relevant_inputs(integers, offset))


def simple_form(weights: Sequence[float], bias: float, most_inputs: int) -> ThresholdForm | None:
    """``threshold_form`` if the function has at most ``most_inputs`` relevant inputs; else None, early."""
    *integers, offset = as_integers([*weights, bias])
    inputs, certain = relevant_inputs(integers, offset, most_inputs)
    return _form(integers, offset, inputs, certain) if len(inputs) <= most_inputs else None


def _form(integers: list[int], offset: int, inputs: tuple[int, ...], certain: bool) -> ThresholdForm:
    if not inputs:
        return ThresholdForm((), (), 1 if sum(map(abs, integers)) + offset > 0 else -1, certain)
    if len(inputs) <= _TABLE_INPUTS:
        kept = [integers[k] for k in inputs]
        patterns = all_inputs(len(inputs))
        sums = patterns.astype(_wide([*kept, offset])) @ np.array(kept, _wide([*kept, offset])) + offset
        wanted = signs_of(sums > 0)
        largest = max(map(abs, (*kept, offset)))
        own = np.array([weight / largest for weight in (*kept, offset)])
        found = smallest_weights(patterns, wanted, own)
        if found is None:  # pragma: no cover - the neuron itself is a solution
            raise AssertionError("a neuron's own values must be a threshold function")
        used = [k for k, weight in enumerate(found[0]) if weight]
        return ThresholdForm(tuple(inputs[k] for k in used), tuple(found[0][k] for k in used), found[1])
    shorter, offset = _shortened([integers[k] for k in inputs], offset)
    return ThresholdForm(inputs, tuple(shorter), offset, certain, smallest=False)


def relevant_inputs(weights: Sequence[int], bias: int, most: int | None = None) -> tuple[tuple[int, ...], bool]:
    """Positions of the relevant inputs of ``bias + Σ weight·x > 0``, and whether all of them are certain.

    An input that cannot be decided is kept: that never changes the function. The search stops when it has found
    more than ``most``.
    """
    # Doubling, and one less in the bias, keeps every sign and leaves no sum zero.
    doubled = [2 * abs(weight) for weight in weights]
    offset = 2 * bias - 1
    order = sorted((k for k, weight in enumerate(weights) if weight), key=lambda k: -doubled[k])
    rest = sum(doubled)
    larger: list[int] = []
    total = offset  # of the larger weights, each taken against the sign of the sum so far: often small enough
    certain = True
    for k in order:
        decided = abs(total) < rest or _can_fall_below(rest, offset, larger)
        if decided is False or (most is not None and len(larger) > most):
            break
        certain = certain and decided is True
        larger.append(doubled[k])
        total += doubled[k] if total < 0 else -doubled[k]
        rest -= doubled[k]
    return tuple(sorted(order[: len(larger)])), certain


def least_sum(bias: int, weights: Sequence[int]) -> tuple[int, int]:
    """min |bias + Σ ±weight| over all signs, and by how much rounding may have changed it: 0 when the sum is exact.

    All sums of one half of the weights are sorted and each sum of the other half looks up its nearest opposite.
    """
    size = abs(bias) + sum(map(abs, weights))
    dtype, shift = _number_type(size, len(weights))
    half = len(weights) // 2
    near = np.sort(_sums(weights[:half], dtype, shift) + dtype(bias >> shift))
    far = _sums(weights[half:], dtype, shift)
    least: list[int] = []
    for part in np.array_split(far, max(1, len(far) >> 16)):
        place = np.searchsorted(near, -part)
        sides = np.clip(place, 0, len(near) - 1), np.clip(place - 1, 0, len(near) - 1)
        least += [int(np.abs(near[neighbour] + part).min()) for neighbour in sides]
    doubt = (size >> 48) + ((len(weights) + 1) << shift) if dtype is np.float64 else 0
    return min(least) << shift, doubt


def _can_fall_below(limit: int, bias: int, weights: Sequence[int]) -> bool | None:
    """Whether |bias + Σ ±weight| < limit for some signs; None when that is not decided."""
    if len(weights) <= _HALVES_INPUTS:
        least, doubt = least_sum(bias, weights)
        return None if abs(least - limit) < doubt else least < limit
    return False if _coarse_least_sum(bias, weights) >= limit else None


def _coarse_least_sum(bias: int, weights: Sequence[int]) -> int:
    """A lower bound of min |bias + Σ ±weight|: all sums on a grid, less what rounding to the grid can hide."""
    unit = max(1, (abs(bias) + sum(weights)) // _GRID)
    steps = [round(Fraction(weight, unit)) for weight in weights]
    # Bit s of ``reached`` stands for the sum s − Σ steps; a weight taken with + shifts by twice its step.
    reached = 1
    for step in steps:
        reached |= reached << 2 * step
    middle = sum(steps) - round(Fraction(bias, unit))
    above = (reached >> middle) if middle >= 0 else reached << -middle
    below = reached & ((1 << middle + 1) - 1) if middle >= 0 else 0
    distances = []
    if above:
        distances.append((above & -above).bit_length() - 1)
    if below:
        distances.append(middle - (below.bit_length() - 1))
    return (min(distances) - (len(weights) + 1)) * unit if distances else 0


def _shortened(weights: list[int], bias: int) -> tuple[list[int], int]:
    """Fewer digits for the same function: rounding is harmless while its error stays below the least sum."""
    doubled, offset = [2 * weight for weight in weights], 2 * bias - 1
    if len(weights) > _HALVES_INPUTS:
        return doubled, offset
    least, doubt = least_sum(offset, doubled)
    least -= doubt
    if least <= len(weights):
        return doubled, offset
    # Dividing by a unit and rounding moves every term by at most half a unit.
    unit = 2 * (least - 1) // (len(weights) + 1)
    while unit > 1:
        short = [round(Fraction(weight, unit)) for weight in doubled]
        short_bias = round(Fraction(offset, unit))
        error = sum(abs(w - s * unit) for w, s in zip((*doubled, offset), (*short, short_bias), strict=True))
        if error < least and all(short):
            return short, short_bias
        unit //= 2
    return doubled, offset


def _sums(weights: Sequence[int], dtype: _Number, shift: int) -> npt.NDArray[Any]:
    sums = np.zeros(1, np.object_ if dtype is int else dtype)
    for weight in weights:
        sums = np.concatenate((sums + dtype(weight >> shift), sums - dtype(weight >> shift)))
    return sums


def _number_type(size: int, count: int) -> tuple[_Number, int]:
    """What to add up in, and how many low digits to drop first: exact as long as that is affordable."""
    if size < _INT64:
        return np.int64, 0
    return (int, 0) if count <= _EXACT_INPUTS else (np.float64, max(0, size.bit_length() - 900))


def _wide(numbers: Sequence[int]) -> type[np.int64] | type[np.object_]:
    """The type for sums without overflow: Python's integers where 64 bits are not enough."""
    return np.int64 if sum(map(abs, numbers)) < _INT64 else np.object_
