"""Which engine to use: the native one where it was compiled, else the reference, saying so once."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Literal

from boolearn.cores import check_threads
from boolearn.engine.protocol import Engine
from boolearn.engine.reference import ReferenceEngine
from boolearn.errors import BoolearnError, ParameterError
from boolearn.problem import Problem

EngineName = Literal["auto", "native", "reference"]
Precision = Literal["single", "double"]


@cache
def native_available() -> bool:
    """Was the compiled part built when the package was installed?"""
    try:
        import boolearn._native  # noqa: F401
    except ImportError:
        return False
    return True


@cache
def _warn_once() -> None:
    warnings.warn(
        "The compiled engine was not built when boolearn was installed (no C++ compiler was found?); "
        "the NumPy engine is in use, which is more than a hundred times slower.",
        RuntimeWarning,
        stacklevel=4,
    )


def make_engine(
    problem: Problem, engine: EngineName = "auto", *, precision: Precision = "single", threads: int | None = None
) -> Engine:
    """An engine for a problem. The reference engine always computes in double, on one thread."""
    if engine not in ("auto", "native", "reference"):
        raise ParameterError("engine", "'auto', 'native' or 'reference'", engine)
    if precision not in ("single", "double"):
        raise ParameterError("precision", "'single' or 'double'", precision)
    if threads is not None:
        check_threads(threads)
    if engine == "reference" or (engine == "auto" and not native_available()):
        if engine == "auto":
            _warn_once()
        return ReferenceEngine(problem)
    if not native_available():
        raise BoolearnError("The compiled engine was not built when boolearn was installed; engine='reference' works.")
    from boolearn.engine.native import NativeEngine

    return NativeEngine(problem, precision=precision, threads=threads or 0)
