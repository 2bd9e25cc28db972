"""Noise accommodation: a fraction of the data's bits, or of its class labels, may be held at something else.

Where data meet a variable y, the projection puts the data's bit there. With an allowance it first looks
for the y that are closer to the flipped bit. Of these as many as are allowed, those largest in absolute
value (they change least when the flipped bit is indeed the right one), are put to the flipped bit. What
is held flipped in a solution is a list of suspects: the bits that the network takes for corrupted.

A class label is one answer, not a row of bits: an item is held at its own class or at another, and the allowance counts
items. The nearest other class is the one with the largest y, and holding the item there is nearer by four times the
difference between this y and that of the item's own class. So the items with the largest difference are taken.

Elser & Lal, "Functionality", noise accommodation.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn.data import Dataset, InputKind
from boolearn.errors import ParameterError

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def allowance(fraction: float, bits: int) -> int:
    """How many of ``bits`` bits may be flipped; 0.29 of 100 are 29, whatever the last digit of the product."""
    return math.floor(fraction * bits + 1e-9)


def likely_errors(fraction: float, bits: int) -> int:
    """How many of these bits are wrong at most, but for three standard deviations, when each is with this chance."""
    return int(fraction * bits + 3 * math.sqrt(fraction * (1 - fraction) * bits))


def choose_flips(y: Floats, data: npt.NDArray[np.generic], allowed: int) -> Flags:
    """Which bits are held flipped: up to ``allowed`` of those with y closer to −data than to data, |y| largest first.

    ``data`` holds ±1. Among equals the first in the order of items, then bits, is taken.
    """
    lean = -(np.asarray(data, np.float64) * y).ravel()
    largest = np.argsort(-lean, kind="stable")[:allowed]
    flipped = np.zeros(lean.shape, np.bool_)
    flipped[largest] = lean[largest] > 0
    return flipped.reshape(y.shape)


def choose_relabelled(y: Floats, data: npt.NDArray[np.generic], allowed: int) -> Flags:
    """Which bits of one-hot rows are flipped: for up to ``allowed`` items, their own class's and another's.

    ``data`` holds +1 at the class of every item, else −1. Among equals the first class, and the first item, is taken.
    """
    items = np.arange(len(y))
    own = np.argmax(data, axis=1)
    other = np.argmax(np.where(np.asarray(data, np.float64) > 0, -np.inf, y), axis=1)
    lean = y[items, other] - y[items, own]
    largest = np.argsort(-lean, kind="stable")[:allowed]
    largest = largest[lean[largest] > 0]
    flipped = np.zeros(y.shape, np.bool_)
    flipped[largest, own[largest]] = flipped[largest, other[largest]] = True
    return flipped


def answers_in(dataset: Dataset) -> int:
    """How many answers there are that noise can make wrong: labels, or output bits that are specified."""
    return len(dataset) if dataset.classes else dataset.specified_bits


def bit_noise(dataset: Dataset, noise: float) -> float:
    """The share of output bits that are wrong where this share of the answers is; a wrong label is two wrong bits."""
    return noise * 2 / dataset.classes if dataset.classes else noise


def check_noise(dataset: Dataset, noise: float, input_noise: float) -> None:
    """Refuse fractions that are none, and allowances for inputs that are not bits."""
    for name, fraction in (("noise", noise), ("input_noise", input_noise)):
        number = isinstance(fraction, int | float | np.integer | np.floating) and not isinstance(fraction, bool)
        if not number or not 0 <= fraction < 0.5:
            raise ParameterError(name, "at least 0 and below 0.5, a fraction of bits", fraction)
    if input_noise and dataset.input_kind is not InputKind.BOOLEAN:
        raise ParameterError("input_noise", f"0 for inputs of kind {dataset.input_kind.value!r}", input_noise)
