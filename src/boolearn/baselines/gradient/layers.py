"""What the variants compute. The paper's supplement, "Threshold and binary gradient models"."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn


class _StraightThrough(torch.autograd.Function):
    """The sign, +1 at zero; backwards the derivative of clip(u, −1, 1)."""

    @staticmethod
    def forward(context: Any, values: Tensor) -> Tensor:
        context.save_for_backward(values)
        return torch.where(values >= 0, 1.0, -1.0)

    @staticmethod
    def backward(context: Any, slope: Tensor) -> Tensor:
        (values,) = context.saved_tensors
        passed: Tensor = slope * (values.abs() <= 1)
        return passed


def sign(values: Tensor) -> Tensor:
    signs: Tensor = _StraightThrough.apply(values)  # type: ignore[no-untyped-call]
    return signs


class Sign(nn.Module):
    def forward(self, values: Tensor) -> Tensor:
        return sign(values)


class BinaryLinear(nn.Linear):
    """Weights of one magnitude, g/√(fan-in), with the signs of real numbers that the optimizer moves."""

    def __init__(self, below: int, width: int, gain: float, *, bias: bool) -> None:
        super().__init__(below, width, bias)
        self.magnitude = gain / math.sqrt(below)

    def forward(self, values: Tensor) -> Tensor:
        return nn.functional.linear(values, self.magnitude * sign(self.weight), self.bias)


def real_weights(widths: Sequence[int], activation: type[nn.Module]) -> nn.Sequential:
    """Affine layers with an activation between them. PyTorch's start of a Linear is uniform within ±1/√(fan-in)."""
    layers: list[nn.Module] = []
    for below, width in itertools.pairwise(widths):
        layers += [nn.Linear(below, width), activation()]
    return nn.Sequential(*layers[:-1])


def binary_weights(widths: Sequence[int]) -> nn.Sequential:
    """ReLU between layers of binary weights, with gain √2 for the hidden layers and 1 for the last."""
    layers: list[nn.Module] = []
    for below, width in itertools.pairwise(widths[:-1]):
        layers += [BinaryLinear(below, width, math.sqrt(2), bias=True), nn.ReLU()]
    return nn.Sequential(*layers, BinaryLinear(widths[-2], widths[-1], 1, bias=True))


def binarynet(widths: Sequence[int]) -> nn.Sequential:
    """Binary weights, batch normalisation instead of hidden biases, and signs."""
    layers: list[nn.Module] = []
    for below, width in itertools.pairwise(widths[:-1]):
        layers += [BinaryLinear(below, width, 1, bias=False), nn.BatchNorm1d(width), Sign()]
    return nn.Sequential(*layers, BinaryLinear(widths[-2], widths[-1], 1, bias=True))


def build(variant: str, widths: Sequence[int]) -> nn.Sequential:
    if variant == "binary-weights":
        return binary_weights(widths)
    if variant == "binarynet":
        return binarynet(widths)
    activations: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "ste": Sign}
    return real_weights(widths, activations.get(variant, nn.ReLU))
