"""How far a circuit agrees with data: how many items and bits are right, and how many wrong ones are allowed."""

from __future__ import annotations

from dataclasses import dataclass

from boolearn.checks import checked_integer
from boolearn.circuit.circuit import Circuit, checked_circuit
from boolearn.circuit.proof.matching import match_inputs, match_outputs
from boolearn.data import Dataset, InputKind
from boolearn.data.scoring import score
from boolearn.errors import DataError, ParameterError


@dataclass(frozen=True)
class Agreement:
    """A circuit compared with data; true when no more bits are wrong than are allowed. ``str()`` says all of it."""

    right_items: int
    """Items with every specified output bit right."""
    items: int
    """Those with an output bit that is specified."""
    right_bits: int
    bits: int
    """Those that are specified; what the data leave open is not compared."""
    allowed_wrong_bits: int
    complete_truth_table: bool
    """Whether the data holds every input there is, each with one answer."""

    @property
    def wrong_bits(self) -> int:
        return self.bits - self.right_bits

    def __bool__(self) -> bool:
        return self.wrong_bits <= self.allowed_wrong_bits

    def __str__(self) -> str:
        verb = (
            "agrees with" if not self.wrong_bits else "is wrong no more than is allowed on" if self else "contradicts"
        )
        counts = f"{self.right_items} of {self.items} items and {self.right_bits} of {self.bits} bits are right"
        allowed = ""
        if self.wrong_bits or self.allowed_wrong_bits:
            bits = "wrong bit is" if self.allowed_wrong_bits == 1 else "wrong bits are"
            allowed = f", {self.allowed_wrong_bits} {bits} allowed"
        table = "a complete truth table" if self.complete_truth_table else "not a complete truth table"
        return f"The circuit {verb} the data, {table}: {counts}{allowed}."


def agreement(circuit: Circuit, data: Dataset, allowed_wrong_bits: int = 0) -> Agreement:
    """Compare a circuit's outputs with those of a data set, bit by bit.

    Inputs and outputs are matched by name where both have names. Class labels are compared with the signs of the
    class outputs: the one of the class must be true and all others false.
    """
    checked_circuit(circuit)
    if not isinstance(data, Dataset):
        raise ParameterError("data", "a Dataset", data)
    if data.input_kind is not InputKind.BOOLEAN:
        raise DataError(f"the data must have Boolean inputs. Got {data!r} instead.")
    outputs = tuple(name for name, _ in circuit.outputs)
    if (data.n_inputs, data.n_output_nodes) != (len(circuit.inputs), len(outputs)):
        raise DataError(
            f"the data must have {len(circuit.inputs)} inputs and {len(outputs)} outputs, as the circuit has. "
            f"Got {data!r} instead."
        )
    columns = match_inputs(circuit.inputs, data.input_names)
    answers = match_outputs(outputs, data.output_names, circuit.inputs, data.input_names)
    wanted = data.targets if answers is None else data.targets[:, answers]
    found = score(circuit.predict(data.inputs if columns is None else data.inputs[:, columns]), wanted)
    return Agreement(
        **found._asdict(),
        allowed_wrong_bits=checked_integer("allowed_wrong_bits", allowed_wrong_bits, 0),
        complete_truth_table=data.complete,
    )
