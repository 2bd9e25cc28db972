"""Circuits learned from data and nothing else, proved equal to what made the data."""

from __future__ import annotations

import pytest

from boolearn.circuit import Kind
from boolearn.data import Dataset, automaton, multiplier
from boolearn.model import random_model
from boolearn.network import layered
from boolearn.training import train


def test_the_two_bit_multiplier_is_learned_and_proved(two_bit_multiplier: Dataset) -> None:
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, max_iter=20_000, restarts=50)
    assert run.solved
    circuit = run.circuit()
    assert circuit.prove_equal(run.model)
    assert (circuit.predict(two_bit_multiplier.inputs) == two_bit_multiplier.outputs).all()
    # Supports of at most three: nothing but copies, And, Or and Maj.
    assert set(circuit.counts) <= {Kind.COPY, Kind.NOT, Kind.AND, Kind.OR, Kind.MAJ}
    assert 8 <= len(circuit.gates) <= 12


@pytest.mark.parametrize("gates", ["andor", "maj"])
def test_a_random_circuit_is_recovered_exactly_from_examples(gates: str) -> None:
    origin = random_model(8, 8, 8, gates=gates, seed=5)
    examples = origin.sample(200, seed=6)
    run = train(layered(8, 8, 8), examples, stop="fit", max_iter=20_000, restarts=20)
    assert run.solved
    proof = run.circuit().prove_equal(origin)
    assert proof, str(proof)


@pytest.mark.slow
def test_the_three_bit_multiplier_is_learned_and_proved() -> None:
    table = multiplier(3)
    run = train(layered(6, 12, 12, 12, 6), table, beta=0.4, stop="fit", max_iter=500_000, restarts=10)
    assert run.solved
    circuit = run.circuit()
    assert circuit.prove_equal(run.model)
    assert (circuit.predict(table.inputs) == table.outputs).all()


@pytest.mark.slow
def test_a_majority_circuit_of_three_layers_is_recovered_on_all_inputs() -> None:
    origin = random_model(16, 16, 16, 16, gates="maj", seed=5)
    run = train(layered(16, 16, 16, 16), origin.sample(256, seed=6), stop="fit", max_iter=200_000, restarts=5)
    assert run.solved
    proof = run.circuit().prove_equal(origin)
    assert proof, str(proof)
    assert proof.method == "exhaustive"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("widths", "majorities"),
    [
        # Two nodes a cell in each layer: too few for the majority's three, so there are exclusive ors.
        ((16, 32, 32, 16), False),
        # Exclusive ors of And and Or take three layers, and here are two.
        ((16, 48, 16), True),
    ],
    ids=["exclusive or of two cases", "majority over a majority"],
)
def test_rule_30_is_found_in_both_of_its_forms(widths: tuple[int, ...], majorities: bool) -> None:
    """The paper's two ways to compute it, each where the network asks for it."""
    run = train(layered(*widths), automaton(30, 16, 1, 2000, seed=1), items=96, solver="gates")
    assert run.solved
    assert run.test_accuracy == 1
    circuit = run.circuit()
    rule = {f"y{p}": f"x{(p - 1) % 16} ^ (x{p} | x{(p + 1) % 16})" for p in range(16)}
    proof = circuit.prove_equal(rule)
    assert proof, str(proof)
    forms = [formula for name, formula in circuit.formulas().items() if name in rule]
    assert len(forms) == 16
    if majorities:
        # R30(x, y, z) = Maj(~Maj(x, y, z), ~x & y, x | z), up to negations and the exchange of y and z.
        assert all(formula.startswith("Maj(") and formula.count("Maj(") == 2 for formula in forms), forms
        assert (len(circuit.gates), circuit.counts[Kind.MAJ]) == (64, 32)
    else:
        assert any("Maj(" not in formula and "&" in formula for formula in forms), forms
