"""CompiledCircuit: a circuit evaluated 64 items a word, many words at a time, on all cores.

The circuit becomes a straight-line program over words (``boolearn.circuit.bits``). The compiled part of
the package runs it with the processor's widest instructions; where that part is missing, NumPy does.
"""

from __future__ import annotations

import importlib
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from boolearn.circuit.bits.instructions import Words
from boolearn.circuit.bits.packing import as_planes, pack, unpack
from boolearn.circuit.bits.program import Program, compile_circuit
from boolearn.circuit.circuit import Circuit, checked_circuit
from boolearn.cores import check_instruction_set, check_threads
from boolearn.data.signs import Signs, as_inputs, as_signs
from boolearn.errors import DataError, ParameterError


class CompiledCircuit:
    """Answers like the circuit it was made from. It may be used from several threads at the same time.

    ``threads`` bounds the cores it uses; the default is the environment's BOOLEARN_THREADS or else all
    cores of the process. The answers do not depend on it. ``backend`` is for comparisons: by default
    the compiled part is used where it is installed.
    """

    def __init__(
        self,
        circuit: Circuit,
        *,
        threads: int | None = None,
        backend: Literal["auto", "native", "numpy"] = "auto",
    ) -> None:
        if backend not in ("auto", "native", "numpy"):
            raise ParameterError("backend", "'auto', 'native' or 'numpy'", backend)
        self.circuit = checked_circuit(circuit)
        self.threads = check_threads(threads)
        self.program: Program = compile_circuit(circuit)
        native = None if backend == "numpy" else _native()
        if backend == "native" and native is None:
            raise ParameterError("backend", "'numpy' where the compiled part is not installed", backend)
        self._machine = native and _machine(native, self.program)

    @property
    def backend(self) -> str:
        """``"numpy"``, or ``"native"`` with the instruction set in use."""
        return f"native ({self._machine.isa})" if self._machine else "numpy"

    def predict(self, inputs: npt.ArrayLike) -> Signs:
        """Shape (items, outputs): the outputs as ±1, for inputs written as ±1, 0/1 or truth values."""
        array = as_inputs(inputs, self.circuit.inputs)
        if array.ndim != 2 or array.shape[1] != len(self.circuit.inputs):
            raise DataError(f"inputs must have shape (items, {len(self.circuit.inputs)}). Got {array.shape} instead.")
        if self._machine is None:
            return unpack(self.program.run(pack(array)), len(array))
        outputs = np.empty((len(array), len(self.circuit.outputs)), np.int8)
        # Bytes are checked while they are packed; only what is wrong, or not bytes, is checked again.
        if array.dtype in (np.int8, np.uint8, np.bool_):
            octets = np.ascontiguousarray(array).view(np.int8)
            if self._machine.run_signs(octets, array.dtype == np.int8, outputs, self.threads):
                return outputs
        signs = np.ascontiguousarray(as_signs(array, "inputs"))
        self._machine.run_signs(signs, True, outputs, self.threads)
        return outputs

    def predict_packed(self, words: Words) -> Words:
        """From bit planes (inputs, words) to bit planes (outputs, words), as ``bits.pack`` makes them.

        Bits beyond the last item are evaluated like the others.
        """
        planes = as_planes(words, "words")
        if len(planes) != len(self.circuit.inputs):
            raise DataError(f"words must have shape ({len(self.circuit.inputs)}, words). Got {planes.shape} instead.")
        if self._machine is None:
            return self.program.run(planes)
        outputs = np.empty((len(self.circuit.outputs), planes.shape[1]), np.uint64)
        self._machine.run_words(np.ascontiguousarray(planes), outputs, self.threads)
        return outputs

    def __repr__(self) -> str:
        steps, slots = len(self.program.instructions), self.program.n_slots
        return f"CompiledCircuit({steps} instructions, {slots} slots, {self.backend}, {self.threads} threads)"


def _machine(native: Any, program: Program) -> Any:
    check_instruction_set(native.BitProgram.instruction_sets())
    return native.BitProgram(
        program.instructions, program.n_slots, program.input_slots, program.output_slots, program.output_negated
    )


def _native() -> Any:
    """The compiled part of the package, or None where it is not installed."""
    try:
        return importlib.import_module("boolearn._native")
    except ModuleNotFoundError:
        return None
