"""The machine that numbers were measured on."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

import numpy as np

from boolearn.cores import available_cores
from boolearn.engine import native_available


def machine() -> dict[str, Any]:
    """What a measured time depends on; the load is that of the last minute, when the measuring begins."""
    return {
        "processor": _processor(),
        "cores": available_cores(),
        **_instruction_sets(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def _instruction_sets() -> dict[str, str | None]:
    """Of the engine and of the gate search, which need not use the same; None where nothing was compiled."""
    if not native_available():
        return {"instruction_set": None, "gates_instruction_set": None}
    from boolearn._native import gates_isa, isa

    return {"instruction_set": isa(), "gates_instruction_set": gates_isa()}


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
