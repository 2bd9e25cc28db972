"""Proofs: by trying, by SAT and on data, and counterexamples that stand on their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_functions import boolnets, circuits, naive_sign, patterns

from boolearn.circuit import (
    Circuit,
    Gate,
    Literal,
    Proof,
    agreement,
    circuit_from_formulas,
    formula_text,
    load,
    prove_equal,
)
from boolearn.circuit.gate import conjunction
from boolearn.circuit.names import identifiers
from boolearn.circuit.proof.cnf import ClauseBuilder
from boolearn.circuit.proof.sides import ModelSide
from boolearn.circuit.threshold.diagram import threshold_diagram
from boolearn.data import Dataset, InputKind
from boolearn.data.signs import signs_of
from boolearn.errors import CircuitError, DataError, ParameterError
from boolearn.model import BoolNet, random_model
from boolearn.network import layered


@st.composite
def same_shape(draw: st.DrawFn) -> tuple[Circuit, Circuit]:
    """Two circuits, often nearly the same."""
    a = draw(circuits())
    if draw(st.booleans()) and a.gates:
        index = draw(st.integers(0, len(a.gates) - 1))
        gate = a.gates[index]
        changed = Gate(gate.inputs, gate.weights, gate.bias + draw(st.sampled_from((-2, 2))) or 1)
        return a, Circuit(a.inputs, (*a.gates[:index], changed, *a.gates[index + 1 :]), a.outputs)
    return a, a.decompose(fan_in=2)


def check(proof: Proof, a: Circuit, b: Circuit) -> None:
    every = patterns(len(a.inputs))
    differ = (a.predict(every) != b.predict(every)).any(axis=1)
    assert bool(proof) == (not differ.any())
    if not proof:
        assert proof.counterexample is not None
        row = np.array([list(proof.counterexample.inputs.values())])
        assert a.predict(row)[0].tolist() == list(proof.counterexample.mine.values())
        assert b.predict(row)[0].tolist() == list(proof.counterexample.theirs.values())
        assert proof.counterexample.mine != proof.counterexample.theirs
        assert "The two circuits differ: with a0=" in str(proof)


@given(same_shape())
def test_sat_and_trying_agree_and_are_right(pair: tuple[Circuit, Circuit]) -> None:
    a, b = pair
    for method in ("sat", "exhaustive"):
        proof = prove_equal(a, b, method=method)  # type: ignore[arg-type]
        assert proof.method == method
        check(proof, a, b)


@settings(max_examples=50)
@given(boolnets())
def test_models_are_encoded_with_exact_arithmetic(model: BoolNet) -> None:
    every = patterns(model.network.n_inputs)
    exact = signs_of(model.decision(every))
    weights = model.edge_weights
    nodes = [[-1, *row] for row in every.tolist()]
    for node in range(model.network.first_neuron, model.network.n_nodes):
        senders, own = model.network.senders(node), weights[model.network.edges_into(node)]
        for row in nodes:
            row.append(naive_sign(own.tolist(), 0.0, [row[s] for s in senders]))
    assert [row[-model.network.n_outputs :] for row in nodes] == exact.tolist()
    assert prove_equal(model, exact)
    assert prove_equal(model, model, method="sat")
    wrong = exact.copy()
    wrong[len(wrong) // 2, -1] *= -1
    proof = prove_equal(model, wrong)
    assert not proof
    assert proof.counterexample is not None
    assert list(proof.counterexample.inputs.values()) == every[len(wrong) // 2].tolist()


@given(st.lists(st.integers(-40, 40), max_size=7), st.integers(-60, 60))
def test_diagrams_and_adders_are_the_threshold_function(weights: list[int], bias: int) -> None:
    from pysat.solvers import Solver  # type: ignore[import-untyped]

    builder = ClauseBuilder()
    inputs = [builder.variable() for _ in weights]
    literals = builder.threshold(inputs, weights, bias), builder._by_adders(inputs, weights, bias)
    diagram = threshold_diagram(weights, bias)
    assert diagram is not None
    with Solver(name="glucose4", bootstrap_with=builder.clauses) as solver:
        for row in patterns(len(weights)).tolist():
            wanted = naive_sign(weights, bias, row)
            number = diagram.root
            while number > 1:
                node = diagram.nodes[number - 2]
                up = row[diagram.inputs[node.literal]] == diagram.signs[node.literal]
                number = node.high if up else node.low
            assert (1 if number else -1) == wanted
            assumed = [x * v for x, v in zip(inputs, row, strict=True)]
            for literal in literals:
                assert not solver.solve([*assumed, -wanted * literal])


def test_large_diagrams_are_given_up(rng: np.random.Generator) -> None:
    weights = [int(w) for w in rng.integers(1 << 40, 1 << 41, 30)]
    assert threshold_diagram(weights, 0, most_nodes=1000) is None


def test_dense_real_weights_are_proved_by_adders(rng: np.random.Generator) -> None:
    # Too many inputs and too irregular for diagrams: 15 weights of 53 digits.
    weights = rng.normal(size=16)
    model = BoolNet(layered(15, 1), weights)
    other = BoolNet(layered(15, 1), weights * 2)
    assert prove_equal(model, other, method="sat")
    assert prove_equal(model, BoolNet(layered(15, 1), -weights), method="sat").equal is False


@pytest.mark.parametrize("n_inputs", [1, 3, 6, 7, 10, 17])
def test_the_only_difference_is_found_wherever_it_is(n_inputs: int, rng: np.random.Generator) -> None:
    # 17 inputs take more than one pass, fewer than 6 leave bits of a word that do not count.
    names = tuple(f"x{k}" for k in range(n_inputs))
    never = Circuit(names, (Gate((), (), -1),), (("no", Literal(n_inputs)), ("y", Literal(n_inputs))))
    for number in {0, (1 << n_inputs) - 1, *rng.integers(0, 1 << n_inputs, 3).tolist()}:
        bits = [number >> k & 1 for k in reversed(range(n_inputs))]
        once = conjunction([(k, 1 if bit else -1) for k, bit in enumerate(bits)])
        rare = Circuit(names, (Gate((), (), -1), once), (("no", Literal(n_inputs)), ("y", Literal(n_inputs + 1))))
        proof = prove_equal(rare, never, method="exhaustive")
        assert proof.counterexample is not None
        assert [int(value > 0) for value in proof.counterexample.inputs.values()] == bits
        assert proof.inputs_checked == number + 1


@pytest.mark.parametrize("compiled", [True, False])
def test_models_are_tried_compiled_and_by_products_alike(compiled: bool, rng: np.random.Generator) -> None:
    # 2^13 items repay compiling small integers, not real weights.
    weights = rng.integers(-3, 4, 28) if compiled else rng.normal(size=28)
    model = BoolNet(layered(13, 2), weights)
    assert ModelSide(model).compiled == compiled
    table = signs_of(model.decision(patterns(13)))
    assert prove_equal(model, table)
    table[5000, 1] *= -1
    assert prove_equal(model, table).inputs_checked == 5001


def test_many_inputs_go_to_sat_and_twenty_are_tried() -> None:
    wide = random_model(32, 32, 32, 32, seed=1)
    assert str(prove_equal(wide, wide)) == "The two networks are equal on all 2^32 inputs, proved by a SAT solver."
    narrow = random_model(20, 20, 20, seed=1)
    assert str(prove_equal(narrow, narrow)) == "The two networks are equal on all 1048576 inputs, each compared."


def test_one_wrong_input_among_two_to_the_forty_is_found() -> None:
    gate = conjunction([(k, 1 if k % 3 else -1) for k in range(40)])
    names = tuple(f"x{k}" for k in range(40))
    rare = Circuit(names, (gate,), (("y", Literal(40)),))
    never = Circuit(names, (Gate((), (), -1),), (("y", Literal(40)),))
    proof = prove_equal(rare, never)
    assert not proof
    assert proof.counterexample is not None
    assert list(proof.counterexample.inputs.values()) == [1 if k % 3 else -1 for k in range(40)]


def test_on_data_only_when_asked(two_bit_multiplier: Dataset) -> None:
    right = prove_equal("y = a & b", "y = a | b", on=np.array([[1, 1], [-1, -1]]))
    assert right
    assert str(right) == "The two sets of formulas are equal on 2 items, each compared; other inputs were not compared."
    wrong = prove_equal("y = a & b", "y = a | b", on=np.array([[1, 1], [1, -1]]))
    assert not wrong
    assert str(wrong) == "The two sets of formulas differ: with a=1, b=0, the first gives y=0 and the second gives y=1."
    product = {"p3": "x0 & x1 & x2 & x3", "p2": "x0 & x2 & ~(x1 & x3)", "p1": "(x0 & x3) ^ (x1 & x2)", "p0": "x1 & x3"}
    named = Dataset(two_bit_multiplier.inputs, two_bit_multiplier.outputs, output_names=("p3", "p2", "p1", "p0"))
    proof = prove_equal(named, product)
    assert proof
    assert proof.method == "data"
    assert prove_equal(product, two_bit_multiplier.outputs[:, [0, 1, 2, 3]], method="exhaustive").n_inputs == 4


def test_names_are_matched_where_both_sides_have_them() -> None:
    a = Circuit(("p", "q"), (conjunction([(0, 1), (1, -1)]),), (("u", Literal(2)), ("v", Literal(0))))
    b = Circuit(("q", "p"), (conjunction([(0, -1), (1, 1)]),), (("v", Literal(1)), ("u", Literal(2))))
    for method in ("exhaustive", "sat"):
        assert prove_equal(a, b, method=method)  # type: ignore[arg-type]
    rows = np.array([[1, -1], [1, 1]])  # of q, p
    assert prove_equal(a, Dataset(rows, np.array([[-1, -1], [-1, 1]]), input_names=("q", "p"), output_names=("u", "v")))
    with pytest.raises(DataError, match="names for their inputs. Got 'p' against 'r' instead"):
        prove_equal(a, Circuit(("r", "q"), b.gates, b.outputs))
    with pytest.raises(DataError, match="names for their outputs. Got 'u', 'v' against 'm', 'n' instead"):
        prove_equal(a, Circuit(("q", "p"), b.gates, (("m", Literal(2)), ("n", Literal(1)))))


@given(circuits(), st.data())
def test_formulas_mean_the_circuit_whatever_its_names(circuit: Circuit, data: st.DataObject) -> None:
    words = ["z in", "a", "and", "3", "Maj", "b.c", "b c", "y", "x1", "x0"]
    names = data.draw(st.permutations(words))
    inputs = tuple(names[: len(circuit.inputs)])
    outputs = tuple((names[-1 - k], literal) for k, (_, literal) in enumerate(circuit.outputs))
    named = Circuit(inputs, circuit.gates, outputs)
    text = formula_text(named)
    written = identifiers([*inputs, *(name for name, _ in outputs)])
    again = circuit_from_formulas(text, sorted(written[: len(inputs)]), sorted(written[len(inputs) :]))
    for back in (again, text):
        proof = named.prove_equal(back)
        assert proof, text
        assert proof.in_order == ""


def test_formulas_read_without_names_match_by_identifier() -> None:
    circuit = Circuit(("z in", "a"), (conjunction([(0, 1), (1, -1)]),), (("y", Literal(2)),))
    again = circuit_from_formulas(formula_text(circuit))
    assert again.inputs == ("a", "z_in")
    assert circuit.prove_equal(again)
    assert again.prove_equal(circuit, method="sat")


def test_what_is_taken_in_order_is_said() -> None:
    circuit = Circuit(("p", "q"), (conjunction([(0, 1), (1, -1)]),), (("u", Literal(2)),))
    table = circuit.predict(patterns(2))
    assert str(prove_equal(circuit, table)) == (
        "The circuit and the truth table are equal on all 4 inputs, each compared (inputs taken in order)."
    )
    plain = Circuit(("x0", "x1"), circuit.gates, circuit.outputs)
    assert prove_equal(circuit, plain).in_order == "inputs"
    assert prove_equal(plain, table).in_order == ""


def test_time_limit_leaves_it_open() -> None:
    # Two ways to multiply: equal, but far too hard for a blink.
    n = 12
    inputs = [f"{letter}{k}" for letter in "ab" for k in range(n)]

    def product(order: list[int]) -> Circuit:
        lines: list[str] = []
        total = ["False"] * (2 * n)
        for i in order:
            carry = "False"
            for j in range(n):
                x, y = total[i + j], f"(a{i} & b{j})"
                s, c = f"s{i}_{j}", f"c{i}_{j}"
                lines += [f"{s} = {x} ^ {y} ^ {carry}", f"{c} = Maj({x}, {y}, {carry})"]
                total[i + j], carry = s, c
            for k in range(i + n, 2 * n):
                s, c = f"r{i}_{k}", f"d{i}_{k}"
                lines += [f"{s} = {total[k]} ^ {carry}", f"{c} = {total[k]} & {carry}"]
                total[k], carry = s, c
        return circuit_from_formulas("\n".join([*lines, f"y = {total[n]}"]), inputs, ["y"])

    proof = prove_equal(product(list(range(n))), product(list(range(n))[::-1]), method="sat", time_limit=0.2)
    assert proof.equal is None
    assert not proof
    assert "not decided whether the two circuits are equal" in str(proof)


def test_what_cannot_be_compared_is_refused(two_bit_multiplier: Dataset) -> None:
    table = np.ones((3, 1))
    with pytest.raises(DataError, match="truth table must have shape"):
        prove_equal(table, table)
    with pytest.raises(DataError, match="equally many"):
        prove_equal(np.ones((4, 1)), np.ones((4, 2)))
    with pytest.raises(ParameterError, match="method"):
        prove_equal("a", "a", method="guess")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'on'"):
        prove_equal("a", "a", on="some")  # type: ignore[arg-type]
    model = BoolNet(layered(2, 1), np.ones(3), input_kind=InputKind.ANALOG)
    with pytest.raises(CircuitError, match="analog"):
        prove_equal(model, model)
    with pytest.raises(DataError, match="two answers"):
        prove_equal(Dataset(np.ones((2, 1)), np.array([[1], [-1]])), "x0")
    with pytest.raises(DataError, match="own items"):
        prove_equal(two_bit_multiplier.take(slice(0, 3)), np.ones((16, 4)), on=two_bit_multiplier)


def test_items_that_are_all_inputs_are_said_to_be_all(two_bit_multiplier: Dataset) -> None:
    half = prove_equal("y = a & b", "y = b & a", on=patterns(2)[:3])
    assert not half.all_inputs
    assert half.where == "3 items"
    full = prove_equal("y = a & b", "y = b & a", on=np.vstack([patterns(2), patterns(2)]))
    assert full.all_inputs
    assert repr(full) == "<Proof: The two sets of formulas are equal on all 4 inputs, each compared.>"
    wrong = prove_equal(two_bit_multiplier, BoolNet(layered(4, 4), np.ones(20)))
    assert wrong.sides == ("data", "network")
    assert str(wrong).startswith("The data and the network differ: with x0=0, x1=1, x2=0, x3=1, the data gives")


@given(circuits(), st.data())
def test_agreement_counts_what_differs(circuit: Circuit, data: st.DataObject) -> None:
    every = patterns(len(circuit.inputs))
    items = data.draw(st.lists(st.integers(0, len(every) - 1), min_size=1, max_size=20))
    inputs, said = every[items], circuit.predict(every[items])
    flips = np.array(data.draw(st.lists(st.booleans(), min_size=said.size, max_size=said.size))).reshape(said.shape)
    dataset = Dataset(inputs, np.where(flips, -said, said))
    found = agreement(circuit, dataset, allowed_wrong_bits=3)
    assert (found.items, found.bits) == (len(items), said.size)
    assert found.wrong_bits == flips.sum()
    assert found.right_items == (~flips.any(axis=1)).sum()
    assert bool(found) == (flips.sum() <= 3)
    assert found.complete_truth_table == dataset.complete


def test_agreement_matches_names() -> None:
    circuit = Circuit(("p", "q"), (conjunction([(0, 1), (1, -1)]),), (("u", Literal(2)), ("v", Literal(0))))
    rows = np.array([[1, -1], [1, 1], [-1, 1], [-1, -1]])  # of q, p
    outputs = np.array([[-1, -1], [1, -1], [1, 1], [-1, -1]])  # of v, u
    data = Dataset(rows, outputs, input_names=("q", "p"), output_names=("v", "u"))
    found = agreement(circuit, data)
    assert found
    assert found.complete_truth_table
    assert str(found) == (
        "The circuit agrees with the data, a complete truth table: 4 of 4 items and 8 of 8 bits are right."
    )
    with pytest.raises(DataError, match="2 inputs and 2 outputs, as the circuit has"):
        agreement(circuit, Dataset(rows, outputs[:, :1]))


def two_gates(inputs: tuple[str, str], outputs: tuple[str, str]) -> Circuit:
    """And and Or of two inputs."""
    both = (Gate((0, 1), (1, 1), -1), Gate((0, 1), (1, 1), 1))
    return Circuit(inputs, both, tuple((name, Literal(2 + k)) for k, name in enumerate(outputs)))


MICRO, MU = "\u00b5", "\u03bc"  # Python reads both as the second


@pytest.mark.parametrize("inputs", [("a[0]", "a_0"), ("a_0", "a[0]"), ("a_0", "a_0_1"), (MICRO, MU), (MICRO, "b")])
@pytest.mark.parametrize("outputs", [("y[0]", "y_0"), ("y_0", "y[0]"), ("a_0", "a(0)"), (MU, MICRO), (MICRO, "y")])
def test_names_that_are_written_alike_are_told_apart(inputs: tuple[str, str], outputs: tuple[str, str]) -> None:
    circuit = two_gates(inputs, outputs)
    assert circuit.prove_equal(circuit.formulas()).equal
    assert circuit.prove_equal("\n".join(f"{name} = {text}" for name, text in circuit.formulas().items())).equal


def test_an_identifier_means_the_input_of_that_name() -> None:
    never = Circuit(("a[0]", "a_0"), (Gate((), (), -1),), (("y", Literal(2)),))
    assert not never.prove_equal("y = a_0 & ~a_0_1").equal


def test_identifiers_are_as_python_reads_them() -> None:
    assert identifiers((MICRO, MU, f"{MU}_1")) == [f"{MU}_2", MU, f"{MU}_1"]
    assert identifiers(("\U0001d422\U0001d41f", "\ufb01")) == ["if_", "fi"]  # letters of mathematics, a ligature


def inputs_as_outputs(names: tuple[str, ...]) -> Circuit:
    """Every output has the name of an input, the first is this input."""
    both = Gate((0, 1), (1, 1), -1)
    outputs = (Literal(0), *(Literal(2, -1 if k % 2 else 1) for k in range(1, len(names))))
    return Circuit(names[:2], (both,), tuple(zip(names, outputs, strict=True)))


@pytest.mark.parametrize("names", [("//", ")", "_"), (")", "//", "//_1"), ("a", "b", "b_1"), ("_", "//", "a")])
def test_a_blif_file_of_a_circuit_is_equal_to_it_whatever_its_names(names: tuple[str, ...], tmp_path: Path) -> None:
    """A BLIF file has one name space: an output that has the name of an input gets a number."""
    for circuit in (inputs_as_outputs(names), two_gates((names[0], names[1]), (names[1], names[0]))):
        circuit.save(tmp_path / "c.blif")
        assert load(tmp_path / "c.blif").prove_equal(circuit).equal
        assert circuit.prove_equal(load(tmp_path / "c.blif")).equal
