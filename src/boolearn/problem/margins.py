"""The margin every neuron must keep: μ = sqrt(m/σ) for a neuron with m inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from boolearn.errors import ParameterError
from boolearn.network import Network

Sigma = float | Sequence[float] | npt.NDArray[np.floating] | Callable[[int], float]
"""A number, one per layer, one per neuron, or a function of the node's number."""


def support_per_neuron(network: Network, sigma: Sigma) -> npt.NDArray[np.float64]:
    """The support parameter σ of every neuron. With margin sqrt(m/σ) a neuron has at most σ relevant inputs."""
    if callable(sigma):
        values = np.array([_asked(sigma, node) for node in range(network.first_neuron, network.n_nodes)])
    else:
        try:
            values = _numbers(sigma)
        except (TypeError, ValueError, OverflowError):
            raise ParameterError("sigma", "a number, several numbers or a function", sigma) from None
        levels = network.level[network.first_neuron :]
        if values.ndim == 0:
            values = np.full(network.n_neurons, float(values))
        elif values.shape == (levels.max(),) and len(values) != network.n_neurons:
            values = values[levels - 1]
        elif values.shape != (network.n_neurons,):
            raise ParameterError(
                "sigma", f"a number, {levels.max()} numbers (layers) or {network.n_neurons} (neurons)", sigma
            )
    bad = values[~(np.isfinite(values) & (values >= 1))]
    if bad.size:
        raise ParameterError("sigma", "finite and at least 1", float(bad[0]))
    return values


def _numbers(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = np.asarray(values)
    if array.dtype.kind not in "iufO":  # NumPy would make numbers of text and of truth values
        raise TypeError
    if array.dtype.kind == "O":  # fractions and such; NumPy would make NaN of None
        return np.array([float(value) for value in array.ravel()]).reshape(array.shape)
    return array.astype(np.float64)


def _asked(sigma: Callable[[int], float], node: int) -> float:
    """What a user's function says about one neuron."""
    rule = f"a function that gives a number for every neuron, node {node} too"
    try:
        answer = sigma(node)
    except Exception as error:
        raise ParameterError("sigma", rule, error) from error
    try:
        return float(_numbers(answer).reshape(()))
    except (TypeError, ValueError, OverflowError):
        raise ParameterError("sigma", rule, answer) from None


def margins(network: Network, sigma: Sigma) -> npt.NDArray[np.float64]:
    """Shape (n_neurons,): the least ``|w·x|`` every neuron must keep."""
    return np.sqrt(network.fan_in / support_per_neuron(network, sigma))


def larger_margins(network: Network, margins: npt.NDArray[np.float64], share: float) -> npt.NDArray[np.float64]:
    """Those for a σ that has come only this share of the way from 1, the least it can be, to its value."""
    sigma = network.fan_in / margins**2
    return np.sqrt(network.fan_in / (1 + share * (sigma - 1))) if share < 1 else margins
