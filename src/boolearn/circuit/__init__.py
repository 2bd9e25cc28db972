"""Circuits: exact logic with integer weights, extracted from a model, proved equal to it and written to files.

Each package imports only from those below it in this list.

formats, drawing
    Circuits as files and as pictures.
fewer_ands
    Rewriting by a logic synthesis library, with a proof.
proof
    Whether two descriptions compute the same function, and whether a circuit agrees with data.
extraction
    From a model's real weights to gates.
text
    Circuits as formulas, and formulas as circuits.
building, rewriting
    Circuits made gate by gate, and other circuits for the same function: simpler, from And and Or alone, in part.
bits, evaluate
    Evaluation of 64 items a word.
circuit, gate, summary, names, ordering
    What a circuit is, what it is in numbers, names for its signals, an order for definitions.
threshold
    Threshold functions by themselves: relevant inputs, smallest weights, decision diagrams, binary sums.
"""

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.evaluate import CompiledCircuit
from boolearn.circuit.extraction.extraction import Extraction, extract, extract_and_explain
from boolearn.circuit.fewer_ands import with_fewer_ands
from boolearn.circuit.formats import load, save
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.proof.agreement import Agreement, agreement
from boolearn.circuit.proof.proof import Counterexample, Proof, prove_equal
from boolearn.circuit.rewriting.and_graph import count_ands
from boolearn.circuit.rewriting.as_model import as_model
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.circuit.rewriting.simplify import simplify, trace
from boolearn.circuit.rewriting.xors import with_xors
from boolearn.circuit.summary import CircuitSummary, summarize
from boolearn.circuit.text.definitions import circuit_from_formulas
from boolearn.circuit.text.formulas import formula_text, formulas
from boolearn.circuit.threshold.relevance import ThresholdForm, threshold_form

__all__ = [
    "Agreement",
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
    "agreement",
    "as_model",
    "circuit_from_formulas",
    "count_ands",
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
    "trace",
    "with_fewer_ands",
    "with_xors",
]
