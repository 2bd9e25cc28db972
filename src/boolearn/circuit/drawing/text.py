"""Names as pictures can show them: one line, only characters the font has."""

from __future__ import annotations

from functools import cache

_LONGEST = 24


@cache
def _drawable_characters() -> frozenset[int]:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return frozenset(get_font(findfont(FontProperties(family="DejaVu Sans"))).get_charmap())


def drawable(name: str) -> str:
    known = _drawable_characters()
    shown = "".join(c if ord(c) in known and c.isprintable() else f"\\u{ord(c):04x}" for c in name)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
