"""Formulas as ``.bnet`` files write them, ``A & (!B | C)``: read into gates and written from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, negation
from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.gate import Kind
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.errors import CircuitError, DataError

_TOKEN = re.compile(r"\s*(?:([&|!()])|([^\s&|!(),=<>]+))")
NAME = re.compile(r"[^\s&|!~(),=<>#]+")
NAME_RULE = "no spaces and none of & | ! ~ ( ) , = < > #"
"""The names of variables in formulas and .bnet files, where # begins a comment."""
_CONSTANTS = {"0": FALSE, "1": TRUE, "false": FALSE, "true": TRUE}
_BINDING = {"|": 1, "&": 2, "!": 3}


def is_name(text: str) -> bool:
    """Whether formulas can hold a variable of this name: it must not be read as several things, nor as a constant."""
    return bool(NAME.fullmatch(text)) and text.lower() not in _CONSTANTS


def check_names(names: Iterable[str]) -> None:
    """Refuse names that formulas cannot hold, before the work whose result is formulas."""
    for name in names:
        if not is_name(name):
            raise DataError(
                f"the name of a variable must have {NAME_RULE}, and must not be 0, 1, true or false. "
                f"Got {name!r} instead."
            )


def tokens(text: str) -> Iterator[str]:
    """Names, operators and brackets; ``&&`` and ``||`` count as ``&`` and ``|``, ``~`` as ``!``."""
    place = 0
    text = text.replace("&&", "&").replace("||", "|").replace("~", "!").rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise CircuitError(f"expected a name, an operator & | ! or a bracket, found {text[place:].strip()[:20]!r}.")
        yield found[1] or found[2]
        place = found.end()


def names_in(text: str) -> list[str]:
    """The variables of a formula, in the order of their first use."""
    return list(dict.fromkeys(t for t in tokens(text) if t not in "&|!()" and t.lower() not in _CONSTANTS))


def read_expression(text: str, builder: CircuitBuilder, named: Mapping[str, Literal]) -> Literal:
    """The literal that holds a formula's value. Brackets may be nested to any depth: operators wait on a stack."""
    values: list[Literal] = []
    waiting: list[str] = []
    operand_next = True
    for word in tokens(text):
        if (word in "!(" or word not in "&|)") != operand_next:
            raise CircuitError(f"expected {'an operand' if operand_next else 'an operator'}, found {word!r}.")
        if word in "!(":
            waiting.append(word)
        elif word in "&|":
            _apply(values, waiting, builder, _BINDING[word])
            waiting.append(word)
            operand_next = True
        elif word == ")":
            _apply(values, waiting, builder, 0)
            if not waiting:
                raise CircuitError("expected an opening bracket for every closing one.")
            waiting.pop()
        else:
            values.append(_operand(word, named))
            operand_next = False
    if operand_next:
        raise CircuitError("expected an operand, found the end of the formula.")
    _apply(values, waiting, builder, 0)
    if waiting:
        raise CircuitError("expected a closing bracket for every opening one.")
    return values[0]


def _operand(name: str, named: Mapping[str, Literal]) -> Literal:
    if name in named:
        return named[name]
    if name.lower() in _CONSTANTS:
        return _CONSTANTS[name.lower()]
    raise CircuitError(f"the variable {name!r} is unknown.")


def _apply(values: list[Literal], waiting: list[str], builder: CircuitBuilder, least: int) -> None:
    """Carry out the operators that bind at least so closely, back to the last open bracket."""
    while waiting and waiting[-1] != "(" and _BINDING[waiting[-1]] >= max(least, 1):
        operator = waiting.pop()
        if operator == "!":
            values.append(negation(values.pop()))
            continue
        join = builder.conjunction if operator == "&" else builder.disjunction
        right = values.pop()
        values.append(join([values.pop(), right]))


def write_expressions(circuit: Circuit) -> dict[str, str]:
    """For every output one formula of the inputs alone, with ``&``, ``|`` and ``!``."""
    plain = decompose(circuit)
    text: list[tuple[str, Kind]] = [(name, Kind.COPY) for name in plain.inputs]
    for gate in plain.gates:
        parts = [
            _signed(*text[signal], weight, gate.kind) for signal, weight in zip(gate.inputs, gate.weights, strict=True)
        ]
        if gate.kind is Kind.CONSTANT:
            text.append(("1" if gate.bias > 0 else "0", Kind.COPY))
        elif gate.kind in (Kind.COPY, Kind.NOT):
            text.append((parts[0], Kind.COPY))
        else:
            text.append(((" & " if gate.kind is Kind.AND else " | ").join(parts), gate.kind))
    return {name: _signed(*text[literal.signal], literal.sign, None) for name, literal in plain.outputs}


def _signed(expression: str, kind: Kind, sign: int, inside: Kind | None) -> str:
    """An operand as it stands in another gate; brackets only where they are needed."""
    if sign < 0:
        if expression in ("0", "1"):
            return "1" if expression == "0" else "0"
        if kind is not Kind.COPY:
            return f"!({expression})"
        return expression[1:] if expression.startswith("!") else f"!{expression}"
    needed = kind is not Kind.COPY and inside is not None and kind is not inside
    return f"({expression})" if needed else expression
