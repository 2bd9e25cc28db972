"""Throughput of one circuit, evaluated in every way we know.

    python benchmarks/evaluate.py [-o benchmarks/results/evaluate.json]

Every way computes the same outputs of the same circuit from the same inputs, and is checked before it is
timed. Ways take turns and the best of several rounds counts, so that a busy machine hurts all alike.
A way whose packages are missing is left out. One thread each, but for the rows that say otherwise.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from common import arguments, recording, run_script
from evaluate_circuits import CIRCUITS, as_boolnet, worked_gates
from threadpoolctl import threadpool_limits

from boolearn.circuit import Circuit, CompiledCircuit
from boolearn.circuit.bits import pack, unpack
from boolearn.circuit.formats.c import write_c
from boolearn.cores import available_cores

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Way:
    """``run`` is timed; ``answer`` turns what it returns into ±1 of shape (items, outputs)."""

    name: str
    items: int
    run: Callable[[], Any]
    answer: Callable[[Any], Array] = np.asarray
    threads: int = 1
    best: float = float("inf")


def ways(circuit: Circuit, inputs: Array, slow_items: int, folder: Path) -> Iterator[Way]:
    items, cores = len(inputs), available_cores()
    few = inputs[:slow_items]
    model = as_boolnet(circuit)
    yield Way("BoolNet.predict", slow_items, lambda: model.predict(few))
    yield Way("Circuit.signal_values", slow_items, lambda: circuit.signal_values(few), lambda v: _outputs(circuit, v))
    yield from torch_ways(model, few)
    yield from onnx_ways(model, few)
    planes = pack(inputs)
    in_numpy = CompiledCircuit(circuit, backend="numpy")
    yield Way("bit-parallel, NumPy, packed", items, lambda: in_numpy.predict_packed(planes), lambda w: unpack(w, items))
    yield from generated_c(circuit, planes, items, folder)
    for threads in sorted({1, cores}):
        compiled = CompiledCircuit(circuit, backend="native", threads=threads)
        yield Way("bit-parallel, ±1", items, lambda c=compiled: c.predict(inputs), threads=threads)  # type: ignore[misc]
        yield Way(
            "bit-parallel, packed",
            items,
            lambda c=compiled: c.predict_packed(planes),  # type: ignore[misc]
            lambda w: unpack(w, items),
            threads,
        )


def _outputs(circuit: Circuit, values: Array) -> Array:
    signs = np.array([literal.sign for _, literal in circuit.outputs], np.int8)
    return values[:, [literal.signal for _, literal in circuit.outputs]] * signs


def torch_ways(model: Any, inputs: Array) -> Iterator[Way]:
    try:
        import torch
    except ModuleNotFoundError:
        return
    torch.set_num_threads(1)
    layers = [(torch.from_numpy(w.astype(np.float32)), torch.from_numpy(b.astype(np.float32))) for w, b in dense(model)]
    x = torch.from_numpy(inputs.astype(np.float32))

    def run() -> Any:
        with torch.inference_mode():
            v = x
            for weights, bias in layers:
                v = torch.sign(torch.addmm(bias, v, weights))
            return v

    yield Way("PyTorch eager, float32", len(inputs), run, lambda v: v.numpy())


def onnx_ways(model: Any, inputs: Array) -> Iterator[Way]:
    try:
        import onnx
        import onnxruntime
    except ModuleNotFoundError:
        return
    nodes, constants, last = [], [], "x"
    for index, (weights, bias) in enumerate(dense(model)):
        constants.append(onnx.numpy_helper.from_array(weights.astype(np.float32), f"w{index}"))
        constants.append(onnx.numpy_helper.from_array(bias.astype(np.float32), f"b{index}"))
        nodes.append(onnx.helper.make_node("Gemm", [last, f"w{index}", f"b{index}"], [f"s{index}"]))
        nodes.append(onnx.helper.make_node("Sign", [f"s{index}"], [f"y{index}"]))
        last = f"y{index}"
    kind = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        nodes,
        "network",
        [onnx.helper.make_tensor_value_info("x", kind, ["items", inputs.shape[1]])],
        [onnx.helper.make_tensor_value_info(last, kind, ["items", model.network.n_outputs])],
        constants,
    )
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(made.SerializeToString(), options, providers=["CPUExecutionProvider"])
    x = inputs.astype(np.float32)
    yield Way("onnxruntime, float32", len(inputs), lambda: session.run(None, {"x": x})[0])


def generated_c(circuit: Circuit, planes: Array, items: int, folder: Path) -> Iterator[Way]:
    source, library = folder / "circuit.c", folder / f"circuit{time.monotonic_ns()}.so"
    write_c(circuit, source)
    subprocess.run(["cc", "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source], check=True)  # noqa: S607
    function = ctypes.CDLL(str(library)).circuit_words
    out = np.empty((len(circuit.outputs), planes.shape[1]), np.uint64)
    where = [ctypes.c_void_p(planes.ctypes.data), ctypes.c_void_p(out.ctypes.data), ctypes.c_size_t(planes.shape[1])]

    def run() -> Array:
        function(*where)
        return out

    yield Way("generated C, packed", items, run, lambda w: unpack(w, items))


def dense(model: Any) -> Iterator[tuple[Array, Array]]:
    """Per layer the weights, (below, width), and what the constant −1 contributes."""
    for nodes, senders in model.network.blocks:
        rows = np.stack([model.weights_into(node) for node in range(nodes.start, nodes.stop)])
        assert senders[0] == 0
        yield rows[:, 1:].T.copy(), -rows[:, 0]


def measure(name: str, circuit: Circuit, items: int, slow_items: int, rounds: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    inputs = rng.integers(0, 2, (items, len(circuit.inputs)), np.int8) * np.int8(2) - np.int8(1)
    gates = worked_gates(circuit)
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(1):
        contest = list(ways(circuit, inputs, slow_items, Path(folder)))
        want = _outputs(circuit, circuit.signal_values(inputs))
        for way in contest:
            np.testing.assert_array_equal(way.answer(way.run()), want[: way.items], err_msg=way.name)
        for _ in range(rounds):
            for way in contest:
                start = time.perf_counter()
                way.run()
                way.best = min(way.best, time.perf_counter() - start)
    slowest = contest[0].items / contest[0].best
    return [
        {
            "circuit": name,
            "way": way.name,
            "threads": way.threads,
            "items": way.items,
            "seconds": way.best,
            "items_per_second": way.items / way.best,
            "gates_per_second_and_core": gates * way.items / way.best / way.threads,
            "times_boolnet": way.items / way.best / slowest,
        }
        for way in contest
    ]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--items", type=int, default=1 << 18)
    parser.add_argument("--slow-items", type=int, default=1 << 12, help="for the ways that take floats")
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    circuits = {name: make() for name, make in CIRCUITS.items()}
    backend = CompiledCircuit(next(iter(circuits.values()))).backend
    with recording(("circuit", "way", "threads"), options, seeds=0, evaluation=backend) as record:
        for name, circuit in circuits.items():
            print(f"{name}: {worked_gates(circuit)} gates besides copies, depth {circuit.depth}")
            print(f"  {'way':<30} {'threads':>7} {'items/s':>10} {'gates/s/core':>13} {'× BoolNet':>10}")
            for row in measure(name, circuit, options.items, options.slow_items, options.rounds):
                record.add(row)
                print(
                    f"  {row['way']:<30} {row['threads']:>7} {row['items_per_second']:>10.2e} "
                    f"{row['gates_per_second_and_core']:>13.2e} {row['times_boolnet']:>10.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    run_script(main)
