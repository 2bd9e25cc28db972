"""Formulas in, a circuit out: which names are inputs, which outputs, and in what order definitions are built.

Formulas may use names that other formulas define, in any order. They are parsed, never run.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence

from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.names import identifiers
from boolearn.circuit.ordering import CyclicError, in_order
from boolearn.circuit.rewriting.simplify import remove_dead
from boolearn.circuit.text.expressions import ExpressionReader
from boolearn.errors import CircuitError

Formulas = str | Mapping[str, str]

_LONGEST = 10_000_000


def circuit_from_formulas(
    formulas: Formulas, inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None
) -> Circuit:
    """The circuit that formulas describe.

    formulas
        A mapping from names to expressions, or text with lines ``name = expression``, in any order; a lone expression
        without a name stands for the only output.
    inputs
        By default all names that are used and not defined, sorted. Where an input and a formula have the same name,
        formulas that use the name mean the input.
    outputs
        By default all names that are defined and not used elsewhere. Others may be named too, in any order.
    """
    definitions = _definitions(formulas, outputs)
    used = {name: _names_in(tree) for name, tree in definitions.items()}
    if inputs is None:
        inputs = _undefined(used)
    builder = CircuitBuilder(inputs)
    named: dict[str, Literal] = {}
    for position, (name, identifier) in enumerate(zip(inputs, identifiers(inputs), strict=True)):
        named[name] = named[identifier] = Literal(position)
    given = frozenset(named)
    reader = ExpressionReader(builder, named)
    defined: dict[str, Literal] = {}
    for name in _buildable(used, given):
        defined[name] = reader.literal(definitions[name])
        if name not in given:
            named[name] = defined[name]
    if outputs is None:
        read = {name for names in used.values() for name in names} - given
        outputs = [name for name in definitions if name not in read]
    taken = identifiers(inputs, outputs)[len(inputs) :]
    found = []
    for name, identifier in zip(outputs, taken, strict=True):
        literal = defined.get(name, defined.get(identifier))
        if literal is None:
            raise CircuitError(f"every output must have a formula; {name!r} has none.")
        found.append((name, literal))
    return remove_dead(builder.circuit(found))


def formula_names(formulas: Formulas) -> list[str]:
    """The names formulas use and do not define, sorted: their inputs."""
    return _undefined({name: _names_in(tree) for name, tree in _definitions(formulas, None).items()})


def defined_names(formulas: Formulas) -> list[str]:
    """The names formulas define, in order."""
    return list(_definitions(formulas, None))


def _undefined(used: Mapping[str, set[str]]) -> list[str]:
    return sorted({name for names in used.values() for name in names} - used.keys())


def _names_in(tree: ast.expr) -> set[str]:
    """The signals an expression uses; functions are names too, but not signals."""
    names, functions = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            functions.add(node.func.id)
    return names - functions


def _buildable(used: Mapping[str, set[str]], inputs: Collection[str]) -> list[str]:
    """The definitions, each after those it uses."""
    try:
        return in_order({name: names.difference(inputs) for name, names in used.items()})
    except CyclicError as error:
        raise CircuitError(
            f"formulas must not depend on themselves. Got {error.shown()} instead; "
            "a name that is to be an input as well must be listed in inputs."
        ) from None


def _definitions(formulas: Formulas, outputs: Sequence[str] | None) -> dict[str, ast.expr]:
    if isinstance(formulas, Mapping):
        return {str(name): _parsed_expression(str(name), text) for name, text in formulas.items()}
    if not isinstance(formulas, str):
        raise CircuitError(f"formulas must be text or a mapping from names to expressions. Got {formulas!r} instead.")
    lone = outputs[0] if outputs is not None and len(outputs) == 1 else "y0"
    found: dict[str, ast.expr] = {}
    for statement in _parsed(formulas, "formulas").body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.Expr(value=value):
                name = lone
            case _:
                raise CircuitError(f"line {statement.lineno}: expected 'name = expression'.")
        if name in found:
            raise CircuitError(f"line {statement.lineno}: a name must be defined once; {name!r} is defined again.")
        found[name] = value
    if not found:
        raise CircuitError("formulas must hold at least 1 expression. Got none.")
    return found


def _parsed_expression(name: str, text: str) -> ast.expr:
    if not isinstance(text, str):
        raise CircuitError(f"the formula of {name!r} must be text. Got {text!r} instead.")
    # In brackets a formula may run over several lines.
    match _parsed(f"({text}\n)", f"the formula of {name!r}").body:
        case [ast.Expr(value=value)]:
            return value
    raise CircuitError(f"the formula of {name!r} must be one expression.")


def _parsed(text: str, what: str) -> ast.Module:
    if len(text) > _LONGEST:
        raise CircuitError(f"{what} must have at most {_LONGEST} characters. Got {len(text)} instead.")
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CircuitError(
            f"{what} cannot be read: {getattr(error, 'msg', None) or 'it is nested too deeply'}."
        ) from error
