"""Signals: which neurons later stages read, where outputs are taken from, and the network that all stages are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import boolearn as bl
from boolearn.model import random_model
from boolearn.network import layered
from boolearn.training.chosen import ChosenOutputs
from boolearn.training.found import Found
from boolearn.training.signals import Signals


def test_signals_leave_out_what_is_known_and_what_nobody_hears() -> None:
    samples = random_model(4, 4, 3, seed=2).sample(50, seed=3)
    signals = Signals(samples, 50)
    network = layered(4, 4, 3, reads="inputs")
    model = bl.BoolNet(network, np.zeros(network.n_weights))
    rows = np.zeros((7, 9))
    rows[0, 1] = 1  # a copy of an input, heard
    rows[1, [0, 1, 2]] = 1  # And, heard
    rows[2, [0, 2, 3]] = 1  # And, heard by the third output
    rows[3, [0, 1, 2]] = -1  # the negation of the first And, heard
    rows[4, [1, 5]] = 0.5, 1
    rows[5, [2, 6, 7]] = 1
    rows[6, [7, 8]] = 1, 0.9
    weights = np.concatenate([rows[k, : 5 if k < 4 else 9] for k in range(7)])
    model = bl.BoolNet(network, weights)
    found = signals.add(model)
    signals.pass_on_heard(found, np.array([False, True, False]))
    assert found.node.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    heard = [6, 7, 10]  # the two Ands, not the copy and the negation; the output that is better
    assert signals.values.shape[1] == 4 + len(heard)
    assert np.array_equal(signals.values[:, 4:], model.node_values(samples.inputs)[:, heard])
    whole = signals.network(found.node[-3:], samples)
    assert np.array_equal(whole.predict(samples.inputs), model.predict(samples.inputs))


def test_signals_are_shared_by_as_many_models_as_wanted() -> None:
    samples = random_model(5, 5, seed=2).sample(60, seed=3)
    network = layered(5, 3, 1)

    def gates(*read: tuple[int, int]) -> bl.BoolNet:
        weights = np.zeros((3, 6))
        for row, pair in zip(weights, read, strict=True):
            row[[0, *pair]] = 1
        return bl.BoolNet(network, np.concatenate([weights.ravel(), [0, 1, 0, 0]]))

    # Ands: (1, 2) is in all three models, once negated, (2, 3) in two, (4, 5) twice in one; outputs copy the first.
    models = [gates((1, 2), (4, 5), (4, 5)), gates((1, 2), (2, 3), (1, 3)), gates((2, 1), (3, 2), (1, 4))]
    weights = models[2].weights.copy()
    weights[:6] *= -1
    models[2] = bl.BoolNet(network, weights)
    x = samples.inputs
    ands = {pair: np.where((x[:, pair[0] - 1] > 0) & (x[:, pair[1] - 1] > 0), 1, -1) for pair in [(1, 2), (2, 3)]}
    for consensus, wanted in [(2, [(1, 2), (2, 3)]), (3, [(1, 2)])]:
        signals = Signals(samples, 60)
        signals.pass_on_shared([signals.add(model) for model in models], consensus)
        new = signals.values[:, 5:].T
        assert len(new) == len(wanted)
        for values, pair in zip(new, wanted, strict=True):
            assert np.array_equal(values, ands[pair])
    # What a later stage makes of them is one network in the end.
    later = layered(6, 1)
    copy = bl.BoolNet(later, np.eye(7)[6])
    node = signals.add(copy).node
    whole = signals.network(node[-1:], replace(samples, outputs=samples.outputs[:, :1], output_names=None))
    assert np.array_equal(whole.predict(x)[:, 0], ands[1, 2])


def _copying(*senders: int) -> bl.BoolNet:
    """A model of four inputs whose outputs copy these nodes."""
    return bl.BoolNet(layered(4, len(senders)), np.eye(5)[list(senders)].ravel())


def test_outputs_are_settled_when_enough_starts_are_right_and_say_the_same() -> None:
    unseen = np.array(np.meshgrid(*[[-1, 1]] * 4), np.int8).reshape(4, -1).T
    inputs = unseen[(unseen[:, 0] == unseen[:, 1])]  # the first two inputs are the same there, and nowhere else
    targets = inputs[:, [0, 2]]

    def found(*models: bl.BoolNet, first: int = 0) -> list[Found]:
        """Each with the ten numbers after those of the one before."""
        numbers = [np.arange(7) + first + 10 * place for place in range(len(models))]
        return [Found(model, node, inputs, 8, unseen) for model, node in zip(models, numbers, strict=True)]

    def chosen(consensus: int) -> ChosenOutputs:
        return ChosenOutputs(2, len(inputs), consensus)

    # Both are right on the first output by different functions, and the second is wrong in one.
    apart = [_copying(1, 3), _copying(2, 4)]
    first, done = chosen(2), []
    assert first.choose(found(*apart), targets).tolist() == [True, True]
    assert first.nodes.tolist() == [5, 6]
    done.append(first.settled)
    # Two of three agree: the first output is theirs now, although it was right before. The second is wrong in all.
    third = [_copying(1, 4), _copying(2, 4), _copying(2, 1)]
    assert first.choose(found(*third), targets).tolist() == [True, False]
    assert first.nodes.tolist() == [15, 6]
    done.append(first.settled)
    # What is settled stays; that two starts agree on what is wrong settles nothing.
    assert first.choose(found(*[_copying(1, 3)] * 2, first=10), targets).tolist() == [False, True]
    assert first.nodes.tolist() == [15, 16]
    assert [*done, first.settled] == [0, 1, 2]
    assert first.done
    # Two right starts that say the same count for more than one that agrees with those that are wrong.
    three = chosen(2)
    wrong, right = [_copying(2, 4)] * 3, [_copying(3, 3)] * 2
    assert three.choose(found(*wrong, *right), inputs[:, [2, 2]]).all()
    assert three.done
    assert three.nodes.tolist() == [35, 36]
    # Without a consensus what is right on all training items is settled.
    alone = chosen(1)
    assert alone.choose(found(apart[0]), targets).all()
    assert alone.done


def _random_models(count: int) -> list[bl.BoolNet]:
    """Of five inputs and five outputs; they come in threes, which differ in a few weights."""
    network = layered(5, 40, 5, reads="inputs")
    models = []
    for seed in range(count):
        weights = np.random.default_rng(seed // 3).integers(-2, 3, network.n_weights).astype(float)
        gone = np.random.default_rng([seed, 1]).random(len(weights)) < 0.02 * (seed % 3)
        models.append(bl.BoolNet(network, np.where(gone, 0, weights)))
    return models


def _obviously_new(inputs: Any, candidates: list[Any], n_train: int, share: float) -> list[int]:
    """Which candidates differ from the constant, from all inputs and from those before on more than this share of
    items, and their negations as well."""
    known, new = [np.ones(n_train, int), *inputs[:n_train].T.astype(int)], []
    for place, values in enumerate(candidates):
        own = values[:n_train].astype(int)
        if all(n_train - abs(own @ other) > 2 * share * n_train for other in known):
            known.append(own)
            new.append(place)
    return new


@pytest.mark.parametrize("n_train", [1, 7, 199, 200, 201])
@pytest.mark.parametrize("consensus", [2, 3])
def test_shared_signals_are_those_that_an_obvious_comparison_finds(n_train: int, consensus: int) -> None:
    samples = random_model(5, 5, seed=1).sample(230, seed=2)
    signals, models = Signals(samples, n_train), _random_models(6)
    everywhere = np.vstack([samples.inputs, signals.unseen])
    told = np.r_[:n_train, len(samples) : len(everywhere)]
    values = [model.node_values(everywhere) for model in models]
    shared = [
        node
        for of_model in values
        for node in of_model.T[6:]
        if sum((abs(node[told] @ other[told].astype(int)) == len(told)).any() for other in values) >= consensus
    ]
    new = _obviously_new(samples.inputs, shared, n_train, 0)
    signals.pass_on_shared([signals.add(model) for model in models], consensus)
    assert np.array_equal(signals.values[:, 5:].T, [shared[place][:230] for place in new] or np.empty((0, 230)))
    assert np.array_equal(signals.unseen[:, 5:].T, [shared[place][230:] for place in new] or np.empty((0, 1024)))
    assert n_train == 1 or 5 < len(new) < len(shared) < 6 * 45


@pytest.mark.parametrize("n_train", [1, 7, 199, 200, 201, 401])
def test_heard_signals_are_those_that_an_obvious_comparison_finds(n_train: int) -> None:
    samples = random_model(5, 5, seed=1).sample(430, seed=2)
    signals, (model, *_) = Signals(samples, n_train), _random_models(1)
    rows = model.weights[-5 * 46 :].reshape(5, 46)  # of the outputs
    shares = np.abs(rows / np.sqrt((rows**2).sum(axis=1, keepdims=True) / 3)).max(axis=0)
    heard = [*np.flatnonzero(shares[6:] > 0.3) + 6, *range(46, 51)]
    candidates = [*model.node_values(samples.inputs).T[heard]]
    new = _obviously_new(samples.inputs, candidates, n_train, 0.00500001)
    signals.pass_on_heard(signals.add(model), np.ones(5, np.bool_))
    assert np.array_equal(signals.values[:, 5:].T, [candidates[place] for place in new] or np.empty((0, 430)))
    assert n_train == 1 or len(new) > 5


def test_a_neuron_that_reads_only_the_constant_stays_in_the_network() -> None:
    samples = random_model(3, 2, seed=1).sample(40, seed=1)
    network = layered(3, 2, 2, reads="inputs")
    weights = np.zeros(network.n_weights)
    weights[[0, 5]] = 1, 1  # the first hidden neuron reads the constant, the second an input
    weights[8 + 4] = 1  # the first output reads the first hidden neuron; the second reads nothing at all
    model = bl.BoolNet(network, weights)
    signals = Signals(samples, 40)
    node = signals.add(model).node
    whole = signals.network(node[-2:], samples)
    assert np.array_equal(whole.predict(samples.inputs), model.predict(samples.inputs))
