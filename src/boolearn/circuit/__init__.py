"""Circuits: exact logic with integer weights, read from a model, proved and written down."""

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.evaluate import CompiledCircuit
from boolearn.circuit.gate import Gate, Kind

__all__ = ["Circuit", "CompiledCircuit", "Gate", "Kind", "Literal"]
