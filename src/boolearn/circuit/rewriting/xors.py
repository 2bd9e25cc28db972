"""Exclusive ors that other gates compute, such as ``(a | b) & ~(a & b)``, as Xor gates."""

from __future__ import annotations

import itertools
from dataclasses import replace

from boolearn.circuit.circuit import Circuit, checked_circuit
from boolearn.circuit.gate import Gate, exclusive
from boolearn.circuit.rewriting.simplify import remove_dead

Pair = tuple[int, int]
"""Two signals, the earlier first."""
Table = tuple[int, ...]
"""What a signal holds for the four values of a pair."""

_FIRST, _SECOND = (-1, -1, 1, 1), (-1, 1, -1, 1)
_SIGNS: dict[Table, int] = {(-1, 1, 1, -1): 1, (1, -1, -1, 1): -1}
"""Xor and its negation, and the sign that one input of a Xor has for them."""
_MOST_INPUTS = 4


def with_xors(circuit: Circuit) -> Circuit:
    """The same function with a Xor in the place of every gate that is, by its last levels, one of two earlier signals.

    Gates between that nothing reads any more are dropped; the result never has more gates. Copies and gates of more
    than four inputs are not looked through, so simplify first.
    """
    tables: list[dict[Pair, Table]] = [{} for _ in checked_circuit(circuit).inputs]
    gates = []
    for gate in circuit.gates:
        found = _tables(gate, tables)
        tables.append(found)
        pair = min((pair for pair, table in found.items() if table in _SIGNS), default=None)
        if pair is not None and not gate.xor:
            gate = exclusive([(pair[0], _SIGNS[found[pair]]), (pair[1], 1)], gate.name)
        gates.append(gate)
    return remove_dead(replace(circuit, gates=tuple(gates)))


def _tables(gate: Gate, tables: list[dict[Pair, Table]]) -> dict[Pair, Table]:
    """The gate as a function of two signals: for all pairs of which each of its inputs is one, or a function."""
    if not 2 <= len(gate.inputs) <= _MOST_INPUTS:
        return {}
    pairs = {*itertools.combinations(sorted(gate.inputs), 2)}.union(*(tables[signal] for signal in gate.inputs))
    found = {}
    for pair in pairs:
        leaves = {pair[0]: _FIRST, pair[1]: _SECOND}
        read = [leaves.get(signal) or tables[signal].get(pair) for signal in gate.inputs]
        columns = [column for column in read if column]
        if len(columns) == len(read):
            found[pair] = tuple(map(gate.value, zip(*columns, strict=True)))
    return found
