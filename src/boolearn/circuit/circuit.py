"""Circuit: gates over named signals, free of floats and of the solver."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from typing import Literal as OneOf

import numpy as np
import numpy.typing as npt

from boolearn.circuit.gate import Gate, Kind
from boolearn.data.signs import Signs, as_inputs, as_signs
from boolearn.errors import DataError, NetworkError, ParameterError
from boolearn.files import PathLike

if TYPE_CHECKING:
    from boolearn.circuit.evaluate import CompiledCircuit
    from boolearn.circuit.proof.proof import Proof
    from boolearn.circuit.proof.sides import Subject
    from boolearn.circuit.summary import CircuitSummary
    from boolearn.data import Dataset

_WORTH_COMPILING = 256
"""Items from which on compiling the circuit costs less than it saves."""


@dataclass(frozen=True)
class Literal:
    """A signal, or its negation when ``sign`` is −1."""

    signal: int
    sign: int = 1


@dataclass(frozen=True)
class Circuit:
    """Signals are numbered: the inputs first, then one per gate, each reading earlier signals only.

    An output is a literal, so that it costs no gate to negate one or to use one twice.
    """

    inputs: tuple[str, ...]
    gates: tuple[Gate, ...]
    outputs: tuple[tuple[str, Literal], ...]

    def __post_init__(self) -> None:
        self._check_kinds()
        for index, gate in enumerate(self.gates):
            for signal in gate.inputs:
                if not 0 <= signal < len(self.inputs) + index:
                    raise NetworkError(f"a gate must read earlier signals; gate {index} reads signal {signal}.")
        for name, literal in self.outputs:
            if not 0 <= literal.signal < self.n_signals or literal.sign not in (-1, 1):
                raise NetworkError(f"output {name!r} must name a signal of the circuit. Got {literal} instead.")
        for what, names in (("input", self.inputs), ("output", [name for name, _ in self.outputs])):
            for name, count in Counter(names).items():
                if count > 1 or not name:
                    raise NetworkError(f"{what} names must be different and not empty. Got {name!r} {count} times.")

    def _check_kinds(self) -> None:
        """Lists are welcome in the place of tuples; what is not a name, a gate or an output is refused."""
        for field in ("inputs", "gates", "outputs"):
            if not isinstance(getattr(self, field), tuple):
                object.__setattr__(self, field, tuple(getattr(self, field)))
        for name in self.inputs:
            if not isinstance(name, str):
                raise NetworkError(f"the inputs of a circuit must be names. Got {name!r} instead.")
        for gate in self.gates:
            if not isinstance(gate, Gate):
                raise NetworkError(f"the gates of a circuit must be of the class Gate. Got {gate!r} instead.")
        for output in self.outputs:
            match output:
                case (str(), Literal()):
                    continue
            raise NetworkError(f"the outputs of a circuit must be pairs (name, Literal). Got {output!r} instead.")

    def __getstate__(self) -> dict[str, object]:
        """For another process, which works out again what was worked out from these, as far as it needs it."""
        return {"inputs": self.inputs, "gates": self.gates, "outputs": self.outputs}

    def __str__(self) -> str:
        """The formulas, one a line."""
        return "\n".join(f"{name} = {formula}" for name, formula in self.formulas().items())

    @property
    def n_signals(self) -> int:
        return len(self.inputs) + len(self.gates)

    @cached_property
    def counts(self) -> dict[Kind, int]:
        """How many gates of every kind there are."""
        return dict(Counter(gate.kind for gate in self.gates))

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """For every signal the longest path from an input; constants have level 0."""
        levels = [0] * len(self.inputs)
        for gate in self.gates:
            levels.append(1 + max(levels[signal] for signal in gate.inputs) if gate.inputs else 0)
        return tuple(levels)

    @cached_property
    def live(self) -> frozenset[int]:
        """The signals some output depends on."""
        live = {literal.signal for _, literal in self.outputs}
        for signal in range(self.n_signals - 1, len(self.inputs) - 1, -1):
            if signal in live:
                live.update(self.gates[signal - len(self.inputs)].inputs)
        return frozenset(live)

    @property
    def depth(self) -> int:
        return max((self.levels[literal.signal] for _, literal in self.outputs), default=0)

    def signal_values(self, inputs: npt.ArrayLike) -> Signs:
        """Shape (items, n_signals): what every signal holds, as ±1."""
        given = as_signs(as_inputs(inputs, self.inputs), "inputs")
        if given.ndim != 2 or given.shape[1] != len(self.inputs):
            raise DataError(f"inputs must have shape (items, {len(self.inputs)}). Got {given.shape} instead.")
        values = np.empty((len(given), self.n_signals), np.int8)
        values[:, : len(self.inputs)] = given
        for index, gate in enumerate(self.gates, len(self.inputs)):
            if gate.xor:
                # A product of ±1 says whether the −1 are odd in number; where all inputs are even, so are the +1.
                odd = np.prod(values[:, gate.inputs] * np.array(gate.weights, np.int8), axis=1, dtype=np.int8)
                values[:, index] = odd if len(gate.inputs) % 2 else -odd
                continue
            # Gates read from real weights that do not reduce can hold integers of any length.
            wide = np.int64 if sum(map(abs, gate.weights)) + abs(gate.bias) < 1 << 62 else np.object_
            total = values[:, gate.inputs].astype(wide) @ np.array(gate.weights, wide) + gate.bias
            values[:, index] = np.where(total > 0, 1, -1)
        return values

    @cached_property
    def compiled(self) -> CompiledCircuit:
        """The same circuit, ready to be evaluated bit-parallel."""
        from boolearn.circuit.evaluate import CompiledCircuit

        return CompiledCircuit(self)

    def predict(self, inputs: npt.ArrayLike) -> Signs:
        """Shape (items, outputs): the outputs as ±1. Large batches are evaluated bit-parallel."""
        array = as_inputs(inputs, self.inputs)
        if array.ndim == 2 and len(array) >= _WORTH_COMPILING:
            return self.compiled.predict(array)
        values = self.signal_values(array)
        signals = [literal.signal for _, literal in self.outputs]
        return values[:, signals] * np.array([literal.sign for _, literal in self.outputs], np.int8)

    def simplify(self, flip_signs: bool = True) -> Circuit:
        """The same function with fewer gates and Nots; see ``boolearn.circuit.simplify``."""
        from boolearn.circuit.rewriting.simplify import simplify

        return simplify(self, flip_signs)

    def decompose(self, *, majority: bool = False, xor: bool = False, fan_in: int | None = None) -> Circuit:
        """The same function from And and Or, and Maj and Xor where asked for; see ``boolearn.circuit.decompose``."""
        from boolearn.circuit.rewriting.decompose import decompose

        return decompose(self, majority=majority, xor=xor, fan_in=fan_in)

    def with_xors(self) -> Circuit:
        """The same function with Xor gates where other gates compute one; see ``boolearn.circuit.with_xors``."""
        from boolearn.circuit.rewriting.xors import with_xors

        return with_xors(self)

    def summary(self) -> CircuitSummary:
        """Gates by kind, Nots, depth and numbers of inputs."""
        from boolearn.circuit.summary import summarize

        return summarize(self)

    def ands(self) -> int:
        """How many And nodes the circuit's And-inverter graph has after structural hashing."""
        from boolearn.circuit.rewriting.and_graph import count_ands

        return count_ands(self)

    def with_fewer_ands(self, time_limit: float | None = 60.0) -> Circuit:
        """The same function, rewritten with aigverse, proved equal; see ``boolearn.circuit.with_fewer_ands``."""
        from boolearn.circuit.fewer_ands import with_fewer_ands

        return with_fewer_ands(self, time_limit)

    def formulas(self, expand: bool = False) -> dict[str, str]:
        """Expressions by name, the outputs last; see ``boolearn.circuit.formulas``."""
        from boolearn.circuit.text.formulas import formulas

        return formulas(self, expand)

    def prove_equal(
        self,
        other: Subject,
        on: OneOf["all"] | Dataset | npt.NDArray[np.generic] = "all",
        method: OneOf["auto", "exhaustive", "sat"] = "auto",
        time_limit: float | None = None,
    ) -> Proof:
        """Whether another circuit, a model, formulas or a truth table is the same function; see ``prove_equal``."""
        from boolearn.circuit.proof.proof import prove_equal

        return prove_equal(self, other, on, method, time_limit)

    def save(self, path: PathLike) -> None:
        """Write the circuit to a file; its ending says in which format, from ``.v`` to ``.png``."""
        from boolearn.circuit.formats import save

        save(self, path)


def checked_circuit(circuit: object) -> Circuit:
    """The circuit, or a ParameterError where something else is given."""
    if not isinstance(circuit, Circuit):
        raise ParameterError("circuit", "a Circuit; boolearn.extract makes one from a model", circuit)
    return circuit
