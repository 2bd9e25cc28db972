"""Gates: the parameters of the gate search."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import ClassVar, cast

from boolearn.checks import checked_integer, checked_number
from boolearn.cores import check_threads
from boolearn.data import InputKind
from boolearn.engine import native_available
from boolearn.errors import BoolearnError, DataError, NetworkError, ParameterError
from boolearn.network import Network
from boolearn.problem import Problem
from boolearn.ranks import ALONE, Ranks
from boolearn.solver.axes import Axis, checked_field
from boolearn.solver.gates.annealing import Annealing
from boolearn.solver.gates.search import GatesSearch
from boolearn.solver.gates.xors import XorNetwork


@dataclass(frozen=True)
class Gates:
    """Heat-bath search among circuits whose neurons are copies and gates of at most three inputs.

    Where σ is at least 5, majorities of five are tried as well; below that, σ does not matter. An iteration is a
    sweep over all neurons, the gap is the share of wrong bits. For tune, ``price`` may be a Range or Choice and
    ``replicas`` a Choice.
    """

    price: float | Axis = 0.3
    """What an And, Or or majority costs, in wrong bits, while shorter circuits that fit are looked for. Where the
    data leaves a choice, circuits vote in the end as often as they are likely, whatever the price."""
    replicas: int | Axis = 2
    """Independent samplers, each on a thread of its own where there are enough."""
    xor: bool = False
    """Whether neurons may also be exclusive ors of two inputs. The models then have helpers beside the neurons, because
    no neuron is an exclusive or, and ``Run.circuit`` shows Xor gates."""
    annealing: Annealing = field(default_factory=Annealing)
    """Temperatures and lengths of the stages."""

    name: ClassVar[str] = "gates"
    compiled: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.annealing, Annealing):
            raise ParameterError("annealing", "an Annealing object", self.annealing)
        if not isinstance(self.xor, bool):
            raise ParameterError("xor", "True or False", self.xor)
        price = checked_field(
            lambda v: checked_number("price", v, "at least 0 and below 1e6", lambda p: 0 <= p < 1e6), self.price
        )
        object.__setattr__(self, "price", price)
        object.__setattr__(
            self, "replicas", checked_field(lambda v: checked_integer("replicas", v, 1, 64), self.replicas)
        )

    def check(self, problem: Problem) -> None:
        kind = problem.dataset.input_kind
        if kind is not InputKind.BOOLEAN:
            raise DataError(f"solver='gates' needs Boolean inputs. Got {kind.value} inputs instead.")
        if problem.network.tied:
            raise NetworkError("solver='gates' needs a network without shared weights.")
        if problem.input_noise:
            raise ParameterError("noise", "0 for inputs with solver='gates'", problem.input_noise)
        if not native_available():
            raise BoolearnError("solver='gates' is compiled code, which was not built when boolearn was installed.")

    def held(self, problem: Problem) -> Problem:
        return problem

    def model_network(self, problem: Problem) -> Network:
        return XorNetwork(problem.network).network if self.xor else problem.network

    def leg(self, problem: Problem, turn: int) -> int:  # noqa: ARG002
        """Most circuits that are found at all are found by the first cooling, in some 500 sweeps."""
        return 1000 << turn

    def search(
        self, problem: Problem, *, threads: int | None = None, until_fit: bool = False, ranks: Ranks = ALONE
    ) -> GatesSearch:
        if ranks.size > cast(int, self.replicas) and ranks.leads:
            rule = f"{ranks.size} ranks share {self.replicas} replicas; raise 'replicas', or some have nothing to do."
            warnings.warn(rule, RuntimeWarning, stacklevel=2)
        return GatesSearch(
            problem,
            price=self.price,  # type: ignore[arg-type]
            replicas=self.replicas,  # type: ignore[arg-type]
            xors=XorNetwork(problem.network) if self.xor else None,
            annealing=self.annealing,
            refine=not until_fit,
            threads=check_threads(threads),
            ranks=ranks,
        )

    def settings(self) -> dict[str, object]:
        return {
            "price": self.price,
            "replicas": self.replicas,
            **({"xor": True} if self.xor else {}),
            **{f"annealing_{name}": value for name, value in self.annealing.changed().items()},
        }
