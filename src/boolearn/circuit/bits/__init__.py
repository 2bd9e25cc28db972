"""Circuits as straight-line programs over words of bits: 64 items a word, one operation for all of them."""

from boolearn.circuit.bits.packing import pack, patterns, unpack
from boolearn.circuit.bits.program import Program, compile_circuit

__all__ = ["Program", "compile_circuit", "pack", "patterns", "unpack"]
