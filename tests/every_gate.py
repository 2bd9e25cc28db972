"""Random circuits with every kind of gate."""

from __future__ import annotations

from hypothesis import strategies as st

from boolearn.circuit import Circuit, Gate, Literal
from boolearn.circuit.gate import conjunction, constant, disjunction, exclusive, majority

HUGE = 10**25
"""Weights no machine integer holds."""


@st.composite
def gates(draw: st.DrawFn, n_signals: int) -> Gate:
    signals = draw(st.lists(st.integers(0, n_signals - 1), min_size=1, max_size=9, unique=True))
    literals = [(signal, draw(st.sampled_from((-1, 1)))) for signal in signals]
    kind = draw(st.sampled_from(("constant", "single", "and", "or", "xor", "maj", "small", "large", "huge")))
    if kind == "constant":
        return constant(literals[0][1])
    if kind == "single":
        return Gate((literals[0][0],), (literals[0][1],))
    if kind == "and":
        return conjunction(literals)
    if kind == "or":
        return disjunction(literals)
    if kind == "xor" and len(literals) > 1:
        return exclusive(literals)
    if kind == "maj":
        return majority(literals[(len(literals) + 1) % 2 :])
    most = {"xor": 1, "small": 3, "large": 10**6, "huge": HUGE}[kind]
    weights = tuple(sign * draw(st.integers(1, most)) for _, sign in literals)
    total = sum(map(abs, weights))
    bias = draw(st.integers(-total - 1, total + 1))
    return Gate(tuple(signals), weights, bias + (1 - (bias + total) % 2))  # an odd sum is never zero


@st.composite
def circuits(draw: st.DrawFn, most_gates: int = 12) -> Circuit:
    n_inputs = draw(st.sampled_from((1, 2, 3, 5, 8, 16, 17, 40)))
    made: list[Gate] = []
    for _ in range(draw(st.integers(0, most_gates))):
        made += [draw(gates(n_inputs + len(made)))]
    literals = st.builds(Literal, st.integers(0, n_inputs + len(made) - 1), st.sampled_from((-1, 1)))
    outputs = draw(st.lists(literals, min_size=1, max_size=20))
    return Circuit(
        tuple(f"x{k}" for k in range(n_inputs)),
        tuple(made),
        tuple((f"y{k}", literal) for k, literal in enumerate(outputs)),
    )
