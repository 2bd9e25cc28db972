"""One gate search of fixed length: cool once, slowly, and keep what does best on rows that were not trained on.

The solver ``gates`` (see ``solver/gates/annealer.py``) is made to fit every bit and to do so again and again until it
does. Here the length is given, because many searches share the time, and a circuit that does not fit every row is
welcome. So this is its first stage alone, cooled further: from a temperature at which nothing is decided to one at
which wrong bits are hardly accepted. Where to stop is left to the validation rows: circuits are looked at on the way
down, and at a high temperature only those are found that many rows speak for.

Where next to nothing is wrong at the end the search insists, as the solver does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn._native import GateSampler, GateTask
from boolearn.circuit import Circuit
from boolearn.circuit.building import FALSE, CircuitBuilder, signed
from boolearn.circuit.circuit import Literal
from boolearn.circuit.rewriting.simplify import remove_dead
from boolearn.learning.found import Bits, Rows
from boolearn.network import CONSTANT, Network, layered
from boolearn.solver.gates.table import GateTable

SWEEPS = 5
"""Sweeps of a round; after each the temperature changes."""
COLDEST = 0.25
_HOT = 0.5
"""Cooling begins at this times the square root of the rows: no gate is worth more than chance there."""
_LOOK_BELOW = 3.0
"""The temperature below which circuits are compared on validation rows."""
_LOOKS = 32
_INSIST_BELOW = 0.02
"""The share of wrong training bits from which on insisting can remove the rest."""
_INSIST_AT = 0.5
_HEAVIEST = 63
_WARM = 1.5


@dataclass(frozen=True)
class Shape:
    """Widths of the hidden layers; each reads the layer below and all inputs."""

    widths: tuple[int, ...]

    def network(self, n_inputs: int, n_outputs: int) -> Network:
        return layered(n_inputs, *self.widths, n_outputs, reads="inputs")

    def __str__(self) -> str:
        return ",".join(map(str, self.widths))


@dataclass(frozen=True)
class Options:
    """How far to cool, whether to insist on the last wrong bits, whether gates may be exclusive ors, when to stop."""

    coldest: float = COLDEST
    insist: bool = True
    xor: bool = False
    stop: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Cooled:
    """What one search found, for each output the circuit that did best on validation rows."""

    network: Network
    tables: tuple[GateTable, ...]
    temperatures: tuple[float, ...]
    """At which each was found."""
    valid_wrong: tuple[int, ...]
    looks: int
    """Circuits that were compared on validation rows."""
    xor: bool = False

    def circuit(self, output: int, inputs: tuple[str, ...], name: str) -> Circuit:
        return circuit_of(self.network, self.tables[output], inputs, output, name)

    def alone(self, output: int) -> Cooled:
        """The same for one output: the hidden layers, and its neuron, which reads what all outputs read."""
        network, hidden = self.network, self.network.n_neurons - self.network.n_outputs
        end = int(network.start[hidden + 1])
        one = Network(network.n_inputs, 1, network.start[: hidden + 2], network.sender[:end])
        table = np.concatenate((self.tables[output][:hidden], self.tables[output][hidden + output][None]))
        return Cooled(one, (table,), (self.temperatures[output],), (self.valid_wrong[output],), self.looks, self.xor)


def cool(
    train: Rows,
    valid: Rows,
    shape: Shape,
    rounds: int,
    seed: tuple[int, int],
    options: Options,
) -> Cooled:
    """Search for ``rounds`` rounds, or until asked to stop. Same rows, shape, rounds and seed, same result.

    Without validation rows the last circuit counts.
    """
    insist, coldest, stop = options.insist, options.coldest, options.stop
    network = shape.network(train.n_inputs, train.n_outputs)
    sampler = GateSampler(_task(network, train, options.xor), *seed)
    best = _Best(network, valid, options.xor)
    hot = max(2.0, _HOT * len(train) ** 0.5)
    temperatures = np.geomspace(hot, coldest, rounds).tolist()
    every = max(1, sum(t < _LOOK_BELOW for t in temperatures) // _LOOKS)
    for number, temperature in enumerate(temperatures):
        if stop():
            break
        sampler.sweep(SWEEPS, temperature, 1.0, until_right=insist)
        if temperature < _LOOK_BELOW and number % every == 0:
            best.look(sampler, temperature)
        if insist and sampler.errors == 0:
            break
    best.look(sampler, temperature)
    if insist and 0 < sampler.errors <= _INSIST_BELOW * train.bits:
        for number in range(rounds // 2):
            if stop() or sampler.errors == 0:
                break
            sampler.weigh_wrong_bits(_HEAVIEST)
            sampler.sweep(SWEEPS, _INSIST_AT, 1.0, until_right=True)
            if number % 4 == 0 or sampler.errors == 0:
                best.look(sampler, coldest)
    return best.found()


def cool_again(found: Cooled, output: int, rows: Rows, rounds: int, seed: tuple[int, int]) -> GateTable:
    """Go on with the circuit of one output on more rows, from a temperature that leaves most gates as they are."""
    sampler = GateSampler(_task(found.network, rows, found.xor), *seed)
    sampler.gates = found.tables[output]
    coldest = found.temperatures[output]
    for temperature in np.geomspace(max(_WARM, coldest), coldest, rounds).tolist():
        sampler.sweep(SWEEPS, temperature, 1.0)
    return sampler.gates


class _Best:
    """Of every output the circuit that is wrong least often on validation rows, the later of equals."""

    def __init__(self, network: Network, valid: Rows, xor: bool) -> None:
        self.network, self.valid, self.xor = network, valid, xor
        self._evaluator = GateSampler(_task(network, valid, xor), 0) if len(valid) else None
        outputs = network.n_outputs
        self._wrong = np.full(outputs, np.iinfo(np.int64).max)
        self._tables: list[GateTable | None] = [None] * outputs
        self._temperatures = [0.0] * outputs
        self._looks = 0

    def look(self, sampler: GateSampler, temperature: float) -> None:
        self._looks += 1
        table = sampler.gates
        wrong = self._wrong_bits(table)
        for output in np.flatnonzero(wrong <= self._wrong).tolist():
            self._tables[output], self._temperatures[output] = table, temperature
        self._wrong = np.minimum(self._wrong, wrong)

    def found(self) -> Cooled:
        tables = tuple(table for table in self._tables if table is not None)
        wrong = tuple(self._wrong.tolist())
        return Cooled(self.network, tables, tuple(self._temperatures), wrong, self._looks, self.xor)

    def _wrong_bits(self, table: GateTable) -> npt.NDArray[np.int64]:
        if self._evaluator is None:
            return np.zeros(self.network.n_outputs, np.int64)
        self._evaluator.gates = table
        answers: Bits = np.asarray(self._evaluator.outputs).reshape(self.network.n_outputs, -1).T
        return self.valid.wrong(answers)


def circuit_of(network: Network, table: GateTable, inputs: tuple[str, ...], output: int, name: str) -> Circuit:
    """The part of a table of gates that one output depends on."""
    builder = CircuitBuilder(inputs)
    literals = [FALSE, *(Literal(signal) for signal in range(network.n_inputs))]
    assert CONSTANT == 0
    most = table.shape[1] // 2
    for neuron, row in enumerate(table.tolist()):
        size = sum(position >= 0 for position in row[:most])
        senders = [int(network.sender[network.start[neuron] + position]) for position in row[:size]]
        read = [signed(literals[node], sign) for node, sign in zip(senders, row[most : most + size], strict=True)]
        literals.append(builder.exclusive(read) if size == 2 else builder.threshold(read, [1] * size, 0))
    return remove_dead(builder.circuit([(name, literals[network.first_output + output])]))


def _task(network: Network, rows: Rows, xor: bool) -> GateTask:
    n_inputs, n_outputs = network.n_inputs, network.n_outputs
    return GateTask(
        n_inputs, n_outputs, network.start, network.sender, rows.inputs, rows.outputs, open=rows.open, xor=xor
    )
