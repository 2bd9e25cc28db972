"""Solvers by name, with parameters given by name as well: for the command line and for short calls."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, get_args

from boolearn.errors import ParameterError
from boolearn.solver.axes import axes_of
from boolearn.solver.contract import Solver
from boolearn.solver.gates import Gates
from boolearn.solver.rrr import RRR
from boolearn.solver.turns import Turns

SolverName = Literal["rrr", "gates", "auto", "hybrid"]
NAMES: tuple[str, ...] = get_args(SolverName)


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
    known = set().union(*map(parameters_of, NAMES))
    for name, value in parameters.items():
        if name not in known:
            close = difflib.get_close_matches(name, [*known, *others], 1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise ParameterError(name, f"left out: there is no such parameter{hint}", value)
    if isinstance(solver, str):
        return _with(named_solver(solver), parameters)
    if isinstance(solver, type) or not _is_solver(solver):
        raise ParameterError("solver", f"one of {', '.join(map(repr, NAMES))} or a solver object such as RRR()", solver)
    for name, value in parameters.items():
        raise ParameterError(name, f"a field of the solver object: solver={type(solver).__name__}({name}=…)", value)
    return solver


def _is_solver(candidate: object) -> bool:
    return is_dataclass(candidate) and hasattr(candidate, "search")


def parameters_of(name: str) -> set[str]:
    """The parameters that the solver of a name has."""
    return _owned(named_solver(name))


def check_no_axes(solver: Solver) -> None:
    """Refuse a Range or Choice where one value is needed."""
    for name, axis in axes_of(solver).items():
        raise ParameterError(name, "one value; a Range or Choice is for tune", axis)


def _with(solver: Solver, parameters: Mapping[str, Any]) -> Solver:
    owned = _owned(solver)
    for name, value in parameters.items():
        if name in owned:
            continue
        having = [repr(other) for other in NAMES if name in parameters_of(other)]
        raise ParameterError(
            name, f"left out with solver={solver.name!r}; it is a parameter of {' and '.join(having)}", value
        )
    if isinstance(solver, Turns):
        parts = tuple(
            _with(part, {name: value for name, value in parameters.items() if name in _owned(part)})
            for part in solver.solvers
        )
        return replace(solver, solvers=parts)
    return replace(solver, **parameters)  # type: ignore[type-var]


def _owned(solver: Solver) -> set[str]:
    if isinstance(solver, Turns):
        return set().union(*map(_owned, solver.solvers))
    return {field.name for field in fields(solver)}  # type: ignore[arg-type]
