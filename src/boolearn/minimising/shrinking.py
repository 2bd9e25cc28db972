"""The gate search on shrinking networks: each has room for one gate less than the best circuit.

The network is a chain of neurons, each of which reads all inputs and all neurons before it, so it can hold every
circuit with that many gates.
"""

from __future__ import annotations

from collections.abc import Iterator

from boolearn.circuit import Circuit
from boolearn.data import Dataset
from boolearn.network import layered
from boolearn.solver import Status
from boolearn.training import train

_MOST_SWEEPS = 3000
_MOST_ROWS = 4096
_MOST_GATES = 40
"""Where more are needed the chain is too long to be searched well."""


def worth_searching(data: Dataset, gates: int) -> bool:
    return len(data) <= _MOST_ROWS and 2 <= gates <= _MOST_GATES


def circuits(data: Dataset, gates: int, seed: int, max_seconds: float, threads: int | None) -> Iterator[Circuit | None]:
    """Circuits of at most ``gates`` gates for the data, then of one less, and so on; None at the end if interrupted.

    Gates may be majorities; what they cost in another library has to be counted afterwards.
    """
    while (hidden := gates - data.n_output_nodes) >= 1:
        network = layered([data.n_inputs, *[1] * hidden, data.n_output_nodes], reads="everything")
        run = train(
            network,
            data,
            solver="gates",
            seed=seed,
            stop="fit",
            max_iter=_MOST_SWEEPS,
            max_seconds=max_seconds,
            threads=threads,
        )
        if run.status is Status.INTERRUPTED:
            yield None
        if run.train_accuracy < 1 or run.status is Status.INTERRUPTED:
            return
        yield run.circuit()
        gates -= 1
