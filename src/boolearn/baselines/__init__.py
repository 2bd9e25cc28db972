"""What others would use, to compare with."""

from boolearn.baselines.exact import Answer, Budget, ExactSynthesis, SynthesisStatus, smallest_circuit
from boolearn.baselines.exact_encoding import Library
from boolearn.baselines.specification import Specification

__all__ = ["Answer", "Budget", "ExactSynthesis", "Library", "Specification", "SynthesisStatus", "smallest_circuit"]
