"""Voices: how much what the receiver of an edge reads counts where set B makes sender and receivers agree.

In the paper all receivers of a neuron count the same, also those whose weight for it is next to nothing. What one
of them needs is then lost among many that do not care. With a focus φ an edge of weight w has the voice
(1 + φ w²)/(1 + φ), on average 1 over the edges of a neuron, because its weights have squared norm m.
"""

from __future__ import annotations

from boolearn.network import Network
from boolearn.problem.point import Floats


def voices(network: Network, weights: Floats, focus: float) -> Floats:
    """Shape (n_edges,): 1 everywhere for a focus of 0."""
    on_edges: Floats = weights[network.tie]
    return (1 + focus * on_edges**2) / (1 + focus)
