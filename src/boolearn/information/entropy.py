"""s: how many bits the outputs of an item give, estimated from samples of them.

The entropy of many bits cannot be counted from few samples: N samples show at most log₂ N bits. So there is no one
number here, but estimates with known biases, and bounds on both sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import minimum_spanning_tree

from boolearn.data.signs import Signs

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Entropy:
    """In bits."""

    samples: int
    distinct: int
    """Different outputs among the samples."""
    coverage: float
    """Good and Turing's estimate of the probability that one more sample is an output seen before."""
    plug_in: float
    """Of the frequencies as they are, as in the paper. On average too low, and never above log₂ of the samples."""
    miller_madow: float
    """The same, with the first term of its bias, (distinct − 1)/(2 samples), added; too low where coverage is low."""
    chao_shen: float
    """Frequencies scaled by the coverage, and unseen outputs made up for. The best where the coverage is not high."""
    collision: float
    """−log₂ of the probability that two samples agree, which pairs of samples show without bias. Never above s."""
    tree: float
    """Sum of the entropies of single bits, less what the best tree of pairs of bits shares. Never below s."""

    @property
    def lower(self) -> float:
        """What s is at least, but for chance."""
        return min(max(self.plug_in, self.collision), self.tree)

    @property
    def best(self) -> float:
        """The estimate to use: Chao and Shen's, kept between the bounds."""
        return min(max(self.chao_shen, self.lower), self.tree)


def output_entropy(outputs: Signs) -> Entropy:
    """The entropy of rows of ±1, which must be independent samples."""
    samples = len(outputs)
    counts = _counts(outputs)
    plug_in = _entropy(counts / samples)
    coverage = _coverage(counts)
    pairs, agreeing = samples * (samples - 1) / 2, float((counts * (counts - 1.0)).sum() / 2)
    return Entropy(
        samples=samples,
        distinct=len(counts),
        coverage=coverage,
        plug_in=plug_in,
        miller_madow=plug_in + (len(counts) - 1) / (2 * samples * math.log(2)),
        chao_shen=_chao_shen(counts, coverage),
        # Without any agreeing pair it is as if there were one.
        collision=math.log2(max(pairs, 1) / max(agreeing, 1)),
        tree=tree_entropy(outputs),
    )


def _counts(outputs: Signs) -> npt.NDArray[np.intp]:
    """How often every output that occurs does."""
    packed = np.packbits(outputs > 0, axis=1)
    if packed.shape[1] <= 8:  # as whole numbers, which are sorted ten times faster than rows
        wide = np.zeros((len(packed), 8), np.uint8)
        wide[:, : packed.shape[1]] = packed
        return np.unique(wide.view(np.uint64), return_counts=True)[1]
    return np.unique(packed, axis=0, return_counts=True)[1]


def tree_entropy(outputs: Signs) -> float:
    """The entropy of the best tree of pairs (Chow and Liu): it has the pairs' distributions and else the most entropy.

    In few samples single bits look less random and pairs more dependent than they are: by 1/(2 samples) nats on
    average, and the most dependent of many pairs by about ln(pairs)/samples. Both are made up for, to keep it a bound.
    """
    samples, bits = outputs.shape
    ones = (outputs > 0).astype(np.float64)
    single = ones.mean(axis=0)
    both = ones.T @ ones / samples
    cells = [both, single[:, None] - both, single[None, :] - both, 1 - single[:, None] - single[None, :] + both]
    joint = -sum(_log_terms(cell) for cell in cells)
    alone = -_log_terms(single) - _log_terms(1 - single)
    shared = alone[:, None] + alone[None, :] - joint - math.log2(max(bits * (bits - 1) / 2, 1)) / samples
    shared = np.triu(np.maximum(shared, 0), 1)
    # The sparse tree would take a weight of 0 for no edge, and a pair that shares nothing adds nothing.
    tree = -minimum_spanning_tree(-shared).sum() if bits > 1 else 0.0
    varying = int(((single > 0) & (single < 1)).sum())
    return float(alone.sum() + varying / (2 * samples * math.log(2)) - tree)


def _log_terms(p: Floats) -> Floats:
    """p log₂ p, which is 0 at 0; differences of frequencies may be a rounding error below."""
    p = np.maximum(p, 0)
    return p * np.log2(np.where(p > 0, p, 1))


def _entropy(p: Floats) -> float:
    return -float(_log_terms(p).sum())


def _coverage(counts: npt.NDArray[np.intp]) -> float:
    """One less the share of samples that were seen once; where all were, as if one had been seen twice."""
    samples, once = int(counts.sum()), int((counts == 1).sum())
    return 1 - min(once, samples - 1) / samples


def _chao_shen(counts: npt.NDArray[np.intp], coverage: float) -> float:
    samples = counts.sum()
    p = coverage * counts / samples
    seen = -np.expm1(samples * np.log1p(-p)) if coverage < 1 or len(counts) > 1 else np.ones(1)
    return -float((_log_terms(p) / seen).sum())
