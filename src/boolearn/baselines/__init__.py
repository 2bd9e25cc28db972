"""What others would use, to compare with."""

from boolearn.baselines.exact import Answer, ExactSynthesis, SynthesisBudget, SynthesisStatus, smallest_circuit
from boolearn.baselines.exact_encoding import Library
from boolearn.baselines.specification import Specification

__all__ = [
    "Answer",
    "ExactSynthesis",
    "Library",
    "Specification",
    "SynthesisBudget",
    "SynthesisStatus",
    "smallest_circuit",
]
