"""Reading AIGER, ascii and binary. Only combinational files; nothing is allocated on a header's word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn

from boolearn.circuit.building import FALSE, CircuitBuilder, negation
from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.names import Unique, unescape_all
from boolearn.circuit.ordering import CyclicError, in_order
from boolearn.errors import FileError
from boolearn.files import PathLike, opened, shown

MOST_INPUTS = 1 << 20
"""Binary files name their inputs by number alone; without a limit ten bytes could ask for any amount of memory."""

_NUMBER = re.compile(rb"[0-9]{1,18}")
_SYMBOL = re.compile(rb"([ilobcjf])([0-9]{1,18}) (.+)", re.DOTALL)
_LONGEST_DIFFERENCE = 9
_COUNTS = (
    *("variables", "inputs", "latches", "outputs", "And gates"),
    *("bad states", "constraints", "justice properties", "fairness constraints"),
)


def read_aiger(path: PathLike) -> Circuit:
    """Read either form, whichever the file's first word says."""
    with opened(path) as stream:
        return _Reader(Path(path), stream).circuit()


@dataclass
class _Header:
    variables: int
    inputs: int
    outputs: int
    ands: int


class _Reader:
    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self.path, self.stream = path, stream
        self.line, self.binary = 0, False
        self.at = 0
        self.head = self._header()

    def circuit(self) -> Circuit:
        head = self.head
        if self.binary:
            inputs = [2 * index for index in range(1, head.inputs + 1)]
            outputs = [self._literals(1, "an output")[0] for _ in range(head.outputs)]
            ands = {2 * (head.inputs + 1 + index): self._binary_and(index) for index in range(head.ands)}
            lines: dict[int, int] = {}
        else:
            inputs = self._ascii_inputs()
            outputs = [self._literals(1, "an output")[0] for _ in range(head.outputs)]
            ands, lines = self._ascii_ands(set(inputs))
        known = {0, *inputs, *ands}
        for output in outputs:
            if output & ~1 not in known:
                self._fail(f"the output literal {output} is not defined.")
        input_names, output_names = self._symbols()
        return self._build(inputs, outputs, ands, lines, input_names, output_names)

    def _build(
        self,
        inputs: list[int],
        outputs: list[int],
        ands: dict[int, tuple[int, int]],
        lines: dict[int, int],
        input_names: list[str],
        output_names: list[str],
    ) -> Circuit:
        try:
            order = in_order({left >> 1: (high >> 1, low >> 1) for left, (high, low) in ands.items()})
        except CyclicError as error:
            line = lines.get(2 * error.keys[0])
            raise FileError(self.path, line, f"variables {error.shown(str)} form a cycle.") from None
        builder = CircuitBuilder(input_names)
        values = {0: FALSE, **{left: Literal(index) for index, left in enumerate(inputs)}}

        def operand(literal: int) -> Literal:
            return negation(values[literal & ~1]) if literal & 1 else values[literal]

        for variable in order:
            values[2 * variable] = builder.conjunction(operand(literal) for literal in ands[2 * variable])
        return builder.circuit(zip(output_names, map(operand, outputs), strict=True))

    def _header(self) -> _Header:
        first = self.stream.read(4)
        self.binary = first == b"aig "
        if first not in (b"aag ", b"aig "):
            raise FileError(self.path, 1, f"must begin with the word aag or aig. Got {shown(first)} instead.")
        tokens = self._text("the header").split()
        if not 5 <= len(tokens) <= len(_COUNTS):
            self._fail(f"the header must have 5 numbers, M I L O A. Got {len(tokens)} instead.")
        numbers = [self._number(token, name) for token, name in zip(tokens, _COUNTS, strict=False)]
        for name, number in zip(_COUNTS, numbers, strict=False):
            if number and name in ("latches", *_COUNTS[5:]):
                self._fail(f"only combinational circuits can be read. The header promises {number} {name}.")
        variables, inputs, _, outputs, ands = numbers[:5]
        if inputs + ands > variables or (self.binary and inputs + ands != variables):
            rule = "must be" if self.binary else "must be at least"
            self._fail(f"the variables {rule} inputs + And gates, {inputs + ands}. Got {variables} instead.")
        if inputs > MOST_INPUTS:
            self._fail(f"there must be at most {MOST_INPUTS} inputs. Got {inputs} instead.")
        return _Header(variables, inputs, outputs, ands)

    def _ascii_inputs(self) -> list[int]:
        inputs: list[int] = []
        seen: set[int] = set()
        for _ in range(self.head.inputs):
            (literal,) = self._literals(1, "an input")
            if literal < 2 or literal & 1 or literal in seen:
                self._fail(f"an input must be an even literal that no other input has. Got {literal} instead.")
            inputs.append(literal)
            seen.add(literal)
        return inputs

    def _ascii_ands(self, inputs: set[int]) -> tuple[dict[int, tuple[int, int]], dict[int, int]]:
        ands: dict[int, tuple[int, int]] = {}
        lines: dict[int, int] = {}
        for _ in range(self.head.ands):
            left, high, low = self._literals(3, "an And gate")
            if left < 2 or left & 1 or left in ands or left in inputs:
                self._fail(f"an And gate must define an even literal that is not defined yet. Got {left} instead.")
            ands[left], lines[left] = (high, low), self.line
        for left, pair in ands.items():
            for literal in pair:
                if literal > 1 and literal & ~1 not in ands and literal & ~1 not in inputs:
                    raise FileError(self.path, lines[left], f"literal {literal} is read and not defined.")
        return ands, lines

    def _binary_and(self, index: int) -> tuple[int, int]:
        left = 2 * (self.head.inputs + 1 + index)
        high = left - self._difference(index)
        low = high - self._difference(index)
        if not 0 <= low <= high < left:
            self._fail(f"And gate {index} must read literals below its own, {left}.")
        return high, low

    def _difference(self, index: int) -> int:
        value = shift = 0
        while True:
            byte = self.stream.read(1)
            if not byte:
                self._fail(f"expected And gate {index} of {self.head.ands}, found the end of the file.")
            self.at += 1
            value |= (byte[0] & 0x7F) << shift
            shift += 7
            if byte[0] < 0x80:
                return value
            if shift >= 7 * _LONGEST_DIFFERENCE:
                self._fail(f"a number of And gate {index} is longer than {_LONGEST_DIFFERENCE} bytes.")

    def _symbols(self) -> tuple[list[str], list[str]]:
        """Names from the symbol table; what it leaves out is called i0, i1, … and o0, o1, …"""
        found: dict[str, dict[int, str]] = {"i": {}, "o": {}}
        taken: dict[str, set[str]] = {"i": set(), "o": set()}
        counts = {"i": self.head.inputs, "o": self.head.outputs}
        while raw := self.stream.readline():
            self._count()
            entry = raw.rstrip(b"\r\n")
            if entry == b"c":
                break
            match = _SYMBOL.fullmatch(entry)
            if not match:
                self._fail(f"expected a symbol or the letter c of the comments, found {shown(entry)}.")
            kind, number = match[1].decode(), int(match[2])
            if kind not in counts or number >= counts[kind] or number in found[kind]:
                self._fail(f"a symbol must name an input or output there is, once. Got {shown(entry)} instead.")
            try:
                name = match[3].decode()
            except UnicodeDecodeError:
                self._fail("a symbol's name must be UTF-8.")
            if name in taken[kind]:
                self._fail(f"names must be different. Got {shown(match[3])} twice.")
            taken[kind].add(name)
            found[kind][number] = name
        return _complete("i", found["i"], counts["i"]), _complete("o", found["o"], counts["o"])

    def _literals(self, count: int, what: str) -> list[int]:
        tokens = self._text(what).split()
        if len(tokens) != count:
            self._fail(f"expected {what} ({count} number{'s' * (count > 1)} on the line), found {len(tokens)}.")
        literals = [self._number(token, what) for token in tokens]
        for literal in literals:
            if literal > 2 * self.head.variables + 1:
                self._fail(f"a literal must be at most {2 * self.head.variables + 1}. Got {literal} instead.")
        return literals

    def _text(self, what: str) -> bytes:
        raw = self.stream.readline()
        self._count()
        if not raw:
            self._fail(f"expected {what}, found the end of the file.")
        return raw

    def _count(self) -> None:
        self.line += 1
        self.at = self.stream.tell()

    def _number(self, token: bytes, what: str) -> int:
        if not _NUMBER.fullmatch(token):
            self._fail(f"{what} must be given by a number. Got {shown(token)} instead.")
        return int(token)

    def _fail(self, message: str) -> NoReturn:
        if self.binary:
            raise FileError(self.path, None, f"before byte {self.at}: {message}")
        raise FileError(self.path, self.line, message)


def _complete(kind: str, found: dict[int, str], count: int) -> list[str]:
    names = dict(zip(found, unescape_all(list(found.values())), strict=True))
    unique = Unique(names.values())
    return [names.get(index) or unique(f"{kind}{index}") for index in range(count)]
