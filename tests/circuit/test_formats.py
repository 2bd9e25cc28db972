"""What is written is read by others, and by us, as the same function with the same names."""

from __future__ import annotations

import ctypes
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pydot
import pytest
from aigverse.algorithms import simulate
from aigverse.io import read_aiger_into_aig, read_ascii_aiger_into_aig, read_verilog_into_aig
from cirbo.core.circuit import Circuit as BenchCircuit
from hypothesis import given, settings
from onnxruntime import InferenceSession

from boolearn.circuit import Circuit, Gate, Literal, load
from boolearn.circuit.gate import conjunction, constant, disjunction, exclusive, majority
from boolearn.circuit.names import unescape
from boolearn.circuit.text.formulas import formula_text
from boolearn.errors import FileError
from random_circuits import ODD_NAMES, all_inputs, circuits

Bits = npt.NDArray[np.bool_]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("circuits")


def table(circuit: Circuit) -> Bits:
    """Shape (2**n, outputs), first input slowest."""
    return circuit.predict(all_inputs(len(circuit.inputs))) > 0


def output_names(circuit: Circuit) -> list[str]:
    return [name for name, _ in circuit.outputs]


@given(circuits(odd_names=True))
def test_json_is_the_circuit_itself(folder: Path, circuit: Circuit) -> None:
    circuit.save(folder / "c.json")
    assert load(folder / "c.json") == circuit
    json.loads((folder / "c.json").read_text("utf-8"))


@pytest.mark.parametrize("ending", ["blif", "aag", "aig"])
@given(circuit=circuits(odd_names=True))
@settings(max_examples=60)
def test_blif_and_aiger_read_back_as_the_same_function_and_names(folder: Path, ending: str, circuit: Circuit) -> None:
    circuit.save(folder / f"c.{ending}")
    back = load(folder / f"c.{ending}")
    assert np.array_equal(table(back), table(circuit))
    assert back.inputs == circuit.inputs
    if ending != "blif" or not set(circuit.inputs) & set(output_names(circuit)):
        assert output_names(back) == output_names(circuit)


def test_blif_keeps_the_gates_it_can_hold(tmp_path: Path) -> None:
    gates = (
        conjunction([(0, 1), (1, -1), (2, 1)], "p"),
        disjunction([(0, -1), (3, 1)], "q"),
        majority([(1, -1), (3, 1), (4, -1)], "r"),
        Gate((5,), (-1,), name="s"),
        conjunction([(2, 1), (6, 1)], "t"),
        constant(1, "u"),
        exclusive([(0, 1), (6, 1)], "v"),
        exclusive([(2, -1), (9, 1)], "w"),
    )
    outputs = (("y", Literal(7, -1)), ("t", Literal(7)), ("x1", Literal(1)), ("u", Literal(8)), ("w", Literal(10)))
    circuit = Circuit(("x0", "x1", "x2"), gates, outputs)
    circuit.save(tmp_path / "c.blif")
    assert load(tmp_path / "c.blif") == circuit


@given(circuits())
@settings(max_examples=60)
def test_aigverse_reads_aiger_and_verilog(folder: Path, circuit: Circuit) -> None:
    n = len(circuit.inputs)
    reorder = [int("".join("1" if s > 0 else "0" for s in row[::-1]), 2) for row in all_inputs(n)]
    for ending, read in (
        ("aag", read_ascii_aiger_into_aig),
        ("aig", read_aiger_into_aig),
        ("v", read_verilog_into_aig),
    ):
        circuit.save(folder / f"a.{ending}")
        graph = read(folder / f"a.{ending}")
        assert [graph.get_name(graph.make_signal(node)) for node in graph.pis()] == list(circuit.inputs)
        assert [graph.get_output_name(index) for index in range(graph.num_pos)] == output_names(circuit)
        found = np.array([[bool(tt.get_bit(row)) for tt in simulate(graph)] for row in reorder])
        assert np.array_equal(found, table(circuit))


def test_aigverse_reads_names_with_spaces(tmp_path: Path) -> None:
    names = ["a b", " a", "Ω", "%"]
    circuit = Circuit(tuple(names), (conjunction([(0, 1), (1, -1)]),), tuple((name, Literal(4)) for name in names))
    circuit.save(tmp_path / "c.aig")
    graph = read_aiger_into_aig(tmp_path / "c.aig")
    assert [unescape(graph.get_name(graph.make_signal(node))) for node in graph.pis()] == names
    assert graph.get_name(graph.make_signal(graph.pis()[0])) == "a b"


@given(circuits(odd_names=True))
@settings(max_examples=60)
def test_cirbo_reads_bench(folder: Path, circuit: Circuit) -> None:
    circuit.save(folder / "c.bench")
    found = BenchCircuit.from_bench_file(str(folder / "c.bench"))
    assert [unescape(label) for label in found.inputs] == list(circuit.inputs)
    assert np.array_equal(np.array(found.get_truth_table()).T, table(circuit))


@given(circuits(odd_names=True))
@settings(max_examples=60)
def test_onnxruntime_runs_onnx(folder: Path, circuit: Circuit) -> None:
    circuit.save(folder / "c.onnx")
    session = InferenceSession(folder / "c.onnx", providers=["CPUExecutionProvider"])
    inputs = all_inputs(len(circuit.inputs))
    assert np.array_equal(session.run(None, {"inputs": inputs})[0], circuit.predict(inputs))
    names = session.get_modelmeta().custom_metadata_map
    assert json.loads(names["inputs"]) == list(circuit.inputs)
    assert json.loads(names["outputs"]) == output_names(circuit)


def test_onnx_is_exact_beyond_single_precision(tmp_path: Path) -> None:
    big = 2**25
    circuit = Circuit(("a", "b", "c"), (Gate((0, 1, 2), (big, big, 1)),), (("y", Literal(3)),))
    circuit.save(tmp_path / "c.onnx")
    session = InferenceSession(tmp_path / "c.onnx", providers=["CPUExecutionProvider"])
    assert np.array_equal(session.run(None, {"inputs": all_inputs(3)})[0], circuit.predict(all_inputs(3)))


@pytest.mark.filterwarnings("ignore::pyparsing.warnings.PyparsingDeprecationWarning")
@given(circuits(odd_names=True))
@settings(max_examples=15)
def test_pydot_reads_dot(folder: Path, circuit: Circuit) -> None:
    circuit.save(folder / "c.dot")
    graphs = pydot.graph_from_dot_file(str(folder / "c.dot"))
    assert graphs is not None
    (graph,) = graphs
    labels = [node.get("label") for node in graph.get_nodes() if node.get("shape") == "box"]
    wanted = [*circuit.inputs, *output_names(circuit)]
    assert [re.sub(r"\\(.)", r"\1", label[1:-1]) for label in labels] == [name.replace("\n", "n") for name in wanted]
    edges = sum(len(gate.inputs) for gate in circuit.gates) + len(circuit.outputs)
    red = sum(weight < 0 for gate in circuit.gates for weight in gate.weights)
    red += sum(literal.sign < 0 for _, literal in circuit.outputs)
    assert len(graph.get_edges()) == edges
    assert sum(edge.get("color") == "red" for edge in graph.get_edges()) == red


@given(circuits(odd_names=True))
@settings(max_examples=12)
def test_a_c_compiler_takes_c_without_a_warning(folder: Path, circuit: Circuit) -> None:
    functions = compiled(circuit, folder)
    inputs = all_inputs(len(circuit.inputs)) > 0
    bits = np.array([by_bits(functions, row, len(circuit.outputs)) for row in inputs])
    assert np.array_equal(bits, table(circuit))
    # Two words: items 0 to 63 and 64 to 127, the table repeated.
    rows = np.resize(np.arange(len(inputs)), 128)
    packed = np.ascontiguousarray(np.packbits(inputs[rows].T, axis=1, bitorder="little")).view(np.uint64)
    answers = np.zeros((len(circuit.outputs), 2), np.uint64)
    functions.circuit_words(packed.ctypes.data, answers.ctypes.data, 2)
    unpacked = np.unpackbits(answers.view(np.uint8), axis=1, bitorder="little").T.astype(bool)
    assert np.array_equal(unpacked, table(circuit)[rows])


def compiled(circuit: Circuit, folder: Path) -> ctypes.CDLL:
    number = len(list(folder.glob("*.so")))
    source, library = folder / "c.c", folder / f"c{number}.so"
    circuit.save(source)
    flags = ["-std=c99", "-O1", "-shared", "-fPIC"]
    flags += ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
    done = subprocess.run(["cc", *flags, "-o", library, source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + source.read_text()
    functions = ctypes.CDLL(str(library))
    functions.circuit_words.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
    return functions


def by_bits(functions: ctypes.CDLL, row: Bits, outputs: int) -> list[bool]:
    answers = ctypes.create_string_buffer(outputs)
    functions.circuit_bits(row.astype(np.uint8).tobytes(), answers)
    return [byte != 0 for byte in answers.raw]


def test_all_odd_names_fit_in_one_circuit(tmp_path: Path) -> None:
    outputs = tuple((name, Literal(index, -1)) for index, name in enumerate(ODD_NAMES))
    circuit = Circuit(tuple(ODD_NAMES), (), outputs)
    inputs = np.vstack([np.eye(len(ODD_NAMES), dtype=bool), ~np.eye(len(ODD_NAMES), dtype=bool)])
    for ending in ("json", "blif", "aag", "aig"):
        circuit.save(tmp_path / f"c.{ending}")
        back = load(tmp_path / f"c.{ending}")
        assert back.inputs == circuit.inputs
        assert np.array_equal(back.predict(inputs), circuit.predict(inputs))
    compiled(circuit, tmp_path)


@pytest.mark.parametrize("flags", [["-std=c99"], []])
def test_macros_of_the_c_headers_can_be_names(tmp_path: Path, flags: list[str]) -> None:
    headers = "#include <stddef.h>\n#include <stdint.h>\n"
    asked = ["cc", *flags, "-dM", "-E", "-"]
    listed = subprocess.run(asked, input=headers, capture_output=True, text=True, check=True).stdout
    macros = re.findall(r"^#define ([A-Za-z]\w*)", listed, re.MULTILINE)
    assert {"INT8_MAX", "UINT32_C", "PTRDIFF_MIN", "SIG_ATOMIC_MAX", "WCHAR_MIN"} <= set(macros)
    names = sorted({*macros, "INT8_WIDTH", "typeof"})
    circuit = Circuit(tuple(names), (), tuple((name, Literal(k, -1)) for k, name in enumerate(names)))
    circuit.save(tmp_path / "c.c")
    done = subprocess.run(["cc", *flags, "-c", "-o", tmp_path / "c.o", tmp_path / "c.c"], check=False)
    assert done.returncode == 0


def test_python_reads_formulas(tmp_path: Path) -> None:
    gates = (majority([(0, 1), (1, -1), (2, 1)]), Gate((0, 1, 2, 3), (2, 1, -1, 1)))
    circuit = Circuit(("a", "b", "c"), gates, (("p", Literal(3, -1)), ("q", Literal(4))))
    circuit.save(tmp_path / "c.txt")
    assert "Maj(" in (tmp_path / "c.txt").read_text()
    rows = all_inputs(3) > 0
    script = f"for a, b, c in {rows.tolist()!r}:\n"
    script += "".join(f"    {line}\n" for line in formula_text(circuit, expand=True).splitlines())
    script += "    print(p & 1, q & 1)\n"  # ~True is −2: Python's integers keep the last bit right
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=True)
    found = np.array([line.split() for line in done.stdout.splitlines()]) == "1"
    assert np.array_equal(found, table(circuit))


@pytest.mark.parametrize("ending", ["v", "blif", "aag", "aig", "bench", "dot", "json", "c", "onnx", "py", "sql"])
def test_circuits_without_inputs_gates_or_outputs_can_be_written(tmp_path: Path, ending: str) -> None:
    Circuit((), (), ()).save(tmp_path / f"none.{ending}")
    Circuit(("a",), (), ()).save(tmp_path / f"input.{ending}")
    assert (tmp_path / f"input.{ending}").stat().st_size


def test_the_ending_chooses_the_format(tmp_path: Path) -> None:
    circuit = Circuit(("a",), (), (("y", Literal(0)),))
    with pytest.raises(FileError, match="ending '.xyz'"):
        circuit.save(tmp_path / "c.xyz")
    with pytest.raises(FileError, match="can be read as .blif .aag .aig .json. Got the ending '.v'"):
        load(tmp_path / "c.v")
    with pytest.raises(FileError, match="cannot be read"):
        load(tmp_path / "none.json")
    with pytest.raises(FileError, match="cannot be written"):
        circuit.save(tmp_path / "no such folder" / "c.v")
    assert not list(tmp_path.iterdir())
