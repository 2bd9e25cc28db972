"""Regulators from noisy series that were measured more often than the cell changes.

There a variable is mostly what it was a moment ago, which says nothing about its regulators. Transfer entropy
(Schreiber, 2000) asks what another variable tells about the next value beyond what the variable's own value tells.
Influence takes its time, so it is added up over several delays; and as regulators of many variables are the rule in
cells, what a variable tells about one other counts as much as what it tells about all.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.cells.transitions import Transitions

Bits = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

DELAYS = (1, 2, 3, 5, 8, 12)
"""In time steps; those longer than all series are left out."""


def delayed(transitions: Transitions, delay: int) -> tuple[Bits, Bits]:
    """States and the states ``delay`` steps later in the same series."""
    last = len(transitions) - delay + 1
    if last < 1:
        return transitions.before[:0], transitions.after[:0]
    same = transitions.series[:last] == transitions.series[delay - 1 :]
    return transitions.before[:last][same], transitions.after[delay - 1 :][same]


def all_delayed(transitions: Transitions) -> tuple[Bits, Bits]:
    """The pairs of states of all delays, one below the other."""
    pairs = [delayed(transitions, delay) for delay in DELAYS]
    return np.concatenate([before for before, _ in pairs]), np.concatenate([after for _, after in pairs])


def influence(transitions: Transitions) -> Floats:
    """Shape (regulators, variables): transfer entropy over all delays, times its sum over a regulator's variables."""
    total = sum(transfer_entropy(*delayed(transitions, delay)) for delay in DELAYS)
    entropy = np.asarray(total, np.float64)
    np.fill_diagonal(entropy, 0)
    return np.asarray(entropy * entropy.sum(axis=1, keepdims=True))


def transfer_entropy(before: Bits, after: Bits) -> Floats:
    """Shape (j, i), in bits: what x_j tells about the later x_i beyond what x_i tells, I(x_j; x_i′ | x_i)."""
    n = before.shape[1]
    if not len(before):
        return np.zeros((n, n))
    was, becomes = before.astype(np.float64), after.astype(np.float64)
    total = np.zeros((n, n))
    for own in (was, 1 - was):
        count = np.array(
            [[sender.T @ (own * target) for target in (becomes, 1 - becomes)] for sender in (was, 1 - was)]
        )
        # Σ n·log n over the joint states, less that over the states of sender and of target, plus that over own states.
        total += _n_log_n(count).sum(axis=(0, 1)) + _n_log_n(count.sum(axis=(0, 1)))
        total -= _n_log_n(count.sum(axis=0)).sum(axis=0) + _n_log_n(count.sum(axis=1)).sum(axis=0)
    return np.maximum(total, 0) / len(before)


def _n_log_n(count: Floats) -> Floats:
    return np.asarray(count * np.log2(np.maximum(count, 1)))
