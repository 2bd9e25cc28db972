"""Pictures and their mirror images."""

from __future__ import annotations

import numpy as np

from boolearn.checks import checked_choice, checked_integer, checked_room, generator
from boolearn.data.dataset import Dataset
from boolearn.data.signs import Signs
from boolearn.errors import ParameterError


def mirror(height: int, width: int, items: int, seed: int, task: str = "image") -> Dataset:
    """Random black-and-white pictures, read row by row.

    task
        ``"image"``: the output is the picture with left and right exchanged.
        ``"symmetric"``: the output is one bit: is the picture its own mirror image? Half of the
        items are (of an odd number, the smaller half), in random order.
        ``"copy"``: the right half is the mirror image of the left one, or its negative, each with
        probability ½, so that height · width/2 + 1 bits are free. The outputs are the inputs, for
        autoencoders. The width must be even.
    """
    height = checked_integer("height", height, 1)
    width = checked_integer("width", width, 2)
    items = checked_integer("items", items, 1)
    checked_room("items", items, height * width)
    checked_choice("task", task, ("image", "symmetric", "copy"))
    if task == "copy" and width % 2:
        raise ParameterError("width", "even, for two halves", width)
    rng = generator(seed)
    names = tuple(f"x{row}_{column}" for row in range(height) for column in range(width))
    output_names = tuple(name.replace("x", "y") for name in names)
    pictures = _random_pictures(items, height, width, rng)
    if task == "image":
        mirrored = pictures[:, :, ::-1]
        return Dataset(_flat(pictures), _flat(mirrored), input_names=names, output_names=output_names)
    if task == "copy":
        contrast = rng.integers(0, 2, (items, 1, 1), np.int8) * np.int8(2) - np.int8(1)
        pictures[:, :, width // 2 :] = contrast * pictures[:, :, : width // 2][:, :, ::-1]
        return Dataset(_flat(pictures), _flat(pictures), input_names=names, output_names=output_names)
    symmetric = rng.permutation(items) < items // 2
    half = width // 2
    pictures[symmetric, :, width - half :] = pictures[symmetric, :, :half][:, :, ::-1]
    # A random picture may be symmetric by chance; draw those that must not be again.
    wrong = np.flatnonzero(~symmetric & _is_symmetric(pictures))
    while wrong.size:
        pictures[wrong] = _random_pictures(len(wrong), height, width, rng)
        wrong = wrong[_is_symmetric(pictures[wrong])]
    answers = np.where(symmetric[:, None], np.int8(1), np.int8(-1))
    return Dataset(_flat(pictures), answers, input_names=names, output_names=("symmetric",))


def _random_pictures(items: int, height: int, width: int, rng: np.random.Generator) -> Signs:
    return rng.integers(0, 2, (items, height, width), np.int8) * np.int8(2) - np.int8(1)


def _is_symmetric(pictures: Signs) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    same = pictures == pictures[:, :, ::-1]
    return np.asarray(same.all(axis=(1, 2)))


def _flat(pictures: Signs) -> Signs:
    return np.ascontiguousarray(pictures).reshape(len(pictures), -1)
