"""Solvers by name, with parameters given by name as well: for the command line and for short calls."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Literal, get_args

from boolearn.errors import ParameterError, UnknownParameterError
from boolearn.solver.contract import Solver, is_solver
from boolearn.solver.gates import Gates
from boolearn.solver.rrr import RRR
from boolearn.solver.turns import Turns

SolverName = Literal["rrr", "gates", "auto", "hybrid"]
NAMES: tuple[str, ...] = get_args(SolverName)


_ELSEWHERE = {
    "all_restarts": "restarts=Restarts(…, all=True)",
    "batch_iter": "batch=Batch(…, iterations=…)",
    "batch_rule": "batch=Batch(…, rule=…)",
    "checkpoint_seconds": "checkpoint=Checkpoints(…, every=…)",
    "growing": "restarts=Restarts(…, growing=…)",
    "halving": "restarts=Restarts(…, halving=…)",
    "handover": "solver=Turns(handover=…)",
    "input_noise": "noise=Noise(inputs=…)",
    "resume": "checkpoint=Checkpoints(…, resume=True)",
    "side_by_side": "restarts=Restarts(…, side_by_side=…)",
    "solvers": "solver=Turns(solvers=…)",
}
"""Options of the command line, and fields, that Python has in an object of their own."""


def named_solver(name: str) -> Solver:
    """The solver of a name, with its defaults."""
    if name not in NAMES:
        raise ParameterError("solver", f"one of {', '.join(map(repr, NAMES))}", name)
    if name == "rrr":
        return RRR()
    return Gates() if name == "gates" else Turns(handover=name == "hybrid")


def as_solver(solver: Solver | str, parameters: Mapping[str, Any] | None = None, others: Iterable[str] = ()) -> Solver:
    """The solver object that is meant: an object itself, or a name together with parameters of that solver.

    ``others`` are parameters that are not a solver's, for the error about one that nobody has.
    """
    parameters = parameters or {}
    if isinstance(solver, str):
        return _with(named_solver(solver), parameters, others)
    if not is_solver(solver):
        raise ParameterError("solver", f"one of {', '.join(map(repr, NAMES))} or a solver object such as RRR()", solver)
    for name, value in parameters.items():
        parts = solver.solvers if isinstance(solver, Turns) else (solver,)
        for part in parts:
            if name in _owned(part):
                kind = type(part).__name__
                raise UnknownParameterError(name, f"{name!r} belongs into the solver object: {kind}({name}={value!r}).")
        raise _not_of(f"The solver {type(solver).__name__}(…)", name, others)
    return solver


def parameters_of(name: str) -> set[str]:
    """The parameters that the solver of a name has."""
    return _owned(named_solver(name))


def _with(solver: Solver, parameters: Mapping[str, Any], others: Iterable[str] = ()) -> Solver:
    owned = _owned(solver)
    for name in parameters:
        if name not in owned:
            raise _not_of(f"The solver {solver.name!r}", name, others)
    if isinstance(solver, Turns):
        parts = tuple(
            _with(part, {name: value for name, value in parameters.items() if name in _owned(part)})
            for part in solver.solvers
        )
        return replace(solver, solvers=parts)
    return replace(solver, **parameters)  # type: ignore[type-var]


def _not_of(solver: str, name: str, others: Iterable[str]) -> UnknownParameterError:
    """The error about a parameter that the solver does not have."""
    having = [repr(other) for other in NAMES if name in parameters_of(other)]
    if having:
        who = f"{', '.join(having[:-1])} and {having[-1]}" if len(having) > 1 else having[0]
        return UnknownParameterError(name, f"{solver} has no parameter {name!r}; {who} have it.")
    if name in _ELSEWHERE:
        return UnknownParameterError(name, f"There is no parameter {name!r}; use {_ELSEWHERE[name]}.")
    known = set().union(*map(parameters_of, NAMES))
    close = difflib.get_close_matches(name, [*known, *others], 1)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    return UnknownParameterError(name, f"There is no parameter {name!r}{hint}")


def _owned(solver: Solver) -> set[str]:
    if isinstance(solver, Turns):
        return set().union(*map(_owned, solver.solvers))
    return {field.name for field in fields(solver)}  # type: ignore[arg-type]
