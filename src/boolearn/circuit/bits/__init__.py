"""Circuits as straight-line programs over words of bits: 64 items a word, one operation for all of them."""

from boolearn.circuit.bits.packing import pack, unpack
from boolearn.circuit.bits.patterns import patterns
from boolearn.circuit.bits.program import Program, compile_circuit
from boolearn.circuit.threshold.all_inputs import all_inputs

__all__ = ["Program", "all_inputs", "compile_circuit", "pack", "patterns", "unpack"]
