"""ONNX: a graph of matrix products and signs, for whatever runs neural networks.

The graph takes ``inputs``, shape (items, n_inputs), and gives ``outputs``, shape (items, n_outputs), both int8 of ±1.
Gates of one level are one product; the sums are small integers, exact in single precision. Names are kept in the
model's metadata.
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Gate
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.errors import MissingExtraError
from boolearn.files import PathLike, replacing

if TYPE_CHECKING:
    import onnx

_OPSET = 13
_IR_VERSION = 8
_LARGEST_EXACT = 2**24
_GATES_AT_A_TIME = 64
"""Bounds the size of a dense matrix when a level is wide."""


def write_onnx(circuit: Circuit, path: PathLike) -> None:
    """Write the circuit with its threshold gates as they are, if all sums are exact and no gate is an exclusive or."""
    model = to_onnx(circuit)
    with replacing(path) as stream:
        stream.write(model.SerializeToString())


def to_onnx(circuit: Circuit) -> onnx.ModelProto:
    """The model itself."""
    try:
        import onnx
        from onnx import TensorProto, helper
    except ImportError as error:
        raise MissingExtraError("Writing ONNX", "eda") from error

    if not all(_exact_sum(gate) for gate in circuit.gates):
        circuit = decompose(circuit, majority=True)
    graph = _Graph(circuit)
    names = {
        "inputs": json.dumps(circuit.inputs),
        "outputs": json.dumps([name for name, _ in circuit.outputs]),
    }
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "circuit",
            [helper.make_tensor_value_info("inputs", TensorProto.INT8, ["items", len(circuit.inputs)])],
            [helper.make_tensor_value_info("outputs", TensorProto.INT8, ["items", len(circuit.outputs)])],
            graph.initializers,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR_VERSION,
        producer_name="boolearn",
    )
    helper.set_model_props(model, names)
    onnx.checker.check_model(model)
    return model


def _exact_sum(gate: Gate) -> bool:
    """Is it the sign of a sum that single precision holds exactly?"""
    return not gate.xor and 2 * (sum(map(abs, gate.weights)) + abs(gate.bias)) + 1 < _LARGEST_EXACT


class _Graph:
    """Nodes and constants. The inputs, and the gates of every block, are columns of a tensor of their own."""

    def __init__(self, circuit: Circuit) -> None:
        from onnx import TensorProto

        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        n = len(circuit.inputs)
        values = self._node("Cast", ["inputs"], "values", to=TensorProto.FLOAT)
        self.place = [(values, column) for column in range(n)]
        """The tensor and the column that hold each signal; gates are filled in level by level."""
        self.place += [("", 0)] * len(circuit.gates)
        levels: list[list[int]] = [[] for _ in range(max(circuit.levels, default=0) + 1)]
        for signal in range(n, circuit.n_signals):
            levels[circuit.levels[signal]].append(signal)
        for members in levels:
            for first in range(0, len(members), _GATES_AT_A_TIME):
                block = members[first : first + _GATES_AT_A_TIME]
                signs = self._block([circuit.gates[signal - n] for signal in block], str(block[0]))
                for column, signal in enumerate(block):
                    self.place[signal] = signs, column
        self._outputs(circuit)

    def _block(self, gates: list[Gate], tag: str) -> str:
        """Gates that read earlier blocks only: the signs of 2·(sum) − 1, which is never zero."""
        read = sorted({signal for gate in gates for signal in gate.inputs}, key=self.place.__getitem__)
        row = {signal: number for number, signal in enumerate(read)}
        weights = np.zeros((len(read), len(gates)), np.float32)
        for column, gate in enumerate(gates):
            for signal, weight in zip(gate.inputs, gate.weights, strict=True):
                weights[row[signal], column] = 2 * weight
        bias = np.array([2 * gate.bias - 1 for gate in gates], np.float32)
        chosen = self._gathered(read, tag)
        product = self._node("MatMul", [chosen, self._constant(f"weights_{tag}", weights)], f"product_{tag}")
        total = self._node("Add", [product, self._constant(f"bias_{tag}", bias)], f"sum_{tag}")
        return self._node("Sign", [total], f"signs_{tag}")

    def _outputs(self, circuit: Circuit) -> None:
        from onnx import TensorProto

        signals = [literal.signal for _, literal in circuit.outputs]
        read = sorted(set(signals), key=self.place.__getitem__)
        row = {signal: number for number, signal in enumerate(read)}
        columns = np.array([row[signal] for signal in signals], np.int64)
        signs = np.array([literal.sign for _, literal in circuit.outputs], np.float32)
        gathered = self._gathered(read, "outputs")
        chosen = self._node("Gather", [gathered, self._constant("output_columns", columns)], "chosen", axis=1)
        signed = self._node("Mul", [chosen, self._constant("output_signs", signs)], "signed")
        self._node("Cast", [signed], "outputs", to=TensorProto.INT8)

    def _gathered(self, signals: list[int], tag: str) -> str:
        """One tensor with these signals, sorted by place, as its columns: only what is read is copied."""
        parts = []
        for source, members in itertools.groupby(signals, key=lambda signal: self.place[signal][0]):
            name = f"{tag}_of_{source}"
            columns = np.array([self.place[signal][1] for signal in members], np.int64)
            parts.append(self._node("Gather", [source, self._constant(f"read_{name}", columns)], name, axis=1))
        if not parts:  # constants read nothing, and a product over no columns is zero
            nothing = self._constant(f"read_{tag}", np.empty(0, np.int64))
            return self._node("Gather", ["values", nothing], f"nothing_{tag}", axis=1)
        return parts[0] if len(parts) == 1 else self._node("Concat", parts, f"chosen_{tag}", axis=1)

    def _node(self, operation: str, read: list[str], result: str, **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(operation, read, [result], **attributes))
        return result

    def _constant(self, name: str, array: np.ndarray[Any, Any]) -> str:
        from onnx import numpy_helper

        self.initializers.append(numpy_helper.from_array(array, name))
        return name
