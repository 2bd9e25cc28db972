r"""h: how many bits describe one of the functions that a network with the margin of σ can have.

Every neuron is one of a few gates of its inputs, the constant included. In a hidden layer neurons may change places,
and each may be negated together with whatever reads it, without any effect outside; such networks count as one.

Elser & Lal, "Logic circuits": h(32, 5, 3) = 1867.8 bits. It is an estimate: gates are only these where each sees all
combinations of its inputs, and there are further ways to write one function as two circuits.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from boolearn.checks import checked_number
from boolearn.errors import NetworkError
from boolearn.network import Network


@dataclass(frozen=True)
class _Kind:
    """Threshold functions of ``inputs`` relevant inputs that differ only in the order and signs of these inputs."""

    inputs: int
    orders: int
    sigma: int
    """The least σ whose margin they keep."""


KINDS = (_Kind(1, 1, 1), _Kind(3, 1, 3), _Kind(5, 1, 5), _Kind(4, 4, 7), _Kind(7, 1, 7))
"""Copies; majorities of 3, 5 and 7; and the gate with weights 2, 1, 1, 1.

Scale the margin to 1. A relevant input then has a weight of at least 1, as there is a case where it decides, so there
are at most σ of them. Every other gate of up to 8 inputs needs a norm² of at least 9.
"""
MOST_SIGMA = 9


def gates_of(inputs: int, sigma: float) -> int:
    """How many different gates a neuron can be that reads ``inputs`` nodes, one of them the constant."""
    sigma = checked_number(
        "sigma", sigma, "from 1 to below 9, where all gates are known", lambda v: 1 <= v < MOST_SIGMA
    )
    return sum(kind.orders * 2**kind.inputs * math.comb(inputs, kind.inputs) for kind in KINDS if kind.sigma <= sigma)


def description_bits(network: Network, sigma: float = 3) -> float:
    """h, in bits."""
    if network.tied:
        raise NetworkError("the number of functions is only known for networks without shared weights.")
    circuits = sum(math.log2(gates_of(int(m), sigma)) for m in network.fan_in)
    return circuits - same_circuits(network)


def same_circuits(network: Network) -> float:
    """log₂ of the number of circuits with the same function: hidden neurons exchanged or negated."""
    hidden = range(network.first_neuron, network.first_output)
    readers: dict[int, list[int]] = {node: [] for node in range(network.n_nodes)}
    for sender, receiver in zip(network.sender.tolist(), network.receiver.tolist(), strict=True):
        readers[sender].append(receiver)
    alike = Counter((tuple(network.senders(node).tolist()), tuple(readers[node])) for node in hidden)
    return len(hidden) + sum(math.lgamma(count + 1) for count in alike.values()) / math.log(2)
