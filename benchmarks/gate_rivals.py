"""What others reach on the same items as the gate search: accuracy on unseen items."""

from __future__ import annotations

from gate_cases import Case, Draw

from boolearn.baselines import Ridge
from boolearn.baselines.gradient import GradientNetwork
from boolearn.network import Network
from boolearn.training import train


def ridge_accuracy(draw: Draw) -> float:
    """On unseen items, of the signs of a linear regression of every output with a penalty on its coefficients."""
    assert draw.test is not None
    bits = Ridge().fit(draw.train).report(draw.train, draw.test).test_bits
    assert bits is not None
    return bits


def rrr_accuracy(case: Case, draw: Draw, seed: int, seconds: float) -> float:
    """Of RRR's network when it is solved or the seconds are over."""
    assert draw.test is not None
    run = train(case.network, draw.train, noise=case.noise, seed=seed, max_seconds=seconds, threads=1)
    return run.model.accuracy(draw.test)


def adamw_accuracy(network: Network, draw: Draw, seed: int, seconds: float) -> float:
    """Of the gradient network with the least loss on a tenth of the items, which are kept from the training."""
    assert draw.test is not None
    fitted, held_out = draw.train.split(len(draw.train) - len(draw.train) // 10)
    gradient = GradientNetwork.like(network, seed=seed, threads=1)
    gradient.fit(fitted, held_out=held_out, max_cpu_seconds=seconds)
    return gradient.accuracy(draw.test)
