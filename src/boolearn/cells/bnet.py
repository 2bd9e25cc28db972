"""``.bnet`` files: a line ``name, formula`` for every variable, as BoolNet, PyBoolNet, mpbn and AEON read them."""

from __future__ import annotations

import re

from boolearn.cells.expressions import NAME, NAME_RULE
from boolearn.cells.network import CellNetwork
from boolearn.errors import BoolearnError, DataError, FileError
from boolearn.files import PathLike, opened, write_text

_HEADING = re.compile(r"targets\s*,\s*factors", re.IGNORECASE)


def read_bnet(path: PathLike) -> CellNetwork:
    """Read a network. A heading ``targets, factors``, blank lines and comments after ``#`` are skipped."""
    with opened(path) as stream:
        content = stream.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        broken = content.count(b"\n", 0, error.start) + 1
        raise FileError(path, broken, f"expected UTF-8, found byte 0x{content[error.start]:02x}.") from error
    return parse_bnet(text, path)


def parse_bnet(text: str, path: PathLike) -> CellNetwork:
    """The network that a file's text describes; errors name the file."""
    rules: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        stated = line.partition("#")[0].strip()
        if not stated or (not rules and _HEADING.fullmatch(stated)):
            continue
        name, comma, formula = (part.strip() for part in stated.partition(","))
        if not comma or not NAME.fullmatch(name):
            raise FileError(path, number, f"expected 'name, formula', found {stated[:40]!r}.")
        if name in rules:
            raise FileError(path, number, f"expected one formula for every variable, found another for {name!r}.")
        rules[name] = formula
        lines[name] = number
    if not rules:
        raise FileError(path, 1, "expected at least 1 line 'name, formula', found none.")
    try:
        return CellNetwork(rules)
    except BoolearnError:
        for name, formula in rules.items():  # only now look for the one at fault
            try:
                CellNetwork({name: formula})
            except BoolearnError as error:
                raise FileError(path, lines[name], str(error)) from error
        raise


def write_bnet(network: CellNetwork, path: PathLike) -> None:
    """Write a network."""
    write_text(path, bnet_text(network))


def bnet_text(network: CellNetwork) -> str:
    """The lines. Inputs get the rule that keeps their value, which every program understands alike."""
    for name in network.names:
        if not NAME.fullmatch(name):
            raise DataError(f"the name of a variable in a .bnet file must have {NAME_RULE}. Got {name!r} instead.")
    lines = [f"{name}, {network.rules.get(name, name)}" for name in network.names]
    return "\n".join(["targets, factors", *lines, ""])
