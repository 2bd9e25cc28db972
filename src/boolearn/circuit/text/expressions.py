"""Expressions in Python's and SymPy's syntax as gates.

``~a | b & c``, ``a ^ b``, ``not a or b and c``, ``Maj(a, b, c)``, SymPy's ``And(a, Or(b, Not(c)))``, ``Xor``,
``Implies``, ``Equivalent`` and ``ITE``; and comparisons of sums of truth values taken as 0 and 1, ``2*a + b - c >= 2``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, negation
from boolearn.circuit.circuit import Literal
from boolearn.errors import CircuitError

_LARGEST_NUMBER = 1 << 62
_DEEPEST = 200


class ExpressionReader:
    """Turns a syntax tree into gates."""

    def __init__(self, builder: CircuitBuilder, named: dict[str, Literal]) -> None:
        self.builder = builder
        self.named = named
        self.depth = 0
        self.functions: dict[str, Callable[[list[Literal]], Literal]] = {
            "And": builder.conjunction,
            "Or": builder.disjunction,
            "Not": self._not,
            "Nand": lambda operands: negation(builder.conjunction(operands)),
            "Nor": lambda operands: negation(builder.disjunction(operands)),
            "Xor": builder.exclusive,
            "Xnor": lambda operands: negation(builder.exclusive(operands)),
            "Implies": self._implies,
            "Equivalent": self._equivalent,
            "ITE": self._choice,
            "Maj": self._majority,
        }
        self.operators: dict[type[ast.operator], Callable[[list[Literal]], Literal]] = {
            ast.BitAnd: builder.conjunction,
            ast.BitOr: builder.disjunction,
            ast.BitXor: builder.exclusive,
            ast.RShift: self._implies,
        }

    def literal(self, tree: ast.expr) -> Literal:
        try:
            return self._read(tree)
        except RecursionError:
            raise CircuitError("a formula is nested too deeply; define parts of it under names.") from None

    def _read(self, tree: ast.expr) -> Literal:
        """One level further down. Counted, because programs may raise Python's own limit."""
        if self.depth == _DEEPEST:
            raise RecursionError
        self.depth += 1
        try:
            return self._made(tree)
        finally:
            self.depth -= 1

    def _made(self, tree: ast.expr) -> Literal:
        match tree:
            case ast.Name(id=name):
                if name not in self.named:
                    raise _refused(tree, f"the name {name!r} is neither an input nor defined")
                return self.named[name]
            case ast.Constant(value=value) if value in (0, 1) and isinstance(value, int):
                return TRUE if value else FALSE
            case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=operand):
                return negation(self._read(operand))
            case ast.BinOp(op=op) if type(op) in self.operators:
                return self._chain(tree)
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

    def _chain(self, tree: ast.expr) -> Literal:
        """``a & b & c & …`` from its first operand on: the tree leans to the left, and may be deep."""
        steps: list[tuple[Callable[[list[Literal]], Literal], ast.expr]] = []
        while isinstance(tree, ast.BinOp) and type(tree.op) in self.operators:
            steps.append((self.operators[type(tree.op)], tree.right))
            tree = tree.left
        literal = self._read(tree)
        for apply, right in reversed(steps):
            literal = apply([literal, self._read(right)])
        return literal

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

    def _sum(self, tree: ast.expr, factor: int) -> Iterator[tuple[int, Literal]]:
        """The terms of a sum, times a factor. Without recursion: a sum of many terms is a deep tree."""
        waiting = [(tree, factor)]
        while waiting:
            tree, factor = waiting.pop()
            if abs(factor) > _LARGEST_NUMBER:
                raise _refused(tree, "numbers must be below 2^62")
            match tree:
                case ast.Constant(value=value) if isinstance(value, int) and abs(value) <= _LARGEST_NUMBER:
                    yield factor * int(value), TRUE
                case ast.UnaryOp(op=ast.USub(), operand=operand):
                    waiting.append((operand, -factor))
                case ast.BinOp(left=left, op=ast.Add(), right=right):
                    waiting += [(right, factor), (left, factor)]
                case ast.BinOp(left=left, op=ast.Sub(), right=right):
                    waiting += [(right, -factor), (left, factor)]
                case ast.BinOp(left=left, op=ast.Mult(), right=right) if _number(left) is not None:
                    waiting.append((right, factor * (_number(left) or 0)))
                case ast.BinOp(left=left, op=ast.Mult(), right=right) if _number(right) is not None:
                    waiting.append((left, factor * (_number(right) or 0)))
                case _:
                    yield factor, self._read(tree)

    def _not(self, operands: list[Literal]) -> Literal:
        _need(operands, len(operands) == 1, "1 argument")
        return negation(operands[0])

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
        if len(operands) == 3:
            return self.builder.majority(*operands)
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
