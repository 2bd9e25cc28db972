"""BLIF, the Berkeley Logic Interchange Format: one ``.names`` cover a gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, negation
from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.names import escape, name_signals, unescape, unescape_all
from boolearn.circuit.ordering import CyclicError, in_order
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.errors import FileError
from boolearn.files import PathLike, opened, shown, write_text

_WIDTH = 100
_MANY_ROWS = 64
_OTHER = {"0": "1", "1": "0"}


def write_blif(circuit: Circuit, path: PathLike, model: str = "circuit") -> None:
    """Write one model; And, Or, Maj of three and Xor of two are covers, other gates are decomposed first."""
    simple = decompose(circuit, majority=True, xor=True)
    names = name_signals(simple, _token, one_port=True)
    n = len(simple.inputs)
    lines = [f".model {_token(model)}", _listed(".inputs", names.signals[:n]), _listed(".outputs", names.outputs)]
    for token, gate in zip(names.signals[n:], simple.gates, strict=True):
        lines.append(_listed(".names", [*(names.signals[signal] for signal in gate.inputs), token]))
        lines += _cover(gate)
    for token, (_, literal) in zip(names.outputs, simple.outputs, strict=True):
        if token != names.signals[literal.signal]:
            lines += [f".names {names.signals[literal.signal]} {token}", "1 1" if literal.sign > 0 else "0 1"]
    write_text(path, "\n".join([*lines, ".end"]) + "\n")


def _cover(gate: Gate) -> list[str]:
    if gate.kind is Kind.CONSTANT:
        return ["1"] if gate.bias > 0 else []
    bits = ["1" if weight > 0 else "0" for weight in gate.weights]
    if gate.kind is Kind.OR and len(bits) > _MANY_ROWS:
        # The one row where it is false; the rows where it is true would grow with the square of the inputs.
        return ["".join("0" if weight > 0 else "1" for weight in gate.weights) + " 0"]
    if gate.kind is Kind.OR:
        return ["-" * i + bit + "-" * (len(bits) - i - 1) + " 1" for i, bit in enumerate(bits)]
    if gate.kind is Kind.XOR:
        a, b = bits
        return [f"{a}{_OTHER[b]} 1", f"{_OTHER[a]}{b} 1"]
    if gate.kind is Kind.MAJ:
        a, b, c = bits
        return [f"{a}{b}- 1", f"{a}-{c} 1", f"-{b}{c} 1"]
    return ["".join(bits) + " 1"]


def _token(name: str) -> str:
    """A word of the file; it must not look like a command, nor like the constants $true and $false of Yosys."""
    token = escape(name, ' #\\="')
    return f"%{ord(token[0]):02X}{token[1:]}" if token[0] in ".$" else token


def _listed(word: str, tokens: Sequence[str]) -> str:
    """A command with its tokens, continued on further lines where it is long."""
    lines = [word]
    for token in tokens:
        if len(lines[-1]) + len(token) > _WIDTH:
            lines[-1] += " \\"
            lines.append("")
        lines[-1] += f" {token}"
    return "\n".join(lines)


@dataclass
class _Names:
    """One ``.names``: what it reads, what it defines, and the rows of its cover."""

    line: int
    inputs: list[str]
    rows: list[tuple[int, str, str]] = field(default_factory=list)


def read_blif(path: PathLike) -> Circuit:
    """Read one combinational model; latches, sub-circuits and library gates are refused."""
    return _Reader(Path(path)).circuit()


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.ports: dict[str, dict[str, int]] = {".inputs": {}, ".outputs": {}}  # names, each with its line
        self.definitions: dict[str, _Names] = {}
        self.last: str | None = None
        self.begun = self.ended = self.has_outputs = False
        lines = self._lines()
        for line, tokens in lines:
            self._line(line, tokens)
        self._check_complete(lines[-1][0] if lines else 1)

    def _check_complete(self, last_line: int) -> None:
        """A file that was cut short must not be taken for a smaller circuit."""
        for word, found in ((".outputs", self.has_outputs), (".end", self.ended)):
            if not found:
                raise FileError(self.path, last_line, f"expected {word}, found the end of the file.")

    def _lines(self) -> list[tuple[int, list[str]]]:
        """Logical lines: comments gone, continued lines joined, each with the number of its first line."""
        lines: list[tuple[int, list[str]]] = []
        continued = False
        with opened(self.path) as stream:
            for number, raw in enumerate(stream, 1):
                code = raw.split(b"#", 1)[0].rstrip()
                continues = code.endswith(b"\\")
                try:
                    tokens = [token.decode() for token in code.removesuffix(b"\\").split()]
                except UnicodeDecodeError as error:
                    raise FileError(self.path, number, "is not UTF-8.") from error
                if continued:
                    lines[-1][1].extend(tokens)
                else:
                    lines.append((number, tokens))
                continued = continues
        return lines

    def _line(self, line: int, tokens: list[str]) -> None:
        if not tokens:
            return
        word, rest = tokens[0], tokens[1:]
        if self.ended:
            raise FileError(self.path, line, f"expected nothing after .end, found {_quoted(word)}.")
        if not word.startswith("."):
            self._row(line, tokens)
            return
        self.last = None
        if word == ".model":
            if self.begun:
                raise FileError(self.path, line, "must hold one .model; a second one begins.")
        elif word in self.ports:
            self.has_outputs |= word == ".outputs"
            for token in rest:
                if token in self.ports[word]:
                    raise FileError(self.path, line, f"{word} must name every signal once. Got {_quoted(token)} again.")
                self.ports[word][token] = line
        elif word == ".names":
            if not rest:
                raise FileError(self.path, line, "expected the signals of .names, found the end of the line.")
            self.last = rest[-1]
            if self.last in self.definitions:
                first = self.definitions[self.last].line
                raise FileError(self.path, line, f"{_quoted(self.last)} is defined already, on line {first}.")
            self.definitions[self.last] = _Names(line, rest[:-1])
        elif word == ".end":
            self.ended = True
        else:
            rule = "expected .model, .inputs, .outputs, .names or .end"
            raise FileError(self.path, line, f"{rule}: other commands are not supported. Got {_quoted(word)} instead.")
        self.begun = True

    def _row(self, line: int, tokens: list[str]) -> None:
        if self.last is None:
            raise FileError(self.path, line, f"expected a command, found {_quoted(tokens[0])}.")
        names = self.definitions[self.last]
        width = len(names.inputs)
        if len(tokens) != (2 if width else 1):
            message = f"expected a row of the cover of {_quoted(self.last)}, found {len(tokens)} fields."
            raise FileError(self.path, line, message)
        cube, value = tokens if width else ("", tokens[0])
        if len(cube) != width or cube.strip("01-"):
            message = f"a row's inputs must be {width} characters of 0, 1 and -. Got {_quoted(cube)} instead."
            raise FileError(self.path, line, message)
        if value not in ("0", "1"):
            raise FileError(self.path, line, f"a row's output must be 0 or 1. Got {_quoted(value)} instead.")
        if names.rows and names.rows[0][2] != value:
            raise FileError(self.path, line, "the rows of a cover must all have the same output.")
        names.rows.append((line, cube, value))

    def circuit(self) -> Circuit:
        inputs, outputs = list(self.ports[".inputs"]), list(self.ports[".outputs"])
        defined = {*inputs, *self.definitions}
        for token, names in self.definitions.items():
            if token in self.ports[".inputs"]:
                raise FileError(self.path, names.line, f"{_quoted(token)} is an input and cannot be defined.")
            for source in names.inputs:
                if source not in defined:
                    raise FileError(self.path, names.line, f"{_quoted(source)} is read and not defined.")
        for token, line in self.ports[".outputs"].items():
            if token not in defined:
                raise FileError(self.path, line, f"the output {_quoted(token)} is not defined.")
        try:
            order = in_order({token: names.inputs for token, names in self.definitions.items()})
        except CyclicError as error:
            line = self.definitions[error.keys[0]].line
            raise FileError(self.path, line, f"{error.shown(_quoted)} form a cycle.") from None
        read = {source for names in self.definitions.values() for source in names.inputs}
        builder = CircuitBuilder(unescape_all(inputs))
        values = {token: Literal(index) for index, token in enumerate(inputs)}
        for token in order:
            names = self.definitions[token]
            literal = _literal(builder, names, values)
            # A buffer or inverter that only makes an output is what a literal at the output says.
            plain = literal.signal != TRUE.signal and len(names.rows) == 1 and len(names.inputs) == 1
            values[token] = literal if plain and token not in read else builder.named(literal, unescape(token))
        named = zip(unescape_all(outputs), outputs, strict=True)
        return builder.circuit([(name, values[token]) for name, token in named])


def _literal(builder: CircuitBuilder, names: _Names, values: dict[str, Literal]) -> Literal:
    """The Or of the cover's cubes, or, where the rows say when it is 0, by De Morgan its complement."""
    if not names.rows:
        return FALSE
    onset = names.rows[0][2] == "1"
    read = [values[token] for token in names.inputs]
    cubes = [cube for _, cube, _ in names.rows]
    if onset and len(cubes) == 3 and len(read) == 3:
        signs = _majority_signs(cubes)
        if signs:
            a, b, c = (value if sign == "1" else negation(value) for value, sign in zip(read, signs, strict=True))
            return builder.majority(a, b, c)
    if len(cubes) == 2 and len(read) == 2 and cubes[0] == "".join(_OTHER.get(bit, "") for bit in cubes[1]):
        a, b = read
        return builder.exclusive((a if (cubes[0] in ("01", "10")) == onset else negation(a), b))
    products = []
    for cube in cubes:
        literals = [
            value if bit == "1" else negation(value) for value, bit in zip(read, cube, strict=True) if bit != "-"
        ]
        if onset:
            products.append(builder.conjunction(literals))
        else:
            products.append(builder.disjunction([negation(literal) for literal in literals]))
    return builder.disjunction(products) if onset else builder.conjunction(products)


def _majority_signs(cubes: list[str]) -> str | None:
    """The three inputs' signs if the cover is a majority: all pairs, every input with one sign."""
    signs = ["".join(sorted({cube[i] for cube in cubes})) for i in range(3)]
    pairs = {cube.index("-") for cube in cubes if cube.count("-") == 1}
    if len(pairs) == 3 and all(sign in ("-0", "-1") for sign in signs):
        return "".join(sign[1] for sign in signs)
    return None


def _quoted(token: str) -> str:
    return shown(token.encode())
