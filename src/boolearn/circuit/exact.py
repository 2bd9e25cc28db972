"""Signs of real sums without rounding: floats are binary fractions, so every sum of them has an exact sign."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.model import BoolNet
from boolearn.network import CONSTANT

_EXACT_INTEGERS = float(1 << 53)


def as_integers(weights: Sequence[float]) -> list[int]:
    """Integers in exactly the ratio of the weights, as small as they can be."""
    fractions = [Fraction(weight) for weight in weights]
    scale = math.lcm(*(fraction.denominator for fraction in fractions)) if fractions else 1
    integers = [int(fraction * scale) for fraction in fractions]
    common = math.gcd(*integers) or 1
    return [integer // common for integer in integers]


def exact_signs(values: npt.NDArray[np.generic], weights: npt.NDArray[np.float64]) -> Signs:
    """sgn(values @ weights) for ±1 values, zero counted as −1, as if computed with real numbers.

    Floating point decides wherever its error bound lets it; the few sums it cannot tell from zero are added
    up again without rounding.
    """
    sums = values.astype(np.float64, copy=False) @ weights
    signs = np.where(sums > 0, np.int8(1), np.int8(-1))
    size = np.abs(weights).sum()
    if size < _EXACT_INTEGERS and (weights == np.rint(weights)).all():
        return signs
    bound = 4 * len(weights) * np.finfo(np.float64).eps * size
    for item in np.flatnonzero(np.abs(sums) <= bound):
        signs[item] = 1 if math.fsum((values[item] * weights).tolist()) > 0 else -1
    return signs


def exact_outputs(model: BoolNet, inputs: Signs) -> Signs:
    """Shape (items, n_outputs): the outputs' signs in exact arithmetic."""
    network = model.network
    values = np.empty((len(inputs), network.n_nodes), np.float64)
    values[:, CONSTANT] = -1
    values[:, 1 : network.first_neuron] = inputs
    for node, senders, weights in neurons(model):
        values[:, node] = exact_signs(values[:, senders], weights)
    return values[:, network.first_output :].astype(np.int8)


def neurons(model: BoolNet) -> Iterator[tuple[int, npt.NDArray[np.int32], npt.NDArray[np.float64]]]:
    """Every neuron's node, the nodes it reads and its weights, senders before receivers."""
    weights = model.edge_weights
    for node in range(model.network.first_neuron, model.network.n_nodes):
        yield node, model.network.senders(node), weights[model.network.edges_into(node)]
