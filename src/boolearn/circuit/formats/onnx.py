"""ONNX: a graph of matrix products and signs, for whatever runs neural networks.

The graph takes ``inputs``, shape (items, n_inputs), and gives ``outputs``, shape (items, n_outputs), both int8 of ±1.
Gates of one level are one product; the sums are small integers, exact in single precision. Names are kept in the
model's metadata.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.formats.gate_level import gate_level
from boolearn.circuit.gate import Gate
from boolearn.errors import MissingExtraError
from boolearn.files import PathLike, replacing

if TYPE_CHECKING:
    import onnx

_OPSET = 13
_IR_VERSION = 8
_LARGEST_EXACT = 2**24
_GATES_AT_A_TIME = 256
"""Bounds the size of a dense matrix when a level is wide."""


def write_onnx(circuit: Circuit, path: PathLike) -> None:
    """Write the circuit with its threshold gates as they are, as long as their sums are exact."""
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

    if any(2 * (sum(map(abs, gate.weights)) + abs(gate.bias)) + 1 >= _LARGEST_EXACT for gate in circuit.gates):
        circuit = gate_level(circuit)
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


class _Graph:
    """Nodes and constants; ``signals`` counts the columns of the tensor that holds all values so far."""

    def __init__(self, circuit: Circuit) -> None:
        from onnx import TensorProto

        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self.column = {signal: signal for signal in range(len(circuit.inputs))}
        n = len(circuit.inputs)
        self._node("Cast", ["inputs"], "values_0", to=TensorProto.FLOAT)
        values, width = "values_0", n
        for level in range(max(circuit.levels, default=0) + 1):
            members = [index for index in range(n, circuit.n_signals) if circuit.levels[index] == level]
            for first in range(0, len(members), _GATES_AT_A_TIME):
                chosen = members[first : first + _GATES_AT_A_TIME]
                values = self._block([circuit.gates[index - n] for index in chosen], values, width)
                self.column.update({index: width + place for place, index in enumerate(chosen)})
                width += len(chosen)
        self._outputs(circuit, values)

    def _block(self, gates: list[Gate], values: str, width: int) -> str:
        """Append the values of gates that read only what is there: the sign of 2·(sum) − 1, which is never zero."""
        read = sorted({signal for gate in gates for signal in gate.inputs})
        weights = np.zeros((len(read), len(gates)), np.float32)
        for place, gate in enumerate(gates):
            for signal, weight in zip(gate.inputs, gate.weights, strict=True):
                weights[read.index(signal), place] = 2 * weight
        bias = np.array([2 * gate.bias - 1 for gate in gates], np.float32)
        tag = str(width)
        columns = self._constant(f"read_{tag}", np.array([self.column[signal] for signal in read], np.int64))
        chosen = self._node("Gather", [values, columns], f"chosen_{tag}", axis=1)
        product = self._node("MatMul", [chosen, self._constant(f"weights_{tag}", weights)], f"product_{tag}")
        total = self._node("Add", [product, self._constant(f"bias_{tag}", bias)], f"sum_{tag}")
        signs = self._node("Sign", [total], f"signs_{tag}")
        return self._node("Concat", [values, signs], f"values_{tag}_more", axis=1)

    def _outputs(self, circuit: Circuit, values: str) -> None:
        from onnx import TensorProto

        columns = np.array([self.column[literal.signal] for _, literal in circuit.outputs], np.int64)
        signs = np.array([literal.sign for _, literal in circuit.outputs], np.float32)
        chosen = self._node("Gather", [values, self._constant("output_columns", columns)], "chosen", axis=1)
        signed = self._node("Mul", [chosen, self._constant("output_signs", signs)], "signed")
        self._node("Cast", [signed], "outputs", to=TensorProto.INT8)

    def _node(self, operation: str, read: list[str], result: str, **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(operation, read, [result], **attributes))
        return result

    def _constant(self, name: str, array: np.ndarray[Any, Any]) -> str:
        from onnx import numpy_helper

        self.initializers.append(numpy_helper.from_array(array, name))
        return name
