"""Random logic circuits, as the paper's section *Logic circuits* draws them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_choice, checked_number, generator
from boolearn.errors import ParameterError
from boolearn.model.boolnet import BoolNet
from boolearn.network import layered
from boolearn.network.size import checked_widths

_GATE_INPUTS = {"andor": 2, "maj": 3}

Floats = npt.NDArray[np.float64]


def random_model(
    *widths: int | Iterable[int], gates: str = "andor", gate_probability: float = 0.5, seed: int
) -> BoolNet:
    """A random circuit on the fully connected layers ``widths``, its weights sparse and exact.

    Every node is, independently and with ``gate_probability``, a gate (2-input And/Or or 3-input
    Maj), else a copy of one node. The nodes it reads are uniform among all singles, pairs or
    triples of the layer below, with one proviso: every node of the layer below is read by some
    node. Every edge is negated with probability ½, the constant's edge of And/Or included, which
    makes it And or Or. With m edges into a node, a copy's weight is ±√m, a gate's are ±√(m/3).

    When too few gates are drawn to read every node below, the gates of that layer are drawn again.
    """
    layers = checked_widths(widths)
    checked_choice("gates", gates, tuple(_GATE_INPUTS))
    gate_probability = checked_number("gate_probability", gate_probability, "from 0 to 1", lambda p: 0 <= p <= 1)
    # Not the stream of the bare seed, from which data sets are drawn: a circuit and its inputs may share a seed.
    rng = generator(seed).spawn(1)[0]
    rows = []
    for below, width in itertools.pairwise(layers):
        is_gate = _draw_gates(width, below, _GATE_INPUTS[gates], gate_probability, rng)
        reads = draw_reads(np.where(is_gate, _GATE_INPUTS[gates], 1), below, rng)
        rows.append(_layer_weights(is_gate, reads, below, gates, rng).ravel())
    return BoolNet(layered(layers), np.concatenate(rows))


def draw_reads(n_reads: npt.NDArray[np.integer], below: int, rng: np.random.Generator) -> list[list[int]]:
    """For every node a set of ``n_reads`` nodes below, uniform among all choices that leave none out.

    Counting makes this exact: from the number of ways to finish, given how many nodes below are
    still unread, follows the chance that the next node reads k of those; which ones is uniform.
    """
    ways = _log_ways_to_finish(n_reads, below)
    unread = rng.permutation(below).tolist()
    read: list[int] = []
    chosen = []
    for node, reads in enumerate(n_reads.tolist()):
        log_ways = [
            ways[node + 1, len(unread) - k] + _log(math.comb(len(unread), k) * math.comb(len(read), reads - k))
            for k in range(min(reads, len(unread)) + 1)
        ]
        k = _draw(np.array(log_ways), rng)
        # The unread nodes stand in random order, so the last k of them are a uniform choice.
        fresh = [unread.pop() for _ in range(k)]
        again = [read[index] for index in rng.choice(len(read), reads - k, replace=False)] if reads > k else []
        read += fresh
        chosen.append(fresh + again)
    return chosen


def _log_ways_to_finish(n_reads: npt.NDArray[np.integer], below: int) -> Floats:
    """Entry (j, u): the logarithm of how many ways nodes j, j+1, … can read so that u unread nodes are all read."""
    unread = np.arange(below + 1)
    ways = np.full((len(n_reads) + 1, below + 1), -np.inf)
    ways[-1, 0] = 0
    for node in range(len(n_reads) - 1, -1, -1):
        reads = int(n_reads[node])
        for k in range(min(reads, below) + 1):
            log_ways = _log_choose(unread[k:], k) + _log_choose(below - unread[k:], reads - k)
            ways[node, k:] = np.logaddexp(ways[node, k:], log_ways + ways[node + 1, : below + 1 - k])
    return ways


def _log_choose(n: npt.NDArray[np.integer], k: int) -> Floats:
    """The logarithm of how many ways there are to choose a few, k, of n."""
    ways = np.ones(n.shape)
    for index in range(k):
        ways = ways * (n - index) / (index + 1)
    with np.errstate(divide="ignore"):
        return np.log(ways)


def _log(ways: int) -> float:
    return math.log(ways) if ways else -math.inf


def _draw(log_weights: Floats, rng: np.random.Generator) -> int:
    """An index, drawn in proportion to the weights."""
    weights = np.exp(log_weights - log_weights.max())
    return int(rng.choice(len(weights), p=weights / weights.sum()))


def _draw_gates(
    width: int, below: int, gate_inputs: int, probability: float, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Which nodes are gates: independent draws, given that all together can read every node below."""
    most = width if probability > 0 else 0
    least = width if probability == 1 else 0
    if most and below < gate_inputs:
        raise ParameterError("widths", f"at least {gate_inputs} below a layer with {gate_inputs}-input gates", below)
    needed = max(least, math.ceil((below - width) / (gate_inputs - 1)))
    if needed > most:
        capacity = width + most * (gate_inputs - 1)
        raise ParameterError("widths", f"at most {capacity} below {width} nodes that can read no more", below)
    # Drawing again until there are enough gates is the same as drawing their number from the truncated
    # binomial distribution, which always ends.
    n_gates = needed
    if needed < most:
        log_odds = math.log(probability) - math.log1p(-probability)
        log_weights = [_log(math.comb(width, count)) + count * log_odds for count in range(needed, most + 1)]
        n_gates += _draw(np.array(log_weights), rng)
    return np.asarray(rng.permutation(width) < n_gates)


def _layer_weights(
    is_gate: npt.NDArray[np.bool_], reads: list[list[int]], below: int, gates: str, rng: np.random.Generator
) -> Floats:
    """Shape (width, 1 + below): every node's weights, the constant's first."""
    m = below + 1
    weights = np.zeros((len(is_gate), m))
    for node, senders in enumerate(reads):
        edges = [1 + sender for sender in senders]
        if is_gate[node] and gates == "andor":
            edges.append(0)
        signs = rng.integers(0, 2, len(edges)) * 2 - 1
        weights[node, edges] = signs * math.sqrt(m / len(edges))
    return weights
