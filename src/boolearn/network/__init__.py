"""Network: which node feeds which. Builders and the C toolkit's network files."""

from boolearn.network.builders import as_network, from_edges, from_names, layered
from boolearn.network.convolution import convolution_1d, convolution_2d, convolution_layer
from boolearn.network.files import read_net, read_widths, write_net, write_widths
from boolearn.network.narrow import has_bottleneck
from boolearn.network.network import CONSTANT, Network
from boolearn.network.stacking import Layer, dense, repeated, stacked

__all__ = [
    "CONSTANT",
    "Layer",
    "Network",
    "as_network",
    "convolution_1d",
    "convolution_2d",
    "convolution_layer",
    "dense",
    "from_edges",
    "from_names",
    "has_bottleneck",
    "layered",
    "read_net",
    "read_widths",
    "repeated",
    "stacked",
    "write_net",
    "write_widths",
]
