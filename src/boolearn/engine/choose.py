"""Which engine to use: the native one where it was compiled, else the reference, saying so once."""

from __future__ import annotations

import warnings
from functools import cache

from boolearn.cores import check_threads
from boolearn.engine.available import check_engine, native_available
from boolearn.engine.protocol import Engine, EngineName, Precision
from boolearn.engine.reference import ReferenceEngine
from boolearn.problem import Problem


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
    check_engine(engine, precision)
    if threads is not None:
        check_threads(threads)
    if engine == "reference" or (engine == "auto" and not native_available()):
        if engine == "auto":
            _warn_once()
        return ReferenceEngine(problem)
    from boolearn.engine.native import NativeEngine

    return NativeEngine(problem, precision=precision, threads=threads or 0)
