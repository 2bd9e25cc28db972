"""A folder of word codes: words.tsv (word, count, bits), decoder.safetensors (code → contexts), about.json."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from boolearn.data.signs import as_bits
from boolearn.errors import BoolearnError, FileError
from boolearn.files import PathLike, checked_path, opened, parse_json, write_text
from boolearn.model import BoolNet
from boolearn.words.codes import WordCodes

WORDS, DECODER, ABOUT = "words.tsv", "decoder.safetensors", "about.json"

_HEADER = "word\tcount\tcode"
_MOST_DIGITS = 15


def check_free(folder: PathLike) -> Path:
    """Refuse a folder that already holds codes: nothing that was learned is overwritten."""
    path = checked_path(folder)
    if path.exists() and not path.is_dir():
        raise FileError(path, None, "is not a folder.")
    for name in (WORDS, DECODER, ABOUT):
        if (path / name).exists():
            raise FileError(path, None, f"already holds {name}; choose another folder.")
    return path


def save_codes(codes: WordCodes, folder: PathLike) -> None:
    """Write the three files. words.tsv comes last: where it is, the others are."""
    path = check_free(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(path, None, f"cannot be made: {error.strerror or error}.") from error
    codes.decoder.save(path / DECODER)
    write_text(path / ABOUT, json.dumps(codes.about, indent=2, ensure_ascii=False) + "\n")
    rows = zip(codes.words, codes.counts.tolist(), as_bits(codes.codes).tolist(), strict=True)
    lines = [f"{word}\t{count}\t{''.join(map(str, bits))}\n" for word, count, bits in rows]
    write_text(path / WORDS, f"{_HEADER}\n" + "".join(lines))


def load_codes(folder: PathLike) -> WordCodes:
    """Read what ``save_codes`` has written."""
    path = checked_path(folder)
    with opened(path / WORDS) as stream:
        content = stream.read()
    with opened(path / ABOUT) as stream:
        described = stream.read()
    try:
        about = parse_json(described)
        text = content.decode("utf-8")
    except ValueError as error:
        raise FileError(path, None, f"does not hold word codes: {error}.") from error
    if not isinstance(about, dict):
        raise FileError(path / ABOUT, None, "must be a JSON object.")
    words: list[str] = []
    counts: list[int] = []
    bits: list[str] = []
    lines = text.split("\n")
    if lines[0] != _HEADER:
        raise FileError(path / WORDS, 1, f"expected the line {_HEADER!r}.")
    for number, line in enumerate(lines[1:], 2):
        if not line and number == len(lines):
            break
        word, count, code = _row(path / WORDS, number, line)
        if bits and len(code) != len(bits[0]):
            raise FileError(path / WORDS, number, f"expected a code of {len(bits[0])} bits, found {len(code)}.")
        words.append(word)
        counts.append(count)
        bits.append(code)
    if not bits:
        raise FileError(path / WORDS, None, "must hold at least one word.")
    decoder = BoolNet.load(path / DECODER)
    try:
        return WordCodes(
            tuple(words), np.array(counts), np.array([list(map(int, code)) for code in bits]) * 2 - 1, decoder, about
        )
    except BoolearnError as error:
        raise FileError(path, None, str(error)) from error


def _row(path: Path, number: int, line: str) -> tuple[str, int, str]:
    parts = line.split("\t")
    if (
        len(parts) != 3
        or not parts[0]
        or not parts[1].isascii()
        or not parts[1].isdigit()
        or len(parts[1]) > _MOST_DIGITS
    ):
        raise FileError(path, number, "expected a word, a count and a code with tabs between them.")
    if not parts[2] or set(parts[2]) - {"0", "1"}:
        raise FileError(path, number, "expected a code of zeros and ones.")
    return parts[0], int(parts[1]), parts[2]
