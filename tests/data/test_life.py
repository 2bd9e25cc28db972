from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data import evolve_life, life
from boolearn.errors import DataError, ParameterError


def test_a_blinker_turns_and_turns_back() -> None:
    upright = np.zeros((1, 5, 5), int)
    upright[0, 1:4, 2] = 1
    lying = upright.transpose(0, 2, 1)
    once = evolve_life(upright.reshape(1, 25), (5, 5), 1)
    assert (once == 2 * lying.reshape(1, 25) - 1).all()
    assert (evolve_life(once, (5, 5), 1) == 2 * upright.reshape(1, 25) - 1).all()


def test_a_glider_moves_by_one_along_the_diagonal_in_four_steps() -> None:
    world = np.zeros((6, 7), int)
    world[[0, 1, 2, 2, 2], [1, 2, 0, 1, 2]] = 1
    for steps, shift in ((4, 1), (24, 6)):
        later = evolve_life(world.reshape(1, 42), (6, 7), steps).reshape(6, 7)
        assert (later == 2 * np.roll(world, (shift, shift), axis=(0, 1)) - 1).all()


@given(st.integers(3, 6), st.integers(3, 6), st.integers(0, 2**32 - 1))
def test_every_cell_follows_the_rule_as_it_is_told(height: int, width: int, seed: int) -> None:
    data = life(height, width, 1, 2, seed)
    for before, after in zip(
        data.inputs.reshape(-1, height, width), data.outputs.reshape(-1, height, width), strict=True
    ):
        for row in range(height):
            for column in range(width):
                around = [
                    before[(row + a) % height, (column + b) % width] > 0
                    for a in (-1, 0, 1)
                    for b in (-1, 0, 1)
                    if (a, b) != (0, 0)
                ]
                alive = sum(around) == 3 or (sum(around) == 2 and before[row, column] > 0)
                assert (after[row, column] > 0) == alive


def test_steps_add_up_and_seeds_repeat() -> None:
    data = life(5, 6, 3, 10, seed=4)
    again = life(5, 6, 1, 10, seed=4)
    assert (data.inputs == again.inputs).all()
    assert (evolve_life(again.outputs, (5, 6), 2) == data.outputs).all()
    assert data.input_names is not None
    assert data.input_names[7] == "x1_1"


def test_other_rules_and_densities() -> None:
    assert (life(4, 4, 1, 5, seed=0, rule="B/S").outputs == -1).all()
    assert (life(4, 4, 1, 5, seed=0, rule="B012345678/S012345678").outputs == 1).all()
    still = life(4, 4, 1, 5, seed=0, rule="B/S012345678")
    assert (still.inputs == still.outputs).all()
    assert (life(4, 4, 0, 5, seed=0, density=1).inputs == 1).all()


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"height": 2}, "height"),
        ({"items": 0}, "items"),
        ({"steps": -1}, "steps"),
        ({"rule": "3/23"}, "rule"),
        ({"rule": "B9/S23"}, "rule"),
        ({"rule": 30}, "rule"),
        ({"density": 1.5}, "density"),
        ({"density": "half"}, "density"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_parameters_are_named(parameters: dict[str, object], name: str) -> None:
    good: dict[str, object] = {"height": 4, "width": 4, "steps": 1, "items": 1, "seed": 0}
    with pytest.raises(ParameterError, match=f"'{name}' parameter"):
        life(**{**good, **parameters})  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [5, (3,), (3, 4, 5), (3, 2), "34", None])
def test_a_torus_has_two_sides(shape: object) -> None:
    with pytest.raises(ParameterError, match="'shape' parameter"):
        evolve_life(np.ones((2, 12)), shape, 1)  # type: ignore[arg-type]


def test_cells_must_fill_the_torus() -> None:
    with pytest.raises(DataError, match=r"\(items, 12\)"):
        evolve_life(np.ones((2, 11)), (3, 4), 1)
