"""Ways to spoil a file, for the tests that feed readers what they must refuse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from hypothesis import strategies as st

from boolearn.errors import FileError

T = TypeVar("T")

NASTY_TOKENS = [
    b"",
    b"-1",
    b"0",
    b"1",
    b"99",
    b"1000000000000",
    b"999999999999999999999999",
    b"1e3",
    b"1e999",
    b"nan",
    b"-nan",
    b"inf",
    b"0x10",
    b"1_0",
    b"--1",
    b"%",
    b"-",
    b"/",
    b"no",
    b"x" * 200,
    b"0." + b"0" * 100 + b"1",
    b"\x00",
    b"\xff\xfe",
    "½".encode(),
]


def result_or_file_error(reader: Callable[[Path], T], path: Path) -> T | None:
    """What a reader makes of a file; None where it raises the one error it may raise."""
    try:
        return reader(path)
    except FileError:
        return None


@st.composite
def spoiled(draw: st.DrawFn, *originals: bytes) -> bytes:
    """Bytes of one of the originals after a few changes, or bytes out of nowhere."""
    content = draw(st.sampled_from([*originals, b""]))
    if not content:
        return draw(st.binary(max_size=200))
    for _ in range(draw(st.integers(1, 3))):
        content = draw(_changed(content))
    return content


@st.composite
def _changed(draw: st.DrawFn, content: bytes) -> bytes:
    position = draw(st.integers(0, max(len(content) - 1, 0)))
    match draw(st.sampled_from(["cut", "flip", "insert", "token", "drop", "repeat"])):
        case "cut":
            return content[:position]
        case "flip" if content:
            return (
                content[:position] + bytes([content[position] ^ 1 << draw(st.integers(0, 7))]) + content[position + 1 :]
            )
        case "insert":
            return content[:position] + draw(st.binary(max_size=8)) + content[position:]
        case "drop":
            return content[:position] + content[position + draw(st.integers(1, 8)) :]
        case "repeat":
            return content[:position] + content[draw(st.integers(0, position)) :]
    tokens = content.split(b" ")
    tokens[draw(st.integers(0, len(tokens) - 1))] = draw(st.sampled_from(NASTY_TOKENS))
    return b" ".join(tokens)
