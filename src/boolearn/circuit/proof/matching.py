"""Which input or output of one side is which of the other's: by name, and in order only where there are no names."""

from __future__ import annotations

from collections.abc import Sequence

from boolearn.circuit.names import Unique, identifiers
from boolearn.errors import DataError

Names = tuple[str, ...] | None
"""None where a side has no names, as a truth table has none."""

_SHOWN = 5


def numbered(letter: str, count: int) -> tuple[str, ...]:
    return tuple(f"{letter}{k}" for k in range(count))


def match_inputs(mine: Names, theirs: Names) -> list[int] | None:
    """Where each of my inputs stands among theirs; None when both must be taken in order."""
    return _match("inputs", mine, theirs, (_identifiers(mine), _identifiers(theirs)))


def match_outputs(mine: Names, theirs: Names, my_inputs: Names, their_inputs: Names) -> list[int] | None:
    """The same for outputs; formulas and BLIF files write an output that has an input's name in another way."""
    formulas = _identifiers(mine, beside=my_inputs), _identifiers(theirs, beside=their_inputs)
    files = _numbered_beside(my_inputs, mine), _numbered_beside(their_inputs, theirs)
    return _match("outputs", mine, theirs, formulas, files)


def nameless(names: Names) -> bool:
    """Whether names say no more than the order: x0, x1, … and y0, y1, … are given where there are none."""
    return names is None or len(names) == 1 or names in (numbered("x", len(names)), numbered("y", len(names)))


def _identifiers(names: Names, beside: Names = None) -> list[str]:
    """As formulas write the names."""
    return identifiers(beside or (), names or ())[len(beside or ()) :]


def _numbered_beside(inputs: Names, outputs: Names) -> list[str]:
    """As a file with one name space for inputs and outputs writes the outputs."""
    unique = Unique(inputs or ())
    return [unique(name) for name in outputs or ()]


def _match(what: str, mine: Names, theirs: Names, *written: tuple[Sequence[str], Sequence[str]]) -> list[int] | None:
    """``written`` has both sides' names as formulas and files hold them: what is the same there counts as the same."""
    if mine is None or theirs is None:
        return None
    for a, b in ((mine, theirs), *written):
        if set(a) == set(b):
            place = {name: k for k, name in enumerate(b)}
            return [place[name] for name in a]
    if nameless(mine) or nameless(theirs):
        return None
    raise DataError(
        f"both sides must use the same names for their {what}. "
        f"Got {_only(mine, theirs)} against {_only(theirs, mine)} instead."
    )


def _only(names: tuple[str, ...], others: tuple[str, ...]) -> str:
    """The names that the other side does not have."""
    alone = [repr(name) for name in names if name not in set(others)]
    return ", ".join(alone[:_SHOWN]) + (", …" if len(alone) > _SHOWN else "")
