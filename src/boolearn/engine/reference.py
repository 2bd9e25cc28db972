"""The reference engine: one RRR iteration in NumPy, double precision, as the paper writes it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.data import InputKind
from boolearn.engine.protocol import Flags, Progress, Snapshot
from boolearn.engine.replacement import checked_replacement, start_inputs
from boolearn.engine.rrr import rrr_step
from boolearn.engine.start import keys, uniform_table
from boolearn.model import BoolNet
from boolearn.network import CONSTANT
from boolearn.problem import Problem
from boolearn.problem.concur import concur_signals, concur_weights, weight_sums
from boolearn.problem.inputs import project_any_code, project_one_hot
from boolearn.problem.noise import choose_flips
from boolearn.problem.threshold import ThresholdStep, threshold_step

Floats = npt.NDArray[np.float64]


@dataclass
class Point:
    """All variables: weights and inputs on every edge, outputs at every node, for every item."""

    w: Floats
    """Shape (items, n_edges)."""
    x: Floats
    """Shape (items, n_edges)."""
    y: Floats
    """Shape (items, n_nodes)."""

    def __add__(self, other: Point) -> Point:
        return Point(self.w + other.w, self.x + other.x, self.y + other.y)

    def __sub__(self, other: Point) -> Point:
        return Point(self.w - other.w, self.x - other.x, self.y - other.y)

    def __rmul__(self, factor: float) -> Point:
        return Point(factor * self.w, factor * self.x, factor * self.y)


class ReferenceEngine:
    """Reads like sections III–V of the paper; the native engine is tested against it."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.begin(0)

    def begin(self, seed: int) -> None:
        network, dataset = self.problem.network, self.problem.dataset
        items = self.problem.n_items
        key = keys(seed)
        y = uniform_table(key.y, items, network.n_nodes)
        y[:, CONSTANT] = -1
        self._given, self._targets = dataset.inputs.astype(np.float64), self.problem.targets.astype(np.float64)
        if not dataset.input_kind.free:
            y[:, 1 : network.first_neuron] = self._given
        y[:, network.first_output :] = self._targets
        self.point = Point(
            uniform_table(key.w, items, network.n_edges), uniform_table(key.x, items, network.n_edges), y
        )
        self.metric = self._next_metric = np.ones((items, network.n_neurons))
        self._weights = concur_weights(network, weight_sums(network, self.point.w, self.metric))
        self._flipped_outputs = np.zeros((items, network.n_outputs), np.bool_)
        self._flipped_inputs = np.zeros((items, network.n_inputs), np.bool_)
        self._inputs = self.project_inputs(y)

    def begin_from(self, seed: int, weights: Floats) -> None:
        self.begin(seed)
        self._weights = np.array(weights, np.float64)
        self.replace(0, start_inputs(self.problem, self.input_values()), self.problem.targets)

    def replace(self, first: int, inputs: npt.ArrayLike, targets: npt.ArrayLike) -> None:
        network = self.problem.network
        new = checked_replacement(self.problem, first, inputs, targets)
        y = BoolNet(network, self._weights, self.problem.dataset.input_kind).node_values(new.inputs)
        self.point.w[new.items] = self._weights[network.tie]
        self.point.x[new.items] = y[:, network.sender]
        self.point.y[new.items] = y
        self.metric[new.items] = self._next_metric[new.items] = 1
        self._inputs[new.items], self._targets[new.items] = new.inputs, new.targets
        self._flipped_outputs[new.items] = self._flipped_inputs[new.items] = False
        if not self.problem.dataset.input_kind.free:
            self._given[new.items] = new.inputs

    def iterate(self, n: int, *, beta: float, gamma: float, stop_below: float = 0.0) -> Progress:
        done, least = 0, math.inf
        while True:
            progress = self._iterate_once(beta, gamma)
            done, least = done + 1, min(least, progress.gap)
            if done >= n or progress.gap < stop_below:
                return progress._replace(iterations=done, least_gap=least)

    def _iterate_once(self, beta: float, gamma: float) -> Progress:
        """One RRR step; then the metric follows the local gaps.

        It is the metric of the iteration after the next that does: an engine that ends one iteration and
        begins the next in the same pass over memory knows the mean of the gaps only afterwards.
        """
        self.point, difference = rrr_step(self.point, self.project_divide, self.project_concur, beta)
        local = self.local_gaps(difference)
        square = float(local.mean())
        self.metric = self._next_metric
        if square > 0:
            self._next_metric = self.metric + gamma * (local / square - self.metric)
        gap = square**0.5
        return Progress(1, gap, rms(difference.w), rms(difference.x), rms(difference.y), gap)

    def local_gaps(self, difference: Point) -> Floats:
        """Shape (items, n_neurons): the squared gap of each neuron's own variables, per item."""
        network = self.problem.network
        on_edges = np.add.reduceat(difference.w**2 + difference.x**2, network.start[:-1], axis=1)
        return on_edges + difference.y[:, network.first_neuron :] ** 2

    def project_divide(self, z: Point) -> Point:
        """P_A: every neuron is right with a margin, and the inputs are legal."""
        network = self.problem.network
        first = network.start[:-1]
        half_sums = np.add.reduceat((z.w + z.x) ** 2, first, axis=1) / 2
        half_differences = np.add.reduceat((z.w - z.x) ** 2, first, axis=1) / 2
        step = threshold_step(half_sums, half_differences, z.y[:, network.first_neuron :], self.problem.margins)
        on_edges = ThresholdStep(*(np.repeat(part, network.fan_in, axis=1) for part in step))
        w, x = on_edges.move(z.w, z.x)
        y = np.empty_like(z.y)
        y[:, CONSTANT] = -1
        self._inputs = self.project_inputs(z.y)
        y[:, 1 : network.first_neuron] = self._inputs
        y[:, network.first_neuron :] = step.y
        return Point(w, x, y)

    def project_inputs(self, y: Floats) -> Floats:
        """The input nodes' part of P_A."""
        dataset = self.problem.dataset
        values = y[:, 1 : self.problem.network.first_neuron]
        if dataset.input_kind is InputKind.ANY_CODE:
            return project_any_code(values)
        if dataset.input_kind is InputKind.ONE_HOT_CODE:
            return project_one_hot(values)
        if self.problem.input_flips:
            self._flipped_inputs = choose_flips(values, self._given, self.problem.input_flips)
        return np.where(self._flipped_inputs, -self._given, self._given)

    def project_concur(self, z: Point) -> Point:
        """P_B: one set of weights for all items, and every node's output is what its receivers read."""
        network = self.problem.network
        self._weights = concur_weights(network, weight_sums(network, z.w, self.metric))
        if self.problem.output_flips:
            outputs = z.y[:, network.first_output :]
            self._flipped_outputs = choose_flips(outputs, self._targets, self.problem.output_flips)
        held = np.where(self._flipped_outputs, -self._targets, self._targets)
        y = concur_signals(network, z.x, z.y, self.metric, held)
        return Point(np.broadcast_to(self._weights[network.tie], z.w.shape), y[:, network.sender], y)

    def weights(self) -> Floats:
        return self._weights.copy()

    def input_values(self) -> Floats:
        return self._inputs.copy()

    def flipped(self) -> tuple[Flags, Flags]:
        return self._flipped_outputs.copy(), self._flipped_inputs.copy()

    def snapshot(self) -> Snapshot:
        z = self.point
        state = {
            "w": z.w,
            "x": z.x,
            "y": z.y,
            "g": self.metric,
            "next_g": self._next_metric,
            "weights": self._weights,
            "inputs": self._inputs,
            "given": self._given,
            "targets": self._targets,
            "flipped_outputs": self._flipped_outputs,
            "flipped_inputs": self._flipped_inputs,
        }
        return {name: array.copy() for name, array in state.items()}

    def restore(self, snapshot: Snapshot) -> None:
        state = {name: np.array(array, np.float64) for name, array in snapshot.items()}
        self.point = Point(state["w"], state["x"], state["y"])
        self.metric, self._next_metric = state["g"], state["next_g"]
        self._weights, self._inputs = state["weights"], state["inputs"]
        self._given, self._targets = state["given"], state["targets"]
        self._flipped_outputs, self._flipped_inputs = state["flipped_outputs"] != 0, state["flipped_inputs"] != 0


def rms(differences: Floats) -> float:
    return float(np.sqrt(np.mean(differences**2)))
