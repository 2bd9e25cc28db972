"""What the variants add to an AdamW step: penalties before it, a projection or clipping after it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from torch import Tensor, nn

NORM_PENALTY, L1_PENALTY = 1e-2, 1e-4
"""λ_norm and λ_1 of the paper's appendix A."""

SUPPORT = 3
"""k of Projected-AdamW: the weights a row keeps."""

_LEAST_SQUARE = 1e-12


def weight_matrices(net: nn.Module) -> Iterator[Tensor]:
    return (layer.weight for layer in net.modules() if isinstance(layer, nn.Linear))


def penalty(net: nn.Module) -> Tensor:
    """Penalty-AdamW: squared row norms should be the fan-in, and weights small; biases are free."""
    total = torch.zeros(())
    for weights in weight_matrices(net):
        squares = (weights**2).sum(dim=1)
        total = total + NORM_PENALTY * ((squares - weights.shape[1]) ** 2).mean() + L1_PENALTY * weights.abs().mean()
    return total


@torch.no_grad()
def project(net: nn.Module) -> None:
    """Projected-AdamW: of every row the three greatest weights stay, with the fan-in as their squared norm."""
    for weights in weight_matrices(net):
        kept = weights.abs().topk(min(SUPPORT, weights.shape[1]), dim=1).indices
        sparse = torch.zeros_like(weights).scatter(1, kept, weights.gather(1, kept))
        norm = (sparse**2).sum(dim=1, keepdim=True).clamp(min=_LEAST_SQUARE).sqrt()
        weights.copy_(math.sqrt(weights.shape[1]) * sparse / norm)


@torch.no_grad()
def clip(net: nn.Module) -> None:
    """Binary weights: the real numbers behind the signs stay within ±1."""
    for weights in weight_matrices(net):
        weights.clamp_(-1, 1)
