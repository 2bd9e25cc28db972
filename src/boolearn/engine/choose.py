"""Which engine to use: the native one where it was compiled, else the reference, saying so once."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Literal

from boolearn.cores import check_instruction_set, check_threads
from boolearn.engine.protocol import Engine
from boolearn.engine.reference import ReferenceEngine
from boolearn.errors import BoolearnError, ParameterError
from boolearn.problem import Problem

EngineName = Literal["auto", "native", "reference"]
Precision = Literal["half", "single", "double"]


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


@cache
def _warn_once() -> None:
    warnings.warn(
        "The compiled engine was not built when boolearn was installed (no C++ compiler was found?); "
        "the NumPy engine is in use, which is more than a hundred times slower.",
        RuntimeWarning,
        stacklevel=4,
    )


def check_engine(engine: EngineName, precision: Precision) -> None:
    """Refuse an engine that ``make_engine`` could not make, before there is a problem to make it for."""
    if engine not in ("auto", "native", "reference"):
        raise ParameterError("engine", "'auto', 'native' or 'reference'", engine)
    if precision not in ("half", "single", "double"):
        raise ParameterError("precision", "'half', 'single' or 'double'", precision)
    if engine == "reference":
        return
    if not native_available() and engine == "native":
        raise BoolearnError("The compiled engine was not built when boolearn was installed; engine='reference' works.")


def make_engine(
    problem: Problem, engine: EngineName = "auto", *, precision: Precision = "single", threads: int | None = None
) -> Engine:
    """An engine for a problem. The reference engine always computes in double, on one thread."""
    check_engine(engine, precision)
    if threads is not None:
        check_threads(threads)
    if engine == "reference" or (engine == "auto" and not native_available()):
        if engine == "auto":
            _warn_once()
        return ReferenceEngine(problem)
    from boolearn.engine.native import NativeEngine

    return NativeEngine(problem, precision=precision, threads=threads or 0)
