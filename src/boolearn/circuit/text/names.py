"""Signal names as Python identifiers, for formulas."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

_FUNCTIONS = ("And", "Or", "Not", "Nand", "Nor", "Xor", "Xnor", "Implies", "Equivalent", "ITE", "Maj")


def identifiers(names: Iterable[str]) -> list[str]:
    """One identifier per name, all different: the name itself where it is one, else with underscores."""
    taken: set[str] = set()
    found = []
    for name in names:
        plain = re.sub(r"[^0-9A-Za-z_]+", "_", name).strip("_") if not name.isidentifier() else name
        if not plain or plain[0].isdigit():
            plain = "_" + plain
        while plain in taken or keyword.iskeyword(plain) or plain in _FUNCTIONS:
            plain += "_"
        taken.add(plain)
        found.append(plain)
    return found
