"""Whether a network squeezes what it reads through fewer values."""

from __future__ import annotations

import numpy as np

from boolearn.network.network import CONSTANT, Network


def has_bottleneck(network: Network) -> bool:
    """Whether somewhere between inputs and outputs fewer values pass than there are of either.

    Between two levels pass the nodes up to the first that are read after it, and the outputs among them. An
    autoencoder has a bottleneck, its code.
    """
    level = network.level
    depth = int(level.max())
    last_read = level.copy()
    np.maximum.at(last_read, network.sender, level[network.receiver])
    last_read[network.first_output :] = depth  # outputs of an earlier level have no reader
    last_read[CONSTANT] = 0
    passing = [np.count_nonzero((level <= after) & (last_read > after)) for after in range(1, depth)]
    return any(number < min(network.n_inputs, network.n_outputs) for number in passing)
