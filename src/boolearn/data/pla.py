"""PLA files, the tables of Berkeley's logic minimisers: a line is a cube of inputs and its outputs.

Type f gives the cubes on which outputs are 1, and they are 0 elsewhere; type fd (the default) also
gives those on which they are open (``-``, don't care). The data set is the complete truth table. Type
fr and fdr give cubes for 1 and for 0: the data set holds the items that the cubes cover, in the order
in which they appear, and what no line says of an item's outputs is open. In any type ``~`` says nothing.
A line that leaves a bit open contradicts no other: 0 and 1 count. Lines that contradict each other make
one item for each answer; ``Dataset.contradictions`` counts them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.data.dataset import Dataset, InputKind
from boolearn.data.multiplication import binary
from boolearn.data.open_outputs import unspecified_outputs
from boolearn.data.signs import Signs
from boolearn.errors import BoolearnError, DataError, FileError
from boolearn.files import PathLike, checked_path, opened, shown, write_text

_MOST_TABLE_INPUTS = 20
_MOST_ITEMS = 1 << 20
_MOST_CELLS = 1 << 27
_TYPES = ("f", "fd", "fr", "fdr")
_CELLS = np.frombuffer(b"-10", np.uint8)
"""How 0 (open), +1 and −1 are written."""


@dataclass
class _Pla:
    """What the file says, line by line."""

    path: Path
    inputs: int = 0
    outputs: int = 0
    terms: int | None = None
    kind: str = "fd"
    names: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    cubes: list[tuple[int, str, str]] = field(default_factory=list)
    """Line number, inputs and outputs."""

    def error(self, line: int, message: str) -> FileError:
        return FileError(self.path, line, message)


def read_pla(path: PathLike, *, contradictions: bool = True) -> Dataset:
    """Read a PLA file; without ``contradictions``, lines that contradict each other are refused."""
    pla = _parse(checked_path(path))
    inputs, outputs = _truth_table(pla) if pla.kind in ("f", "fd") else _examples(pla, contradictions)
    for place in unspecified_outputs(outputs):
        line = pla.cubes[0][0] if pla.cubes else 1
        raise pla.error(line, f"expected a 0 or 1 for output {place + 1} in some row, found it open in all.")
    names: dict[str, Any] = {}
    for part, count in (("input_names", pla.inputs), ("output_names", pla.outputs)):
        if part in pla.names:
            line, found = pla.names[part]
            if len(found) != count or len(set(found)) != count:
                raise pla.error(line, f"expected {count} different names, found {len(set(found))} of {len(found)}.")
            names[part] = found
    try:
        return Dataset(inputs, outputs, open=outputs == 0, **names)
    except BoolearnError as error:
        raise pla.error(1, str(error)) from error


def write_pla(dataset: Dataset, path: PathLike) -> None:
    """Write a PLA file of type fr: every different item is a line, once, and what is not there, or ``-``, is open."""
    if dataset.input_kind is not InputKind.BOOLEAN or dataset.classes:
        raise DataError(f"{Path(path)}: a PLA file holds Boolean inputs and outputs. Got {dataset!r} instead.")
    rows = dict.fromkeys(zip(_texts(dataset.inputs), _texts(dataset.outputs), strict=True))
    lines = [f".i {dataset.n_inputs}", f".o {dataset.n_output_nodes}"]
    for word, names in ((".ilb", dataset.input_names), (".ob", dataset.output_names)):
        if names:
            if any(len(name.split()) != 1 or "#" in name for name in names):
                raise DataError(
                    f"{Path(path)}: names in a PLA file must have no space and no '#'. Got {names} instead."
                )
            lines.append(" ".join((word, *names)))
    lines += [".type fr", f".p {len(rows)}", *(f"{inputs} {outputs}" for inputs, outputs in rows), ".e"]
    write_text(path, "\n".join(lines) + "\n")


def _texts(signs: npt.NDArray[np.generic]) -> Iterator[str]:
    for row in _CELLS[signs.astype(np.int8)]:
        yield row.tobytes().decode()


def _parse(path: Path) -> _Pla:
    pla = _Pla(path)
    line = 0
    ended = False
    with opened(path) as stream:
        for line, raw in enumerate(stream, 1):
            content = raw.split(b"#")[0].strip()
            if not content:
                continue
            if ended:
                raise pla.error(line, f"expected nothing after .e, found {shown(content)}.")
            try:
                text = content.decode("utf-8")
            except UnicodeDecodeError as error:
                raise pla.error(line, f"expected text, found {shown(content)}.") from error
            if text.startswith("."):
                ended = _take_keyword(pla, line, text.split())
            else:
                _take_cube(pla, line, text)
    if not pla.inputs or not pla.outputs:
        raise pla.error(max(line, 1), "expected .i and .o, found the end of the file.")
    if pla.terms not in (None, len(pla.cubes)):
        raise pla.error(max(line, 1), f"expected {pla.terms} lines of the table (.p), found {len(pla.cubes)}.")
    return pla


def _take_keyword(pla: _Pla, line: int, words: list[str]) -> bool:
    """Note what a line with a dot says; True when it ends the file."""
    keyword, values = words[0], words[1:]
    if keyword in (".e", ".end"):
        return True
    if keyword in (".i", ".o", ".p"):
        name = {".i": "inputs", ".o": "outputs", ".p": "terms"}[keyword]
        if getattr(pla, name) or (keyword != ".p" and pla.cubes):
            raise pla.error(line, f"expected {keyword} once and before the table.")
        number = values[0] if len(values) == 1 else ""
        if not (number.isascii() and number.isdigit() and len(number) <= 18 and (int(number) or keyword == ".p")):
            raise pla.error(line, f"expected a positive integer after {keyword}, found {_shown(' '.join(values))}.")
        setattr(pla, name, int(number))
    elif keyword in (".ilb", ".ob"):
        pla.names["input_names" if keyword == ".ilb" else "output_names"] = (line, tuple(values))
    elif keyword == ".type":
        if len(values) != 1 or values[0] not in _TYPES or pla.cubes:
            found = _shown(" ".join(values))
            raise pla.error(line, f"expected .type {', '.join(_TYPES)} before the table, found {found}.")
        pla.kind = values[0]
    else:
        raise pla.error(line, f"expected .i .o .p .ilb .ob .type or .e, found {_shown(keyword)}.")
    return False


def _take_cube(pla: _Pla, line: int, text: str) -> None:
    if not pla.inputs or not pla.outputs:
        raise pla.error(line, f"expected .i and .o before the table, found {_shown(text)}.")
    cells = "".join(text.replace("|", " ").split())
    if len(cells) != pla.inputs + pla.outputs:
        raise pla.error(line, f"expected {pla.inputs} inputs and {pla.outputs} outputs, found {len(cells)} in all.")
    inputs, outputs = cells[: pla.inputs], cells[pla.inputs :]
    if set(inputs) - set("01-"):
        raise pla.error(line, f"expected inputs 0, 1 or -, found {_shown(inputs)}.")
    if set(outputs) - set("01-~"):
        raise pla.error(line, f"expected outputs 0, 1, - or ~, found {_shown(outputs)}.")
    pla.cubes.append((line, inputs, outputs))


def _truth_table(pla: _Pla) -> tuple[Signs, Signs]:
    """All items, ordered by their inputs as a binary number."""
    if pla.inputs > _MOST_TABLE_INPUTS:
        raise pla.error(
            1,
            f"a complete truth table (type {pla.kind}) must have at most {_MOST_TABLE_INPUTS} inputs. "
            f"Got {pla.inputs} instead; type fr lists examples.",
        )
    items = 1 << pla.inputs
    if items * (pla.inputs + pla.outputs) > _MOST_CELLS:
        raise pla.error(1, f"the complete truth table would have {items} × {pla.outputs} outputs, which is too much.")
    values = np.full((items, pla.outputs), -1, np.int8)
    work = 0
    # Where one line says 1 and another leaves open, it is 1.
    for cell, value in (("-", 0), ("1", 1)) if pla.kind == "fd" else (("1", 1),):
        for line, inputs, outputs in pla.cubes:
            places = [place for place, found in enumerate(outputs) if found == cell]
            if not places:
                continue
            work += len(places) << inputs.count("-")
            if work > _MOST_CELLS:
                raise pla.error(line, f"the table's lines set more than {_MOST_CELLS} outputs up to here.")
            numbers = _cube_numbers(inputs)
            for place in places:
                values[numbers, place] = value
    return binary(np.arange(items), pla.inputs), values


def _cube_numbers(inputs: str) -> npt.NDArray[np.int64]:
    """The inputs of a cube as binary numbers."""
    numbers = np.zeros(1, np.int64)
    for cell in inputs:
        numbers = 2 * numbers + (cell == "1")
        if cell == "-":
            numbers = np.concatenate([numbers, numbers + 1])
    return numbers


def _examples(pla: _Pla, contradictions: bool) -> tuple[Signs, Signs]:
    """The items that the lines cover; several lines may say something of the same item."""
    found: dict[bytes, list[_Answer]] = {}
    count = 0
    for line, inputs, outputs in pla.cubes:
        count += 1 << inputs.count("-")
        if count > _MOST_ITEMS or count * (pla.inputs + pla.outputs) > _MOST_CELLS:
            raise pla.error(line, f"the items up to here are too many; at most {_MOST_ITEMS} can be listed.")
        said = np.array([{"0": -1, "1": 1}.get(cell, 0) for cell in outputs], np.int8)
        for item in _cube_items(inputs):
            answers = found.setdefault(item.tobytes(), [])
            if not any(answer.takes(said) for answer in answers):
                if answers and not contradictions:
                    other, place = answers[0].line, int(np.flatnonzero(answers[0].bits * said < 0)[0])
                    raise pla.error(line, f"output {place + 1} of {_bits(item)} contradicts the lines from {other} on.")
                answers.append(_Answer(line, said))
    if not found:
        raise pla.error(1, "expected at least 1 line in the table, found none.")
    for answers in found.values():
        for answer in answers:
            answer.complete(answers[0])  # an answer that contradicts another in one output need not repeat the rest
    rows = [(np.frombuffer(key, np.int8), answer.bits) for key, answers in found.items() for answer in answers]
    items, bits = (np.stack(part) for part in zip(*rows, strict=True))
    return 2 * items - 1, bits


@dataclass
class _Answer:
    """What lines that do not contradict each other say of an item's outputs: ±1, 0 where nothing."""

    line: int
    """The first that says something of the item, or contradicts what was said before."""
    bits: npt.NDArray[np.int8]

    def takes(self, said: npt.NDArray[np.int8]) -> bool:
        """Take in what another line says, unless it contradicts."""
        if (self.bits * said < 0).any():
            return False
        self.bits = np.where(self.bits == 0, said, self.bits)
        return True

    def complete(self, other: _Answer) -> None:
        self.bits = np.where(self.bits == 0, other.bits, self.bits)


def _cube_items(inputs: str) -> npt.NDArray[np.int8]:
    """Shape (items, inputs) of 0 and 1: all ways to fill a cube's open places."""
    template = np.array([cell == "1" for cell in inputs], np.int8)
    free = [place for place, cell in enumerate(inputs) if cell == "-"]
    items = np.tile(template, (1 << len(free), 1))
    items[:, free] = (np.arange(1 << len(free))[:, None] >> np.arange(len(free))[::-1]) & 1
    return items


def _bits(item: npt.NDArray[np.int8]) -> str:
    return _shown("".join(map(str, item.tolist())))


def _shown(text: str) -> str:
    return shown(text.encode("utf-8"))
