"""Roman numerals: a code that people made, with structure to be found."""

from __future__ import annotations

import numpy as np

from boolearn.checks import checked_choice, checked_integer
from boolearn.data.dataset import Dataset
from boolearn.data.multiplication import binary
from boolearn.data.signs import Signs

_LETTERS = "IVXLCDM"
_NUMERALS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_FOUR_BITS = {"I": "0100", "V": "0010", "X": "1101", "L": "1000", "C": "1011", "D": "0001", "M": "0111"}
_LARGEST = 4999  # MMMMCMXCIX: five thousand needs another letter


def roman(largest: int = 899, task: str = "value", code: str = "one-hot") -> Dataset:
    """The Roman numerals from I to ``largest``, in rising order.

    Every letter has its place, the first letter first, and the places after the last letter are
    empty (all bits −1). There are as many places as the longest numeral needs.

    task
        ``"value"``: the outputs are the number in binary, most significant bit first.
        ``"copy"``: the outputs are the inputs, for autoencoders.
    code
        ``"one-hot"``: one bit per letter of the alphabet I V X L C D M, as far as it is needed.
        ``"four-bit"``: four bits per letter, for all seven letters.
    """
    largest = checked_integer("largest", largest, 1, _LARGEST)
    checked_choice("task", task, ("value", "copy"))
    checked_choice("code", code, ("one-hot", "four-bit"))
    numerals = [numeral(number) for number in range(1, largest + 1)]
    places = max(map(len, numerals))
    alphabet = "".join(letter for letter in _LETTERS if any(letter in text for text in numerals))
    if code == "one-hot":
        words = {letter: "".join("01"[other == letter] for other in alphabet) for letter in alphabet}
        marks = tuple(alphabet)
    else:
        words = _FOUR_BITS
        marks = ("3", "2", "1", "0")
    inputs = _written(numerals, places, words, len(marks))
    if task == "copy":
        outputs, output_names = inputs, _names("y", places, marks)
    else:
        bits = largest.bit_length()
        outputs = binary(np.arange(1, largest + 1), bits)
        output_names = tuple(f"v{bit}" for bit in reversed(range(bits)))
    return Dataset(inputs, outputs, input_names=_names("x", places, marks), output_names=output_names)


def numeral(number: int) -> str:
    """A number in Roman numerals."""
    text = ""
    for value, letters in _NUMERALS:
        count, number = divmod(number, value)
        text += letters * count
    return text


def _written(numerals: list[str], places: int, words: dict[str, str], width: int) -> Signs:
    lines = ["".join(words[letter] for letter in text).ljust(places * width, "0") for text in numerals]
    bits = np.frombuffer("".join(lines).encode(), np.uint8).reshape(len(lines), -1) - ord("0")
    return bits.astype(np.int8) * np.int8(2) - np.int8(1)


def _names(prefix: str, places: int, marks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{prefix}{place}_{mark}" for place in range(1, places + 1) for mark in marks)
