"""A run as one HTML page that needs nothing else: curves, weights, the circuit, its proof, and how to repeat it."""

from boolearn.report.contents import Contents, collect
from boolearn.report.page import render

__all__ = ["Contents", "collect", "render"]
