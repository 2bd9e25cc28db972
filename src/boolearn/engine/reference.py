"""The reference engine: one RRR iteration in NumPy, double precision, as the paper writes it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.engine.protocol import Flags, Progress, Snapshot, iterate_until
from boolearn.engine.replacement import checked_replacement, start_inputs
from boolearn.engine.rrr import rrr_step
from boolearn.engine.start import keys, uniform_table
from boolearn.model import BoolNet
from boolearn.network import CONSTANT
from boolearn.problem import Problem
from boolearn.problem.concur import agreed_weights, project_concur
from boolearn.problem.divide import project_divide, project_inputs
from boolearn.problem.point import Floats, Point


class ReferenceEngine:
    """Reads like sections III–V of the paper; the native engine is tested against it."""

    def __init__(self, problem: Problem, *, prompt_metric: bool = False) -> None:
        """With ``prompt_metric`` the metric follows the gaps in the next iteration already, as in the paper."""
        self.problem = problem
        self._prompt = prompt_metric
        self._margins = problem.margins
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
        y[:, network.first_output :] = np.where(self._targets == 0, y[:, network.first_output :], self._targets)
        self.point = Point(
            uniform_table(key.w, items, network.n_edges), uniform_table(key.x, items, network.n_edges), y
        )
        self.metric = self._next_metric = np.ones((items, network.n_neurons))
        self._weights = agreed_weights(network, self.point.w, self.metric, self.problem.support)
        self._flipped_outputs = np.zeros((items, network.n_outputs), np.bool_)
        self._flipped_inputs = np.zeros((items, network.n_inputs), np.bool_)
        self._inputs, _ = project_inputs(self.problem, y, self._given)

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

    def set_margins(self, margins: Floats, *, project: bool = True) -> None:  # noqa: ARG002
        self._margins = np.array(margins, np.float64)

    def iterate(self, n: int, *, beta: float, gamma: float, stop_below: float = 0.0) -> Progress:
        return iterate_until(lambda: self._iterate_once(beta, gamma), n, stop_below)

    def _iterate_once(self, beta: float, gamma: float) -> Progress:
        """One RRR step; then the metric follows the local gaps.

        Unless it is prompt, it is the metric of the iteration after the next that does: an engine that ends one
        iteration and begins the next in the same pass over memory knows the mean of the gaps only afterwards.
        """
        self.point, difference = rrr_step(self.point, self.project_divide, self.project_concur, beta)
        local = self.local_gaps(difference)
        square = float(local.mean())
        self.metric = self._next_metric
        if square > 0:
            self._next_metric = self.metric + gamma * (local / square - self.metric)
        if self._prompt:
            self.metric = self._next_metric
        gap = square**0.5
        return Progress(1, gap, rms(difference.w), rms(difference.x), rms(difference.y), gap)

    def local_gaps(self, difference: Point) -> Floats:
        """Shape (items, n_neurons): the squared gap of each neuron's own variables, per item."""
        network = self.problem.network
        on_edges = np.add.reduceat(difference.w**2 + difference.x**2, network.start[:-1], axis=1)
        return on_edges + difference.y[:, network.first_neuron :] ** 2

    def project_divide(self, z: Point) -> Point:
        on_a = project_divide(self.problem, z, self._given, self._margins)
        self._inputs = on_a.point.y[:, 1 : self.problem.network.first_neuron]
        self._flipped_inputs = on_a.flipped
        return on_a.point

    def project_concur(self, z: Point) -> Point:
        on_b = project_concur(self.problem, z, self.metric, self._targets)
        self._weights, self._flipped_outputs = on_b.weights, on_b.flipped
        return on_b.point

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
