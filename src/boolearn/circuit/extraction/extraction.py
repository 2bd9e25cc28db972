"""From a trained network to a circuit: for every neuron the smallest gate that computes the same."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_number
from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.extraction.consolidate import Consolidation, consolidate, gathered
from boolearn.circuit.extraction.exact_neurons import neurons
from boolearn.circuit.extraction.smallest_gate import DEFAULT_EFFORT, Reading, smallest_gate
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.rewriting.simplify import simplify
from boolearn.circuit.summary import summarize
from boolearn.circuit.threshold.relevance import ThresholdForm, simple_form, threshold_form
from boolearn.data import Dataset, InputKind
from boolearn.data.signs import Signs, as_inputs, as_signs, signs_of
from boolearn.errors import CircuitError, DataError, ParameterError
from boolearn.model import BoolNet
from boolearn.network import CONSTANT, Network

_SIMPLE_SUPPORT = 3
"""A neuron with at most this number of relevant inputs, the constant included, is a copy, an And, an Or or a Maj."""

_HARD_NEURONS = 2
_LESS_EFFORT = 100
"""After this number of failed searches the network is not made of small gates: the others get 1/100 of the effort."""


@dataclass(frozen=True)
class NeuronReading:
    """What was read from one neuron that the circuit needs."""

    node: int
    fan_in: int
    reading: Reading
    gate: Gate
    """Over nodes of the network, before simplification."""


@dataclass(frozen=True)
class Extraction:
    """A circuit and how it came about; ``str()`` is a summary for people."""

    circuit: Circuit
    neurons: tuple[NeuronReading, ...]
    unused: int
    """Neurons that no output depends on."""
    items: int | None
    """How many items the circuit was extracted from and checked on; None for all inputs."""
    undecided: int = 0
    """Items of a network with classes on which the signs of the outputs do not name exactly the predicted class."""

    @property
    def not_reduced(self) -> tuple[NeuronReading, ...]:
        """Neurons that stayed threshold gates, and those whose gate is perhaps not the smallest."""
        return tuple(
            neuron for neuron in self.neurons if neuron.gate.kind is Kind.THRESHOLD or neuron.reading is Reading.REDUCED
        )

    def __str__(self) -> str:
        where = "for all inputs" if self.items is None else f"from the values on {self.items} items"
        lines = [str(summarize(self.circuit)), f"Extracted {where}; neurons that no output needs: {self.unused}."]
        counts = Counter(neuron.reading for neuron in self.neurons)
        lines += [f"{counts[reading]:6d}  {reading.value}" for reading in Reading if counts[reading]]
        lines += [
            f"node {neuron.node}: a {neuron.gate.kind.value} gate of {len(neuron.gate.inputs)} of {neuron.fan_in} "
            f"inputs ({neuron.reading.value})"
            for neuron in self.not_reduced
        ]
        if self.undecided:
            lines.append(f"On {self.undecided} items the outputs' signs do not name exactly the predicted class.")
        return "\n".join(lines)


def extract(
    model: BoolNet,
    data: Dataset | npt.ArrayLike | None = None,
    *,
    merge: bool | None = None,
    effort: float = DEFAULT_EFFORT,
) -> Circuit:
    """The circuit a model computes; ``extract_and_explain`` also says how each neuron was read.

    Without data the circuit equals the model on every input: each neuron is reduced to its relevant inputs. With
    data it equals the model on every item, and each neuron is the smallest gate that holds its values there. Where
    the data leave an output bit open, the output may be anything.

    data
        A data set, (inputs, outputs), or inputs alone: rows of ±1, 0/1 or truth values. Only the
        inputs matter, and which outputs are open.
    merge
        True takes signals that agree on all items for one signal, wherever they are: the smallest circuit for the
        items. False does so only among the inputs of a neuron that is not a simple gate yet, and keeps neurons
        that are: the circuit is larger and closer to the model on inputs the data does not hold. By default
        True when the data holds every input, since nothing can be lost then, else False.
    effort
        Bounds the search for each neuron's smallest gate; after a few searches without result the others get less.

    A model with classes gives one output per class, the sign of its class node: comparing sums is not logic.
    """
    return extract_and_explain(model, data, merge=merge, effort=effort).circuit


def extract_and_explain(
    model: BoolNet,
    data: Dataset | npt.ArrayLike | None = None,
    *,
    merge: bool | None = None,
    effort: float = DEFAULT_EFFORT,
) -> Extraction:
    """``extract`` with an account of what was read from every neuron."""
    if not isinstance(model, BoolNet):
        raise ParameterError("model", "a BoolNet, such as run.model", model)
    if merge not in (None, True, False):
        raise ParameterError("merge", "True, False or None", merge)
    most = int(checked_number("effort", effort, "a finite number of at least 0", lambda v: 0 <= v < math.inf))
    if model.input_kind is InputKind.ANALOG:
        raise CircuitError(
            "a circuit must have Boolean inputs; this model's are analog. Turn grey values into bits "
            "(for example one per threshold) before training."
        )
    if data is None:
        return _from_weights(model)
    n_inputs = model.network.n_inputs
    data = data if isinstance(data, Dataset) else _as_items(model, data)
    if data.input_kind is not InputKind.BOOLEAN or data.n_inputs != n_inputs:
        raise DataError(f"the data must have {n_inputs} Boolean inputs. Got {data!r} instead.")
    if merge is None:
        merge = n_inputs < 32 and len(data) >= 1 << n_inputs and len(np.unique(data.inputs, axis=0)) == 1 << n_inputs
    return _from_values(model, data, merge, most)


def _as_items(model: BoolNet, inputs: npt.ArrayLike) -> Dataset:
    """Inputs alone, or a pair of inputs and outputs, as data; the outputs are the model's own."""
    if isinstance(inputs, tuple) and len(inputs) == 2 and np.ndim(inputs[0]) == 2:
        inputs = inputs[0]
    rows = as_inputs(inputs, model.input_names)
    if rows.ndim != 2 or rows.shape[1] != model.network.n_inputs:
        rule = f"a Dataset, or inputs of shape (items, {model.network.n_inputs})"
        raise DataError(f"the data must be {rule}. Got {_kind_of(inputs, rows)} instead.")
    signs = as_signs(rows, "inputs")
    return Dataset(signs, signs_of(model.decision(signs)))


def _kind_of(given: object, rows: npt.NDArray[np.generic]) -> str:
    return f"shape {rows.shape}" if rows.ndim else repr(given)


def _from_weights(model: BoolNet) -> Extraction:
    """Equality on all inputs, neuron by neuron."""
    wiring = _Wiring(model)
    forms: dict[bytes, ThresholdForm] = {}
    for node, senders, weights in neurons(model):
        key = weights.tobytes() + (senders == CONSTANT).tobytes()
        if key not in forms:
            forms[key] = threshold_form(*_with_bias(senders, weights))
        form = forms[key]
        inputs = senders[senders != CONSTANT][list(form.inputs)]
        gate = Gate(tuple(int(sender) for sender in inputs), form.weights, form.bias)
        wiring.add(node, Reading.WHOLE_CUBE if form.inputs else Reading.CONSTANT, gate)
    return Extraction(simplify(wiring.circuit()), *wiring.needed(), items=None)


def _from_values(model: BoolNet, data: Dataset, merge: bool, effort: int) -> Extraction:
    """Equality on the items, from the outputs down: only what they need is examined."""
    network = model.network
    values = signs_of(model.node_values(data.inputs))
    classes = consolidate(values)
    wiring = _Wiring(model)
    wanted = set(range(network.first_output, network.n_nodes))
    specified = _specified(network, data)
    given_up = 0
    for node in range(network.n_nodes - 1, network.first_neuron - 1, -1):
        if node not in wanted:
            continue
        representative = int(classes.representative[node])
        if merge and representative == CONSTANT:
            wiring.add(node, Reading.CONSTANT, Gate((), (), int(values[0, node])))
        elif merge and representative != node:
            wiring.add(node, Reading.MERGED, Gate((representative,), (int(classes.sign[node]),)))
        else:
            gate = None if merge else _simple_gate(network.senders(node), model.weights_into(node))
            if gate is not None:
                wiring.add(node, Reading.WHOLE_CUBE, gate)
            else:
                allowed = effort if given_up < _HARD_NEURONS else effort // _LESS_EFFORT
                wiring.add(node, *_gate_of_values(model, node, values, classes, merge, allowed, specified.get(node)))
                given_up += wiring.readings[node] is Reading.REDUCED
        wanted.update(wiring.gates[node].inputs)
    circuit = simplify(wiring.circuit(data))
    outputs = values[:, network.first_output :]
    differ = circuit.predict(data.inputs) != outputs
    for node, rows in specified.items():
        differ[:, node - network.first_output] &= rows
    if differ.any():
        raise CircuitError(
            "the extracted circuit differs from the model on the data: some sums are so close to zero that "
            "rounding decides them. Extract without data, or train with a margin."
        )
    undecided = 0
    if model.classes:
        named = signs_of(model.predict(data.inputs)[:, None] == np.arange(model.classes))
        undecided = int((named != outputs).any(axis=1).sum())
    return Extraction(circuit, *wiring.needed(), items=len(data), undecided=undecided)


def _specified(network: Network, data: Dataset) -> dict[int, npt.NDArray[np.bool_]]:
    """For every output node with open bits, the items where it is not open."""
    if data.open is None or data.n_output_nodes != network.n_outputs:
        return {}
    some = data.open.any(axis=0) & ~data.open.all(axis=0)
    return {network.first_output + int(output): ~data.open[:, output] for output in np.flatnonzero(some)}


def _simple_gate(senders: npt.NDArray[np.int32], weights: npt.NDArray[np.float64]) -> Gate | None:
    """The gate a neuron is on all inputs, if that is a copy, an And, an Or or a Maj."""
    form = simple_form(*_with_bias(senders, weights), most_inputs=_SIMPLE_SUPPORT)
    if form is None or not 1 <= form.support <= _SIMPLE_SUPPORT:
        return None
    inputs = senders[senders != CONSTANT][list(form.inputs)]
    return Gate(tuple(int(sender) for sender in inputs), form.weights, form.bias)


def _gate_of_values(
    model: BoolNet,
    node: int,
    values: Signs,
    classes: Consolidation,
    merge: bool,
    effort: int,
    rows: npt.NDArray[np.bool_] | None,
) -> tuple[Reading, Gate]:
    """The smallest gate that holds the neuron's values in these rows, over one signal of every class it reads."""
    network = model.network
    near, heaviest = gathered(network.senders(node), model.weights_into(node), classes)
    bias = -near.pop(CONSTANT, 0.0)
    read = sorted(near)
    # A class is read through its first signal when merging, else through the one the neuron weighs most.
    signals = read if merge else [heaviest[signal] for signal in read]
    signs = np.array([1 if merge else int(classes.sign[signal]) for signal in signals], np.int64)
    learned = np.append(signs * np.array([near[signal] for signal in read]), bias)
    seen = values if rows is None else values[rows]
    found = smallest_gate(seen[:, signals], seen[:, node], learned, effort)
    if found is None:
        raise CircuitError(
            f"{network.describe_node(node)} is not a threshold function of its inputs on these items: some of its "
            "sums are so close to zero that rounding decides them. Extract without data, or train with a margin."
        )
    return found.reading, Gate(tuple(signals[k] for k in found.inputs), found.weights, found.bias)


def _with_bias(senders: npt.NDArray[np.int32], weights: npt.NDArray[np.float64]) -> tuple[list[float], float]:
    variable = senders != CONSTANT
    return weights[variable].tolist(), -float(weights[~variable].sum())


class _Wiring:
    """Gates by network node, over network nodes."""

    def __init__(self, model: BoolNet) -> None:
        self.model = model
        self.gates: dict[int, Gate] = {}
        self.readings: dict[int, Reading] = {}

    def add(self, node: int, reading: Reading, gate: Gate) -> None:
        self.gates[node] = gate
        self.readings[node] = reading

    def circuit(self, data: Dataset | None = None) -> Circuit:
        """Names are the model's, else the data's, else x0, x1, … and y0, y1, …"""
        network, model = self.model.network, self.model
        signal = {node: node - 1 for node in range(1, network.first_neuron)}
        gates: list[Gate] = []
        for node in sorted(self.gates):
            gate = self.gates[node]
            signal[node] = network.n_inputs + len(gates)
            gates.append(Gate(tuple(signal[sender] for sender in gate.inputs), gate.weights, gate.bias))
        inputs = model.input_names or (data and data.input_names) or tuple(f"x{k}" for k in range(network.n_inputs))
        names = model.output_names or (data and data.output_names) or tuple(f"y{k}" for k in range(network.n_outputs))
        outputs = range(network.first_output, network.n_nodes)
        return Circuit(
            inputs, tuple(gates), tuple((name, Literal(signal[k])) for name, k in zip(names, outputs, strict=True))
        )

    def needed(self) -> tuple[tuple[NeuronReading, ...], int]:
        """What was read from the neurons some output depends on, and how many others there are."""
        network = self.model.network
        needed = set(range(network.first_output, network.n_nodes))
        for node in sorted(self.gates, reverse=True):
            if node in needed:
                needed.update(self.gates[node].inputs)
        readings = tuple(
            NeuronReading(node, len(network.senders(node)), self.readings[node], self.gates[node])
            for node in sorted(self.gates)
            if node in needed
        )
        return readings, network.n_neurons - len(readings)
