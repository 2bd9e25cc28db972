"""Formulas are read back as they were written, by us, by Python and by nobody's eval in our code."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_functions import circuits, patterns

from boolearn.circuit import Circuit, Literal, circuit_from_formulas, formula_text, formulas, prove_equal
from boolearn.circuit.gate import conjunction, disjunction
from boolearn.circuit.names import identifiers
from boolearn.errors import CircuitError


@given(circuits(), st.booleans())
def test_text_read_back_is_the_same_function(circuit: Circuit, expand: bool) -> None:
    text = formula_text(circuit, expand)
    again = circuit_from_formulas(text, circuit.inputs, [name for name, _ in circuit.outputs])
    every = patterns(len(circuit.inputs))
    assert (again.predict(every) == circuit.predict(every)).all()
    if expand:
        assert not set("M>=*+^") & set(text.replace(" = ", ""))


@given(circuits())
def test_text_read_back_has_the_same_outputs(circuit: Circuit) -> None:
    again = circuit_from_formulas(formula_text(circuit), circuit.inputs)
    assert [name for name, _ in again.outputs] == [name for name, _ in circuit.outputs]


def test_gates_no_output_depends_on_are_left_out() -> None:
    t = conjunction([(0, 1), (1, 1)], "t")
    gates = [t, conjunction([(2, 1), (0, 1)]), conjunction([(2, 1), (1, 1)]), disjunction([(0, 1), (1, 1)])]
    for _ in range(100):  # written out, the last of these would not fit into any memory
        gates += [conjunction([(len(gates), 1), (len(gates) + 1, -1)])]
    circuit = Circuit(("a", "b"), tuple(gates), (("y", Literal(5)),))
    assert formula_text(circuit) == "y = a | b\n"
    assert formula_text(circuit, expand=True) == "y = a | b\n"


class Bit(int):
    """0 or 1 with Python's operators meaning logic; sums stay numbers until they are compared."""

    def __invert__(self) -> Bit:
        return Bit(1 - self)

    def __and__(self, other: int) -> Bit:
        return Bit(int(self) & other)

    def __or__(self, other: int) -> Bit:
        return Bit(int(self) | other)

    def __xor__(self, other: int) -> Bit:
        return Bit(int(self) ^ other)

    def __add__(self, other: int) -> Bit:
        return Bit(int(self) + other)

    def __sub__(self, other: int) -> Bit:
        return Bit(int(self) - other)

    def __rmul__(self, other: int) -> Bit:
        return Bit(int(self) * other)

    def __neg__(self) -> Bit:
        return Bit(-int(self))

    def __ge__(self, other: int) -> Bit:  # type: ignore[override, misc]
        return Bit(int(self) >= other)


@given(circuits(), st.booleans())
def test_python_agrees_about_what_a_formula_says(circuit: Circuit, expand: bool) -> None:
    circuit = circuit.simplify()
    lines = {name: compile(text, name, "eval") for name, text in formulas(circuit, expand).items()}
    every = patterns(len(circuit.inputs))
    for row, answer in zip(every, circuit.predict(every), strict=True):
        names: dict[str, object] = {name: Bit(v > 0) for name, v in zip(circuit.inputs, row, strict=True)}
        names["Maj"] = lambda a, b, c: Bit(a + b + c >= 2)
        for name, code in lines.items():
            names[name] = eval(code, {}, names)  # noqa: S307 - the test's own text
        assert [names[name] for name, _ in circuit.outputs] == (answer > 0).tolist()


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("a & b | ~c", lambda a, b, c: (a and b) or not c),
        ("a ^ b ^ c", lambda a, b, c: a ^ b ^ c),
        ("not a or b and c", lambda a, b, c: (not a) or (b and c)),
        ("Maj(a, ~b, c)", lambda a, b, c: a + (not b) + c >= 2),
        ("And(a, Or(b, Not(c)))", lambda a, b, c: a and (b or not c)),
        ("Nand(a, b) & Nor(b, c)", lambda a, b, c: not (a and b) and not (b or c)),
        ("Xor(a, b, c)", lambda a, b, c: a ^ b ^ c),
        ("Xnor(a, b) | c & False", lambda a, b, c: a == b),
        ("ITE(a, b, c)", lambda a, b, c: b if a else c),
        ("a >> b >> c", lambda a, b, c: not ((not a) or b) or c),
        ("Implies(a, b) & Equivalent(b, c)", lambda a, b, c: (not a or b) and b == c),
        ("2*a + b - c >= 1", lambda a, b, c: 2 * a + b - c >= 1),
        ("-(a + b) + 3*c < 1 + (a & b)", lambda a, b, c: -(a + b) + 3 * c < 1 + (a and b)),
        ("a + b + c == 2", lambda a, b, c: a + b + c == 2),
        ("a + b != c*2", lambda a, b, c: a + b != c * 2),
        ("a + a > b", lambda a, b, c: a + a > b),
        ("a & a & ~a | True & b", lambda a, b, c: b),
    ],
)
def test_what_expressions_mean(text: str, truth: object) -> None:
    circuit = circuit_from_formulas({"y": text}, ("a", "b", "c"))
    assert callable(truth)
    for row, value in zip(patterns(3) > 0, circuit.predict(patterns(3))[:, 0], strict=True):
        assert (value > 0) == bool(truth(*map(int, row))), row


def test_names_are_found_and_lines_build_on_each_other() -> None:
    circuit = circuit_from_formulas("t = a & b\ny = t | c  # a comment\nz = ~t\n")
    assert circuit.inputs == ("a", "b", "c")
    assert [name for name, _ in circuit.outputs] == ["y", "z"]
    assert circuit_from_formulas("a | b").outputs[0][0] == "y0"


def test_formulas_may_stand_in_any_order() -> None:
    lines = ["y = t & c", "t = a | b", "z = ~y ^ u", "u = Maj(t, a, c)"]
    wanted = circuit_from_formulas("\n".join([lines[1], lines[0], lines[3], lines[2]]))
    assert wanted.inputs == ("a", "b", "c")
    for order in itertools.permutations(lines):
        for formulas_ in ("\n".join(order), dict(line.split(" = ") for line in order)):
            circuit = circuit_from_formulas(formulas_)
            assert circuit.inputs == wanted.inputs
            assert [name for name, _ in circuit.outputs] == ["z"]
            assert prove_equal(circuit, wanted)


@pytest.mark.parametrize(
    ("text", "cycle"),
    [
        ("y = y & a", "'y' → 'y'"),
        ("y = t & a\nt = y | b", "'y' → 't' → 'y'"),
        ("z = p\np = q\nq = ~r\nr = p ^ a\nw = a", "'p' → 'q' → 'r' → 'p'"),
        ("\n".join(f"s{k} = ~s{(k + 1) % 20}" for k in range(20)), "'s6' → 's7' → … → 's0'"),
    ],
)
def test_formulas_that_depend_on_themselves_are_refused(text: str, cycle: str) -> None:
    with pytest.raises(CircuitError, match=re.escape(cycle)):
        circuit_from_formulas(text)


def test_a_name_listed_as_an_input_may_also_be_an_output() -> None:
    circuit = circuit_from_formulas({"a": "~a", "b": "a & b"}, inputs=["a", "b"])
    assert circuit.inputs == ("a", "b")
    assert (circuit.predict(patterns(2)) > 0).tolist() == [[not a, a and b] for a, b in (patterns(2) > 0).tolist()]


def test_long_sums_and_joins_are_read_without_recursion() -> None:
    names = [f"x{k}" for k in range(2500)]
    some = np.random.default_rng(0).integers(0, 2, (50, len(names)))
    ones = some.sum(axis=1)
    for text, wanted in ((" + ".join(names) + " >= 1250", ones >= 1250), (" ^ ".join(names), ones % 2 == 1)):
        assert ((circuit_from_formulas(text, names).predict(some)[:, 0] > 0) == wanted).all()


def test_names_that_are_no_identifiers_are_changed_and_found_again() -> None:
    inputs = ("a[0]", "a[1]", "in", "Maj", "3x")
    assert identifiers(inputs) == ["a_0", "a_1", "in_", "Maj_", "_3x"]
    compared = ["area > 871.2", "x > 1", "x > -1", "x>=-1.5e-05", "x <= 1e+20", "x < 0.5", "v1.2"]
    assert identifiers(compared) == [
        "area_gt_871p2",
        "x_gt_1",
        "x_gt_m1",
        "x_ge_m1p5em05",
        "x_le_1e20",
        "x_lt_0p5",
        "v1_2",
    ]
    gate = conjunction([(k, 1) for k in range(5)])
    circuit = Circuit(inputs, (gate,), (("p.q", Literal(5)), ("a[0]", Literal(5, -1))))
    assert formulas(circuit) == {"g0": "a_0 & a_1 & in_ & Maj_ & _3x", "p_q": "g0", "a_0_1": "~g0"}
    assert prove_equal(circuit, formula_text(circuit))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("y = a +", "cannot be read"),
        ("y = a\ny = b", "defined again"),
        ("import os", "expected 'name = expression'"),
        ("y = __import__('os')", "not a Boolean expression"),
        ("y = a.b", "not a Boolean expression"),
        ("y = a < b < c", "not a Boolean expression"),
        ("y = a * b >= 1", "not a Boolean expression"),
        ("y = 2", "not a Boolean expression"),
        ("y = 'a'", "not a Boolean expression"),
        ("y = Maj(a, b)", "an odd number of arguments"),
        ("y = Not(a, b)", "takes 1 argument"),
        ("y = d", "neither an input nor defined"),
        ("", "at least 1 expression"),
        ("y = " + "~" * 5000 + "a", "deeply"),
        ("y = " + "(" * 5000 + "a" + ")" * 5000, "cannot be read"),
        ("y = 99999999999999999999999*a >= 1", "2\\^62"),
        ("y = a\0", "cannot be read"),
    ],
)
def test_what_is_no_formula_is_refused(text: str, message: str) -> None:
    with pytest.raises(CircuitError, match=message):
        circuit_from_formulas(text, ("a", "b", "c"), ("y",))


def test_an_output_without_formula_is_named() -> None:
    with pytest.raises(CircuitError, match="'z' has none"):
        circuit_from_formulas("y = a", ("a",), ("y", "z"))
