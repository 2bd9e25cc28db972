"""What others would use, to compare with. All have one interface: ``method.fit(data, seed=0)`` gives a Fitted, with
``predict`` and ``report``.

method
    The interface.
gradient
    The paper's gradient networks (extra ``gradient``).
logic_gates
    A differentiable logic-gate network (extra ``gradient``).
linear, trees, kmodes
    Ridge and logistic regression; trees, forests, boosting; k-modes for data without inputs.
tsetlin, genetic
    A Tsetlin machine; genetic programming of formulas (extra ``peers``).
ours
    RRR, the gate search and exact synthesis as rows of the same table.
exact
    Exact synthesis by SAT.
"""

from boolearn.baselines.exact import Answer, ExactSynthesis, SynthesisBudget, SynthesisStatus, smallest_circuit
from boolearn.baselines.exact_encoding import Library
from boolearn.baselines.kmodes import KModes, Modes, kmodes
from boolearn.baselines.linear import Logistic, Ridge
from boolearn.baselines.method import Fitted, Method, Model, Report
from boolearn.baselines.specification import Specification
from boolearn.baselines.trees import Boosting, Forest, Tree

__all__ = [
    "Answer",
    "Boosting",
    "ExactSynthesis",
    "Fitted",
    "Forest",
    "KModes",
    "Library",
    "Logistic",
    "Method",
    "Model",
    "Modes",
    "Report",
    "Ridge",
    "Specification",
    "SynthesisBudget",
    "SynthesisStatus",
    "Tree",
    "kmodes",
    "smallest_circuit",
]
