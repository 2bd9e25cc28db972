"""Dataset: what is to be learned."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer, generator, is_integer
from boolearn.data.contradictions import Contradictions, find_contradictions
from boolearn.data.frames import column_names, series_name
from boolearn.data.meaning import MOST_CLASSES, are_texts, looks_analog, meant_outputs, text_labels, whole_numbers
from boolearn.data.open_outputs import Mask, signs_with_open, take_apart
from boolearn.data.signs import Signs, as_array, as_inputs, as_signs
from boolearn.data.values import is_boolean
from boolearn.errors import DataError, ParameterError

_QUICKLY_SEARCHED = 1 << 22
"""Data with more values than this do not show their contradictions unasked."""


class InputKind(enum.Enum):
    """What the input nodes hold. The last two are free: found in training, not given by data."""

    BOOLEAN = "boolean"
    ANALOG = "analog"
    ANY_CODE = "any code"
    ONE_HOT_CODE = "one-hot code"

    @property
    def free(self) -> bool:
        return self in (InputKind.ANY_CODE, InputKind.ONE_HOT_CODE)


class OutputKind(enum.Enum):
    """What the output nodes hold: one bit each, or a one-hot vector that names a class."""

    BOOLEAN = "boolean"
    CLASS = "class"


@dataclass(frozen=True, eq=False)
class Dataset:
    """Items, each a vector of inputs and what the network should answer to it.

    inputs
        Shape (items, n_inputs): ±1 (int8) when Boolean, floats in [−1, 1] when analog. Width 0
        when the input kind is free. Any array is taken that holds such values, Boolean ones also as 0/1 or truth
        values; so are pandas and polars frames, whose columns keep their names and may each be written in its own way.
    outputs
        Shape (items, n_outputs) of ±1 (int8), 0 where a bit is open, or shape (items,) of labels 0 … classes−1.
        Given with one axis, Boolean values are a single output; other integers, and texts, are class labels.
    input_kind
        By default what the inputs look like: analog where they are numbers that are not all Boolean.
    classes
        How many classes the labels name; 0 when the outputs are Boolean. Given, integers are labels even where they are
        all 0 or 1.
    output_names
        The names of the output nodes, which are the classes where there are any: text labels are numbered in this
        order, or else in the order of the alphabet.
    open
        Shape (items, n_outputs): the output bits that are left open (don't care), whatever ``outputs`` holds there;
        None where all are specified. NaN, None and masked values in ``outputs`` are open too.
    """

    inputs: npt.NDArray[Any]
    outputs: npt.NDArray[Any]
    input_kind: InputKind = None  # type: ignore[assignment]  # until the inputs are known
    classes: int = 0
    input_names: tuple[str, ...] | None = None
    output_names: tuple[str, ...] | None = None
    open: Mask | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        given: InputKind | None = self.input_kind
        if given is not None and not isinstance(given, InputKind):
            raise ParameterError("input_kind", "one of " + ", ".join(map(str, InputKind)), given)
        inputs = as_inputs(self.inputs, analog=given is InputKind.ANALOG)
        kind = given or (InputKind.ANALOG if looks_analog(inputs) else InputKind.BOOLEAN)
        names = column_names(self.inputs) if self.input_names is None else self.input_names
        set_field(self, "input_kind", kind)
        set_field(self, "inputs", _checked_inputs(inputs, kind))
        self._set_outputs()
        if len(self.inputs) != len(self.outputs):
            raise DataError(
                "inputs and outputs must have equally many items. "
                f"Got {len(self.inputs)} and {len(self.outputs)} instead."
            )
        if not len(self.outputs):
            raise DataError("a data set must have at least 1 item. Got 0 instead.")
        set_field(self, "input_names", checked_names("input_names", names, self.n_inputs))

    def _set_outputs(self) -> None:
        """The outputs as bits or labels, with what follows for the fields that belong to them."""
        classes, names = _checked_classes(self.classes), self.output_names
        outputs, where = take_apart(self.outputs, self.open)
        if not classes:
            outputs, classes, found = meant_outputs(outputs, names)
            names = names or found or (None if classes else column_names(self.outputs) or series_name(self.outputs))
        elif are_texts(outputs):
            outputs, found_classes, names = text_labels(outputs, names)
            if found_classes != classes:
                raise ParameterError("classes", f"{found_classes}, the number of different texts", classes)
        if where is not None and classes:
            raise DataError("class labels cannot be left open; leave out the items that have none.")
        where = where if where is None else where.reshape(outputs.shape)
        set_field = object.__setattr__
        set_field(self, "classes", classes)
        set_field(self, "outputs", _checked_outputs(outputs, classes, where))
        set_field(self, "open", where)
        set_field(self, "output_names", checked_names("output_names", names, self.n_output_nodes))

    @classmethod
    def generative(cls, outputs: npt.ArrayLike, code: InputKind = InputKind.ANY_CODE) -> Dataset:
        """Outputs only: training also finds an input code for every item."""
        if not isinstance(code, InputKind) or not code.free:
            raise ParameterError("code", "InputKind.ANY_CODE or InputKind.ONE_HOT_CODE", code)
        bits, where = take_apart(outputs)
        return cls(np.empty((len(bits), 0), np.int8), bits, input_kind=code, open=where)

    @classmethod
    def labelled(cls, inputs: npt.ArrayLike, labels: npt.ArrayLike, classes: int | None = None) -> Dataset:
        """Inputs with class labels, texts or 0, 1, …, even where these are all 0 or 1."""
        found = as_array(labels, "class labels")
        if are_texts(found):
            return cls(inputs, found, classes=classes or len(np.unique(found.astype(np.str_))))  # type: ignore[arg-type]
        found = whole_numbers(found)
        if classes is None:
            largest = int(found.max()) if found.size and found.dtype.kind in "iu" else 1
            if largest >= MOST_CLASSES:
                raise DataError(f"class labels must be from 0 to {MOST_CLASSES - 1}. Got {largest} instead.")
            classes = largest + 1
        kind = InputKind.BOOLEAN if is_boolean(as_inputs(inputs)) else InputKind.ANALOG
        classes = max(checked_integer("classes", classes, 1, MOST_CLASSES), 2)
        return cls(inputs, found, input_kind=kind, classes=classes)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.outputs)

    @property
    def output_kind(self) -> OutputKind:
        return OutputKind.CLASS if self.classes else OutputKind.BOOLEAN

    @property
    def n_inputs(self) -> int:
        return int(self.inputs.shape[1])

    @property
    def n_output_nodes(self) -> int:
        """How many output nodes a network for this data has."""
        return self.classes or int(self.outputs.shape[1])

    @property
    def targets(self) -> Signs:
        """The outputs as the ±1 values of the output nodes, 0 where open; a class is +1 at its node."""
        if not self.classes:
            return self.outputs.astype(np.int8, copy=False)
        return np.where(self.outputs[:, None] == np.arange(self.classes), np.int8(1), np.int8(-1))

    @property
    def specified_bits(self) -> int:
        """How many bits of the output nodes, over all items, are not open."""
        bits = len(self) * self.n_output_nodes
        return bits if self.open is None else bits - int(self.open.sum())

    def differ(self, answers: npt.NDArray[Any]) -> Mask:
        """Where answers of the outputs' shape are wrong; nothing is where a bit is open."""
        wrong: Mask = answers != self.outputs
        return wrong if self.open is None else wrong & ~self.open

    @property
    def on_disk(self) -> bool:
        """Is this a memory-mapped array, which may be larger than the memory?"""
        return isinstance(self.inputs, np.memmap) or isinstance(self.outputs, np.memmap)

    @cached_property
    def contradictions(self) -> Contradictions:
        """Items with the same inputs and different outputs: how many, and what they cost every function.

        An open bit contradicts nothing. Counted when first asked for, which reads all items. Data with free inputs
        have none.
        """
        return Contradictions(0, 0) if self.input_kind.free else find_contradictions(self.inputs, self.outputs)

    @property
    def complete(self) -> bool:
        """Is this a complete truth table: every Boolean input there is, each with one answer?

        Open bits may stand in it: the answer is then that any is right.
        """
        if self.input_kind is not InputKind.BOOLEAN or self.n_inputs > 24 or len(self) < 1 << self.n_inputs:
            return False
        place = (self.inputs > 0) @ (1 << np.arange(self.n_inputs))
        order = np.argsort(place, kind="stable")
        again = np.diff(place[order]) == 0
        if len(self) - int(again.sum()) != 1 << self.n_inputs:
            return False
        answers = self.outputs[order].reshape(len(self), -1)
        first = np.flatnonzero(np.concatenate(([True], ~again)))
        # Between −1 and +1 there is 0, the open answer, which is compatible with both.
        most, least = np.maximum.reduceat(answers, first), np.minimum.reduceat(answers, first)
        return bool((most == least).all() if self.open is None else ((most < 1) | (least > -1)).all())

    def take(self, items: slice | Sequence[int] | npt.NDArray[np.integer]) -> Dataset:
        """Some of the items, in the order asked for."""
        if isinstance(items, slice) and items == slice(0, len(self)):
            return self  # nothing to check again: trace lines of small problems ask for this thousands of times
        rule = f"a slice or integers from 0 to {len(self) - 1}, the items there are"
        try:
            chosen = items if isinstance(items, slice | np.ndarray) else list(items)
            inputs, outputs = self.inputs[chosen], self.outputs[chosen]
            where = None if self.open is None else self.open[chosen]
        except (IndexError, TypeError, ValueError) as error:
            raise ParameterError("items", rule, items) from error
        if inputs.ndim != 2:
            raise ParameterError("items", rule, items)
        return replace(self, inputs=inputs, outputs=outputs, open=where)

    def split(self, train: int | None) -> tuple[Dataset, Dataset | None]:
        """The first ``train`` items and the rest; no rest, or ``train`` None, gives (…, None)."""
        if train is None or train == len(self):
            return self, None
        if not is_integer(train) or not 1 <= train <= len(self):
            raise ParameterError("items", f"an integer from 1 to {len(self)}, the items there are", train)
        return self.take(slice(0, int(train))), self.take(slice(int(train), None))

    def shuffled(self, seed: int) -> Dataset:
        """The same items in an order drawn from ``seed``."""
        return self.take(generator(seed).permutation(len(self)))

    def __repr__(self) -> str:
        outputs = (
            f"{self.classes} classes"
            if self.classes
            else f"{self.n_output_nodes} bit{'s' * (self.n_output_nodes != 1)}"
        )
        if self.open is not None:
            outputs += f", {int(self.open.sum())} open"
        inputs = self.input_kind.value if self.input_kind.free else f"{self.n_inputs} {self.input_kind.value}"
        known = "contradictions" in vars(self) or (not self.on_disk and self.inputs.size <= _QUICKLY_SEARCHED)
        contradictory = f", {self.contradictions.items} contradictory" if known and self.contradictions.items else ""
        return f"Dataset({len(self)} items, {inputs} -> {outputs}{contradictory})"


def _checked_inputs(array: npt.NDArray[Any], kind: InputKind) -> npt.NDArray[np.int8] | npt.NDArray[np.float64]:
    if array.ndim != 2:
        raise DataError(f"inputs must have two axes, items and inputs. Got shape {array.shape} instead.")
    if kind.free:
        if array.shape[1]:
            raise DataError(f"inputs of kind {kind.value!r} must have width 0. Got width {array.shape[1]} instead.")
        return array.astype(np.int8)
    if not array.shape[1]:
        raise DataError("inputs must have at least 1 column. Got 0 instead.")
    if kind is InputKind.BOOLEAN:
        if array.dtype.kind in "iu" and array.size and (array.min() < -1 or array.max() > 1):
            stranger = array[(array < -1) | (array > 1)][0]
            rule = "boolearn.data.Thermometer makes bits of other numbers"
            raise DataError(f"inputs must be Boolean (all −1/+1 or all 0/1). Got {stranger} instead. {rule}.")
        return as_signs(array, "inputs")
    if array.dtype.kind not in "iufb":
        raise DataError(f"analog inputs must be numbers. Got {array.dtype} instead.")
    values = array.astype(np.float64, copy=False)
    # The extremes need no second array, and what is not a number is not between them.
    if values.size and not (values.min() >= -1 and values.max() <= 1):
        item, column = np.argwhere(~(np.abs(values) <= 1))[0]
        raise DataError(
            "analog inputs must be finite and from −1 to 1 (boolearn.data.Thermometer makes bits of other numbers). "
            f"Got {values[item, column]} at item {item}, input {column} instead."
        )
    return values


def _checked_classes(classes: int) -> int:
    """How many classes, as a plain int."""
    if checked_integer("classes", classes, 0, MOST_CLASSES) == 1:
        raise ParameterError("classes", "at least 2, or 0 for Boolean outputs", classes)
    return int(classes)


def _checked_outputs(
    array: npt.NDArray[Any], classes: int, where: Mask | None
) -> npt.NDArray[np.int8] | npt.NDArray[np.int64]:
    if not classes:
        if array.ndim != 2 or not array.shape[1]:
            rule = "outputs must have two axes, items and bits (or be labels, with Dataset.labelled)"
            raise DataError(f"{rule}. Got shape {array.shape} instead.")
        return signs_with_open(array, where, "outputs")
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise DataError(f"class labels must be one integer per item. Got shape {array.shape} of {array.dtype} instead.")
    bad = array[(array < 0) | (array >= classes)]
    if bad.size:
        raise DataError(f"class labels must be from 0 to {classes - 1}. Got {bad[0]} instead.")
    return array.astype(np.int64, copy=False)


def checked_names(what: str, names: Iterable[str] | None, count: int) -> tuple[str, ...] | None:
    """The names as texts, or None where there are none."""
    if names is None:
        return None
    try:
        texts = () if isinstance(names, str) else tuple(str(name) for name in names)
    except TypeError:  # not several
        texts = ()
    if len(texts) != count or len(set(texts)) != count or not all(texts):
        raise DataError(f"{what} must be {count} different names, none empty. Got {names!r} instead.")
    return texts
