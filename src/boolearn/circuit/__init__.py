"""Circuits: exact logic with integer weights, read from a model, proved and written down."""

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.evaluate import CompiledCircuit
from boolearn.circuit.extraction.extraction import Extraction, extract, extract_and_explain
from boolearn.circuit.extraction.relevance import ThresholdForm, threshold_form
from boolearn.circuit.formats import load, save
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.proof.proof import Counterexample, Proof, prove_equal
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.circuit.rewriting.simplify import simplify
from boolearn.circuit.summary import CircuitSummary, summarize
from boolearn.circuit.text.expressions import circuit_from_formulas
from boolearn.circuit.text.formulas import formula_text, formulas

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
