"""Arguments and options that the classic programs share.

Arguments arrive as text and are read here, so that messages are ours and ``ID.cmd`` can repeat
what was typed.
"""

from __future__ import annotations

import math
import secrets
from typing import Annotated, Any

import typer

from boolearn.cli.options import whole as whole_option
from boolearn.errors import ParameterError

SEED_BITS = 31
MOST = 10**9
"""The largest count that is accepted: more than anyone needs, and safe to multiply by another such number."""
MOST_ITERATIONS = 10**15


def argument(name: str, text: str) -> Any:
    """A positional argument under the name the C toolkit's messages give it."""
    return typer.Argument(metavar=name, help=text, show_default=False)


WidthFile = Annotated[str, argument("WTH", "The widths: number of layers, then the width of every layer.")]
NewNet = Annotated[str, argument("NET", "The network file to write.")]
Identifier = Annotated[str, argument("ID", "The name, without ending, of the files to write.")]
Seed = Annotated[
    int | None, whole_option("The same seed makes the same files. Without it one is drawn and printed.", least=0)
]


def chosen_seed(seed: int | None) -> int:
    """The seed asked for or a fresh one; printed, so that the files can be made again."""
    chosen = secrets.randbits(SEED_BITS) if seed is None else seed
    print(f"seed {chosen}", flush=True)
    return chosen


def whole(name: str, text: str, least: int, most: int = MOST) -> int:
    """Read an integer; ``1e4`` is one too."""
    value = number(name, text)
    if value != math.floor(value) or not least <= value <= most:
        raise ParameterError(name, f"an integer from {least} to {most}", text)
    return int(value)


def number(name: str, text: str) -> float:
    """Read a finite number."""
    try:
        value = float(text) if "_" not in text else math.nan
    except ValueError:
        raise ParameterError(name, "a number", text) from None
    if not math.isfinite(value):
        raise ParameterError(name, "a finite number", text)
    return value


def long_integer(name: str, text: str) -> int:
    """Read an integer of any number of digits that is not negative."""
    try:
        if text.isascii() and text.isdecimal():
            return int(text)
    except ValueError:  # more digits than Python converts
        text = f"{text[:20]}…"
    raise ParameterError(name, "an integer of at least 0 and at most 4300 digits", text)
