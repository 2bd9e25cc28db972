"""How many cores there are to use, and which of their instructions."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence

from boolearn.errors import ParameterError

MOST_THREADS = 1024


def available_cores() -> int:
    """Cores this process may use, or what BOOLEARN_THREADS says."""
    wanted = os.environ.get("BOOLEARN_THREADS", "")
    if wanted:
        if not wanted.isdigit() or not 1 <= int(wanted) <= MOST_THREADS:
            raise ParameterError("BOOLEARN_THREADS", f"an integer from 1 to {MOST_THREADS}", wanted)
        return int(wanted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_threads(threads: int | None) -> int:
    """The number of threads asked for; None means all cores."""
    if threads is None:
        return available_cores()
    number = operator.index(threads) if hasattr(threads, "__index__") else 0  # NumPy's integers too, but no floats
    if isinstance(threads, bool) or not 1 <= number <= MOST_THREADS:
        raise ParameterError("threads", f"an integer from 1 to {MOST_THREADS}", threads)
    return number


def check_instruction_set(known: Sequence[str]) -> None:
    """Refuse a BOOLEARN_ISA that is none of those this machine has; the compiled part obeys the variable."""
    wanted = os.environ.get("BOOLEARN_ISA", "")
    if wanted and wanted not in known:
        raise ParameterError("BOOLEARN_ISA", f"one of {', '.join(known)} on this machine", wanted)
