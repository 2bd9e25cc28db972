"""The native engine: the same iteration as the reference, compiled, in one pass over memory."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn._native import Engine as CompiledEngine
from boolearn.data import InputKind
from boolearn.engine.available import check_engine
from boolearn.engine.protocol import Flags, Precision, Progress, Snapshot
from boolearn.engine.replacement import checked_replacement, start_inputs
from boolearn.engine.start import keys
from boolearn.problem import Problem

_INPUT_MODE = {InputKind.BOOLEAN: 0, InputKind.ANALOG: 0, InputKind.ANY_CODE: 1, InputKind.ONE_HOT_CODE: 2}


class NativeEngine:
    """Single precision by default; in double it follows the reference step by step.

    In half precision the variables of the edges take two bytes each, and all is computed in single.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        precision: Precision = "single",
        threads: int = 0,
        share: tuple[int, int, int] | None = None,
    ) -> None:
        """``share``: of how many items these are some, held by how many engines, of which this is which.

        Engines that share the items choose together which bits are held flipped.
        """
        check_engine("native", precision)
        all_items, engines, engine = share or (0, 1, 0)
        network, dataset = problem.network, problem.dataset
        self.problem = problem
        self.compiled = CompiledEngine(
            **network.compiled_arguments,
            margins=problem.margins,
            input_mode=_INPUT_MODE[dataset.input_kind],
            inputs=None if dataset.input_kind.free else np.ascontiguousarray(dataset.inputs),
            outputs=np.ascontiguousarray(problem.targets),
            output_flips=0 if share else problem.output_flips,
            input_flips=0 if share else problem.input_flips,
            support=problem.support,
            classes=bool(dataset.classes),
            precision=precision,
            threads=threads,
            all_items=all_items,
            engines=engines,
            engine=engine,
        )
        self.begin(0)

    def begin(self, seed: int) -> None:
        self.compiled.begin(*keys(seed))

    def begin_from(self, seed: int, weights: npt.NDArray[np.float64]) -> None:
        self.begin(seed)
        self.compiled.set_weights(np.ascontiguousarray(weights, np.float64))
        self.replace(0, start_inputs(self.problem, self.input_values()), self.problem.targets)

    def iterate(self, n: int, *, beta: float, gamma: float, stop_below: float = 0.0) -> Progress:
        return Progress(*self.compiled.iterate(n, beta, gamma, stop_below))

    def weights(self) -> npt.NDArray[np.float64]:
        return self.compiled.weights()

    def input_values(self) -> npt.NDArray[np.float64]:
        return self.compiled.input_values()

    def replace(self, first: int, inputs: npt.ArrayLike, targets: npt.ArrayLike) -> None:
        new = checked_replacement(self.problem, first, inputs, targets)
        self.compiled.replace(new.items.start, new.inputs, new.targets)

    def set_margins(self, margins: npt.NDArray[np.float64], *, project: bool = True) -> None:
        self.compiled.set_margins(np.ascontiguousarray(margins, np.float64), project)

    def flipped(self) -> tuple[Flags, Flags]:
        return self.compiled.flipped()

    def snapshot(self) -> Snapshot:
        return self.compiled.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        self.compiled.restore(dict(snapshot))

    @property
    def threads(self) -> int:
        """How many threads one iteration is worth, when the machine is free."""
        return self.compiled.threads

    @property
    def nbytes(self) -> int:
        """Memory the engine keeps."""
        return self.compiled.nbytes
