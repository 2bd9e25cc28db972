"""CellNetwork: a Boolean network of a cell, one update function for every variable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from boolearn.cells.expressions import names_in, read_expression, write_expressions
from boolearn.checks import checked_integer, generator
from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.rewriting.simplify import trace
from boolearn.data.signs import as_signs
from boolearn.errors import CircuitError, DataError, ParameterError
from boolearn.files import PathLike, checked_path

if TYPE_CHECKING:
    from boolearn.cells.transitions import Transitions

Bits = npt.NDArray[np.bool_]

_SBML = (".sbml", ".xml")
_MOST_FOR_A_TABLE = 16


@dataclass(frozen=True)
class CellNetwork:
    """Variables and their update functions, as formulas with ``&``, ``|``, ``!`` and brackets.

    rules
        For every variable that has one its update function. Variables that only appear in formulas are inputs: they
        keep their value.
    """

    rules: dict[str, str]

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Mapping) or not self.rules:
            raise ParameterError("rules", "at least one formula by the name of its variable", self.rules)
        object.__setattr__(self, "rules", dict(self.rules))
        _ = self.circuit  # finds out now whether the formulas can be read

    @classmethod
    def from_circuit(cls, circuit: Circuit) -> CellNetwork:
        """A network whose next states are a circuit's outputs; inputs that are no outputs keep their value."""
        return cls(write_expressions(circuit))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All variables: those with a rule in their order, then the inputs in the order of their first use."""
        return tuple(dict.fromkeys([*self.rules, *self.inputs]))

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Variables without a rule."""
        used = dict.fromkeys(name for formula in self.rules.values() for name in names_in(formula))
        return tuple(name for name in used if name not in self.rules)

    @cached_property
    def circuit(self) -> Circuit:
        """From the state now, one input for each variable, to the state after it."""
        builder = CircuitBuilder(self.names)
        named = {name: Literal(place) for place, name in enumerate(self.names)}
        outputs = []
        for name in self.names:
            try:
                outputs.append((name, read_expression(self.rules.get(name, name), builder, named)))
            except CircuitError as error:
                raise CircuitError(f"the rule of {name!r}: {error}") from None
        return builder.circuit(outputs)

    def rule_circuit(self, name: str) -> Circuit:
        """The update function of one variable; its inputs are the variables in the formula."""
        return trace(self.circuit, name)

    def step(self, states: npt.ArrayLike) -> Bits:
        """The states after synchronous updates, shape (states, variables)."""
        given = as_signs(states, "states")
        if given.ndim != 2 or given.shape[1] != len(self.names):
            raise DataError(f"states must have shape (states, {len(self.names)}). Got {given.shape} instead.")
        return np.asarray(self.circuit.predict(given) > 0)

    def simulate(self, state: npt.ArrayLike, steps: int) -> Bits:
        """Shape (steps + 1, variables): synchronous updates from a state on."""
        states = [np.asarray(as_signs(np.asarray(state)[None], "state") > 0)]
        for _ in range(checked_integer("steps", steps, 0)):
            states.append(self.step(states[-1]))
        return np.concatenate(states)

    def random_transitions(self, count: int, seed: int = 0) -> Transitions:
        """Random states, every value as likely as its opposite, and the states after them."""
        from boolearn.cells.transitions import Transitions

        states = generator(seed).random((checked_integer("count", count, 1), len(self.names))) < 0.5
        return Transitions(self.names, states, self.step(states))

    @cached_property
    def regulations(self) -> dict[tuple[str, str], int]:
        """Edges (regulator, variable) with +1 for activation, −1 for inhibition, 0 for both or for one not known.

        Names in a formula on which it does not depend are no regulators. Functions of more than 16 names are taken as
        they are written.
        """
        found: dict[tuple[str, str], int] = {}
        for name in self.rules:
            for regulator, sign in signs_of_rule(self.rule_circuit(name)).items():
                found[regulator, name] = sign
        return found

    def save(self, path: PathLike) -> None:
        """Write a ``.bnet`` file, or SBML-qual to a ``.sbml`` or ``.xml`` file."""
        from boolearn.cells.bnet import write_bnet
        from boolearn.cells.sbml import write_sbml

        (write_sbml if checked_path(path).suffix.lower() in _SBML else write_bnet)(self, path)

    @staticmethod
    def load(path: PathLike) -> CellNetwork:
        """Read a ``.bnet`` file, or SBML-qual from a ``.sbml`` or ``.xml`` file."""
        from boolearn.cells.bnet import read_bnet
        from boolearn.cells.sbml import read_sbml

        return (read_sbml if checked_path(path).suffix.lower() in _SBML else read_bnet)(path)

    def __repr__(self) -> str:
        return f"CellNetwork({len(self.rules)} rules, {len(self.inputs)} inputs)"


def truth_table(circuit: Circuit) -> Bits:
    """The only output of a circuit for every state of its inputs; bit k of a row's number is input k."""
    inputs = len(circuit.inputs)
    if inputs > _MOST_FOR_A_TABLE:
        raise CircuitError(f"a truth table must have at most {_MOST_FOR_A_TABLE} inputs. Got {inputs} instead.")
    states = (np.arange(1 << inputs)[:, None] >> np.arange(inputs)) & 1
    return np.asarray(circuit.predict(states.astype(bool))[:, 0] > 0)


def signs_of_rule(circuit: Circuit) -> dict[str, int]:
    """What every regulator does: +1 activates, −1 inhibits, 0 both; names without influence are left out."""
    if len(circuit.inputs) > _MOST_FOR_A_TABLE:
        return dict.fromkeys(circuit.inputs, 0)
    return signs_of_table(truth_table(circuit), circuit.inputs)


def signs_of_table(table: Bits, names: tuple[str, ...]) -> dict[str, int]:
    """The same for a truth table; bit k of a row's number is regulator k."""
    signs = {}
    for place, name in enumerate(names):
        low, high = np.moveaxis(table.reshape(-1, 2, 1 << place), 1, 0)
        rises, falls = bool((~low & high).any()), bool((low & ~high).any())
        if rises or falls:
            signs[name] = int(rises) - int(falls)
    return signs
