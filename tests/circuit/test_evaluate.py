from __future__ import annotations

import copy
import importlib
import importlib.util
import itertools
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Literal as OneOf

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boolearn.circuit import Circuit, CompiledCircuit, Gate, Literal
from boolearn.circuit.bits import all_inputs, compile_circuit, pack, patterns, unpack
from boolearn.circuit.bits.instructions import MEANING, Op
from boolearn.circuit.gate import conjunction, majority
from boolearn.data.signs import Signs
from boolearn.errors import DataError, ParameterError
from every_gate import circuits

COUNTS = (1, 63, 64, 65, 1000)
HAS_NATIVE = importlib.util.find_spec("boolearn._native") is not None
needs_native = pytest.mark.skipif(not HAS_NATIVE, reason="the compiled part is not installed")
BACKENDS = [pytest.param("numpy", id="numpy"), pytest.param("native", id="native", marks=needs_native)]
Backend = OneOf["numpy", "native"]


def instruction_sets() -> list[str]:
    """Those this processor has."""
    if not HAS_NATIVE:
        return []
    return list(importlib.import_module("boolearn._native").BitProgram.instruction_sets())


def obvious(circuit: Circuit, inputs: Signs) -> Signs:
    signs = np.array([literal.sign for _, literal in circuit.outputs], np.int8)
    return circuit.signal_values(inputs)[:, [literal.signal for _, literal in circuit.outputs]] * signs


def draw_inputs(items: int, circuit: Circuit, seed: int = 0) -> Signs:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (items, len(circuit.inputs)), np.int8) * np.int8(2) - np.int8(1)


def of_one_gate(gate: Gate, n_inputs: int, sign: int = 1) -> Circuit:
    return Circuit(tuple(f"x{k}" for k in range(n_inputs)), (gate,), (("y", Literal(n_inputs, sign)),))


def layered_circuit(width: int, depth: int, seed: int) -> Circuit:
    rng = np.random.default_rng(seed)
    gates = []
    for layer in range(depth):
        for _ in range(width):
            signals = layer * width + rng.choice(width, 3, replace=False)
            gates.append(majority([(int(signal), int(rng.choice((-1, 1)))) for signal in signals]))
    return Circuit(
        tuple(f"x{k}" for k in range(width)),
        tuple(gates),
        tuple((f"y{k}", Literal(depth * width + k)) for k in range(width)),
    )


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=200)
@given(circuit=circuits(), items=st.sampled_from(COUNTS), seed=st.integers(0, 9))
def test_answers_are_those_of_the_gates_one_by_one(backend: Backend, circuit: Circuit, items: int, seed: int) -> None:
    inputs = draw_inputs(items, circuit, seed)
    want = obvious(circuit, inputs)
    compiled = CompiledCircuit(circuit, backend=backend)
    np.testing.assert_array_equal(compiled.predict(inputs), want)
    np.testing.assert_array_equal(unpack(compiled.predict_packed(pack(inputs)), items), want)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("n_inputs", [4, 5, 6, 7, 9, 11])
def test_every_count_of_equal_weights_is_exact_on_all_patterns(backend: Backend, n_inputs: int) -> None:
    words = patterns(n_inputs)
    inputs = unpack(words, 2**n_inputs)
    for bias in range(-n_inputs + 1, n_inputs, 2):
        circuit = of_one_gate(Gate(tuple(range(n_inputs)), (1,) * n_inputs, bias), n_inputs, sign=-1)
        got = CompiledCircuit(circuit, backend=backend).predict_packed(words)
        np.testing.assert_array_equal(unpack(got, 2**n_inputs), np.where(inputs.sum(axis=1) + bias > 0, -1, 1)[:, None])


@settings(max_examples=50)
@given(weights=st.lists(st.integers(1, 10**30), min_size=1, max_size=10), data=st.data())
def test_weights_of_any_size_are_exact_on_all_patterns(weights: list[int], data: st.DataObject) -> None:
    total = sum(weights)
    bias = data.draw(st.integers(-total, total))
    circuit = of_one_gate(Gate(tuple(range(len(weights))), tuple(weights), bias), len(weights))
    inputs = unpack(patterns(len(weights)), 2 ** len(weights))
    got = CompiledCircuit(circuit).predict(inputs)[:, 0]
    for item, answer in zip(inputs.tolist(), got.tolist(), strict=True):
        assert answer == (1 if bias + sum(w * x for w, x in zip(weights, item, strict=True)) > 0 else -1)


@needs_native
@pytest.mark.parametrize("isa", instruction_sets())
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_instruction_set_and_number_of_threads_agrees(
    isa: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOLEARN_ISA", isa)
    circuit = layered_circuit(width=33, depth=12, seed=1)
    compiled = CompiledCircuit(circuit, backend="native", threads=threads)
    assert compiled.backend == f"native ({isa})"
    inputs = draw_inputs(100_001, circuit)
    want = CompiledCircuit(circuit, backend="numpy").predict(inputs)
    np.testing.assert_array_equal(want[:500], obvious(circuit, inputs[:500]))
    np.testing.assert_array_equal(compiled.predict(inputs), want)
    np.testing.assert_array_equal(unpack(compiled.predict_packed(pack(inputs)), len(inputs)), want)


@needs_native
def test_an_unknown_instruction_set_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOLEARN_ISA", "mmx")
    with pytest.raises(ParameterError, match="BOOLEARN_ISA.*one of .*baseline.*'mmx'"):
        CompiledCircuit(of_one_gate(majority([(0, 1)]), 1))


@needs_native
@pytest.mark.parametrize("op", Op)
def test_every_instruction_means_the_same_compiled_and_in_numpy(op: Op) -> None:
    native = importlib.import_module("boolearn._native")
    words = patterns(3, count=1)
    for slots in ((3, 4), (0, 1), (2, 0)):  # results beside the operands, and in their places
        machine = native.BitProgram(
            np.array([[op, *slots, 0, 1, 2]], np.int32),
            5,
            np.array([0, 1, 2], np.int32),
            np.array(slots, np.int32),
            np.zeros(2, np.uint8),
        )
        got = np.empty((2, 1), np.uint64)
        machine.run_words(words, got, 1)
        want = MEANING[op](*words)
        np.testing.assert_array_equal(got[: len(want)], np.stack(want))


@pytest.mark.parametrize("backend", BACKENDS)
def test_inputs_may_be_written_in_every_way_and_lie_anywhere_in_memory(backend: Backend) -> None:
    circuit = layered_circuit(width=9, depth=2, seed=2)
    signs = draw_inputs(777, circuit)
    compiled = CompiledCircuit(circuit, backend=backend)
    want = obvious(circuit, signs)
    bits = signs > 0
    padded = np.zeros((777 * 2, 9 * 3), np.int8)
    padded[::2, 1::3] = signs
    ways = [
        bits,
        bits.astype(np.uint8),
        bits.astype(np.int8),
        bits.astype(float),
        signs.astype(np.int64),
        signs.tolist(),
    ]
    for way in [*ways, np.asfortranarray(signs), padded[::2, 1::3], signs[:, ::-1].copy()[:, ::-1]]:
        np.testing.assert_array_equal(compiled.predict(way), want)
    np.testing.assert_array_equal(compiled.predict(signs[::-1]), want[::-1])
    planes = pack(signs)
    wide = np.zeros((9, 2 * planes.shape[1]), np.uint64)
    wide[:, ::2] = planes
    np.testing.assert_array_equal(compiled.predict_packed(wide[:, ::2]), compiled.predict_packed(planes))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("dtype", "wrong"), [(np.int8, 2), (np.int8, 127), (np.int8, -2), (np.int8, -128), (np.uint8, 2), (np.uint8, 255)]
)
@pytest.mark.parametrize("where", [(0, 0), (64, 8), (199, 8), (130, 3)])
def test_what_is_not_boolean_is_refused_wherever_it_stands(
    backend: Backend, dtype: type[np.integer], wrong: int, where: tuple[int, int]
) -> None:
    circuit = layered_circuit(width=9, depth=1, seed=3)
    inputs = (draw_inputs(200, circuit) > 0).astype(dtype)
    inputs[where] = wrong
    with pytest.raises(DataError, match=f"must be Boolean.*Got {wrong} instead"):
        CompiledCircuit(circuit, backend=backend).predict(inputs)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_mixture_of_the_two_ways_to_write_false_is_refused(backend: Backend) -> None:
    circuit = layered_circuit(width=9, depth=1, seed=3)
    inputs = draw_inputs(200, circuit)
    inputs[150, 4] = 0
    with pytest.raises(DataError, match="mixture of −1 and 0"):
        CompiledCircuit(circuit, backend=backend).predict(inputs)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", [(4,), (4, 2), (4, 4), (3, 4, 1)])
def test_wrong_shapes_are_refused(backend: Backend, shape: tuple[int, ...]) -> None:
    compiled = CompiledCircuit(of_one_gate(majority([(0, 1), (1, 1), (2, 1)]), 3), backend=backend)
    with pytest.raises(DataError, match=r"must have shape \(items, 3\)"):
        compiled.predict(np.ones(shape, np.int8))
    if shape[:1] != (3,):
        with pytest.raises(DataError, match="words must"):
            compiled.predict_packed(np.ones(shape, np.uint64))
    with pytest.raises(DataError, match="uint64"):
        compiled.predict_packed(np.ones((3, 1), np.int64))


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_items_no_inputs_and_no_outputs_are_ordinary(backend: Backend) -> None:
    gate = of_one_gate(conjunction([(0, 1), (1, -1)]), 2)
    assert CompiledCircuit(gate, backend=backend).predict(np.ones((0, 2), np.int8)).shape == (0, 1)
    assert CompiledCircuit(gate, backend=backend).predict_packed(np.ones((2, 0), np.uint64)).shape == (1, 0)
    always = Circuit((), (Gate((), (), 1),), (("one", Literal(0)), ("zero", Literal(0, -1))))
    assert CompiledCircuit(always, backend=backend).predict(np.ones((70, 0), np.int8)).tolist() == [[1, -1]] * 70
    silent = Circuit(("a", "b"), (), ())
    assert CompiledCircuit(silent, backend=backend).predict(np.ones((70, 2), np.int8)).shape == (70, 0)


def test_circuits_predict_alike_in_small_and_large_batches() -> None:
    circuit = layered_circuit(width=9, depth=3, seed=4)
    inputs = draw_inputs(1000, circuit)
    np.testing.assert_array_equal(circuit.predict(inputs), obvious(circuit, inputs))
    np.testing.assert_array_equal(circuit.predict(inputs[:100]), circuit.predict(inputs)[:100])
    assert circuit.compiled is circuit.compiled


def test_a_circuit_that_has_been_used_can_be_sent_to_another_process() -> None:
    circuit = Circuit(("a", "b"), (conjunction([(0, 1), (1, -1)]),), (("y", Literal(2)),))
    answers = circuit.predict([[0, 0], [1, 0]])
    sent = copy.deepcopy(circuit)  # as it is sent: by what it says about its state
    assert sent == circuit
    assert np.array_equal(sent.predict([[0, 0], [1, 0]]), answers)


def test_copies_negations_duplicates_and_dead_gates_cost_nothing() -> None:
    gates = (
        Gate((0,), (-1,)),  # 2 = not a
        Gate((2,), (-1,)),  # 3 = a
        conjunction([(3, 1), (1, 1)]),  # 4
        conjunction([(1, 1), (0, 1)]),  # 5, the same
        majority([(0, 1), (1, 1), (2, 1)]),  # 6 = b: a and not a leave it to b
        Gate((4, 5), (1, 1), 1),  # 7 = 4 or 5
        conjunction([(0, -1), (1, -1)]),  # 8, needed by nobody
    )
    outputs = (("p", Literal(7)), ("q", Literal(6, -1)), ("r", Literal(3)), ("s", Literal(2)))
    program = compile_circuit(Circuit(("a", "b"), gates, outputs))
    assert program.instructions[:, 0].tolist() == [Op.AND]
    assert program.n_slots == 3


@pytest.mark.parametrize("n_inputs", [33, 63, 301])
def test_wide_majorities_become_about_one_full_adder_an_input_quickly(n_inputs: int) -> None:
    start = time.monotonic()
    program = compile_circuit(of_one_gate(majority([(k, 1) for k in range(n_inputs)]), n_inputs))
    assert time.monotonic() - start < 10
    assert len(program.instructions) < 1.1 * n_inputs


def test_long_conjunctions_need_half_as_many_instructions_as_inputs() -> None:
    program = compile_circuit(of_one_gate(conjunction([(k, -1 if k % 3 else 1) for k in range(2001)]), 2001))
    assert len(program.instructions) == 1000


@given(st.integers(0, 200), st.integers(0, 70), st.integers(0, 5))
@example(64, 16, 0)
def test_packing_and_unpacking_undo_each_other(items: int, signals: int, seed: int) -> None:
    signs = np.random.default_rng(seed).integers(0, 2, (items, signals), np.int8) * np.int8(2) - np.int8(1)
    words = pack(signs)
    assert words.shape == (signals, -(-items // 64))
    np.testing.assert_array_equal(unpack(words, items), signs)
    if items and signals:
        assert bool(words[-1, (items - 1) // 64] >> np.uint64((items - 1) % 64) & np.uint64(1)) == (signs[-1, -1] > 0)


@pytest.mark.parametrize("n_inputs", [1, 3, 6, 7, 10])
def test_patterns_are_listed_as_truth_tables_list_them(n_inputs: int) -> None:
    every = list(itertools.product((-1, 1), repeat=n_inputs))
    np.testing.assert_array_equal(all_inputs(n_inputs), every)
    rows = unpack(patterns(n_inputs), max(64, 2**n_inputs))
    np.testing.assert_array_equal(rows, np.resize(every, rows.shape))
    if n_inputs > 7:
        np.testing.assert_array_equal(all_inputs(n_inputs, 64, 100), every[64:164])
        np.testing.assert_array_equal(patterns(n_inputs, first=1, count=2), patterns(n_inputs)[:, 1:3])


@pytest.mark.parametrize("threads", [0, -1, 1025, 1.5, "2"])
def test_a_number_of_threads_must_be_one(threads: int) -> None:
    with pytest.raises(ParameterError, match="threads.*integer from 1 to 1024"):
        CompiledCircuit(of_one_gate(majority([(0, 1)]), 1), threads=threads)


def test_the_environment_sets_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    circuit = of_one_gate(majority([(0, 1)]), 1)
    monkeypatch.setenv("BOOLEARN_THREADS", "3")
    assert CompiledCircuit(circuit).threads == 3
    assert CompiledCircuit(circuit, threads=2).threads == 2
    monkeypatch.setenv("BOOLEARN_THREADS", "many")
    with pytest.raises(ParameterError, match="BOOLEARN_THREADS.*'many'"):
        CompiledCircuit(circuit)


@needs_native
def test_one_compiled_circuit_serves_several_threads() -> None:
    circuit = layered_circuit(width=20, depth=4, seed=5)
    compiled = CompiledCircuit(circuit, backend="native", threads=2)
    batches = [draw_inputs(50_000, circuit, seed) for seed in range(4)]
    wants = [CompiledCircuit(circuit, backend="numpy").predict(batch) for batch in batches]
    wrong: list[int] = []

    def work(index: int) -> None:
        wrong.extend(index for _ in range(3) if not np.array_equal(compiled.predict(batches[index]), wants[index]))

    workers = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


@needs_native
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instructions": [[99, 0, 0, 0, 0, 0]]}, "unknown operation"),
        ({"instructions": [[1, 2, 0, 0, 1, 0]]}, "slot that does not exist"),
        ({"instructions": [[1, 0, 0, -1, 1, 0]]}, "slot that does not exist"),
        ({"input_slots": [0, 2]}, "input_slots"),
        ({"output_slots": [-1]}, "output_slots"),
        ({"output_negated": [0, 0]}, "output_negated"),
        ({"n_slots": -1}, "n_slots"),
    ],
)
def test_programs_that_leave_their_memory_are_refused(change: dict[str, object], message: str) -> None:
    native = importlib.import_module("boolearn._native")
    parts = {"instructions": [[1, 0, 0, 0, 1, 0]], "input_slots": [0, 1], "output_slots": [0], "output_negated": [0]}
    given = {name: np.array(change.get(name, value), np.int32) for name, value in parts.items()}
    with pytest.raises(ValueError, match=message):
        native.BitProgram(
            given["instructions"],
            change.get("n_slots", 2),
            given["input_slots"],
            given["output_slots"],
            given["output_negated"].astype(np.uint8),
        )


def test_without_the_compiled_part_numpy_takes_over(tmp_path: Path) -> None:
    script = """
import sys
sys.modules["boolearn._native"] = None
import numpy as np
from boolearn.circuit import Circuit, CompiledCircuit, Gate, Literal
circuit = Circuit(("a", "b"), (Gate((0, 1), (1, 1), -1),), (("y", Literal(2)),))
assert CompiledCircuit(circuit).backend == "numpy"
assert circuit.predict(np.array([[1, 1], [1, -1]] * 500)).ravel().tolist() == [1, -1] * 500
try:
    CompiledCircuit(circuit, backend="native")
except ValueError as refusal:
    assert "compiled part is not installed" in str(refusal)
else:
    raise AssertionError
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env=dict(os.environ), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
