"""Circuits of fifty thousand gates: what is linear in the gates finishes, in memory that is linear too."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from boolearn.circuit import (
    Circuit,
    CompiledCircuit,
    Gate,
    Literal,
    circuit_from_formulas,
    formula_text,
    load,
    prove_equal,
    simplify,
)
from boolearn.circuit.formats.onnx import to_onnx
from boolearn.circuit.gate import conjunction, disjunction
from boolearn.circuit.summary import count_nots

MANY = 50_000
MOST_BYTES = 1500
"""Of memory for each gate. A table of all pairs of gates would take 400,000."""


def chain(n: int, own_inputs: bool = False) -> Circuit:
    """Every gate reads the one before it, and one of a few inputs or an input of its own."""
    rng = np.random.default_rng(0)
    m = n + 1 if own_inputs else 16
    signs = rng.choice([-1, 1], (n, 2)).tolist()
    gates = []
    for k, (a, b) in enumerate(signs):
        pair = [(m + k - 1 if k else 0, a), (1 + k % (m - 1), b)]
        gates.append((conjunction if k % 2 else disjunction)(pair))
    return Circuit(tuple(f"x{k}" for k in range(m)), tuple(gates), (("y", Literal(m + n - 1)),))


def wide(n: int) -> Circuit:
    """All gates side by side, each with an output of its own."""
    pairs = [(a, b) for b in range(1, 320) for a in range(b)][:n]
    signs = np.random.default_rng(0).choice([-1, 1], (n, 2)).tolist()
    gates = tuple(conjunction(list(zip(pair, sign, strict=True))) for pair, sign in zip(pairs, signs, strict=True))
    names = tuple(f"x{k}" for k in range(320))
    return Circuit(names, gates, tuple((f"y{k}", Literal(320 + k)) for k in range(n)))


def one_gate(n: int, bias: int) -> Circuit:
    """An And, an Or or a majority of very many inputs."""
    return Circuit(tuple(f"x{k}" for k in range(n)), (Gate(tuple(range(n)), (1,) * n, bias),), (("y", Literal(n)),))


SIZES = [(chain, 5000), (wide, 5000), *(pytest.param(make, MANY, marks=pytest.mark.slow) for make in (chain, wide))]


def peak_bytes(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize("make", [chain, wide])
def test_simplifying_takes_memory_for_each_gate_not_for_each_pair(make: Callable[[int], Circuit]) -> None:
    circuit = make(10_000)
    assert peak_bytes(lambda: simplify(circuit)) < MOST_BYTES * len(circuit.gates)


@pytest.mark.slow
@pytest.mark.parametrize(("make", "gates"), SIZES)
def test_many_gates_are_simplified_compiled_and_proved(make: Callable[[int], Circuit], gates: int) -> None:
    circuit = make(gates)
    small = simplify(circuit)
    assert len(small.gates) <= len(circuit.gates)
    assert count_nots(small) <= count_nots(circuit)
    inputs = np.random.default_rng(1).integers(0, 2, (300, len(circuit.inputs)))
    answers = CompiledCircuit(circuit, backend="numpy").predict(inputs)
    assert (answers == small.predict(inputs)).all()
    assert (answers[:20] == circuit.predict(inputs[:20])).all()
    assert prove_equal(circuit, small)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["v", "blif", "aag", "aig", "bench", "dot", "json", "c", "txt", "py"])
@pytest.mark.parametrize(("make", "gates"), SIZES)
def test_every_format_holds_many_gates(make: Callable[[int], Circuit], gates: int, ending: str, tmp_path: Path) -> None:
    circuit = make(gates)
    path = tmp_path / f"c.{ending}"
    circuit.save(path)
    assert path.stat().st_size < 200 * gates
    if ending in ("blif", "aag", "aig", "json"):
        again = load(path)
    elif ending == "txt":
        again = circuit_from_formulas(path.read_text(), circuit.inputs, [name for name, _ in circuit.outputs])
    else:
        return
    inputs = np.random.default_rng(1).integers(0, 2, (300, len(circuit.inputs)))
    assert (again.predict(inputs) == circuit.predict(inputs)).all()


@pytest.mark.parametrize("kind", ["and", "or", "majority"])
@pytest.mark.parametrize("n", [5000, pytest.param(MANY, marks=pytest.mark.slow)])
def test_one_gate_may_read_many_inputs(kind: str, n: int, tmp_path: Path) -> None:
    bias, often = {"and": (-n + 1, 1 - 1 / n), "or": (n - 1, 1 / n), "majority": (1, 0.5)}[kind]
    circuit = one_gate(n, bias)
    assert simplify(circuit).gates == circuit.gates
    inputs = np.random.default_rng(1).random((300, n)) < often
    answers = circuit.predict(inputs)
    assert len(np.unique(answers)) == 2
    again = circuit_from_formulas(formula_text(circuit), circuit.inputs)
    assert (again.predict(inputs) == answers).all()
    if kind != "majority":
        circuit.save(tmp_path / "c.blif")
        assert (tmp_path / "c.blif").stat().st_size < 50 * n
        assert load(tmp_path / "c.blif").predict(inputs).tolist() == answers.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("make", [chain, lambda n: chain(n, own_inputs=True), wide], ids=["few", "own", "wide"])
def test_large_circuits_are_drawn_without_a_bend_in_every_layer(make: Callable[[int], Circuit], tmp_path: Path) -> None:
    circuit = make(3000)
    circuit.save(tmp_path / "c.svg")
    assert (tmp_path / "c.svg").stat().st_size < 3000 * len(circuit.gates)


def test_onnx_copies_only_what_gates_read() -> None:
    circuit = chain(2000, own_inputs=True)
    graph = to_onnx(circuit).graph
    assert len(graph.node) <= 6 * len(circuit.gates) + 10
    gathered = sum(tensor.dims[0] for tensor in graph.initializer if tensor.name.startswith("read_"))
    assert gathered <= 2 * len(circuit.gates) + 1
    joined = [node for node in graph.node if node.op_type == "Concat"]
    assert max(len(node.input) for node in joined) == 2


@pytest.mark.slow
def test_the_whole_fits_into_little_memory() -> None:
    """As a process of its own, with a limit: what asks for a table of all pairs of gates fails at once."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "from test_large import chain, wide, MANY\n"
        "for circuit in (chain(MANY), chain(MANY, own_inputs=True), wide(MANY)):\n"
        "    small = circuit.simplify()\n"
        "    assert small.formulas() and str(small.summary())\n"
    )
    here = Path(__file__).parent
    subprocess.run([sys.executable, "-c", code], cwd=here, check=True, timeout=300)
