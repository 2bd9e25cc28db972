"""Generator: a network trained on outputs alone, with the codes that training found for its inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_choice, checked_integer, checked_room, generator
from boolearn.data import Codes, Dataset, InputKind, read_gen, write_gen
from boolearn.data.open_outputs import signs_with_open, take_apart
from boolearn.data.scoring import score
from boolearn.data.signs import Signs, as_signs, signs_of
from boolearn.errors import DataError, FileError, ParameterError
from boolearn.files import PathLike
from boolearn.model.boolnet import BoolNet

MODEL_FILE, CODES_FILE = "model.safetensors", "codes.gen"
"""What a run's directory calls them too."""

MOST_BITS = 16
"""The longest codes of which all are tried."""

_ITEMS_AT_A_TIME = 256

Among = Literal["used", "all", "near"]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Generator:
    """Makes items from codes, and finds codes for items.

    Of any codes those that training used are in ``codes``; of one-hot codes all are, used or not.
    """

    model: BoolNet
    codes: Codes

    def __post_init__(self) -> None:
        for name, wanted in (("model", BoolNet), ("codes", Codes)):
            if not isinstance(getattr(self, name), wanted):
                raise ParameterError(name, f"of class {wanted.__name__}", getattr(self, name))
        if self.model.classes or self.model.input_kind is InputKind.ANALOG:
            raise ParameterError("model", "one with Boolean inputs and outputs", self.model)
        if self.codes.codes.shape[1] != self.model.network.n_inputs:
            raise DataError(
                f"the codes must have {self.model.network.n_inputs} bits, one per input of the network. "
                f"Got {self.codes.codes.shape[1]} instead."
            )
        if not self.codes.counts.any():
            raise DataError("at least one code must be in use; all counts are 0.")
        kind = self.model.input_kind
        if not kind.free:  # models of training runs read their codes as Boolean inputs
            one_hot = np.array_equal(self.codes.codes, _one_hot_codes(self.model.network.n_inputs))
            kind = InputKind.ONE_HOT_CODE if one_hot else InputKind.ANY_CODE
            object.__setattr__(self, "model", replace(self.model, input_kind=kind))

    @classmethod
    def of_items(
        cls, model: BoolNet, item_codes: npt.ArrayLike | None, kind: InputKind = InputKind.ANY_CODE
    ) -> Generator:
        """From a model and the code of every training item: ``Generator.of_items(run.model, run.codes)``."""
        if item_codes is None:
            raise ParameterError("item_codes", "the codes of a run whose inputs were free", item_codes)
        codes = Codes.used_by(as_signs(item_codes, "codes"), kind)
        return cls(replace(model, input_kind=kind), codes)

    @property
    def kind(self) -> InputKind:
        """Which codes are legal: any, or one-hot ones."""
        return self.model.input_kind

    def decode(self, codes: npt.ArrayLike) -> Signs:
        """Shape (items, n_outputs): what the network makes of the codes."""
        return signs_of(self.model.decision(codes))

    def sample(self, items: int, seed: int, by: Literal["use", "codes", "all"] = "use") -> Dataset:
        """Random codes and the items made of them.

        by
            ``"use"``: codes as often as training used them. ``"codes"``: all codes in use alike.
            ``"all"``: all legal codes alike.
        """
        items = checked_room("items", checked_integer("items", items, 1), self.model.network.n_nodes)
        checked_choice("by", by, ("use", "codes", "all"))
        rng = generator(seed)
        counts, length = self.codes.counts, self.model.network.n_inputs
        if by != "all":
            weights = counts / counts.sum() if by == "use" else (counts > 0) / np.count_nonzero(counts)
            drawn = self.codes.codes[rng.choice(len(counts), items, p=weights)]
        elif self.kind is InputKind.ONE_HOT_CODE:
            drawn = _one_hot_codes(length)[rng.integers(0, length, items)]
        else:
            drawn = rng.integers(0, 2, (items, length), np.int8) * np.int8(2) - np.int8(1)
        return Dataset(drawn, self.decode(drawn), output_names=self.model.output_names)

    def encode(self, outputs: npt.ArrayLike, among: Among = "used") -> Signs:
        """Shape (items, n_inputs): for every item the code that makes the fewest wrong bits.

        Among codes that are equally good the one used by most training items is taken, then the first.

        among
            ``"used"``: the codes in use. ``"all"``: all legal codes, for codes of at most 16 bits.
            ``"near"``: from the best code in use, flip the bit that helps most until none does.
        """
        checked_choice("among", among, ("used", "all", "near"))
        return self._encoded(self._checked_outputs(outputs), among)

    def _encoded(self, wanted: Signs, among: Among) -> Signs:
        checked_choice("among", among, ("used", "all", "near"))
        codes, counts = self._candidates(among)
        found = codes[_nearest(wanted, self.decode(codes), counts)]
        return self._walked(wanted, found) if among == "near" and self.kind is InputKind.ANY_CODE else found

    def accuracy(
        self, items: Dataset | npt.ArrayLike, among: Among = "used", by: Literal["bits", "items"] = "bits"
    ) -> float:
        """The share of bits (or of whole items) that the best codes reproduce; items may be new."""
        checked_choice("by", by, ("bits", "items"))
        wanted = self._checked_outputs(items)
        found = score(self.decode(self._encoded(wanted, among)), wanted)
        if not found.bits:
            raise DataError("the items must specify an output bit to be compared with. Got all of them open instead.")
        return found.right_bits / found.bits if by == "bits" else found.right_items / found.items

    def save(self, directory: PathLike) -> None:
        """Write ``model.safetensors`` and ``codes.gen``, the files a run's directory has; none is overwritten."""
        path = Path(directory)
        for name in (MODEL_FILE, CODES_FILE):
            if (path / name).exists():
                raise FileError(path, None, f"already holds {name}; choose another directory.")
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(path, None, f"cannot be made: {error.strerror or error}.") from error
        write_gen(self.codes, path / CODES_FILE)
        self.model.save(path / MODEL_FILE)

    @classmethod
    def load(cls, directory: PathLike) -> Generator:
        """Read what ``save``, or a training run without inputs, has written."""
        path = Path(directory)
        model, codes = BoolNet.load(path / MODEL_FILE), read_gen(path / CODES_FILE)
        try:
            return cls(model, codes)
        except (DataError, ParameterError) as error:
            raise FileError(path, None, str(error)) from error

    def __repr__(self) -> str:
        used = np.count_nonzero(self.codes.counts)
        return f"Generator({used} {self.kind.value}s in use -> {self.model.network.n_outputs} bits)"

    def _checked_outputs(self, outputs: Dataset | npt.ArrayLike) -> Signs:
        bits, where = take_apart(outputs.targets, outputs.open) if isinstance(outputs, Dataset) else take_apart(outputs)
        wanted = signs_with_open(bits, where, "outputs")
        n_outputs = self.model.network.n_outputs
        if wanted.ndim != 2 or wanted.shape[1] != n_outputs or not len(wanted):
            raise DataError(f"outputs must have shape (items, {n_outputs}). Got {wanted.shape} instead.")
        return wanted

    def _candidates(self, among: Among) -> tuple[Signs, Integers]:
        """The codes to choose from, and their use."""
        codes, counts, length = self.codes.codes, self.codes.counts, self.model.network.n_inputs
        if among != "all" or self.kind is InputKind.ONE_HOT_CODE:
            chosen = np.full(len(counts), among == "all") | (counts > 0)
            return codes[chosen], counts[chosen]
        if length > MOST_BITS:
            raise ParameterError("among", f"'used' or 'near' for codes of more than {MOST_BITS} bits", among)
        numbers = np.arange(1 << length)
        everything = ((numbers[:, None] >> np.arange(length) & 1) * 2 - 1).astype(np.int8)
        use = np.zeros(len(everything), np.int64)
        use[(codes > 0) @ (1 << np.arange(length))] = counts
        return everything, use

    def _walked(self, wanted: Signs, codes: Signs) -> Signs:
        """Flip the bit that helps most, the first of equals, while one does."""
        codes = codes.copy()
        errors = (self.decode(codes) != wanted).sum(axis=1)
        flips = np.where(np.eye(codes.shape[1], dtype=bool), np.int8(-1), np.int8(1))
        walking = np.arange(len(codes))
        while walking.size:
            still = []
            for first in range(0, len(walking), _ITEMS_AT_A_TIME):
                some = walking[first : first + _ITEMS_AT_A_TIME]
                tried = codes[some][:, None, :] * flips
                made = self.decode(tried.reshape(-1, codes.shape[1])).reshape(len(some), len(flips), -1)
                after = (made != wanted[some][:, None, :]).sum(axis=2)
                bit = np.argmin(after, axis=1)
                better = after[np.arange(len(some)), bit] < errors[some]
                moved = some[better]
                codes[moved] = tried[better, bit[better]]
                errors[moved] = after[better, bit[better]]
                still.append(moved)
            walking = np.concatenate(still)
        return codes


def _nearest(wanted: Signs, made: Signs, counts: Integers) -> Integers:
    """For every item the candidate with the fewest wrong bits."""
    order = np.argsort(-counts, kind="stable")  # the first of equals is then the one used most
    candidates = made[order].astype(np.float32).T  # sums of ±1 are exact in single precision
    best = [
        np.argmax(wanted[first : first + _ITEMS_AT_A_TIME].astype(np.float32) @ candidates, axis=1)
        for first in range(0, len(wanted), _ITEMS_AT_A_TIME)
    ]
    return np.asarray(order[np.concatenate(best)])


def _one_hot_codes(length: int) -> Signs:
    return 2 * np.eye(length, dtype=np.int8) - np.int8(1)
