"""How large a network may be, and the widths of its layers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from itertools import pairwise

from boolearn.checks import is_integer
from boolearn.errors import NetworkError, ParameterError

MOST_NODES = 10_000_000
"""Nodes without edges cost a file nothing but a reader memory, so their number has a limit."""
MOST_EDGES = 2**31 - 1
"""Edges and weights are counted with 32 bits."""


def check_size(nodes: int, edges: int) -> None:
    """Refuse a network that is too large, before memory is asked for."""
    if nodes > MOST_NODES or edges > MOST_EDGES:
        raise NetworkError(
            f"a network must have at most {MOST_NODES} nodes and {MOST_EDGES} edges. Got {nodes} and {edges} instead."
        )


def checked_widths(widths: Iterable[int | Iterable[int]], name: str = "widths") -> tuple[int, ...]:
    """The widths of fully connected layers, the inputs' first, as plain ints; or one list that holds them."""
    given: tuple[object, ...] = tuple(widths)
    if len(given) == 1 and not isinstance(given[0], str):
        with contextlib.suppress(TypeError):  # a single number, which is refused below
            given = tuple(given[0])  # type: ignore[arg-type]
    if len(given) < 2:
        raise ParameterError(name, "the number of inputs and the width of at least one layer", given)
    checked = []
    for width in given:
        if not is_integer(width) or width < 1:
            raise ParameterError(name, "positive integers", given)
        checked.append(int(width))
    check_size(1 + sum(checked), sum((below + 1) * width for below, width in pairwise(checked)))
    return tuple(checked)
