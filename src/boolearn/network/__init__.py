"""Network: which node feeds which. Builders and the C toolkit's network files."""

from boolearn.network.builders import from_edges, from_names, layered
from boolearn.network.files import read_net, read_widths, write_net, write_widths
from boolearn.network.network import CONSTANT, Network

__all__ = [
    "CONSTANT",
    "Network",
    "from_edges",
    "from_names",
    "layered",
    "read_net",
    "read_widths",
    "write_net",
    "write_widths",
]
