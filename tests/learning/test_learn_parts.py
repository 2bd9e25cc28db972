"""The parts that learn is made of: gate searches of fixed length, trees, votes, divided searches, chains, estimates."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.tree import DecisionTreeClassifier

import boolearn as bl
from boolearn.learning.anneal import Cooled, Options, Shape, circuit_of, cool, cool_again
from boolearn.learning.choosing import choose
from boolearn.learning.classes import chains
from boolearn.learning.clock import Clock, two_digits
from boolearn.learning.estimate import estimate
from boolearn.learning.found import Found, Rows, answers, count_wrong, from_not_too_many
from boolearn.learning.joining import chosen_by, majority, side_by_side
from boolearn.learning.rrr import add_rrr
from boolearn.learning.splitting import cool_divided
from boolearn.learning.task import Task
from boolearn.learning.trees import boosted, tree_circuit

NAMES = tuple(f"x{index}" for index in range(8))
SMALL = Shape((6, 6, 4))


def random_rows(n: int, seed: int = 0, n_outputs: int = 1) -> Rows:
    rng = np.random.default_rng(seed)
    inputs = rng.random((n, 8)) < 0.5
    hidden = (inputs[:, :3].sum(axis=1) > 1) ^ (inputs[:, 3] & inputs[:, 4])
    outputs = np.stack([hidden ^ inputs[:, 5 + k] if k else hidden for k in range(n_outputs)], axis=1)
    return Rows(inputs, outputs)


def searched(train: Rows, valid: Rows, rounds: int = 30, stream: int = 0) -> Cooled:
    return cool(train, valid, SMALL, rounds, (0, stream), Options())


def test_a_search_repeats_itself_and_its_circuits_are_as_right_as_it_says() -> None:
    train, valid = random_rows(300, 0, 2), random_rows(200, 1, 2)
    one, other = searched(train, valid), searched(train, valid)
    for output in range(2):
        circuit = one.circuit(output, NAMES, "y")
        assert circuit == other.circuit(output, NAMES, "y")
        assert count_wrong(circuit, valid.only([output])) == one.valid_wrong[output]
        alone = one.alone(output)
        assert circuit_of(alone.network, alone.tables[0], NAMES, 0, "y") == circuit


def test_a_search_that_goes_on_with_more_rows_keeps_what_is_right() -> None:
    train, valid = random_rows(300), random_rows(200, 1)
    found = searched(train, valid, rounds=60)
    both = train.and_also(valid)
    before = count_wrong(found.circuit(0, NAMES, "y"), both)
    again = circuit_of(found.network, cool_again(found, 0, both, 30, (0, 0)), NAMES, 0, "y")
    assert count_wrong(again, both) <= before + 3


def test_a_search_asked_to_stop_has_a_circuit() -> None:
    rows = random_rows(64)
    found = cool(rows, rows, SMALL, 50, (0, 0), Options(stop=lambda: True))
    assert found.circuit(0, NAMES, "y").inputs == NAMES


def test_a_tree_is_the_circuit_of_scikit_learns_tree() -> None:
    train, valid = random_rows(300), random_rows(200, 1)
    tree = DecisionTreeClassifier(max_leaf_nodes=12, random_state=3).fit(train.inputs, train.outputs[:, 0])
    assert np.array_equal(
        answers(tree_circuit(train, 12, 3, NAMES, "y"), valid.inputs), np.asarray(tree.predict(valid.inputs))
    )


def test_boosting_removes_training_errors() -> None:
    rows = random_rows(300)
    noisy = Rows(rows.inputs, rows.outputs ^ (np.random.default_rng(0).random((300, 1)) < 0.1))
    wrong = [count_wrong(circuit, noisy) for _, circuit in boosted(noisy, 4, 33, 0, NAMES, "y")]
    assert wrong[-1] < wrong[0]
    assert wrong[-1] < count_wrong(tree_circuit(noisy, 4, 0, NAMES, "y"), noisy)


def test_open_outputs_are_open_to_rrr() -> None:
    """Were they false, contradictory rows would leave nothing to find."""
    inputs = np.random.default_rng(0).random((60, 8)) < 0.5
    twice = np.concatenate((inputs, inputs))
    unknown = np.zeros((120, 2), bool)
    unknown[:60, 0] = True
    rows = Rows(twice, twice[:, :2] & ~unknown, unknown)
    task = Task(rows, rows, NAMES, ("y", "z"), seed=0, threads=1, clock=Clock(60))
    run = add_rrr(task, [0, 1], 1e7)
    assert run is not None
    assert [found.right for (found,) in task.found] == [True, True]


@pytest.mark.parametrize("voters", [1, 3, 9, 11, 15])
def test_votes_are_counted(voters: int) -> None:
    names = tuple(f"x{index}" for index in range(voters))
    circuits = [bl.Circuit(names, (), (("y", bl.circuit.Literal(k, 1 if k % 2 else -1)),)) for k in range(voters)]
    inputs = np.random.default_rng(0).random((500, voters)) < 0.5
    votes = inputs ^ (np.arange(voters) % 2 == 0)
    assert np.array_equal(answers(majority(circuits), inputs), 2 * votes.sum(axis=1) > voters)


def test_votes_and_choices_are_what_they_say() -> None:
    train = random_rows(200)
    circuits = [searched(train, train, 5, stream).circuit(0, NAMES, "y") for stream in range(3)]
    said = np.array([answers(circuit, train.inputs) for circuit in circuits])
    assert np.array_equal(answers(majority(circuits), train.inputs), said.sum(axis=0) > 1)
    both = answers(chosen_by(NAMES, 2, circuits[0], circuits[1]), train.inputs)
    assert np.array_equal(both, np.where(train.inputs[:, 2], said[0], said[1]))


def test_circuits_side_by_side_share_gates() -> None:
    rows = random_rows(200)
    circuit = searched(rows, rows).circuit(0, NAMES, "y")
    twin = bl.Circuit(circuit.inputs, circuit.gates, (("z", circuit.outputs[0][1]),))
    assert side_by_side([circuit, twin]).ands() == circuit.ands()


def test_divided_searches_join_by_their_tests() -> None:
    train, valid = random_rows(600), random_rows(200, 1)
    divided = cool_divided(train, valid, 2, SMALL, 40, (0, 0), Options())
    circuit = divided.circuit(NAMES, "y")
    at = divided.tree.apply(valid.inputs)
    wrong = 0
    for number, leaf in divided.leaves.items():
        part = valid.take(at == number)
        wrong += (
            count_wrong(leaf.circuit(0, NAMES, "y"), part)
            if isinstance(leaf, Cooled)
            else int((part.outputs[:, 0] != leaf).sum())
        )
    assert count_wrong(circuit, valid) == wrong
    assert count_wrong(divided.again(train.and_also(valid), 20, NAMES, "y"), train) < len(train) / 4


def chain_rows(n_bits: int, kind: str, first: int = 0, n: int = 3000) -> Rows:
    rng = np.random.default_rng(n_bits)
    inputs = rng.random((n, 2 * n_bits + first)) < 0.5
    a, b = inputs[:, first : first + n_bits], inputs[:, first + n_bits :]
    place = 1 << np.arange(n_bits, dtype=object)
    one, other = a.astype(object) @ place, b.astype(object) @ place
    value = one > other if kind == "comparison" else (one + other) >> (n_bits if kind == "carry" else n_bits - 1) & 1
    return Rows(inputs, np.asarray(value, bool)[:, None])


@pytest.mark.parametrize(("kind", "first"), [("comparison", 0), ("comparison", 5), ("carry", 3), ("sum", 2)])
def test_a_chain_is_found_beyond_what_rows_say(kind: str, first: int) -> None:
    """Rows decide about ten pairs; the others follow in equal steps, and unseen rows that hang on them are right."""
    rows = chain_rows(24, kind, first)
    fitted = chains.fit(rows.inputs, rows.outputs[:, 0])
    assert fitted is not None
    hard = chain_rows(24, kind, first, 20)
    top = slice(first + 8, first + 24 - (kind == "sum")), slice(first + 32, first + 48 - (kind == "sum"))
    hard.inputs[:, top[1]] = hard.inputs[:, top[0]] if kind == "comparison" else ~hard.inputs[:, top[0]]
    place = 1 << np.arange(24, dtype=object)
    one = hard.inputs[:, first : first + 24].astype(object) @ place
    other = hard.inputs[:, first + 24 :].astype(object) @ place
    value = one > other if kind == "comparison" else (one + other) >> (24 if kind == "carry" else 23) & 1
    assert np.array_equal(answers(fitted.circuit, hard.inputs), np.asarray(value, bool))


def test_no_chain_in_noise() -> None:
    rng = np.random.default_rng(0)
    assert chains.fit(rng.random((500, 20)) < 0.5, rng.random(500) < 0.5) is None


@pytest.mark.parametrize(("wrong", "bits"), [(0, 40), (3, 50), (50, 50), (17, 1000)])
def test_an_estimate_is_clopper_and_pearsons_interval(wrong: int, bits: int) -> None:
    found, exact = estimate(wrong, bits), binomtest(bits - wrong, bits).proportion_ci(0.95, method="exact")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))
    wider = estimate(wrong, bits, choices=math.log(20))
    assert wider.low <= found.low <= found.accuracy <= found.high <= wider.high


@pytest.mark.parametrize("choices", [380.0, 600.0, 1e6])
def test_an_estimate_has_bounds_however_many_circuits_there_were(choices: float) -> None:
    for wrong in (0, 1, 3, 250, 500, 502, 503):
        found = estimate(wrong, 503, choices)
        assert 0 <= found.low <= found.accuracy <= found.high <= 1


def test_an_interval_for_the_best_of_many_holds_for_it() -> None:
    """Twenty coins, the best of which is chosen by 100 throws: its interval has to hold 1/2 nearly always."""
    rng = np.random.default_rng(0)
    least_wrong = rng.binomial(100, 0.5, (400, 20)).min(axis=1)
    held = [estimate(int(wrong), 100, choices=math.log(20)) for wrong in least_wrong]
    assert np.mean([found.low <= 0.5 <= found.high for found in held]) > 0.94
    naive = [estimate(int(wrong), 100) for wrong in least_wrong]
    assert np.mean([found.low <= 0.5 for found in naive]) < 0.9


def test_work_is_rounded_to_two_digits() -> None:
    assert [two_digits(work) for work in (0.3, 7, 99.9, 1234, 5.67e8)] == [1, 7, 99, 1200, 570000000]


def candidate(ands: int, valid_wrong: int, rows: int, train_wrong: int = 1) -> Found:
    circuit = bl.circuit.circuit_from_formulas({"y": " & ".join(NAMES[: ands + 1])}, inputs=list(NAMES))
    return Found(circuit, f"{ands}", train_wrong, valid_wrong, 1000, np.zeros(rows, bool))


@pytest.mark.parametrize(
    ("rows", "wrong", "chosen"),
    [
        (40, {1: 3, 2: 2, 3: 0}, 3),  # of forty rows, two wrong are clearly more than none
        (40, {1: 3, 2: 1, 3: 0}, 2),  # and one is not
        (1000, {1: 106, 2: 104, 3: 100}, 2),  # many rows: half a standard error of a hundred is five
        (1000, {1: 3, 2: 1, 3: 0}, 3),
    ],
)
def test_the_smallest_that_is_not_clearly_worse_is_chosen(rows: int, wrong: dict[int, int], chosen: int) -> None:
    candidates = [candidate(ands, count, rows) for ands, count in wrong.items()]
    assert choose(candidates).ands == chosen
    right = candidate(4, 0, rows, train_wrong=0)
    assert choose([*candidates, right]) is right


def test_what_was_learned_from_a_part_of_many_rows_is_not_learned_again_from_all() -> None:
    rows = Rows(np.zeros((100_000, 1), bool), np.zeros((100_000, 1), bool))
    seen: list[int] = []

    def again(rows: Rows) -> bl.Circuit:
        seen.append(len(rows))
        return candidate(1, 0, 1).circuit

    for at_first in (4096, 30_000, 75_000):
        from_not_too_many(again, at_first)(rows)
    assert seen == [1 << 15, 60_000, 100_000]


def test_candidates_are_judged_on_rows_they_did_not_see() -> None:
    train, valid = random_rows(100), random_rows(100, 1)
    circuit = tree_circuit(train, 30, 0, NAMES, "y")
    found = Found.of(circuit, "tree", train, valid)
    assert (found.train_wrong, found.valid_wrong) == (count_wrong(circuit, train), count_wrong(circuit, valid))
    assert found.ands == circuit.ands()


@pytest.mark.parametrize("xor", [False, True])
def test_all_inputs_of_eight_bits_by_hand(xor: bool) -> None:
    """The circuit of a table of gates answers as the sampler's own evaluation, on every input."""
    every = Rows(np.array(list(itertools.product((False, True), repeat=8))), np.zeros((256, 1), bool))
    found = cool(random_rows(100), every, SMALL, 10, (0, 0), Options(xor=xor))
    assert count_wrong(found.circuit(0, NAMES, "y"), every) == found.valid_wrong[0]
