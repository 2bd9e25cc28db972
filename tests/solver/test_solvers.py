"""Solver objects: parameters and nothing else, refused by name where they are wrong or somebody else's."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import Dataset, InputKind
from boolearn.errors import DataError, ParameterError
from boolearn.solver.named import NAMES, as_solver, named_solver

OBJECTS: list[Any] = [bl.RRR(), bl.Gates(), bl.Turns(), bl.Turns(handover=True)]


def test_a_name_is_the_object_with_its_defaults() -> None:
    assert [as_solver(name) for name in NAMES] == OBJECTS
    assert [solver.name for solver in OBJECTS] == list(NAMES)


@pytest.mark.parametrize("solver", OBJECTS, ids=NAMES)
def test_they_are_frozen_and_compare_by_their_fields(solver: Any) -> None:
    name = fields(solver)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(solver, name, 1)
    assert replace(solver) == solver
    assert hash(replace(solver)) == hash(solver)


@pytest.mark.parametrize("name", NAMES)
def test_settings_hold_every_parameter(name: str) -> None:
    """What is not in the settings would not be part of a run's identity."""
    plain = named_solver(name).settings()
    changes: dict[str, Any] = {
        "beta": 0.3, "gamma": 0.0, "gap_tol": 0.5, "batch": bl.Batch(3, 5, "oldest"), "engine": "reference",
        "precision": "double", "anneal": 100, "support": 5,
        "price": 0.1, "replicas": 3, "annealing": bl.Annealing(cooling=7),
        "xor": True,
    }  # fmt: skip
    known = {k: v for k, v in changes.items() if k in _parameters(name)}
    assert set(known) == _parameters(name), "a new parameter needs a value here"
    for key, value in known.items():
        changed = as_solver(name, {key: value}).settings()
        assert changed != plain, key


def _parameters(name: str) -> set[str]:
    parts = getattr(named_solver(name), "solvers", (named_solver(name),))
    return {field.name for part in parts for field in fields(part)}


def test_same_object_same_run(two_bit_multiplier: Dataset) -> None:
    by_name = bl.train([4, 4, 4, 4], two_bit_multiplier, solver="rrr", beta=0.4, max_iter=300)
    by_object = bl.train(bl.layered(4, 4, 4, 4), two_bit_multiplier, solver=bl.RRR(beta=0.4), max_iter=300)
    assert np.array_equal(by_name.model.weights, by_object.model.weights)
    assert by_name.settings == by_object.settings


@pytest.mark.parametrize(
    ("solver", "parameters", "message"),
    [
        ("gates", {"beta": 0.3}, "The solver 'gates' has no parameter 'beta'; 'rrr', 'auto' and 'hybrid' have it."),
        ("rrr", {"price": 0.3}, "The solver 'rrr' has no parameter 'price'; 'gates', 'auto' and 'hybrid' have it."),
        ("auto", {"betta": 0.3}, r"There is no parameter 'betta'; did you mean 'beta'\?"),
        ("rrr", {"max_iters": 3}, r"did you mean 'max_iter'\?"),
        (bl.RRR(), {"beta": 0.3}, r"'beta' belongs into the solver object: RRR\(beta=0.3\)"),
        (bl.RRR(), {"price": 0.3}, r"The solver RRR\(…\) has no parameter 'price'; 'gates', 'auto'"),
        (bl.Turns(), {"beta": 0.3}, r"'beta' belongs into the solver object: RRR\(beta=0.3\)"),
        ("auto", {"handover": True}, r"use solver=Turns\(handover=…\)"),
        ("rrr", {"resume": True}, r"use checkpoint=Checkpoints\(…, resume=True\)"),
        ("magic", {}, "'solver' parameter must be one of 'rrr', 'gates', 'auto', 'hybrid'"),
        (bl.RRR, {}, r"'solver' parameter must be .* a solver object such as RRR\(\)"),
        (3, {}, "'solver' parameter must be"),
    ],
)
def test_what_a_solver_does_not_have_is_refused(
    two_bit_multiplier: Dataset, solver: Any, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        bl.train([4, 4, 4], two_bit_multiplier, solver=solver, **parameters)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bl.Turns(()), "'solvers' parameter must be a tuple of different"),
        (
            lambda: bl.Turns((bl.RRR(), bl.RRR(beta=0.5))),
            "'solvers' parameter must be a tuple of different",
        ),
        (
            lambda: bl.Turns((bl.Turns(),)),
            "'solvers' parameter must be a tuple of different .*, none of which",
        ),
        (lambda: bl.Turns(bl.RRR()), "'solvers' parameter must be a tuple of different"),
        (lambda: bl.Turns((bl.RRR, bl.Gates)), "'solvers' parameter must be a tuple of different"),
        (lambda: bl.Turns(handover="yes"), "'handover' parameter must be True or False"),
        (lambda: bl.Gates(annealing=3), "'annealing' parameter must be an Annealing object"),
        (lambda: bl.Gates(replicas=0), "'replicas' parameter must be an integer from 1"),
        (lambda: bl.Annealing(cooling=0), "'annealing.cooling' parameter must be an integer of at least 1"),
        (lambda: bl.Annealing(warm=float("nan")), "'annealing.warm' parameter must be above 0"),
        (lambda: bl.RRR(engine="quick"), "'engine' parameter must be"),
        (lambda: bl.RRR(batch="all"), "'batch' parameter must be an integer"),
    ],
)
def test_bad_values_are_refused_when_the_object_is_made(make: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


def test_annealing_steers_the_search(two_bit_multiplier: Dataset) -> None:
    quick = bl.Gates(annealing=bl.Annealing(refinements=1, sampling=10, settling=5))
    runs = [bl.train([4, 6, 6, 4], two_bit_multiplier, solver=solver, seed=1) for solver in (quick, bl.Gates())]
    assert all(run.solved for run in runs)
    assert runs[0].iterations < runs[1].iterations
    assert runs[0].settings["annealing_refinements"] == 1
    assert "annealing_cooling" not in runs[0].settings


def test_turns_leave_out_who_cannot_solve_it(two_bit_multiplier: Dataset) -> None:
    analog = replace(two_bit_multiplier, inputs=two_bit_multiplier.inputs / 2, input_kind=InputKind.ANALOG)
    alone = bl.train([4, 4, 4, 4], analog, solver=bl.RRR(beta=0.3), max_iter=50)
    turns = bl.train([4, 4, 4, 4], analog, solver=bl.Turns((bl.Gates(), bl.RRR(beta=0.3))), max_iter=50)
    assert np.array_equal(alone.model.weights, turns.model.weights)
    with pytest.raises(DataError, match="solver='gates' needs Boolean inputs"):
        bl.train([4, 4, 4, 4], analog, solver=bl.Turns((bl.Gates(),)))


@pytest.mark.parametrize(
    ("network", "data", "beta", "gamma"),
    [
        (bl.layered(4, 4, 4, 4), bl.data.multiplier(2), 0.5, bl.Inverse(1e-2, 1e-3, 2000)),
        (bl.layered(4, 20, 4), bl.data.multiplier(2), 0.5, bl.Inverse(1 / 184, 1e-3, 2000)),
        (bl.layered(4, 200, 4), bl.data.multiplier(2), 0.5, 1e-3),
        (bl.layered(4, 4), bl.data.multiplier(2), 0.5, 1e-3),
        (bl.layered(8, 3, 8, 8), bl.data.random_vectors(8, 8, seed=1), 0.2, bl.Inverse(1e-3, 1e-5, 5000)),
        (bl.layered(3, 8, 8), bl.data.random_vectors(8, 8, 1, InputKind.ANY_CODE), 0.2, bl.Inverse(1e-3, 1e-5, 5000)),
        (bl.layered(64, 10), bl.data.digits().take(slice(0, 50)), 0.2, 1e-3),
    ],
    ids=["circuit", "larger", "large", "no hidden neurons", "bottleneck", "free inputs", "analog inputs"],
)
def test_auto_takes_smaller_steps_where_there_are_codes_to_find(
    network: bl.Network, data: Dataset, beta: float, gamma: Any
) -> None:
    auto, fixed = (
        bl.train(network, data, solver=bl.RRR(beta=b, gamma=g), max_iter=60)  # type: ignore[arg-type]
        for b, g in (("auto", "auto"), (beta, gamma))
    )
    assert np.array_equal(auto.model.weights, fixed.model.weights)
    assert (auto.settings["beta"], auto.settings["gamma"]) == ("auto", "auto")
    assert bl.Turns().solvers[0] == bl.RRR(beta="auto", gamma="auto", precision="auto", anneal="auto")


@pytest.mark.parametrize(
    ("items", "codes", "precision"),
    [(8, None, "single"), (150, None, "half"), (150, InputKind.ANY_CODE, "single")],
)
def test_auto_stores_halves_of_what_no_cache_holds(items: int, codes: InputKind | None, precision: Any) -> None:
    vectors = bl.data.random_vectors(items, 256, 1, codes)
    auto, fixed = (bl.train([256, 224, 1, 256], vectors, max_iter=3, precision=p) for p in ("auto", precision))
    assert np.array_equal(auto.model.weights, fixed.model.weights)
    assert auto.settings["precision"] == "auto"


@pytest.mark.parametrize(("name", "rule"), [("beta", "between 0 and 2"), ("gamma", "at least 0 and below 1")])
def test_no_other_word_than_auto_is_a_setting(name: str, rule: str) -> None:
    with pytest.raises(ParameterError, match=f"'{name}' parameter must be {rule}"):
        bl.RRR(**{name: "Auto"})


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("2x2.dat",), {}, "read"),
        ((np.ones((4, 4)),), {}, "Dataset"),
        ((None,), {}, "Dataset"),
        ((bl.data.multiplier(2),), {"callbacks": [print]}, "'callbacks' parameter must be Callback objects"),
        ((bl.data.multiplier(2),), {"callbacks": bl.Callback()}, "'callbacks' parameter must be a list or tuple"),
        ((bl.data.multiplier(2),), {"checkpoint": 1}, "'checkpoint' parameter must be a folder"),
        ((bl.data.multiplier(2),), {"checkpoint": ""}, "'checkpoint' parameter must be a folder"),
        ((bl.data.multiplier(2),), {"restarts": "many"}, "'restarts' parameter must be an integer"),
        ((bl.data.multiplier(2),), {"noise": "some"}, "'noise' parameter must be at least 0"),
    ],
)
def test_natural_mistakes_have_an_answer(arguments: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(bl.errors.BoolearnError, match=message):
        bl.train([4, 4, 4], *arguments, **options)


def test_natural_calls_just_work() -> None:
    table = bl.data.multiplier(2)
    runs = [
        bl.train(network, data, max_iter=20, threads=threads)  # type: ignore[arg-type]
        for network, data, threads in (
            (bl.layered(4, 4, 4), table, 1),
            ([4, 4, 4], (table.inputs, table.outputs), np.int64(1)),
            ((4, 4, 4), ((table.inputs > 0).astype(int).tolist(), table.outputs > 0), None),
        )
    ]
    assert len({run.model.weights.tobytes() for run in runs}) == 1
