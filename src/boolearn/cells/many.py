"""Functions of many regulators: the gate search, on a small network whose layers all read every candidate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.rewriting.simplify import trace
from boolearn.data.dataset import Dataset
from boolearn.network.builders import layered
from boolearn.solver import Gates, Status
from boolearn.training import train

Bits = npt.NDArray[np.bool_]

_WIDTHS = (8, 6, 4, 1)
_SWEEPS = 1000
"""Most functions are found within some hundred; the rest of them shortens the circuit."""


def circuit_of_many(states: Bits, values: Bits, names: tuple[str, ...], seed: int) -> Circuit | None:
    """A circuit that is right for every row, with the candidates that it needs as inputs; None where none is found."""
    data = Dataset(states, values[:, None], input_names=names, output_names=("next",))
    network = layered(len(names), *_WIDTHS, reads="inputs")
    run = train(network, data, solver=Gates(), max_iter=_SWEEPS, seed=seed, threads=1)
    if run.status is Status.INTERRUPTED:  # not to be taken for a function that was not found
        raise KeyboardInterrupt
    if not run.solved:
        return None
    return trace(run.circuit().simplify(), "next")
