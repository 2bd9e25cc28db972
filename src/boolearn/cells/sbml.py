"""SBML-qual files, which AEON (``biodivine_aeon``) reads and writes for us."""

from __future__ import annotations

from typing import Any

from boolearn.cells.bnet import bnet_text, parse_bnet
from boolearn.cells.network import CellNetwork
from boolearn.errors import FileError, MissingExtraError
from boolearn.files import PathLike, opened, write_text


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
    """Write a model; names become AEON's."""
    write_text(path, str(_aeon().BooleanNetwork.from_bnet(bnet_text(network)).to_sbml()))


def _aeon() -> Any:
    try:
        import biodivine_aeon
    except ImportError:
        raise MissingExtraError("Reading and writing SBML", "cells") from None
    return biodivine_aeon
