"""Which engines this installation has."""

from __future__ import annotations

import importlib.util
from functools import cache
from typing import get_args

from boolearn.cores import check_instruction_set
from boolearn.engine.protocol import EngineName, Precision
from boolearn.errors import BoolearnError, MissingExtraError, ParameterError


def native_available() -> bool:
    """Was the compiled part built when the package was installed? If so, BOOLEARN_ISA must be one it has."""
    known = _instruction_sets()
    if known:
        check_instruction_set(known)
    return bool(known)


@cache
def _instruction_sets() -> tuple[str, ...]:
    """Those the compiled part can use on this machine; none where it was not built."""
    try:
        from boolearn._native import BitProgram
    except ImportError:
        return ()
    return tuple(BitProgram.instruction_sets())


def check_engine(engine: EngineName, precision: Precision) -> None:
    """Refuse an engine that ``make_engine`` could not make, before there is a problem to make it for."""
    if engine not in get_args(EngineName):
        raise ParameterError("engine", "'auto', 'native', 'reference' or 'torch'", engine)
    if precision not in ("half", "single", "double"):
        raise ParameterError("precision", "'half', 'single' or 'double'", precision)
    if engine == "torch":
        if precision == "half":
            raise ParameterError("precision", "'single' or 'double' for the torch engine", precision)
        if importlib.util.find_spec("torch") is None:
            raise MissingExtraError("engine='torch'", "gradient")
    if engine in ("reference", "torch"):
        return
    if not native_available() and engine == "native":
        raise BoolearnError("The compiled engine was not built when boolearn was installed; engine='reference' works.")
