"""What others reach on the same items as the gate search: accuracy on unseen items."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
from gate_cases import Case, Draw

from boolearn.data import Dataset
from boolearn.errors import MissingExtraError
from boolearn.network import Network
from boolearn.solver import train


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
    """Of the paper's gradient baseline: the same layers, ReLU, cross-entropy, AdamW, all items in every step.

    The network is the one with the least loss on a tenth of the items, which are kept from the training.
    """
    try:
        import torch
    except ImportError:
        raise MissingExtraError("training with AdamW", "gradient") from None
    assert draw.test is not None
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    widths = [network.n_inputs, *(len(nodes) for nodes, _ in network.blocks)]
    layers: list[Any] = []
    for below, width in itertools.pairwise(widths):
        layers += [torch.nn.Linear(below, width), torch.nn.ReLU()]
    net = torch.nn.Sequential(*layers[:-1])
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-4)
    loss = torch.nn.BCEWithLogitsLoss()

    def tensors(dataset: Dataset) -> tuple[Any, Any]:
        return tuple(torch.tensor((part + 1) / 2, dtype=torch.float32) for part in (dataset.inputs, dataset.outputs))  # type: ignore[return-value]

    fitted, kept = draw.train.split(len(draw.train) - len(draw.train) // 10)
    (inputs, targets), checks, unseen = tensors(fitted), tensors(kept), tensors(draw.test)
    least, accuracy = float("inf"), 0.0
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        for _ in range(50):
            optimizer.zero_grad()
            loss(net(inputs), targets).backward()
            optimizer.step()
        with torch.no_grad():
            if (now := float(loss(net(checks[0]), checks[1]))) < least:
                least, accuracy = now, float(((net(unseen[0]) > 0) == (unseen[1] > 0)).float().mean())
    return accuracy
