"""minimise: any specification in, a proved circuit out, no larger than before, the same for the same seed."""

from __future__ import annotations

import itertools
import math
import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boolearn as bl
from boolearn.baselines import Specification, smallest_circuit
from boolearn.baselines.exact_encoding import Library
from boolearn.circuit import agreement
from boolearn.data import seven_segments, write
from boolearn.errors import DataError, FileError, ParameterError
from boolearn.minimising.asked import as_asked
from boolearn.minimising.cover import sum_of_products
from boolearn.minimising.local import LocalSearch, in_library, size_of
from boolearn.minimising.windows import Surroundings
from random_circuits import circuits

TABLES = st.lists(st.lists(st.sampled_from([-1, 0, 1]), min_size=2, max_size=2), min_size=16, max_size=16)


@given(TABLES, st.integers(0, 99))
def test_a_sum_of_products_holds_on_every_specified_row(table: list[list[int]], seed: int) -> None:
    spec = Specification.from_truth_table(table)
    circuit = sum_of_products(spec, np.random.default_rng(seed))
    assert spec.met_by(circuit.predict(spec.inputs))


def test_a_table_of_many_inputs_and_few_rows_is_covered() -> None:
    rng = np.random.default_rng(3)
    data = bl.Dataset(rng.integers(0, 2, (60, 40)), rng.integers(0, 2, (60, 2)))
    circuit = sum_of_products(Specification.from_dataset(data), rng)
    assert agreement(circuit, data).right_bits == 120


@given(TABLES, st.integers(0, 99))
@settings(max_examples=30)
def test_what_is_asked_of_a_window_is_sound_and_as_free_as_can_be(table: list[list[int]], seed: int) -> None:
    """Any answer that it allows leaves the circuit right; freeing one output more would not."""
    rng = np.random.default_rng(seed)
    spec = Specification.from_truth_table(table)
    circuit = in_library(sum_of_products(spec, rng), Library.AND_OR)
    if size_of(circuit) < 3:
        return
    around = Surroundings(circuit, spec)
    window = around.grown(around.n + int(rng.integers(len(circuit.gates))), 3, rng)
    if window is None or len(window.inputs) > 4 or len(window.outputs) > 2:
        return
    asked = around.asked_of(window)
    for fill in itertools.islice(itertools.product((-1, 1), repeat=int((asked.outputs == 0).sum())), 16):
        answers = asked.outputs.copy()
        answers[answers == 0] = fill
        filled = bl.Dataset(asked.inputs, answers)
        other = around.replaced(window, sum_of_products(Specification.from_dataset(filled), rng))
        assert spec.met_by(other.predict(spec.inputs))


def test_local_improvement_finds_the_smallest_circuits_of_small_tables() -> None:
    rng = np.random.default_rng(7)
    for seed in range(4):
        table = np.random.default_rng(seed).choice([-1, 0, 1], (8, 2))
        spec = Specification.from_truth_table(table)
        least = smallest_circuit(spec).gates
        begin = in_library(sum_of_products(spec, rng), Library.AND_OR)
        if size_of(begin):
            found = LocalSearch(spec, Library.AND_OR, rng).improved(begin, 15, lambda: False, lambda _: None)
            assert spec.met_by(found.predict(spec.inputs))
            assert size_of(found) <= size_of(begin)
            assert least is not None
            assert size_of(found) <= least + 1


@pytest.mark.parametrize("gates", ["and-or", "and-or-maj"])
def test_small_circuits_are_proved_to_be_the_smallest(gates: str) -> None:
    found = bl.minimise(bl.Dataset([[0, 0], [0, 1], [1, 0], [1, 1]], [[0], [1], [1], [np.nan]]), gates=gates)
    assert (found.gates, found.minimal) == (1, True)
    adder = bl.minimise("s = a ^ b ^ c\nm = a & b | a & c | b & c", gates=gates, max_seconds=40)
    assert adder.minimal
    assert adder.gates == (7 if gates == "and-or" else 3)
    assert adder.gates == smallest_circuit("s = a ^ b ^ c\nm = a & b | a & c | b & c", library=gates).gates
    assert "none is smaller" in str(adder)
    constant = bl.minimise("y = a | ~a\nz = b")
    assert (constant.gates, constant.minimal) == (0, True)


def test_the_same_seed_gives_the_same_circuit() -> None:
    table = np.random.default_rng(5).choice([-1, 0, 1], (8, 3), p=[0.4, 0.2, 0.4])
    spec = Specification.from_truth_table(table)
    found = [bl.minimise(spec, seed=4, max_seconds=60) for _ in range(2)]
    assert found[0].circuit == found[1].circuit
    assert found[0].gates <= found[0].before
    assert spec.met_by(found[0].circuit.predict(spec.inputs))
    assert found[0].minimal
    assert found[0].gates == smallest_circuit(spec).gates


@given(circuits(max_inputs=4))
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
def test_circuits_stay_the_same_function(circuit: bl.Circuit) -> None:
    found = bl.minimise(circuit, max_seconds=1)
    assert found.circuit.prove_equal(circuit)
    assert found.gates <= found.before
    assert found.circuit.inputs == circuit.inputs


def test_circuits_of_many_inputs_are_minimised_without_a_table() -> None:
    inputs = " ^ ".join(f"a{k}" for k in range(14))
    wide = bl.circuit.circuit_from_formulas(f"y = ({inputs}) & b\nz = b & ({inputs}) | c & b & ~b")
    found = bl.minimise(wide, max_seconds=4)
    assert as_asked(wide).table is None
    assert found.circuit.prove_equal(wide)
    assert found.gates <= 3 * 13 + 1
    assert not found.minimal


def test_files_of_every_format_are_specifications(tmp_path: Path) -> None:
    circuit = bl.circuit.circuit_from_formulas("y = a & b | a & c\nz = a & (b | c) & c")
    for ending in (".blif", ".aag", ".aig", ".json"):
        circuit.save(tmp_path / f"spec{ending}")
        found = bl.minimise(tmp_path / f"spec{ending}")
        assert (found.gates, found.minimal) == (3, True)
        assert smallest_circuit(tmp_path / f"spec{ending}").gates == 3
        assert found.circuit.prove_equal(circuit)
    table = bl.Dataset([[0, 0], [0, 1], [1, 0]], [[0], [1], [1]])
    for ending in (".pla", ".dat", ".npz", ".csv", ".tsv"):
        write(table, tmp_path / f"table{ending}")
        assert bl.minimise(str(tmp_path / f"table{ending}")).gates == 1


def test_ctrl_c_returns_the_best_so_far() -> None:
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        found = bl.minimise(seven_segments(), max_seconds=120)
    finally:
        timer.cancel()
    assert found.interrupted
    assert found.seconds < 60
    assert agreement(found.circuit, seven_segments())
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.pla", ".i 2\n.o 1\n.type fr\n01 1\n0- 0\n.e\n", r"a\.pla:5: output 1 of '01' contradicts"),
        ("a.pla", ".i 2\n.o 2\n01 1-\n-- ~-\n.e\n", r"a\.pla:3: expected a 0 or 1 for output 2"),
        ("a.pla", ".i 21\n.o 1\n01 1\n", "a.pla"),
        ("a.csv", "a,b,y\n0,1,1\n0,1,0\n", r"a\.csv: equal inputs must have equal outputs"),
        ("a.csv", "a,b,y\n0,1,\n0,1,\n", r"a\.csv:2: .* every cell empty"),
        ("a.blif", ".model m\n.inputs a\n.outputs y\n.names b y\n1 1\n.end\n", r"a\.blif:"),
        ("a.xyz", "", r"must end in \.blif"),
    ],
)
def test_bad_files_are_refused_with_their_line(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(FileError, match=message):
        bl.minimise(tmp_path / name)


def test_bad_specifications_are_refused() -> None:
    rows = np.random.default_rng(0).integers(0, 2, (70_000, 40))
    many = bl.Dataset(rows, rows[:, :1])
    with pytest.raises(DataError, match="at most 65536 rows"):
        bl.minimise(many)
    with pytest.raises(DataError, match="open for all"):
        bl.minimise(bl.Dataset([[0], [1]], [[0, np.nan], [1, np.nan]]))
    for wrong in ({"gates": "nand"}, {"max_seconds": 0}, {"seed": -1}):
        with pytest.raises(ParameterError):
            bl.minimise("y = a & b", **wrong)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'spec' parameter"):
        bl.minimise(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("seconds", [0, -1, math.inf, math.nan])
def test_seconds_are_finite(seconds: float) -> None:
    with pytest.raises(ParameterError, match="'max_seconds' parameter must be finite and above 0"):
        bl.minimise("y = a & b", max_seconds=seconds)
