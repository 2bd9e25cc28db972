"""Which engine to use: the native one where it was compiled, else the reference, saying so once."""

from __future__ import annotations

import warnings
from functools import cache

from boolearn.cores import check_threads
from boolearn.engine.available import check_engine, native_available
from boolearn.engine.protocol import Engine, EngineName, Precision
from boolearn.engine.reference import ReferenceEngine
from boolearn.errors import ParameterError
from boolearn.problem import Problem
from boolearn.ranks import ALONE, Ranks


@cache
def _warn_once() -> None:
    warnings.warn(
        "The compiled engine was not built when boolearn was installed (no C++ compiler was found?); "
        "the NumPy engine is in use, which is more than a hundred times slower.",
        RuntimeWarning,
        stacklevel=4,
    )


def make_engine(
    problem: Problem,
    engine: EngineName = "auto",
    *,
    precision: Precision = "single",
    threads: int | None = None,
    ranks: Ranks = ALONE,
) -> Engine:
    """An engine for a problem, whose items several ranks may share. The reference engine always computes in double."""
    check_engine(engine, precision)
    if threads is not None:
        check_threads(threads)
    if ranks.size > 1:
        if engine not in ("auto", "native") or not native_available():
            raise ParameterError("engine", "'native', compiled, where several ranks share the items", engine)
        from boolearn.engine.distributed import DistributedEngine

        return DistributedEngine(problem, ranks, precision=precision, threads=threads)
    if engine == "reference" or (engine == "auto" and not native_available()):
        if engine == "auto":
            _warn_once()
        return ReferenceEngine(problem)
    if engine == "torch":
        from boolearn.engine.torch_engine import TorchEngine

        return TorchEngine(problem, precision=precision)
    from boolearn.engine.native import NativeEngine

    return NativeEngine(problem, precision=precision, threads=threads or 0)
