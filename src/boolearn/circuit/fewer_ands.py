"""Fewer And nodes: a circuit rewritten by aigverse, the Python package of the logic synthesis library mockturtle.

Cut rewriting replaces small parts by the best known ones, resubstitution expresses a node by others that are there,
refactoring factors larger parts again; they take turns as long as one of them saves a node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boolearn.circuit.building import FALSE, CircuitBuilder, negation
from boolearn.circuit.circuit import Circuit, Literal, checked_circuit
from boolearn.circuit.proof.proof import prove_equal
from boolearn.circuit.rewriting.and_graph import AndGraph
from boolearn.errors import MissingExtraError

if TYPE_CHECKING:
    from aigverse.networks import Aig


def with_fewer_ands(circuit: Circuit, time_limit: float | None = 60.0) -> Circuit:
    """The same function from And gates of two inputs, or the circuit itself where that has no fewer And nodes.

    The result is proved equal to the circuit. ``time_limit`` is how many seconds a SAT solver may take for it; what is
    not proved within them is not returned. Names of gates are lost. Needs aigverse (the ``eda`` extra).
    """
    graph = AndGraph(checked_circuit(circuit))
    rewritten = _circuit(_rewritten(_aig(graph)), circuit)
    if rewritten.ands() >= len(graph.ands) or not prove_equal(circuit, rewritten, time_limit=time_limit):
        return circuit
    return rewritten


def _rewritten(aig: Aig) -> Aig:
    from aigverse.algorithms import aig_cut_rewriting, aig_resubstitution, cleanup_dangling, sop_refactoring

    steps: tuple[Any, ...] = (aig_cut_rewriting, aig_resubstitution, sop_refactoring)
    best, idle = aig, 0
    while idle < len(steps):
        for step in steps:
            tried = cleanup_dangling(step(best))
            idle = 0 if tried.num_gates < best.num_gates else idle + 1
            best = tried if not idle else best
            if idle == len(steps):
                break
    return best


def _aig(graph: AndGraph) -> Aig:
    try:
        from aigverse.networks import Aig
    except ImportError as error:
        raise MissingExtraError("rewriting a circuit with aigverse", "eda") from error
    aig = Aig()
    signals = [aig.get_constant(False), *(aig.create_pi() for _ in range(graph.n_inputs))]

    def signal(literal: int) -> Any:
        return ~signals[literal >> 1] if literal & 1 else signals[literal >> 1]

    for high, low in graph.ands:
        signals.append(aig.create_and(signal(high), signal(low)))
    for literal in graph.outputs:
        aig.create_po(signal(literal))
    return aig


def _circuit(aig: Aig, like: Circuit) -> Circuit:
    """The graph as a circuit with the names of another."""
    builder = CircuitBuilder(like.inputs)
    literals: dict[int, Literal] = {0: FALSE}
    literals.update((node, Literal(index)) for index, node in enumerate(aig.pis()))

    def literal(signal: Any) -> Literal:
        positive = literals[aig.get_node(signal)]
        return negation(positive) if aig.is_complemented(signal) else positive

    for node in aig.gates():
        literals[node] = builder.conjunction(literal(signal) for signal in aig.fanins(node))
    return builder.circuit((name, literal(signal)) for (name, _), signal in zip(like.outputs, aig.pos(), strict=True))
