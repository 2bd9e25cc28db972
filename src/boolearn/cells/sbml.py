"""SBML-qual files, which AEON (``biodivine_aeon``) reads and writes for us."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

from boolearn.cells.bnet import bnet_text, parse_bnet
from boolearn.cells.expressions import is_name, tokens
from boolearn.cells.network import CellNetwork
from boolearn.circuit.names import Unique
from boolearn.errors import FileError, MissingExtraError
from boolearn.files import PathLike, opened, write_text

_WRITTEN_NAME = re.compile(r'qual:name="([^"]*)"')
_CONSTANTS = ("true", "True", "false", "False")
"""What AEON reads as constants."""


def read_sbml(path: PathLike) -> CellNetwork:
    """Read a Boolean model. Names become AEON's: letters, digits and underscores."""
    with opened(path) as stream:
        text = stream.read().decode("utf-8", "replace")
    library = _aeon()
    try:
        rules = library.BooleanNetwork.from_sbml(text).to_bnet()
    except RuntimeError as error:
        raise FileError(path, None, f"is not a Boolean SBML-qual model: {error}.") from error
    return parse_bnet(rules, path)


def write_sbml(network: CellNetwork, path: PathLike) -> None:
    """Write a model. Ids are the names as AEON makes them, so that AEON reads the same ids back.

    The true name of a variable is its SBML name. Where two true names are one to AEON, as ``a-b`` and ``a_b``, one of
    them is numbered and has its id as name: AEON does not read every file with such names.
    """
    ids = _ids(network.names)
    rules = {
        ids[name]: " ".join(ids.get(word, word.lower()) for word in tokens(formula))  # the others are no names
        for name, formula in network.rules.items()
    }
    library = _aeon()
    try:
        text = str(library.BooleanNetwork.from_bnet(bnet_text(CellNetwork(rules))).to_sbml())
    except RuntimeError as error:
        raise FileError(path, None, f"cannot be written as SBML-qual: {str(error).rstrip('.')}.") from error
    names = {ids[name]: name for name in network.names if _aeon_name(name) == ids[name] and name.isprintable()}
    text = _WRITTEN_NAME.sub(lambda found: f'qual:name="{html.escape(names.get(found[1], found[1]))}"', text)
    write_text(path, text)


def _ids(names: Sequence[str]) -> dict[str, str]:
    """A different id for every name: the name itself where it can be one, whatever the others are."""
    kept = {name for name in names if _aeon_name(name) == name and is_name(name)}
    unique = Unique([*kept, *_CONSTANTS])
    return {name: name if name in kept else unique(name, _aeon_name) for name in names}


def _aeon_name(name: str) -> str:
    """The name that AEON makes of one."""
    plain = re.sub(r"[^0-9A-Za-z_]", "_", name)
    return f"_{plain}" if plain[:1].isdigit() else plain or "_"


def _aeon() -> Any:
    try:
        import biodivine_aeon
    except ImportError:
        raise MissingExtraError("Reading and writing SBML", "cells") from None
    return biodivine_aeon
