"""Names that a file format or a formula can hold.

Characters a format cannot hold are written as in web addresses, ``%20`` for a space: every name can be written,
different names stay different, and a reader that knows the rule gets the name back. Where names must be identifiers,
underscores stand for what cannot be in one.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from boolearn.circuit.circuit import Circuit

_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")
_COMPARISON = re.compile(r"(.*\S)\s*([<>]=?)\s*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)", re.DOTALL)
_COMPARES = {">": "gt", "<": "lt", ">=": "ge", "<=": "le"}
_FUNCTIONS = ("And", "Or", "Not", "Nand", "Nor", "Xor", "Xnor", "Implies", "Equivalent", "ITE", "Maj")


def escape(name: str, forbidden: str = "") -> str:
    """Write what is not printable ASCII, the percent sign and the forbidden characters as ``%XX``."""
    written = []
    for byte in name.encode("utf-8", "surrogatepass"):
        character = chr(byte)
        printable = 0x20 <= byte < 0x7F and character != "%" and character not in forbidden
        written.append(character if printable else f"%{byte:02X}")
    return "".join(written)


def unescape(token: str) -> str:
    """What ``escape`` was given; a token that it cannot have written stays as it is."""
    raw = _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), token.encode("utf-8", "surrogatepass"))
    try:
        return raw.decode("utf-8") or token
    except UnicodeDecodeError:
        return token


def unescape_all(tokens: Sequence[str]) -> list[str]:
    """All the names of one kind; should two become one, all stay as they are in the file."""
    names = [unescape(token) for token in tokens]
    return names if len(set(names)) == len(names) else list(tokens)


class Unique:
    """Hands out names, each only once, by numbering those that are taken."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken)
        self._last: dict[str, int] = {}

    def __call__(self, wanted: str, write: Callable[[str], str] = str) -> str:
        plain = token = write(wanted)
        while token in self.taken:
            # From the last number used: many signals may want one name.
            self._last[plain] = self._last.get(plain, 0) + 1
            token = write(f"{wanted}_{self._last[plain]}")
        self.taken.add(token)
        return token


def identifiers(*groups: Sequence[str]) -> list[str]:
    """One Python identifier per name for formulas, all different: the name itself where it is one and is not taken.

    In a group, names that are identifiers come first, so that ``a[0]`` never takes the name of ``a_0``, which formulas
    could mean by either. Groups do not change those before them: inputs have the same identifiers beside any outputs.
    """
    unique = Unique()
    found: list[str] = []
    for names in groups:
        own = {place: unique(name, _identifier) for place, name in enumerate(names) if _identifier(name) == name}
        found += [own[place] if place in own else unique(name, _identifier) for place, name in enumerate(names)]
    return found


def in_words(name: str) -> str:
    """Letters, digits and underscores; a comparison keeps its sense: ``x_gt_m1p5`` for ``x > -1.5``."""
    compared = _COMPARISON.fullmatch(name)
    if compared:
        number = compared[3].replace("-", "m").replace("+", "").replace(".", "p")
        name = f"{compared[1]}_{_COMPARES[compared[2]]}_{number}"
    return re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")


def _identifier(name: str) -> str:
    # Python reads an identifier in its normal form, so that the micro sign and the Greek letter mu are one name.
    plain = unicodedata.normalize("NFKC", name) if name.isidentifier() else in_words(name)
    if not plain or plain[0].isdigit():
        plain = f"_{plain}"
    return f"{plain}_" if keyword.iskeyword(plain) or plain in _FUNCTIONS else plain


@dataclass(frozen=True)
class Names:
    """One token for every signal and every output."""

    signals: tuple[str, ...]
    outputs: tuple[str, ...]
    unique: Unique
    """For further names that must differ from these."""


def name_signals(
    circuit: Circuit, write: Callable[[str], str], reserved: Iterable[str] = (), one_port: bool = False
) -> Names:
    """Give every signal and output a token of the format, all different.

    A gate that nothing else names takes the name of the first output it drives: then the output's token is the
    gate's. ``one_port`` lets an output that is an input, and has its name, be the input's own token.
    """
    unique = Unique(reserved)
    inputs = [unique(name, write) for name in circuit.inputs]
    gates: dict[int, str] = {}
    outputs = []
    for name, literal in circuit.outputs:
        index = literal.signal - len(inputs)
        if one_port and index < 0 and literal.sign > 0 and circuit.inputs[literal.signal] == name:
            outputs.append(inputs[literal.signal])
            continue
        outputs.append(unique(name, write))
        if index >= 0 and literal.sign > 0 and index not in gates and circuit.gates[index].name in (None, name):
            gates[index] = outputs[-1]
    for index, gate in enumerate(circuit.gates):
        if index not in gates:
            gates[index] = unique(gate.name or f"g{index}", write)
    return Names((*inputs, *(gates[index] for index in range(len(gates)))), tuple(outputs), unique)
