"""Reading formulas in Python's and SymPy's syntax. They are parsed, never run.

``~a | b & c``, ``a ^ b``, ``not a or b and c``, ``Maj(a, b, c)``, SymPy's ``And(a, Or(b, Not(c)))``, ``Xor``,
``Implies``, ``Equivalent`` and ``ITE``; and comparisons of sums of truth values taken as 0 and 1,
``2*a + b - c >= 2``. Text may define names line by line and use them further down.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.rewriting.gate_builder import FALSE, TRUE, GateBuilder, negation, remove_dead
from boolearn.circuit.text.names import identifiers
from boolearn.errors import CircuitError

Formulas = str | Mapping[str, str]

_LONGEST = 10_000_000
_LARGEST_NUMBER = 1 << 62


def circuit_from_formulas(
    formulas: Formulas, inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None
) -> Circuit:
    """The circuit that formulas describe.

    formulas
        A mapping from names to expressions, or text with lines ``name = expression``; a lone expression without a
        name stands for the only output.
    inputs
        By default all names that are used and not defined, sorted.
    outputs
        By default all names that are defined and not used elsewhere. Others may be named too, in any order.
    """
    definitions = _definitions(formulas, outputs)
    if inputs is None:
        inputs = formula_names(formulas)
    builder = GateBuilder(len(inputs))
    named: dict[str, Literal] = {}
    for position, (name, identifier) in enumerate(zip(inputs, identifiers(inputs), strict=True)):
        named[name] = named[identifier] = Literal(position)
    inputs_only = dict(named)
    reader = _Reader(builder, named)
    defined: dict[str, Literal] = {}
    for name, tree in definitions:
        literal = reader.literal(tree)
        if name in defined:
            raise CircuitError(f"a name must be defined once; {name!r} is defined again.")
        defined[name] = literal
        # An output may have an input's name; then formulas mean the input.
        if name not in inputs_only:
            named[name] = literal
    if outputs is None:
        used = {node.id for _, tree in definitions for node in ast.walk(tree) if isinstance(node, ast.Name)}
        outputs = [name for name in defined if name not in used or name in inputs_only] or list(defined)
    taken = identifiers([*inputs, *outputs])[len(inputs) :]
    found = []
    for name, identifier in zip(outputs, taken, strict=True):
        literal_ = defined.get(name, defined.get(identifier))
        if literal_ is None:
            raise CircuitError(f"every output must have a formula; {name!r} has none.")
        found.append((name, literal_))
    return remove_dead(builder.circuit(tuple(inputs), found))


def formula_names(formulas: Formulas) -> list[str]:
    """The names formulas use and do not define, sorted: their inputs."""
    used: set[str] = set()
    defined: set[str] = set()
    for name, tree in _definitions(formulas, None):
        functions = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - defined - functions
        defined.add(name)
    return sorted(used)


def defined_names(formulas: Formulas) -> list[str]:
    """The names formulas define, in order."""
    return [name for name, _ in _definitions(formulas, None)]


def _definitions(formulas: Formulas, outputs: Sequence[str] | None) -> list[tuple[str, ast.expr]]:
    if not isinstance(formulas, str):
        return [(str(name), _parsed_expression(str(name), text)) for name, text in formulas.items()]
    lone = outputs[0] if outputs is not None and len(outputs) == 1 else "y0"
    found: list[tuple[str, ast.expr]] = []
    for statement in _parsed(formulas, "formulas").body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.append((name, value))
            case ast.Expr(value=value):
                found.append((lone, value))
            case _:
                raise CircuitError(f"line {statement.lineno}: expected 'name = expression'.")
    if not found:
        raise CircuitError("formulas must hold at least 1 expression. Got none.")
    return found


def _parsed_expression(name: str, text: str) -> ast.expr:
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


class _Reader:
    """Turns a syntax tree into gates."""

    def __init__(self, builder: GateBuilder, named: dict[str, Literal]) -> None:
        self.builder = builder
        self.named = named
        self.functions: dict[str, Callable[[list[Literal]], Literal]] = {
            "And": builder.conjunction,
            "Or": builder.disjunction,
            "Not": self._not,
            "Nand": lambda operands: negation(builder.conjunction(operands)),
            "Nor": lambda operands: negation(builder.disjunction(operands)),
            "Xor": self._xor,
            "Xnor": lambda operands: negation(self._xor(operands)),
            "Implies": self._implies,
            "Equivalent": self._equivalent,
            "ITE": self._choice,
            "Maj": self._majority,
        }

    def literal(self, tree: ast.expr) -> Literal:
        try:
            return self._read(tree)
        except RecursionError:
            raise CircuitError("a formula is nested too deeply; define parts of it under names.") from None

    def _read(self, tree: ast.expr) -> Literal:
        match tree:
            case ast.Name(id=name):
                if name not in self.named:
                    raise _refused(tree, f"the name {name!r} is neither an input nor defined above")
                return self.named[name]
            case ast.Constant(value=value) if value in (0, 1) and isinstance(value, int):
                return TRUE if value else FALSE
            case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=operand):
                return negation(self._read(operand))
            case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
                return self.builder.conjunction([self._read(left), self._read(right)])
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self.builder.disjunction([self._read(left), self._read(right)])
            case ast.BinOp(left=left, op=ast.BitXor(), right=right):
                return self._xor([self._read(left), self._read(right)])
            case ast.BinOp(left=left, op=ast.RShift(), right=right):
                return self._implies([self._read(left), self._read(right)])
            case ast.BoolOp(op=op, values=values):
                join = self.builder.conjunction if isinstance(op, ast.And) else self.builder.disjunction
                return join([self._read(value) for value in values])
            case ast.Call(func=ast.Name(id=name), args=operands, keywords=[]) if name in self.functions:
                try:
                    return self.functions[name]([self._read(operand) for operand in operands])
                except _CountError as error:
                    raise _refused(tree, f"{name} takes {error}") from None
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._comparison(tree, left, op, right)
        raise _refused(tree, f"{ast.unparse(tree)[:60]!r} is not a Boolean expression")

    def _comparison(self, tree: ast.expr, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Literal:
        """left − right as a sum Σ c·a + k over a in {0, 1}, compared with zero."""
        terms = [*self._sum(left, 1), *self._sum(right, -1)]
        match op:
            case ast.GtE():
                return self._at_least(terms, 0)
            case ast.Gt():
                return self._at_least(terms, 1)
            case ast.LtE():
                return negation(self._at_least(terms, 1))
            case ast.Lt():
                return negation(self._at_least(terms, 0))
            case ast.Eq() | ast.NotEq():
                equal = self.builder.conjunction([self._at_least(terms, 0), negation(self._at_least(terms, 1))])
                return equal if isinstance(op, ast.Eq) else negation(equal)
        raise _refused(tree, "comparisons must be one of >= > <= < == !=")

    def _at_least(self, terms: list[tuple[int, Literal]], least: int) -> Literal:
        # Σ c·(1 + x)/2 ≥ least over x = ±1; twice that, less the odd number that keeps the sum from zero.
        weights = [coefficient for coefficient, _ in terms]
        return self.builder.threshold([literal for _, literal in terms], weights, sum(weights) - 2 * least + 1)

    def _sum(self, tree: ast.expr, factor: int) -> list[tuple[int, Literal]]:
        if abs(factor) > _LARGEST_NUMBER:
            raise _refused(tree, "numbers must be below 2^62")
        match tree:
            case ast.Constant(value=value) if isinstance(value, int) and abs(value) <= _LARGEST_NUMBER:
                return [(factor * int(value), TRUE)]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._sum(operand, -factor)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                return self._sum(left, factor) + self._sum(right, factor if isinstance(op, ast.Add) else -factor)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                for number, operand in ((_number(left), right), (_number(right), left)):
                    if number is not None:
                        return self._sum(operand, factor * number)
        return [(factor, self._read(tree))]

    def _not(self, operands: list[Literal]) -> Literal:
        _need(operands, len(operands) == 1, "1 argument")
        return negation(operands[0])

    def _xor(self, operands: list[Literal]) -> Literal:
        total = FALSE
        for literal in operands:
            only = self.builder.conjunction([total, negation(literal)])
            total = self.builder.disjunction([only, self.builder.conjunction([negation(total), literal])])
        return total

    def _implies(self, operands: list[Literal]) -> Literal:
        _need(operands, len(operands) == 2, "2 arguments")
        return self.builder.disjunction([negation(operands[0]), operands[1]])

    def _equivalent(self, operands: list[Literal]) -> Literal:
        none = self.builder.conjunction([negation(operand) for operand in operands])
        return self.builder.disjunction([self.builder.conjunction(operands), none])

    def _choice(self, operands: list[Literal]) -> Literal:
        _need(operands, len(operands) == 3, "3 arguments")
        asked, yes, no = operands
        chosen = self.builder.conjunction([asked, yes]), self.builder.conjunction([negation(asked), no])
        return self.builder.disjunction(chosen)

    def _majority(self, operands: list[Literal]) -> Literal:
        _need(operands, len(operands) % 2 == 1, "an odd number of arguments")
        return self.builder.threshold(operands, [1] * len(operands), 0)


def _number(tree: ast.expr) -> int | None:
    match tree:
        case ast.Constant(value=int(value)):
            return int(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -int(value)
    return None


class _CountError(Exception):
    """A function got too many or too few arguments."""


def _need(operands: list[Literal], held: bool, rule: str) -> None:
    if not held:
        raise _CountError(f"{rule}. Got {len(operands)} instead")


def _refused(tree: ast.expr, message: str) -> CircuitError:
    return CircuitError(f"line {tree.lineno}: {message}.")
