"""Circuits: exact logic with integer weights, read from a model, proved and written down."""

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.formats import load, save
from boolearn.circuit.gate import Gate, Kind

__all__ = ["Circuit", "Gate", "Kind", "Literal", "load", "save"]
