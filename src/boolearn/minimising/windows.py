"""Windows: a few neighbouring gates of a circuit, what they are asked for, and others put in their place.

A window may be replaced by anything that gives its outputs what the rest of the circuit needs. On input patterns that
never occur it may give anything, and on others, too, where the rest does not look or the specification is open:
for every pattern that occurs, all ways to set the window's outputs are tried against the specification.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from boolearn.baselines.specification import Specification
from boolearn.circuit import Circuit, Gate, Literal
from boolearn.circuit.bits import all_inputs
from boolearn.circuit.building import CircuitBuilder, signed
from boolearn.circuit.rewriting.decompose import decomposed_gate
from boolearn.circuit.rewriting.simplify import remove_dead
from boolearn.data.signs import Signs
from boolearn.minimising.vectors import signal_vectors, vector, vectors


@dataclass(frozen=True)
class Window:
    """Gates by their signals, the signals they read from outside, and those of them that are read outside."""

    gates: frozenset[int]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


class Surroundings:
    """A circuit with what is asked of it, ready to look at windows of it."""

    def __init__(self, circuit: Circuit, spec: Specification | None) -> None:
        self.circuit = circuit
        self.n = len(circuit.inputs)
        self.readers: list[list[int]] = [[] for _ in range(circuit.n_signals)]
        self._cone = [1 << signal for signal in range(self.n)]  # the signals that a signal depends on
        for signal, gate in enumerate(circuit.gates, self.n):
            cone = 1 << signal
            for read in gate.inputs:
                self.readers[read].append(signal)
                cone |= self._cone[read]
            self._cone.append(cone)
        self._driven = {literal.signal for _, literal in circuit.outputs}
        self._spec = spec
        if spec is not None:
            self._full = (1 << len(spec.inputs)) - 1
            self._columns = vectors(spec.inputs)
            self._wanted = [(vector(column), vector(-column)) for column in spec.outputs.T]
            self._values = signal_vectors(circuit, self._columns, self._full)

    def grown(self, root: int, size: int, rng: np.random.Generator) -> Window | None:
        """A window of this size around a gate, drawn neighbour by neighbour; None where that leads nowhere."""
        gates = {root}
        while len(gates) < size:
            near = {s for g in gates for s in (*self.circuit.gates[g - self.n].inputs, *self.readers[g])}
            candidates = sorted(s for s in near - gates if s >= self.n)
            if not candidates:
                return None
            gates.add(candidates[int(rng.integers(len(candidates)))])
        inputs = sorted({s for g in gates for s in self.circuit.gates[g - self.n].inputs} - gates)
        inside = sum(1 << g for g in gates)
        if any(self._cone[s] & inside for s in inputs):
            return None  # a loop would be possible: something outside lies between two gates
        outputs = [g for g in sorted(gates) if g in self._driven or set(self.readers[g]) - gates]
        return Window(frozenset(gates), tuple(inputs), tuple(outputs))

    def asked_of(self, window: Window) -> Specification:
        """What the window must give, row by row of its own inputs."""
        patterns = all_inputs(len(window.inputs))
        names = [tuple(f"{letter}{k}" for k in range(n)) for letter, n in zip("xy", self._shape(window), strict=True)]
        answers = self._answers(window, patterns)
        if self._spec is None:
            return Specification(patterns, answers, *names)
        rows, outputs = [], []
        right = self._where_right(window)
        for pattern, answer in zip(patterns, answers, strict=True):
            occurs = self._full
            for signal, sign in zip(window.inputs, pattern.tolist(), strict=True):
                occurs &= self._values[signal] if sign > 0 else self._values[signal] ^ self._full
            if occurs:
                rows.append(pattern)
                allowed = {given for given, where in right.items() if not occurs & ~where}
                outputs.append(_freed(answer.tolist(), allowed.__contains__))
        return Specification(np.array(rows, np.int8), np.array(outputs, np.int8), *names)

    def replaced(self, window: Window, by: Circuit) -> Circuit:
        """The circuit with others in the place of the window's gates."""
        builder = CircuitBuilder(self.circuit.inputs, fan_in=2)
        literals: dict[int, Literal] = {signal: Literal(signal) for signal in range(self.n)}
        inside = sum(1 << g for g in window.gates)
        gates = list(enumerate(self.circuit.gates, self.n))
        before = [(s, gate) for s, gate in gates if not self._cone[s] & inside]
        after = [(s, gate) for s, gate in gates if self._cone[s] & inside and s not in window.gates]
        for signal, gate in before:
            literals[signal] = added(builder, gate, literals)
        own = {k: literals[signal] for k, signal in enumerate(window.inputs)}
        for k, gate in enumerate(by.gates, len(window.inputs)):
            own[k] = added(builder, gate, own)
        for signal, (_, literal) in zip(window.outputs, by.outputs, strict=True):
            literals[signal] = signed(own[literal.signal], literal.sign)
        for signal, gate in after:
            literals[signal] = added(builder, gate, literals)
        return remove_dead(
            builder.circuit((name, signed(literals[lit.signal], lit.sign)) for name, lit in self.circuit.outputs)
        )

    def _shape(self, window: Window) -> tuple[int, int]:
        return len(window.inputs), len(window.outputs)

    def _answers(self, window: Window, patterns: Signs) -> Signs:
        """What the window gives now."""
        place = {signal: k for k, signal in enumerate((*window.inputs, *sorted(window.gates)))}
        gates = []
        for signal in sorted(window.gates):
            gate = self.circuit.gates[signal - self.n]
            gates.append(Gate(tuple(place[s] for s in gate.inputs), gate.weights, gate.bias))
        outputs = tuple((f"y{k}", Literal(place[signal])) for k, signal in enumerate(window.outputs))
        names = tuple(f"x{k}" for k in range(len(window.inputs)))
        return Circuit(names, tuple(gates), outputs).predict(patterns)

    def _where_right(self, window: Window) -> dict[tuple[int, ...], int]:
        """For every setting of the window's outputs, the rows where the circuit then is right."""
        right = {}
        for given in itertools.product((-1, 1), repeat=len(window.outputs)):
            forced = {s: self._full if sign > 0 else 0 for s, sign in zip(window.outputs, given, strict=True)}
            values = signal_vectors(self.circuit, self._columns, self._full, forced)
            wrong = 0
            for (_, literal), (on, off) in zip(self.circuit.outputs, self._wanted, strict=True):
                value = values[literal.signal] if literal.sign > 0 else values[literal.signal] ^ self._full
                wrong |= (value & off) | (on & ~value)
            right[given] = self._full & ~wrong
        return right


def added(builder: CircuitBuilder, gate: Gate, literals: dict[int, Literal]) -> Literal:
    """A gate over literals that its signals have become; constants fold, equal gates are one."""
    operands = [signed(literals[s], w) for s, w in zip(gate.inputs, gate.weights, strict=True)]
    return decomposed_gate(builder, gate, operands, majority=True)


def _freed(answer: Sequence[int], allowed: Callable[[tuple[int, ...]], bool]) -> list[int]:
    """The answer with 0 for outputs that may be either way, all of them at the same time."""
    free: list[int] = []
    for place in range(len(answer)):
        tried = [*free, place]
        settings = itertools.product((-1, 1), repeat=len(tried))
        if all(allowed(tuple(_set(answer, tried, setting))) for setting in settings):
            free = tried
    return _set(answer, free, [0] * len(free))


def _set(answer: Sequence[int], places: Sequence[int], values: Sequence[int]) -> list[int]:
    changed = list(answer)
    for place, value in zip(places, values, strict=True):
        changed[place] = value
    return changed
