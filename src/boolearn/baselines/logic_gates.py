"""A differentiable logic-gate network: every neuron reads two fixed signals and learns which of 16 gates it is.

An own compact version of Petersen, Borgelt, Kuehne and Deussen, "Deep differentiable logic gate networks" (2022), in
PyTorch (extra ``gradient``).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.baselines.method import Method, Model, circuit_model
from boolearn.checks import generator
from boolearn.circuit import Circuit
from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, negation, signed
from boolearn.circuit.circuit import Literal
from boolearn.data import Dataset, InputKind
from boolearn.errors import MissingExtraError, ParameterError

TRUTH_TABLES = np.array(list(itertools.product((0, 1), repeat=4)))
"""Row g: what gate g answers to (a, b) = (0, 0), (0, 1), (1, 0), (1, 1)."""

POLYNOMIALS = TRUTH_TABLES @ np.array([[1, -1, -1, 1], [0, 0, 1, -1], [0, 1, 0, -1], [0, 0, 0, 1]])
"""Row g: the coefficients of 1, a, b and ab that give the same on zeros and ones, and real values between them."""

_TEMPERATURE = 3.0
"""Sums of the last layer are divided by it to become logits."""

Wiring = list[npt.NDArray[np.intp]]


@dataclass(frozen=True)
class LogicGateNetwork(Method):
    """Layers of equal width with random wiring; an output is the majority of its share of the last layer."""

    steps: int
    layers: int = 4
    neurons: int = 15
    """In every layer, for each output; an odd number has a majority."""
    rate: float = 0.01

    def __post_init__(self) -> None:
        if self.neurons % 2 == 0:
            raise ParameterError("neurons", "odd", self.neurons)

    @property
    def name(self) -> str:
        return "differentiable logic gates"

    @property
    def budget(self) -> str:
        return f"{self.steps:,} steps"

    def prepare(self) -> None:
        try:
            import torch  # noqa: F401
        except ImportError:
            raise MissingExtraError("A differentiable logic-gate network", "gradient") from None

    def learn(self, data: Dataset, seed: int) -> Model:
        if data.input_kind is not InputKind.BOOLEAN:
            raise ParameterError("data", "with Boolean inputs", data)
        wiring = self.wire(data.n_inputs, data.n_output_nodes, seed)
        gates = self.train(data, wiring, seed)
        return circuit_model(read_off(wiring, gates, data.n_inputs, data.n_output_nodes))

    def wire(self, n_inputs: int, n_outputs: int, seed: int) -> Wiring:
        """For every layer shape (2, neurons): two different nodes of the layer below for each neuron."""
        rng, width, wiring, below = generator(seed), self.neurons * n_outputs, [], n_inputs
        if n_inputs < 2:
            raise ParameterError("data", "with at least two inputs", n_inputs)
        for _ in range(self.layers):
            first = rng.permutation(np.arange(width) % below)  # every node is read when there are neurons enough
            wiring.append(np.stack([first, (first + rng.integers(1, below, width)) % below]))
            below = width
        return wiring

    def train(self, data: Dataset, wiring: Wiring, seed: int) -> list[npt.NDArray[np.intp]]:
        """The most probable gate of every neuron, after Adam on the cross-entropy of all items."""
        import torch

        draw = torch.Generator().manual_seed(seed)
        choices = [torch.randn(pairs.shape[1], 16, generator=draw).requires_grad_() for pairs in wiring]
        coefficients = torch.tensor(POLYNOMIALS, dtype=torch.float32)
        pairs = [torch.tensor(layer) for layer in wiring]
        # Items are columns: to gather rows, and to add gradients to them, is several times faster than columns.
        inputs, targets = (torch.tensor(signs.T > 0, dtype=torch.float32) for signs in (data.inputs, data.targets))
        optimizer, loss = torch.optim.Adam(choices, lr=self.rate), torch.nn.BCEWithLogitsLoss()
        for _ in range(self.steps):
            values: Any = inputs
            for (first, second), choice in zip(pairs, choices, strict=True):
                a, b = values.index_select(0, first), values.index_select(0, second)
                one, of_a, of_b, of_both = (torch.softmax(choice, dim=1) @ coefficients).T[:, :, None]
                values = one + of_a * a + (of_b + of_both * a) * b
            sums = values.reshape(len(targets), self.neurons, -1).sum(dim=1)
            optimizer.zero_grad()
            loss((sums - self.neurons / 2) / _TEMPERATURE, targets).backward()
            optimizer.step()
        return [choice.argmax(dim=1).numpy() for choice in choices]


def read_off(wiring: Wiring, gates: list[npt.NDArray[np.intp]], n_inputs: int, n_outputs: int) -> Circuit:
    """The circuit of the chosen gates; a tie of two equal gates cannot happen in an odd majority."""
    builder = CircuitBuilder([f"x{place}" for place in range(n_inputs)], reduce=False)
    signals = [Literal(place) for place in range(n_inputs)]
    for (first, second), chosen in zip(wiring, gates, strict=True):
        signals = [
            _gate(builder, TRUTH_TABLES[gate], signals[a], signals[b])
            for a, b, gate in zip(first, second, chosen, strict=True)
        ]
    share = len(signals) // n_outputs
    outputs = [
        (f"y{place}", builder.threshold(signals[place * share : (place + 1) * share], [1] * share, 0))
        for place in range(n_outputs)
    ]
    return builder.circuit(outputs).simplify()


def _gate(builder: CircuitBuilder, answers: npt.NDArray[np.int_], a: Literal, b: Literal) -> Literal:
    """From the truth table: a constant, a copy, an exclusive or, or an And or Or of two literals."""
    corners = [(negation(a), negation(b)), (negation(a), b), (a, negation(b)), (a, b)]
    ones = [corner for corner, answer in zip(corners, answers, strict=True) if answer]
    zeros = [corner for corner, answer in zip(corners, answers, strict=True) if not answer]
    if not ones:
        return FALSE
    if len(ones) == 1:
        return builder.conjunction(ones[0])
    if len(ones) == 2:
        shared = set(ones[0]) & set(ones[1])
        return shared.pop() if shared else signed(builder.exclusive((a, b)), -1 if answers[0] else 1)
    return negation(builder.conjunction(zeros[0])) if zeros else TRUE
