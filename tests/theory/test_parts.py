"""The parts of the benchmarks: sets, networks with a bottleneck, affine codes, the fit, the language, shapes."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.data import Dataset, InputKind, mirror
from boolearn.errors import DataError, ParameterError
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.theory.affine import affine_halves
from boolearn.theory.bottleneck import Halves, autoencoder, halves
from boolearn.theory.dimensions import recovered, without_codes
from boolearn.theory.language import make_language
from boolearn.theory.learnable import least_width
from boolearn.theory.logistic import fit_transition
from boolearn.theory.member_sets import MemberSet, is_mirror_image, listed_set, named_set, strings
from boolearn.theory.non_members import treated
from boolearn.theory.problems import PROBLEMS, every_input, problem
from boolearn.theory.width_depth import shape
from boolearn.training import train

RNG = np.random.default_rng(0)


def random_signs(*shape: int) -> np.ndarray:
    return RNG.choice(np.array([-1, 1], np.int8), shape)


@pytest.mark.parametrize("size", [2, 4, 6])
def test_mirror_images_have_exactly_their_free_bits(size: int) -> None:
    """Counted where all strings can be: the members among all 2 × 2 pictures, and the dimension of larger sets."""
    data = mirror(size, size, 500, seed=1, task="copy")
    assert np.array_equal(data.inputs, data.outputs)
    assert is_mirror_image(data.inputs, size).all()
    free = size * size // 2 + 1
    if size == 2:
        assert is_mirror_image(every_input(4), 2).sum() == 2**free
    assert len(affine_halves(data.inputs).decoder.inputs) == free
    found = named_set(f"mirror-{size}", 0, 500)
    assert found.least_bits == free
    both = data.inputs.reshape(-1, size, size)
    left, right = both[:, :, : size // 2], both[:, :, size // 2 :][:, :, ::-1]
    contrast = (left * right)[:, 0, 0]
    assert 0.3 < (contrast > 0).mean() < 0.7


def test_a_flipped_pixel_leaves_the_set() -> None:
    pictures = mirror(4, 4, 50, seed=0, task="copy").inputs.copy()
    pictures[np.arange(50), RNG.integers(0, 16, 50)] *= -1
    assert not is_mirror_image(pictures, 4).any()


def test_halves_need_an_even_width() -> None:
    with pytest.raises(ParameterError, match="'width' parameter must be even"):
        mirror(4, 3, 10, 0, "copy")


@pytest.mark.parametrize("name", ["mirror-4", "roman", "circuit-1"])
def test_members_of_named_sets_are_different_members(name: str) -> None:
    found = named_set(name, seed=3, members=300)
    assert len(np.unique(found.members, axis=0)) == len(found.members)
    assert found.contains(found.members).all()
    again, other = named_set(name, seed=3, members=300), named_set(name, seed=4, members=300)
    assert np.array_equal(found.members, again.members)
    assert not np.array_equal(found.members[:20], other.members[:20])


def test_roman_numerals_need_ten_bits() -> None:
    found = named_set("roman", 0, 1)
    assert found.members.shape == (899, 72)
    assert found.least_bits == 10


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(ParameterError, match="'set' parameter must be one of mirror-2"):
        named_set("mirror-3", 0, 10)


def test_strings_of_a_data_set() -> None:
    inputs, outputs = random_signs(5, 3), random_signs(5, 2)
    assert np.array_equal(strings(Dataset(inputs, outputs)), np.hstack((inputs, outputs)))
    assert np.array_equal(strings(Dataset(inputs, inputs)), inputs)
    assert np.array_equal(strings(Dataset.generative(outputs)), outputs)
    for bad in (
        Dataset(np.zeros((5, 2)), outputs, input_kind=InputKind.ANALOG),
        Dataset.labelled(inputs, np.arange(5)),
        Dataset(inputs, np.zeros((5, 1)), open=np.ones((5, 1), bool)),
    ):
        with pytest.raises(DataError, match="a set must consist of bits"):
            strings(bad)


@pytest.mark.parametrize(("encoder", "decoder"), [((), ()), ((5,), (4, 3)), ((3, 4), (6,))])
def test_nothing_passes_the_bottleneck_but_the_code(encoder: tuple[int, ...], decoder: tuple[int, ...]) -> None:
    network = autoencoder(6, encoder, 2, decoder)
    model = BoolNet(network, RNG.normal(size=network.n_weights))
    rows = every_input(6)
    found = halves(model, rows)
    assert np.array_equal(found.decoded(rows), model.predict(rows))
    assert len(found.decoder.inputs) == 2
    assert len(np.unique(model.predict(rows), axis=0)) <= 4
    n_edges = sum((6 + below + 1) * width for below, width in _layers((*encoder, 2)))
    n_edges += sum((2 + below + 1) * width for below, width in _layers((*decoder, 6)))
    assert network.n_edges == n_edges


def _layers(widths: tuple[int, ...]) -> list[tuple[int, int]]:
    """Every layer's width with all neurons of its half below it."""
    return [(sum(widths[:place]), width) for place, width in enumerate(widths)]


def test_an_autoencoder_with_xors_falls_into_halves_too() -> None:
    rows = every_input(3)
    rows = np.hstack((rows, rows[:, :1] * rows[:, 1:2]))
    run = train(autoencoder(4, (), 3, (4,)), Dataset(rows, rows), solver="gates", xor=True, stop="fit", threads=1)
    assert run.solved
    found = halves(run.model)
    assert found.exact(rows) == 1
    assert found.decoder.inputs == tuple(name for name, _ in found.encoder.outputs) == ("c0", "c1", "c2")
    assert np.array_equal(found.decoded(every_input(4)), run.model.predict(every_input(4)))


@pytest.mark.parametrize("dimension", [0, 1, 3, 5])
def test_an_affine_set_takes_as_many_bits_as_its_dimension(dimension: int) -> None:
    rng = np.random.default_rng(dimension)
    basis = np.hstack((np.eye(dimension, dtype=bool), rng.random((dimension, 9 - dimension)) < 0.5))[
        :, rng.permutation(9)
    ]
    combinations = every_input(dimension) > 0 if dimension else np.zeros((1, 0), bool)
    members = (combinations.astype(int) @ basis % 2).astype(bool) ^ (rng.random(9) < 0.5)
    signs = np.where(members, np.int8(1), np.int8(-1))
    found = affine_halves(signs)
    assert len(found.decoder.inputs) == dimension
    assert found.exact(signs) == 1
    everything = every_input(9)
    back = (found.decoded(everything) == everything).all(axis=1)
    assert back.sum() == 2**dimension


@pytest.mark.parametrize("most", [2, 3, 9, 16])
def test_bisection_finds_what_trying_all_widths_finds(most: int) -> None:
    for least, closing in itertools.product(range(1, most + 1), range(1, most + 2)):
        tried: list[int] = []

        def closes(width: int, closing: int = closing, tried: list[int] = tried) -> bool:
            tried.append(width)
            return width >= closing

        expected = next((width for width in range(least, most) if width >= closing), None)
        assert least_width(closes, least, most) == expected
        assert all(least <= width < most for width in tried)
        assert len(tried) <= 1 + math.ceil(math.log2(most))


def test_an_autoencoder_that_copies_gives_every_string_back() -> None:
    names = tuple(f"x{bit}" for bit in range(6))
    copies = CircuitBuilder(names).circuit((f"c{bit}", Literal(bit)) for bit in range(6))
    found = treated(Halves(copies, copies), listed_set("some", random_signs(10, 6), 0), seed=0)
    assert found["random"]["reconstructed"] == found["neighbours"]["reconstructed"] == 1
    assert found["random"]["wrong_bits"] == 0
    assert 0 < found["codes_to_members"] < 0.4


def test_a_set_of_all_strings_has_no_other_strings() -> None:
    names = ("a", "b")
    copies = CircuitBuilder(names).circuit((name, Literal(bit)) for bit, name in enumerate(names))
    found = treated(Halves(copies, copies), MemberSet("all", every_input(2), lambda rows: np.ones(len(rows), bool)), 0)
    assert found == {"random": None, "neighbours": None, "codes_to_members": 1.0}


@pytest.mark.parametrize(("middle", "width"), [(0.7, 0.3), (2.0, 0.6)])
def test_a_transition_is_found_where_it_is(middle: float, width: float) -> None:
    rng = np.random.default_rng(1)
    x = np.tile(np.geomspace(0.1, 10, 15), 40)
    p = 1 / (1 + np.exp(-(np.log2(x) - np.log2(middle)) / width))
    found = fit_transition(x, rng.random(len(x)) < p, np.repeat(np.arange(40), 15))
    assert found.low < found.middle < found.high
    assert abs(math.log2(found.middle / middle)) < 0.15
    assert found.width == pytest.approx(width, rel=0.3)
    assert found.at(np.array([found.middle])) == pytest.approx(0.5)


def test_a_clean_step_is_between_its_neighbours() -> None:
    found = fit_transition([0.5, 1, 2, 4], [0, 0, 1, 1], [0, 0, 0, 0])
    assert 1 < found.middle < 2


def test_a_transition_needs_values_above_zero() -> None:
    with pytest.raises(DataError, match="values above 0. Got 0.0"):
        fit_transition([0, 1], [0, 1], [0, 1])
    with pytest.raises(DataError, match="as many values as successes and groups"):
        fit_transition([1], [0, 1], [0, 1])
    with pytest.raises(DataError, match="at least one. Got 0, 0 and 0"):
        fit_transition([], [], [])


def test_contexts_ask_for_features_and_none_is_without() -> None:
    language = make_language(4, 12, 0.25, seed=2)
    assert language.features.shape == (16, 4)
    assert len(np.unique(language.features, axis=0)) == 16
    order = np.lexsort(language.features.T[::-1])
    cube = language.contexts[order].reshape(2, 2, 2, 2, 12)
    matters = np.array([(cube != np.flip(cube, axis=axis)).any(axis=(0, 1, 2, 3)) for axis in range(4)])
    assert set(matters.sum(axis=0)) <= {1, 2, 3}
    assert matters.any(axis=1).all()
    assert 0.1 < language.unseen.mean() < 0.4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((2, 8, 0.1), "'features'"), ((4, 3, 0.1), "'contexts'"), ((4, 8, 1.0), "'unseen'")],
)
def test_a_language_that_cannot_be_is_refused(arguments: tuple[int, int, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make_language(*arguments, seed=0)


def test_features_are_recovered_up_to_order_and_negation() -> None:
    features = make_language(4, 8, 0.0, seed=0).features
    codes = features[:, [2, 0, 3, 1]] * np.array([1, -1, -1, 1], np.int8)
    assert recovered(codes, features) == 4
    assert recovered(codes[:, :3], features) == 3
    assert recovered(np.ones_like(codes), features) == 0


def test_the_nearest_token_knows_what_a_copy_of_it_does() -> None:
    """With two tokens of every kind, the other one of the kind has told what is unseen."""
    language = make_language(4, 20, 0.0, seed=0)
    twice = np.repeat(language.contexts, 2, axis=0)
    unseen = np.zeros(twice.shape, bool)
    unseen[::2, 0] = True
    pair = type(language)(np.repeat(language.features, 2, axis=0), twice, unseen)
    assert without_codes(pair) == 1


def test_shapes_have_nearly_the_same_edges() -> None:
    for hidden in (1, 2, 3, 5):
        widths = shape(10, 8, hidden, 800)
        edges = layered(widths).n_edges
        assert len(widths) == hidden + 2
        for change in (-1, 1):
            other = layered([10, *[widths[1] + change] * hidden, 8]).n_edges
            assert abs(other - 800) >= abs(edges - 800)
    with pytest.raises(ParameterError, match="'edges' parameter must be nearer to what 1 hidden layers can have"):
        shape(10, 8, 1, 5)


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_is_tested_was_not_learned(name: str) -> None:
    learned, tested = problem(name, 1)
    if name == "multiplier":
        assert learned.complete
        return
    rows = np.vstack((learned.inputs, tested.inputs))
    assert len(np.unique(rows, axis=0)) == len(rows) == 1024


def test_an_unknown_problem_is_refused() -> None:
    with pytest.raises(ParameterError, match="'name'"):
        problem("sorting", 0)
