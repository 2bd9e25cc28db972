"""The compiled part of the package."""

import numpy as np
import numpy.typing as npt

def isa() -> str: ...

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
        precision: str = "single",
        threads: int = 0,
    ) -> None: ...
    def begin(self, key_w: int, key_x: int, key_y: int) -> None: ...
    def iterate(
        self, n: int, beta: float, gamma: float, stop_below: float = 0.0
    ) -> tuple[int, float, float, float, float, float]: ...
    def request_stop(self) -> None: ...
    def open(self) -> npt.NDArray[np.float64]: ...
    def divide(self, beta: float) -> npt.NDArray[np.float64]: ...
    def concur(self, sums: npt.NDArray[np.float64], gamma: float) -> tuple[float, float, float, float]: ...
    def weights(self) -> npt.NDArray[np.float64]: ...
    def input_values(self) -> npt.NDArray[np.float64]: ...
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
