"""The torch engine: the reference's iteration on torch tensors, on torch's default device.

``torch.set_default_device("cuda")`` puts it on a graphics card. In double precision on the CPU it follows the reference
engine step by step.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

from boolearn.engine.protocol import Flags, Precision, Progress, Snapshot, iterate_until
from boolearn.engine.replacement import checked_replacement, start_inputs
from boolearn.engine.start import keys, uniform_table
from boolearn.engine.torch_sets import (
    Wiring,
    agreed_signals,
    agreed_weights,
    choose_flips,
    choose_relabelled,
    project_inputs,
    threshold_step,
)
from boolearn.model import BoolNet
from boolearn.network import CONSTANT
from boolearn.problem import Problem

Floats = npt.NDArray[np.float64]
_KINDS = {"single": torch.float32, "double": torch.float64}
_STATE = ("w", "x", "y", "g", "next_g", "weights", "inputs", "given", "targets", "flipped_outputs", "flipped_inputs")


class TorchEngine:
    """Single precision by default."""

    def __init__(self, problem: Problem, *, precision: Precision = "single") -> None:
        self.problem = problem
        self.device = torch.get_default_device()
        self._kind = _KINDS[precision]
        self._wiring = Wiring(problem.network, self.device)
        self._margins = self._tensor(problem.margins)
        self.begin(0)

    @torch.no_grad()
    def begin(self, seed: int) -> None:
        network, dataset, items = self.problem.network, self.problem.dataset, self.problem.n_items
        key = keys(seed)
        self._given, self._targets = self._tensor(dataset.inputs), self._tensor(self.problem.targets)
        y = uniform_table(key.y, items, network.n_nodes)
        y[:, CONSTANT] = -1
        if not dataset.input_kind.free:
            y[:, 1 : network.first_neuron] = dataset.inputs
        targets = self.problem.targets
        y[:, network.first_output :] = np.where(targets == 0, y[:, network.first_output :], targets)
        self._w = self._tensor(uniform_table(key.w, items, network.n_edges))
        self._x = self._tensor(uniform_table(key.x, items, network.n_edges))
        self._y = self._tensor(y)
        self._g = self._next_g = torch.ones((items, network.n_neurons), dtype=self._kind, device=self.device)
        self._weights = agreed_weights(self._wiring, self._w, self._g, self.problem.support)
        self._flipped_outputs = torch.zeros((items, network.n_outputs), dtype=torch.bool, device=self.device)
        self._inputs, self._flipped_inputs = project_inputs(
            self.problem, self._y[:, 1 : network.first_neuron], self._given
        )
        self._flipped_inputs = torch.zeros_like(self._flipped_inputs)

    def begin_from(self, seed: int, weights: Floats) -> None:
        self.begin(seed)
        self._weights = self._tensor(weights)
        self.replace(0, start_inputs(self.problem, self.input_values()), self.problem.targets)

    @torch.no_grad()
    def replace(self, first: int, inputs: npt.ArrayLike, targets: npt.ArrayLike) -> None:
        network = self.problem.network
        new = checked_replacement(self.problem, first, inputs, targets)
        y = BoolNet(network, self.weights(), self.problem.dataset.input_kind).node_values(new.inputs)
        self._w[new.items] = self._weights[self._wiring.tie]
        self._x[new.items] = self._tensor(y[:, network.sender])
        self._y[new.items] = self._tensor(y)
        self._g, self._next_g = self._g.clone(), self._next_g.clone()
        self._g[new.items] = self._next_g[new.items] = 1
        self._inputs[new.items], self._targets[new.items] = self._tensor(new.inputs), self._tensor(new.targets)
        self._flipped_outputs[new.items] = self._flipped_inputs[new.items] = False
        if not self.problem.dataset.input_kind.free:
            self._given[new.items] = self._tensor(new.inputs)

    def set_margins(self, margins: Floats, *, project: bool = True) -> None:  # noqa: ARG002
        self._margins = self._tensor(margins)

    @torch.no_grad()
    def iterate(self, n: int, *, beta: float, gamma: float, stop_below: float = 0.0) -> Progress:
        return iterate_until(lambda: self._iterate_once(beta, gamma), n, stop_below)

    def _iterate_once(self, beta: float, gamma: float) -> Progress:
        """As the reference engine's: z += β (P_B(2 P_A(z) − z) − P_A(z)), then the metric."""
        wiring, network = self._wiring, self.problem.network
        w, x, y = self._w, self._x, self._y
        s, d = wiring.sum_rows((w + x) ** 2) / 2, wiring.sum_rows((w - x) ** 2) / 2
        of_sum, of_difference, y_neurons = threshold_step(s, d, y[:, network.first_neuron :], self._margins)
        half_sum = wiring.to_edges(of_sum) * (w + x) / 2
        half_difference = wiring.to_edges(of_difference) * (w - x) / 2
        w_a, x_a = half_sum + half_difference, half_sum - half_difference
        self._inputs, self._flipped_inputs = project_inputs(self.problem, y[:, 1 : network.first_neuron], self._given)
        constant = torch.full_like(y[:, :1], -1.0)
        y_a = torch.cat([constant, self._inputs, y_neurons], dim=1)

        w_r, x_r, y_r = 2 * w_a - w, 2 * x_a - x, 2 * y_a - y
        self._weights = agreed_weights(wiring, w_r, self._g, self.problem.support)
        held = self._targets
        if self.problem.output_flips:
            outputs = y_r[:, network.first_output :]
            choose = choose_relabelled if self.problem.dataset.classes else choose_flips
            self._flipped_outputs = choose(outputs, self._targets, self.problem.output_flips)
            held = torch.where(self._flipped_outputs, -self._targets, self._targets)
        y_b = agreed_signals(wiring, x_r, y_r, self._g, held)

        w_gap, x_gap, y_gap = self._weights[wiring.tie] - w_a, y_b[:, wiring.sender] - x_a, y_b - y_a
        self._w, self._x, self._y = w + beta * w_gap, x + beta * x_gap, y + beta * y_gap
        local = wiring.sum_rows(w_gap**2 + x_gap**2) + y_gap[:, network.first_neuron :] ** 2
        # One transfer from the device for all numbers.
        means = torch.stack([local.mean(), (w_gap**2).mean(), (x_gap**2).mean(), (y_gap**2).mean()]).tolist()
        self._g = self._next_g
        if means[0] > 0:
            self._next_g = self._g + gamma * (local / means[0] - self._g)
        gap, gap_w, gap_x, gap_y = (mean**0.5 for mean in means)
        return Progress(1, gap, gap_w, gap_x, gap_y, gap)

    def weights(self) -> Floats:
        return self._numbers(self._weights)

    def input_values(self) -> Floats:
        return self._numbers(self._inputs)

    def flipped(self) -> tuple[Flags, Flags]:
        return self._flipped_outputs.cpu().numpy().copy(), self._flipped_inputs.cpu().numpy().copy()

    def snapshot(self) -> Snapshot:
        return {name: getattr(self, f"_{name}").cpu().numpy().copy() for name in _STATE}

    def restore(self, snapshot: Snapshot) -> None:
        for name in _STATE:
            kind = torch.bool if name.startswith("flipped") else self._kind
            setattr(self, f"_{name}", torch.as_tensor(np.array(snapshot[name]), dtype=kind, device=self.device))

    def _tensor(self, array: npt.NDArray[np.generic]) -> torch.Tensor:
        return torch.as_tensor(np.array(array), dtype=self._kind, device=self.device)

    def _numbers(self, tensor: torch.Tensor) -> Floats:
        return np.array(tensor.cpu().numpy(), np.float64)
