"""boolearn classic layered: a fully connected layered network, all weights 0."""

from __future__ import annotations

from boolearn.cli.classic.options import NewNet, WidthFile


def layered(wth: WidthFile, net: NewNet) -> None:
    """Write a fully connected layered network, all weights 0."""
    import numpy as np

    from boolearn.network import layered, read_widths, write_net

    network = layered(*read_widths(wth))
    write_net(network, np.zeros(network.n_weights), net)
