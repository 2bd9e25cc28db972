"""Natural mistakes get one clear error of ours, or simply work."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from boolearn.circuit import (
    Circuit,
    CompiledCircuit,
    Gate,
    Literal,
    agreement,
    circuit_from_formulas,
    decompose,
    extract,
    prove_equal,
    save,
    simplify,
    threshold_form,
)
from boolearn.circuit.bits import all_inputs, patterns
from boolearn.circuit.drawing import draw
from boolearn.circuit.gate import conjunction, majority
from boolearn.data import Dataset
from boolearn.errors import BoolearnError
from boolearn.model import BoolNet
from boolearn.network import layered

MODEL = BoolNet(layered(2, 2, 1), np.array([1, 1, 1, -1, 1, 1, -1, 1, 1.0]))
CIRCUIT = circuit_from_formulas("y = a & b")
ROWS = np.array([[1, -1], [1, 1], [-1, -1]])
AND = conjunction([(0, 1), (1, 1)])
NAN = float("nan")


@pytest.mark.parametrize("rows", [ROWS, ROWS.tolist(), ROWS > 0, (ROWS + 1) // 2, ROWS.astype(float)])
def test_a_circuit_is_extracted_on_rows_of_inputs(rows: object) -> None:
    wanted = extract(MODEL, Dataset(ROWS, np.ones((3, 1))))
    assert extract(MODEL, rows) == wanted  # type: ignore[arg-type]
    assert extract(MODEL, (rows, np.ones((3, 1)))) == wanted  # type: ignore[arg-type]


def test_lists_and_numpy_integers_make_the_same_circuit() -> None:
    gate = Gate([0, np.int64(1)], np.array([1, 1]), np.int8(-1))  # type: ignore[arg-type,list-item]
    assert gate == AND
    assert Circuit(["a", "b"], [gate], [("y", Literal(2))]) == CIRCUIT  # type: ignore[arg-type]


MISTAKES: list[tuple[Callable[..., object], str]] = [
    (lambda: extract(MODEL, np.ones((3, 5))), "inputs of shape (items, 2). Got shape (3, 5) instead"),
    (lambda: extract(MODEL, [1, 0]), "Got shape (2,) instead"),
    (lambda: extract(MODEL, "data.csv"), "inputs must be an array. Got str instead"),
    (lambda: extract(MODEL, np.full((3, 2), 7)), "Got 7 instead"),
    (lambda: extract(MODEL, ROWS, effort=NAN), "'effort' parameter must be a finite number of at least 0. Got nan"),
    (lambda: extract(MODEL, effort=-1), "'effort' parameter must be a finite number of at least 0. Got -1"),
    (lambda: extract(MODEL, ROWS, merge="yes"), "'merge' parameter must be True, False or None"),  # type: ignore[arg-type]
    (lambda: extract(CIRCUIT), "'model' parameter must be a BoolNet"),  # type: ignore[arg-type]
    (lambda: prove_equal(CIRCUIT, None), "can be compared with each other. Got None"),  # type: ignore[arg-type]
    (lambda: prove_equal(CIRCUIT, CIRCUIT, on=None), "'on' parameter"),  # type: ignore[arg-type]
    (lambda: prove_equal(CIRCUIT, CIRCUIT, time_limit=NAN), "'time_limit' parameter"),
    (lambda: prove_equal(CIRCUIT, CIRCUIT, time_limit="1"), "'time_limit' parameter"),  # type: ignore[arg-type]
    (lambda: prove_equal(one_and(64), one_and(64), method="exhaustive"), "for more than 40 inputs. Got 'exhaustive'"),
    (lambda: CIRCUIT.predict([[1, 0], [1]]), "all rows equally long"),
    (lambda: CompiledCircuit(CIRCUIT).predict([[1, 0], [1]]), "all rows equally long"),
    (lambda: CIRCUIT.save(None), "'path' parameter must be the name of a file. Got None"),  # type: ignore[arg-type]
    (lambda: save(MODEL, "a.v"), "'circuit' parameter must be a Circuit"),  # type: ignore[arg-type]
    (lambda: simplify(MODEL), "'circuit' parameter must be a Circuit"),  # type: ignore[arg-type]
    (lambda: decompose(MODEL), "'circuit' parameter must be a Circuit"),  # type: ignore[arg-type]
    (lambda: draw(MODEL), "'circuit' parameter must be a Circuit"),  # type: ignore[arg-type]
    (lambda: CompiledCircuit(MODEL), "'circuit' parameter must be a Circuit"),  # type: ignore[arg-type]
    (lambda: decompose(CIRCUIT, fan_in=2.5), "'fan_in' parameter must be an integer"),  # type: ignore[arg-type]
    (lambda: agreement(CIRCUIT, ROWS), "'data' parameter must be a Dataset"),  # type: ignore[arg-type]
    (lambda: circuit_from_formulas(None), "text or a mapping from names to expressions. Got None"),  # type: ignore[arg-type]
    (lambda: circuit_from_formulas({"y": 1}), "formula of 'y' must be text. Got 1"),  # type: ignore[dict-item]
    (lambda: Gate((0, 1), (1,)), "one weight for each of its inputs. Got 2 inputs and 1 weights"),
    (lambda: Gate((0, 0), (1, 1)), "must be different. Got (0, 0)"),
    (lambda: Gate((0,), (0,)), "must not be zero. Got (0,)"),
    (lambda: Gate((0,), (1,), xor=True), "two inputs or more, weights ±1 and no bias. Got weights (1,) and bias 0"),
    (lambda: Gate((0, 1), (1, 2), xor=True), "weights ±1 and no bias. Got weights (1, 2) and bias 0"),
    (lambda: Gate((0, 1), (1, 1), 1, xor=True), "weights ±1 and no bias. Got weights (1, 1) and bias 1"),
    (lambda: Gate((0, 1), (1.0, 1.5)), "weights of a gate must be integers. Got (1.0, 1.5)"),  # type: ignore[arg-type]
    (lambda: Gate((0, 1), (1, 1), 0.5), "bias of a gate must be integers. Got (0.5,)"),  # type: ignore[arg-type]
    (lambda: Gate((0,), (1,), name=""), "None or a text that is not empty. Got ''"),
    (lambda: conjunction([0, 1]), "pairs (signal, sign). Got [0, 1]"),  # type: ignore[list-item]
    (lambda: majority([(0, 1), (1, 1)]), "odd number of inputs. Got 2"),
    (lambda: Circuit(("a", "b"), (AND,), (("y", 2),)), "pairs (name, Literal). Got ('y', 2)"),  # type: ignore[arg-type]
    (lambda: Circuit(("a", "b"), ("and",), ()), "must be of the class Gate. Got 'and'"),  # type: ignore[arg-type]
    (lambda: Circuit((1, 2), (), ()), "must be names. Got 1"),  # type: ignore[arg-type]
    (lambda: threshold_form([1.0, NAN]), "'weights' parameter must be finite numbers"),
    (lambda: threshold_form(3.0), "'weights' parameter must be a sequence of numbers. Got 3.0"),  # type: ignore[arg-type]
    (lambda: patterns(-1), "'n_inputs' parameter"),
    (lambda: all_inputs(-1), "'n_inputs' parameter"),
]


def one_and(n: int) -> Circuit:
    return Circuit(tuple(f"x{k}" for k in range(n)), (conjunction([(k, 1) for k in range(n)]),), (("y", Literal(n)),))


@pytest.mark.parametrize(("mistake", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_mistakes_are_named(mistake: Callable[[], object], message: str) -> None:
    with pytest.raises(BoolearnError, match=re.escape(message)):
        mistake()
