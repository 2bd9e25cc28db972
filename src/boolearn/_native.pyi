"""The compiled part of the package."""

import numpy as np
import numpy.typing as npt

def isa() -> str: ...
def seconds_of_pass(bytes: int, threads: int, passes: int) -> float: ...
def shares(items: int, precision: str, engines: int) -> npt.NDArray[np.int64]: ...
def add_rows(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]: ...

class ScoredItems:
    def __init__(
        self,
        n_nodes: int,
        n_inputs: int,
        n_outputs: int,
        start: npt.NDArray[np.int64],
        sender: npt.NDArray[np.int32],
        tie: npt.NDArray[np.int32],
        n_weights: int,
        inputs: npt.NDArray[np.int8] | npt.NDArray[np.float64] | None,
        targets: npt.NDArray[np.int8],
        labels: npt.NDArray[np.int64] | None,
    ) -> None: ...
    def right(self, weights: npt.NDArray[np.float64], inputs: npt.NDArray[np.int8] | None = None) -> int: ...

class Engine:
    threads: int
    isa: str
    nbytes: int

    def __init__(
        self,
        n_nodes: int,
        n_inputs: int,
        n_outputs: int,
        start: npt.NDArray[np.int64],
        sender: npt.NDArray[np.int32],
        tie: npt.NDArray[np.int32],
        n_weights: int,
        margins: npt.NDArray[np.float64],
        input_mode: int,
        inputs: npt.NDArray[np.int8] | npt.NDArray[np.float64] | None,
        outputs: npt.NDArray[np.int8],
        output_flips: int = 0,
        input_flips: int = 0,
        support: float = ...,
        classes: bool = False,
        precision: str = "single",
        threads: int = 0,
        all_items: int = 0,
        engines: int = 1,
        engine: int = 0,
    ) -> None: ...
    def begin(self, key_w: int, key_x: int, key_y: int) -> None: ...
    def iterate(
        self, n: int, beta: float, gamma: float, stop_below: float = 0.0
    ) -> tuple[int, float, float, float, float, float]: ...
    def request_stop(self) -> None: ...
    def open(self) -> npt.NDArray[np.float64]: ...
    def divide(self, beta: float) -> npt.NDArray[np.float64]: ...
    def concur(self, sums: npt.NDArray[np.float64], gamma: float) -> tuple[float, float, float, float]: ...
    def cut_parts(self, cuts: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]: ...
    def start_sums(self) -> npt.NDArray[np.float64]: ...
    def set_start(self, total: npt.NDArray[np.float64]) -> None: ...
    def leans(self, outputs: bool, most: int) -> npt.NDArray[np.float64]: ...
    def hold(self, outputs: bool, least: float, equals: int) -> None: ...
    def weights(self) -> npt.NDArray[np.float64]: ...
    def input_values(self) -> npt.NDArray[np.float64]: ...
    def set_weights(self, weights: npt.NDArray[np.float64]) -> None: ...
    def replace(
        self, first: int, inputs: npt.NDArray[np.int8] | npt.NDArray[np.float64], targets: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float64]: ...
    def set_margins(self, margins: npt.NDArray[np.float64], project: bool = True) -> None: ...
    def flipped(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]: ...
    def point(self) -> dict[str, npt.NDArray[np.float64]]: ...
    def set_point(
        self,
        w: npt.NDArray[np.float64],
        x: npt.NDArray[np.float64],
        y: npt.NDArray[np.float64],
        g: npt.NDArray[np.float64],
    ) -> None: ...
    def snapshot(self) -> dict[str, npt.NDArray[np.generic]]: ...
    def restore(self, snapshot: dict[str, npt.NDArray[np.generic]]) -> None: ...

class BitProgram:
    isa: str

    def __init__(
        self,
        instructions: npt.NDArray[np.int32],
        n_slots: int,
        input_slots: npt.NDArray[np.int32],
        output_slots: npt.NDArray[np.int32],
        output_negated: npt.NDArray[np.uint8],
    ) -> None: ...
    def run_words(self, inputs: npt.NDArray[np.uint64], outputs: npt.NDArray[np.uint64], threads: int) -> None: ...
    def run_signs(
        self, inputs: npt.NDArray[np.int8], minus_allowed: bool, outputs: npt.NDArray[np.int8], threads: int
    ) -> bool: ...
    @staticmethod
    def instruction_sets() -> list[str]: ...

def gates_isa() -> str: ...

class GateTask:
    def __init__(
        self,
        n_inputs: int,
        n_outputs: int,
        start: npt.NDArray[np.int64],
        sender: npt.NDArray[np.int32],
        inputs: npt.NDArray[np.bool_],
        targets: npt.NDArray[np.bool_],
        most_enumerated: int = 28,
        five: npt.NDArray[np.bool_] | None = None,
        most_five: int = 10,
        open: npt.NDArray[np.bool_] | None = None,
        xor: bool = False,
        most_paired: int = 48,
    ) -> None: ...

class GateSampler:
    errors: int
    weights: npt.NDArray[np.uint8]
    weighted: int
    outputs: npt.NDArray[np.bool_]
    gates: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int64]
    shares: npt.NDArray[np.float64]
    price: float
    idle: npt.NDArray[np.float64]
    random: npt.NDArray[np.uint64]

    def __init__(self, task: GateTask, seed: int, stream: int = 0) -> None: ...
    def sweep(self, n: int, temperature: float, belief: float = 0.0, until_right: bool = False) -> int: ...
    def candidates(self, neuron: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]: ...
    def weigh_wrong_bits(self, most: int) -> None: ...
    def ease_weights(self) -> None: ...
    def clear_weights(self) -> None: ...
    def stop(self) -> None: ...
