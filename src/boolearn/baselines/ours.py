"""What boolearn does itself, as rows of the same table: RRR, the gate search, and exact synthesis by SAT."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from boolearn.baselines.exact import smallest_circuit
from boolearn.baselines.method import Array, Method, Model, circuit_model
from boolearn.data import Dataset, InputKind
from boolearn.errors import CircuitError
from boolearn.model import Generator
from boolearn.solver import RRR, Gates, Run, Status
from boolearn.training import train


@dataclass(frozen=True)
class Trained(Method):
    """``train`` on a layered network. RRR gives a circuit when it has closed the gap: until then its neurons are no
    gates of few inputs.
    """

    takes_open: ClassVar[bool] = True

    solver: RRR | Gates
    hidden: tuple[int, ...]
    max_iter: int
    sigma: float = 3
    codes: int = 0
    """Inputs of the network where the data have none."""

    @property
    def name(self) -> str:
        return "RRR" if isinstance(self.solver, RRR) else "gate search"

    @property
    def budget(self) -> str:
        return f"{self.max_iter:,} {'iterations' if isinstance(self.solver, RRR) else 'sweeps'}"

    def learn(self, data: Dataset, seed: int) -> Model:
        widths = [self.codes or data.n_inputs, *self.hidden, data.n_output_nodes]
        run = train(
            widths,
            data,
            solver=self.solver,
            sigma=self.sigma,
            seed=seed,
            max_iter=self.max_iter,
            stop="gap" if isinstance(self.solver, RRR) else "fit",
            threads=1,
        )
        if run.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        weights = run.model.network.n_edges
        if data.input_kind.free:
            return Model(_reproduce(run, data.input_kind), weights, "numbers")
        if data.classes or data.input_kind is InputKind.ANALOG or not (run.solved or isinstance(self.solver, Gates)):
            return Model(run.model.decision, weights, "numbers")
        return circuit_model(run.circuit())


def _reproduce(run: Run, kind: InputKind) -> Callable[[Array], Array]:
    """Vectors from the codes that make the fewest wrong bits."""
    generator = Generator.of_items(run.model, run.codes, kind)
    return lambda vectors: generator.decode(generator.encode(vectors))


@dataclass(frozen=True)
class Exact(Method):
    """The smallest circuit of And and Or gates of two inputs that fits every item, with the proof of it."""

    max_seconds: float = 60.0

    @property
    def name(self) -> str:
        return "exact synthesis (SAT)"

    @property
    def budget(self) -> str:
        return f"{self.max_seconds:g} s"

    def learn(self, data: Dataset, seed: int) -> Model:  # noqa: ARG002 - nothing is drawn
        found = smallest_circuit(data, max_seconds=self.max_seconds)
        if found.circuit is None:
            raise CircuitError(f"{found} Raise max_seconds.")
        return circuit_model(found.circuit)
