"""Circuits: exact logic with integer weights, read from a model, proved and written down."""

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.decompose import decompose
from boolearn.circuit.evaluate import CompiledCircuit
from boolearn.circuit.expressions import circuit_from_formulas
from boolearn.circuit.extraction import Extraction, extract, extract_and_explain
from boolearn.circuit.formats import load, save
from boolearn.circuit.formulas import formula_text, formulas
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.proof import Counterexample, Proof, prove_equal
from boolearn.circuit.relevance import ThresholdForm, threshold_form
from boolearn.circuit.simplify import simplify
from boolearn.circuit.summary import CircuitSummary, summarize

__all__ = [
    "Circuit",
    "CircuitSummary",
    "CompiledCircuit",
    "Counterexample",
    "Extraction",
    "Gate",
    "Kind",
    "Literal",
    "Proof",
    "ThresholdForm",
    "circuit_from_formulas",
    "decompose",
    "extract",
    "extract_and_explain",
    "formula_text",
    "formulas",
    "load",
    "prove_equal",
    "save",
    "simplify",
    "summarize",
    "threshold_form",
]
