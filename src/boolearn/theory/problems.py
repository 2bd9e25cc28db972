"""Small problems of different kinds, each with items to learn from and items to test on."""

from __future__ import annotations

import numpy as np

from boolearn.checks import checked_choice, generator
from boolearn.data import Dataset, evolve, multiplier
from boolearn.data.signs import Signs, as_signs
from boolearn.model import random_model

PROBLEMS = {"multiplier": "3-bit multiplier", "rule30": "rule 30", "maj": "Maj circuit", "andor": "And/Or circuit"}

BITS = 10
"""Inputs and outputs of all problems but the multiplier."""
LAYERS = 3
"""Of the random circuits."""
LEARNED = 120


def problem(name: str, seed: int) -> tuple[Dataset, Dataset]:
    """What to learn, and all other inputs to test on. The multiplication table is complete, so it is both."""
    checked_choice("name", name, tuple(PROBLEMS))
    if name == "multiplier":
        table = multiplier(3)
        return table, table
    inputs = generator(seed).spawn(1)[0].permutation(every_input(BITS))
    if name == "rule30":
        outputs = evolve(inputs, 30, 1)
    else:
        outputs = as_signs(random_model(*[BITS] * (LAYERS + 1), gates=name, seed=seed).predict(inputs), "outputs")
    train, test = Dataset(inputs, outputs).split(LEARNED)
    assert test is not None
    return train, test


def every_input(bits: int) -> Signs:
    """Shape (2^bits, bits)."""
    return (1 - 2 * (np.arange(1 << bits)[:, None] >> np.arange(bits) & 1)).astype(np.int8)
