"""A search that is handed over to a fresh object every round."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boolearn.problem import Problem
from boolearn.solver.gates.annealer import GateAnnealer


def relayed(
    problem: Problem, noise: float = 0.0, most: int = 10**6, xor: bool = False
) -> tuple[GateAnnealer, set[int]]:
    """A search, after another that a fresh object took over every round went the same way; and the stages of both."""
    problem = replace(problem, noise=noise)
    whole = GateAnnealer(problem, 5, xor=xor)
    relay = GateAnnealer(problem, 5, xor=xor)
    stages = set()
    for _ in range(most):
        if whole.finished:
            break
        stages.add(int(whole._stage))
        expected = whole.advance()
        # A fresh object every round: whatever were left out of the snapshot would show at once.
        relay.close()
        state = relay.snapshot()
        relay = GateAnnealer(problem, 5, xor=xor, threads=2)
        relay.restore(state)
        assert relay.advance() == expected
        after = relay.snapshot()
        for name, array in whole.snapshot().items():
            assert np.array_equal(array, after[name]), name
    assert whole.finished == relay.finished
    whole.close()
    relay.close()
    return whole, stages
