"""What others reach on the same items as the gate search: accuracy on unseen items."""

from __future__ import annotations

import time

import numpy as np
from gate_cases import Case, Draw

from boolearn.network import Network
from boolearn.solver import train
from boolearn.solver.benchmark import GradientBaseline


def ridge_accuracy(draw: Draw, strength: float = 1.0) -> float:
    """On unseen items, of the signs of a linear regression of every output with a penalty on its coefficients."""
    assert draw.test is not None
    train, test = (np.column_stack([part.inputs, np.ones(len(part))]) for part in (draw.train, draw.test))
    coefficients = np.linalg.solve(train.T @ train + strength * np.eye(train.shape[1]), train.T @ draw.train.outputs)
    return float((np.where(test @ coefficients >= 0, 1, -1) == draw.test.outputs).mean())


def rrr_accuracy(case: Case, draw: Draw, seed: int, seconds: float) -> float:
    """Of RRR's network after so many seconds, or as soon as it fits."""
    assert draw.test is not None
    run = train(case.network, draw.train, noise=case.noise, seed=seed, max_seconds=seconds, threads=1)
    return run.model.accuracy(draw.test)


def adamw_accuracy(network: Network, draw: Draw, seed: int, seconds: float) -> float:
    """Of the gradient network with the least loss on a tenth of the items, which are kept from the training."""
    assert draw.test is not None
    baseline = GradientBaseline(network, threads=1, seed=seed)
    import torch

    fitted, kept = draw.train.split(len(draw.train) - len(draw.train) // 10)
    assert kept is not None
    (inputs, targets), checks, unseen = (
        [baseline.tensor(part) for part in (dataset.inputs, dataset.outputs)] for dataset in (fitted, kept, draw.test)
    )
    least, accuracy = float("inf"), 0.0
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        for _ in range(50):
            baseline.step(inputs, targets)
        with torch.no_grad():
            if (now := float(baseline.loss(baseline.net(checks[0]), checks[1]))) < least:
                right = (baseline.net(unseen[0]) > 0) == (unseen[1] > 0)
                least, accuracy = now, float(right.float().mean())
    return accuracy
