"""Reading numbers with their line numbers, and writing files whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from boolearn.errors import FileError, ParameterError

PathLike = str | os.PathLike[str]

_INTEGER = re.compile(rb"[+-]?[0-9]{1,18}")
_FLOAT = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NUMERIC_BYTES = b"0123456789+-.eE"
_LONGEST_TOKEN = 64
_CHUNK = 1 << 18
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_DEEPEST = 100
_LONGEST_PREFIX = 50  # a name may be 255 bytes long, and the temporary file's name has more to hold


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


_UMASK = _umask()  # asked once: it can only be read by setting it, and that is for all threads of the process


def checked_path(path: PathLike) -> Path:
    """The name of a file as a Path; what cannot be one is refused."""
    if isinstance(path, str | os.PathLike) and isinstance(text := os.fspath(path), str) and "\0" not in text:
        return Path(text)
    raise ParameterError("path", "the name of a file, text or a pathlib.Path", path)


@contextlib.contextmanager
def opened(path: PathLike) -> Iterator[BinaryIO]:
    """Open a file for reading; what the system refuses becomes a FileError."""
    path = checked_path(path)
    try:
        with path.open("rb") as stream:
            yield stream
    except OSError as error:
        raise FileError(path, None, f"cannot be read: {error.strerror or error}.") from error


@contextlib.contextmanager
def replacing(path: PathLike) -> Iterator[BinaryIO]:
    """Write a file that appears under its name only when it is complete.

    The bytes go to a temporary file in the same directory, are flushed to the disk and then
    renamed, and the new name is flushed too; on any error the temporary file is removed and an
    older file stays as it was. The new file has the permissions of the older one, and a link to it stays a link.
    Only what is not a file, such as /dev/stdout, is written to directly.
    """
    target = checked_path(path)
    if target.is_symlink() and target.exists():
        target = target.resolve()
    if target.exists() and not target.is_file() and not target.is_dir():
        with _to_device(target) as stream:
            yield stream
        return
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:_LONGEST_PREFIX]}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise FileError(target, None, f"cannot be written: {error.strerror or error}.") from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_UMASK)
        temporary.replace(target)
        _flush_directory(target.parent)
    except OSError as error:
        raise FileError(target, None, f"cannot be written: {error.strerror or error}.") from error
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def _to_device(target: Path) -> Iterator[BinaryIO]:
    """A terminal, a pipe or another device, which must not be replaced by a file."""
    try:
        with target.open("wb") as stream:
            yield stream
    except OSError as error:
        raise FileError(target, None, f"cannot be written: {error.strerror or error}.") from error


def _flush_directory(path: Path) -> None:
    """Let a new name outlive a power failure, where the system knows how to."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some file systems flush no directories
            os.fsync(handle)
    finally:
        os.close(handle)


def check_writable(path: PathLike) -> None:
    """Refuse a place where no file can appear, before the work that would fill it is done."""
    target = checked_path(path)
    if target.is_dir():
        raise FileError(target, None, "cannot be written: it is a directory.")
    if not target.parent.is_dir():
        raise FileError(target, None, f"cannot be written: there is no directory {str(target.parent)!r}.")
    if not os.access(target.parent, os.W_OK):
        raise FileError(target, None, f"cannot be written: no permission in the directory {str(target.parent)!r}.")


def fault(error: BaseException) -> str:
    """What is wrong with a damaged file, as its parser says it, without NumPy's advice to load it unsafely."""
    text = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    return "it is not a NumPy archive" if "allow_pickle" in text else text


def too_deep(text: str) -> int | None:
    """Where JSON text becomes nested more deeply than any file of ours, if it does.

    Python's own parser stops only at the recursion limit; where a program has raised that limit, the parser
    overruns the stack and the process dies.
    """
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        if found[0] in "[{":
            depth += 1
            if depth > _DEEPEST:
                return found.start()
        elif found[0] in "]}":
            depth -= 1
    return None


def parse_json(content: str | bytes) -> Any:
    """The value of JSON text from a file; what is not JSON, or nested too deeply, is a ValueError."""
    text = content if isinstance(content, str) else content.decode("utf-8")
    if too_deep(text) is not None:
        raise ValueError(f"it is nested too deeply: more than {_DEEPEST} brackets are open")
    return json.loads(text)


def write_text(path: PathLike, text: str) -> None:
    """Write a text file, whole or not at all."""
    with replacing(path) as stream:
        stream.write(text.encode())


@dataclass(frozen=True)
class Field:
    """``count`` neighbouring columns of a table that hold the same kind of number."""

    what: str
    count: int
    least: float
    most: float
    integer: bool = True

    @property
    def rule(self) -> str:
        return f"{'an integer' if self.integer else 'a number'} from {self.least:g} to {self.most:g}"

    @property
    def dtype(self) -> type[np.int8] | type[np.int64] | type[np.float64]:
        if not self.integer:
            return np.float64
        return np.int8 if max(abs(self.least), abs(self.most)) < 128 else np.int64

    def holds(self, token: bytes) -> bool:
        syntax = _INTEGER if self.integer else _FLOAT
        return bool(syntax.fullmatch(token)) and self.least <= float(token) <= self.most


class TokenReader:
    """White-space separated tokens of a text file, each with the line it stands on.

    Tokens are read line by line as they are asked for, so a header that promises more than the
    file holds costs no memory: the file simply ends too early, and that is the error.
    """

    def __init__(self, path: PathLike) -> None:
        self.path = checked_path(path)
        self.line = 0
        self._context = opened(self.path)
        self._pending: list[bytes] = []

    def __enter__(self) -> TokenReader:
        self._stream = self._context.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._context.__exit__(kind, error, trace)

    def error(self, message: str, line: int | None = None) -> FileError:
        return FileError(self.path, max(self.line if line is None else line, 1), message)

    def token(self, what: str) -> bytes:
        """The next token, whatever it is."""
        while not self._pending:
            if not self._next_line():
                raise self.error(f"expected {what}, found the end of the file.")
        return self._pending.pop(0)

    def integer(self, what: str, least: int, most: int | None = None) -> int:
        """The next token as an integer."""
        token = self.token(what)
        rule = f"at least {least}" if most is None else f"from {least} to {most}"
        if not _INTEGER.fullmatch(token):
            raise self.error(f"expected {what} (an integer {rule}), found {shown(token)}.")
        value = int(token)
        if value < least or (most is not None and value > most):
            raise self.error(f"the {what} must be {rule}. Got {value} instead.")
        return value

    def number(self, what: str, least: float, most: float) -> float:
        """The next token as a number with or without decimals."""
        token = self.token(what)
        if not _FLOAT.fullmatch(token):
            raise self.error(f"expected {what} (a number from {least:g} to {most:g}), found {shown(token)}.")
        value = float(token)
        if not least <= value <= most:
            raise self.error(f"the {what} must be from {least:g} to {most:g}. Got {shown(token)} instead.")
        return value

    def word(self, *words: str) -> str:
        """The next token, which must be one of some words."""
        wanted = " or ".join(repr(word) for word in words)
        token = self.token(wanted)
        text = token.decode("ascii", "backslashreplace")
        if text not in words:
            raise self.error(f"expected {wanted}, found {shown(token)}.")
        return text

    def table(self, rows: int, fields: Sequence[Field]) -> list[npt.NDArray[Any]]:
        """The next ``rows`` rows of numbers: one array of shape (rows, count) for every field."""
        width = sum(field.count for field in fields)
        parts: list[list[npt.NDArray[Any]]] = []
        found = 0
        while found < rows and width:
            tokens, lines = self._gather(width * min(rows - found, max(1, _CHUNK // width)))
            if len(tokens) % width or not tokens:
                name = _field_at(fields, len(tokens) % width).what
                raise self.error(
                    f"expected {name} of row {found + len(tokens) // width + 1} of {rows}, found the end of the file."
                )
            parts.append(self._columns(tokens, lines, fields, width))
            found += len(tokens) // width
        if not parts:
            return [np.empty((rows if not field.count else 0, field.count), field.dtype) for field in fields]
        return [np.concatenate(column) for column in zip(*parts, strict=True)]

    def upcoming(self) -> bytes:
        """The next token, left where it is; empty at the end of the file."""
        while not self._pending and self._next_line():
            pass
        return self._pending[0] if self._pending else b""

    def end(self) -> None:
        """Check that nothing but white space is left."""
        if self.upcoming():
            raise self.error(f"expected the end of the file, found {shown(self._pending[0])}.")

    def _next_line(self) -> bool:
        line = self._stream.readline()
        if not line:
            return False
        self.line += 1
        self._pending = line.split()
        return True

    def _gather(self, most: int) -> tuple[list[bytes], list[tuple[int, int]]]:
        """Up to ``most`` tokens, and for every line how many tokens had come before it."""
        tokens: list[bytes] = []
        lines: list[tuple[int, int]] = []
        while len(tokens) < most:
            if not self._pending and not self._next_line():
                break
            lines.append((len(tokens), self.line))
            room = most - len(tokens)
            tokens += self._pending[:room]
            self._pending = self._pending[room:]
        return tokens, lines

    def _columns(
        self, tokens: list[bytes], lines: list[tuple[int, int]], fields: Sequence[Field], width: int
    ) -> list[npt.NDArray[Any]]:
        """Convert all tokens at once; only when that fails look for the one at fault."""
        plausible = max(map(len, tokens)) <= _LONGEST_TOKEN and not b"".join(tokens).translate(None, _NUMERIC_BYTES)
        if plausible:
            with contextlib.suppress(ValueError, OverflowError):
                return _convert(np.array(tokens).reshape(-1, width), fields)
        for index, token in enumerate(tokens):
            field = _field_at(fields, index % width)
            if not field.holds(token):
                line = max(number for first, number in lines if first <= index)
                raise self.error(f"expected {field.what} ({field.rule}), found {shown(token)}.", line)
        raise self.error("holds a number longer than 64 characters.")  # e.g. 0.000…01: valid, but absurd


def line_of_token(path: PathLike, index: int) -> int | None:
    """The line on which a file's token number ``index`` stands, counting from 0.

    For faults that show only after all tokens are read; reading again then is cheaper than
    remembering every token's line before.
    """
    with opened(path) as stream:
        for number, line in enumerate(stream, 1):
            index -= len(line.split())
            if index < 0:
                return number
    return None


def _convert(tokens: npt.NDArray[np.bytes_], fields: Sequence[Field]) -> list[npt.NDArray[Any]]:
    columns = []
    first = 0
    for field in fields:
        part = tokens[:, first : first + field.count]
        values: npt.NDArray[Any] = part.astype(np.int64 if field.integer else np.float64)
        if not ((values >= field.least) & (values <= field.most)).all():
            raise ValueError(field.what)
        columns.append(values.astype(field.dtype))
        first += field.count
    return columns


def _field_at(fields: Sequence[Field], column: int) -> Field:
    for field in fields:
        if column < field.count:
            return field
        column -= field.count
    raise IndexError(column)


def shown(token: bytes) -> str:
    """A token as an error message shows it: printable, and never too long."""
    text = token.decode("ascii", "backslashreplace")
    return repr(text if len(text) <= 40 else text[:37] + "...")
