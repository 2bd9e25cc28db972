"""JSON, boolearn's own: the circuit exactly as it is, threshold gates and names included.

::

    {"format": "boolearn circuit", "version": 1,
     "inputs": ["a", "b"],
     "gates": [{"inputs": [0, 1], "weights": [1, -1], "bias": -1, "name": "g"}],
     "outputs": [{"name": "y", "signal": 2, "sign": -1}]}

Signals are numbered: the inputs first, then the gates. ``name`` may be left out of a gate.
An exclusive or has ``"xor": true`` as its last key; its weights are ±1 and its bias is 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate
from boolearn.errors import CircuitError, FileError
from boolearn.files import PathLike, opened, too_deep, write_text

FORMAT = "boolearn circuit"
VERSION = 1

_BLANK = re.compile(r"[ \t\r\n]*")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def write_json(circuit: Circuit, path: PathLike) -> None:
    """Write the circuit, one gate and one output a line."""
    head = {"format": FORMAT, "version": VERSION, "inputs": list(circuit.inputs)}
    parts = [f"{_dumped(key)}: {_dumped(value)}" for key, value in head.items()]
    gates = [
        {"inputs": gate.inputs, "weights": gate.weights, "bias": gate.bias}
        | ({} if gate.name is None else {"name": gate.name})
        | ({"xor": True} if gate.xor else {})
        for gate in circuit.gates
    ]
    outputs = [{"name": name, "signal": literal.signal, "sign": literal.sign} for name, literal in circuit.outputs]
    for key, items in (("gates", gates), ("outputs", outputs)):
        rows = ",\n".join(f"  {_dumped(item)}" for item in items)
        parts.append(f'"{key}": [\n{rows}\n ]' if rows else f'"{key}": []')
    write_text(path, "{" + ",\n ".join(parts) + "}\n")


def read_json(path: PathLike) -> Circuit:
    """Read what ``write_json`` wrote; anything else is a FileError that names the line."""
    with opened(path) as stream:
        raw = stream.read()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(path, raw.count(b"\n", 0, error.start) + 1, "is not UTF-8.") from error
    if (place := too_deep(text)) is not None:
        raise FileError(path, text.count("\n", 0, place) + 1, "is nested too deeply.")
    return _Reader(Path(path), text).circuit()


class _Reader:
    """Walks through the outer two levels by hand, to know the line of every gate and output."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text, self.position = path, text, 0
        self.names: dict[str, set[str]] = {"input": set(), "output": set()}
        self.decoder = json.JSONDecoder(parse_constant=self._refuse_constant, object_pairs_hook=self._object)

    def circuit(self) -> Circuit:
        found: dict[str, Any] = {}
        walked: dict[str, Callable[[], Any]] = {
            "inputs": lambda: self._array(self._input_name),
            "gates": lambda: self._array(lambda value: self._gate(value, len(found["gates"]), len(found["inputs"]))),
            "outputs": lambda: self._array(lambda value: self._output(value, found)),
        }
        for key in self._members():
            if key in found:
                self._fail(f"{key!r} must stand once; it stands twice.")
            missing = [name for name in _required_before(key) if name not in found]
            if missing:
                self._fail(f"{missing[0]!r} must come before {key!r}.")
            if key in walked:
                found[key] = []
                for item in walked[key]():
                    found[key].append(item)
            elif key in ("format", "version"):
                found[key] = self._value()
                wanted = {"format": FORMAT, "version": VERSION}[key]
                if type(found[key]) is not type(wanted) or found[key] != wanted:
                    self._fail(f"{key!r} must be {wanted!r}. Got {_shown(found[key])} instead.")
            else:
                self._fail(f"expected format, version, inputs, gates or outputs, found {_shown(key)}.")
        if "outputs" not in found:
            self._fail("must have format, version, inputs, gates and outputs; it ends before the outputs.")
        return Circuit(tuple(found["inputs"]), tuple(found["gates"]), tuple(found["outputs"]))

    def _members(self) -> Iterator[str]:
        """The keys of the outer object; the caller reads each key's value before asking for the next."""
        self._expect("{")
        if not self._follows("}"):
            while True:
                self._skip()
                key = self._value()
                if not isinstance(key, str):
                    self._fail(f"expected a key in quotes, found {_shown(key)}.")
                self._expect(":")
                self._skip()
                yield key
                if not self._follows(","):
                    break
            self._expect("}")
        self._skip()
        if self.position < len(self.text):
            self._fail("expected the end of the file after the last brace.")

    def _array(self, check: Callable[[Any], Any]) -> Iterator[Any]:
        self._expect("[")
        if self._follows("]"):
            return
        while True:
            self._skip()
            begin = self.position
            value = self._value()
            end, self.position = self.position, begin
            yield check(value)
            self.position = end
            if not self._follows(","):
                break
        self._expect("]")

    def _value(self) -> Any:
        try:
            value, self.position = self.decoder.raw_decode(self.text, self.position)
        except json.JSONDecodeError as error:
            raise FileError(self.path, error.lineno, f"is not JSON: {error.msg}.") from error
        except FileError:
            raise
        except ValueError as error:  # an integer of thousands of digits
            raise FileError(self.path, self._line(), f"holds a number that cannot be meant: {error}.") from error
        return value

    def _input_name(self, value: Any) -> str:
        return self._port(value, "input")

    def _gate(self, value: Any, number: int, n_inputs: int) -> Gate:
        signals = n_inputs + number
        keys = self._keys(value, f"gate {number}", ("inputs", "weights", "bias"), ("name", "xor"))
        read, weights = keys["inputs"], keys["weights"]
        for what, integers in (("inputs", read), ("weights", weights), ("bias", [keys["bias"]])):
            if not isinstance(integers, list) or any(type(entry) is not int for entry in integers):
                self._fail(f"the {what} of gate {number} must be integers. Got {_shown(keys[what])} instead.")
        if len(read) != len(weights) or len(set(read)) != len(read):
            self._fail(f"gate {number} must have one weight for each of its inputs, all different.")
        if 0 in weights or not (read or keys["bias"]):
            self._fail(f"the weights of gate {number} must not be zero.")
        if any(not 0 <= signal < signals for signal in read):
            self._fail(f"gate {number} must read earlier signals, 0 to {signals - 1}. Got {_shown(read)} instead.")
        name = self._name(keys["name"], f"the name of gate {number}") if "name" in keys else None
        xor = keys.get("xor", False)
        if type(xor) is not bool:
            self._fail(f"the xor of gate {number} must be true or false. Got {_shown(xor)} instead.")
        try:
            return Gate(tuple(read), tuple(weights), keys["bias"], name, xor)
        except CircuitError as error:
            self._fail(f"gate {number}: {error}")

    def _output(self, value: Any, found: dict[str, Any]) -> tuple[str, Literal]:
        keys = self._keys(value, "an output", ("name", "signal", "sign"), ())
        signals = len(found["inputs"]) + len(found["gates"])
        signal, sign = keys["signal"], keys["sign"]
        if type(signal) is not int or not 0 <= signal < signals:
            self._fail(f"an output's signal must be an integer from 0 to {signals - 1}. Got {_shown(signal)} instead.")
        if type(sign) is not int or sign not in (-1, 1):
            self._fail(f"an output's sign must be −1 or 1. Got {_shown(sign)} instead.")
        return self._port(keys["name"], "output"), Literal(signal, sign)

    def _keys(self, value: Any, what: str, required: tuple[str, ...], optional: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._fail(f"{what} must be an object. Got {_shown(value)} instead.")
        for key in required:
            if key not in value:
                self._fail(f"{what} must have {', '.join(required)}; {key!r} is missing.")
        for key in value:
            if key not in (*required, *optional):
                self._fail(f"{what} has an unknown key {_shown(key)}.")
        return dict(value)

    def _name(self, value: Any, what: str) -> str:
        if not isinstance(value, str) or not value:
            self._fail(f"{what} must be a text that is not empty. Got {_shown(value)} instead.")
        return value

    def _port(self, value: Any, kind: str) -> str:
        name = self._name(value, f"an {kind}'s name")
        if name in self.names[kind]:
            self._fail(f"{kind} names must be different. Got {_shown(name)} twice.")
        self.names[kind].add(name)
        return name

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            self._fail("an object must have every key once.")
        return dict(pairs)

    def _refuse_constant(self, word: str) -> NoReturn:
        self._fail(f"{word} is not JSON.")

    def _skip(self) -> None:
        match = _BLANK.match(self.text, self.position)
        self.position = match.end() if match else self.position

    def _follows(self, character: str) -> bool:
        self._skip()
        if self.text.startswith(character, self.position):
            self.position += 1
            return True
        return False

    def _expect(self, character: str) -> None:
        if not self._follows(character):
            found = self.text[self.position : self.position + 20]
            self._fail(f"expected {character!r}, found {_shown(found) if found else 'the end of the file'}.")

    def _line(self) -> int:
        return self.text.count("\n", 0, self.position) + 1

    def _fail(self, message: str) -> NoReturn:
        raise FileError(self.path, self._line(), message)


def _required_before(key: str) -> tuple[str, ...]:
    """The numbering of signals is known only in this order."""
    order = ("format", "version", "inputs", "gates", "outputs")
    return order[: order.index(key)] if key in order else ()


def _dumped(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _shown(value: Any) -> str:
    text = ascii(value) if not isinstance(value, int) else str(value) if abs(value) < 10**30 else "a huge integer"
    return text if len(text) <= 60 else text[:57] + "..."
