"""P_A, the projection on set A: every neuron is right with a margin, per item, and the inputs are legal.

Elser & Lal, "Divide-and-concur for BTF networks".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boolearn.data import InputKind
from boolearn.network import CONSTANT
from boolearn.problem.inputs import project_any_code, project_one_hot
from boolearn.problem.noise import choose_flips
from boolearn.problem.point import Floats, Point
from boolearn.problem.problem import Problem
from boolearn.problem.threshold import ThresholdStep, threshold_step


class OnA(NamedTuple):
    """The nearest point of A."""

    point: Point
    flipped: npt.NDArray[np.bool_]
    """Shape (items, n_inputs): input bits held flipped, where noise is allowed for."""


def project_divide(problem: Problem, z: Point, given: Floats, margins: Floats | None = None) -> OnA:
    """P_A(z). ``given``, of shape (items, n_inputs), is the data at the inputs; free inputs do not look at it.

    ``margins``, one for each neuron, are the problem's unless others are in force.
    """
    network = problem.network
    first = network.start[:-1]
    half_sums = np.add.reduceat((z.w + z.x) ** 2, first, axis=1) / 2
    half_differences = np.add.reduceat((z.w - z.x) ** 2, first, axis=1) / 2
    margins = problem.margins if margins is None else margins
    step = threshold_step(half_sums, half_differences, z.y[:, network.first_neuron :], margins)
    on_edges = ThresholdStep(*(np.repeat(part, network.fan_in, axis=1) for part in step))
    w, x = on_edges.move(z.w, z.x)
    y = np.empty_like(z.y)
    y[:, CONSTANT] = -1
    y[:, 1 : network.first_neuron], flipped = project_inputs(problem, z.y, given)
    y[:, network.first_neuron :] = step.y
    return OnA(Point(w, x, y), flipped)


def project_inputs(problem: Problem, y: Floats, given: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The input nodes' part of P_A, and which of their bits are held flipped."""
    values = y[:, 1 : problem.network.first_neuron]
    flipped = np.zeros(values.shape, np.bool_)
    if problem.dataset.input_kind is InputKind.ANY_CODE:
        return project_any_code(values), flipped
    if problem.dataset.input_kind is InputKind.ONE_HOT_CODE:
        return project_one_hot(values), flipped
    if problem.input_flips:
        flipped = choose_flips(values, given, problem.input_flips)
    return np.where(flipped, -given, given), flipped
