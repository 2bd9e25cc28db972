"""RRR: the parameters of the paper's solver."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

from boolearn.checks import checked_number, is_integer
from boolearn.data import InputKind
from boolearn.engine import EngineName, Precision, check_engine, make_engine, native_available
from boolearn.errors import ParameterError
from boolearn.network import Network, has_bottleneck
from boolearn.problem import Problem
from boolearn.ranks import ALONE, Ranks
from boolearn.solver.axes import Axis, checked_field
from boolearn.solver.rrr.batches import Batch, Batches
from boolearn.solver.rrr.schedules import Inverse, Schedule, checked_schedule, describe
from boolearn.solver.rrr.search import RRRSearch

BEYOND_CACHES = 64 << 20
"""Bytes: more than the last cache holds for one core's work on most machines."""

FIRST_LOOK = 30_000_000
"""Edges times items times iterations: some hundredths of a second on one core."""

LOOK_FOR_CODES = 1_000_000_000
"""The same, about a second."""

RISE_FOR_FUNCTIONS, RISE_FOR_CODES = 2, 64
"""Iterations over which "auto" lets σ rise, for each edge of the network."""

FEW_EDGES = 300
"""Autoencoders with fewer find their codes sooner than a rise would end, and functions that condense their inputs are
found in fewer iterations without one."""


@dataclass(frozen=True)
class RRR:
    """Reflect–reflect–relax, with a metric that follows the gaps.

    For tune, β, γ and ``gap_tol`` may be a Range or Choice, the other fields a Choice.
    """

    beta: Schedule | Axis | Literal["auto"] = 0.2
    """The time step, in (0, 2): a number, a function of the iteration such as ``Linear(0.5, 0.2, 10_000)``, or "auto",
    chosen by the shape of the problem (``settings_for``). The default is the paper's for circuits."""
    gamma: Schedule | Axis | Literal["auto"] = 1e-3
    """The relaxation of the metric, as β a number, a schedule or "auto"; with 0 the metric never changes."""
    gap_tol: float | Axis = 0.01
    """A start is solved when its gap falls below this."""
    batch: Batch | int | None = None
    """Hold only some of the items at a time: a Batch, or its size."""
    engine: EngineName | Axis = "auto"
    """"native" (where it was compiled, the default), "reference", or "torch" (on torch's default device)."""
    precision: Precision | Axis | Literal["auto"] = "single"
    """"half", "single", "double", or "auto": half where no cache holds the problem (``precision_for``), else single.
    The reference engine computes in double."""
    anneal: int | Axis | Literal["auto"] = 0
    """Over how many iterations σ rises from 1 to its value, so that margins are larger at first and fall. With 0 they
    stay as they are, as in the paper; "auto" chooses by the shape of the problem (``anneal_for``)."""
    support: float | Axis | None = None
    """At most how many inputs a neuron has in effect, (Σ|w|)²/Σw², on set B; with None there is no bound, as in the
    paper. A little more than σ keeps networks from memorising."""

    name: ClassVar[str] = "rrr"

    def __post_init__(self) -> None:
        checks: dict[str, Any] = {
            "beta": lambda v: _checked_schedule("beta", v),
            "gamma": lambda v: _checked_schedule("gamma", v),
            "gap_tol": lambda v: checked_number("gap_tol", v, "finite and at least 0", lambda g: 0 <= g < math.inf),
            "anneal": _checked_anneal,
            "support": _checked_support,
            "engine": _checked_engine,
            "precision": _checked_precision,
            "batch": _checked_batch,
        }
        for field, check in checks.items():
            object.__setattr__(self, field, checked_field(check, getattr(self, field)))

    @property
    def compiled(self) -> bool:
        return self.engine not in ("reference", "torch") and native_available()

    def check(self, problem: Problem) -> None:
        batches = self.batches(problem)
        if problem.input_noise and batches is not None and not batches.whole_data:
            raise ParameterError("noise", "0 for inputs in batches of less than all items", problem.input_noise)

    def held(self, problem: Problem) -> Problem:
        batches = self.batches(problem)
        return problem if batches is None else problem.of_items(slice(0, batches.size))

    def batches(self, problem: Problem) -> Batches | None:
        """Which items are in when; None where all are, always."""
        assert not isinstance(self.batch, int)
        return None if self.batch is None else Batches.of(self.batch, problem.dataset)

    def model_network(self, problem: Problem) -> Network:
        return problem.network

    def leg(self, problem: Problem, turn: int) -> int:
        """First a short look, which solves small problems before a gate search would have begun to cool.

        Where codes have to be found, this is the solver that finds them, and it looks longer. Where data are noisy the
        gate search is the better one, and the look is a single iteration.
        """
        size = problem.network.n_edges * problem.n_items
        look = 1 if problem.noise else FIRST_LOOK // size
        if finds_codes(problem):
            look = min(100_000, LOOK_FOR_CODES // size) << turn
        return max(1, look, 5000 << (turn - 1) if turn else 0)

    def search(
        self,
        problem: Problem,
        *,
        threads: int | None = None,
        until_fit: bool = False,  # noqa: ARG002
        ranks: Ranks = ALONE,
    ) -> RRRSearch:
        held = self.held(problem)
        if self.support is not None:
            held = replace(held, support=float(self.support))  # type: ignore[arg-type]
        beta, gamma = settings_for(problem) if "auto" in (self.beta, self.gamma) else (self.beta, self.gamma)
        precision = self.precision
        if precision == "auto":
            precision = precision_for(held) if self.compiled else "single"
        # A solver with a Range or Choice in it is refused before it comes here.
        engine = make_engine(held, self.engine, precision=precision, threads=threads, ranks=ranks)  # type: ignore[arg-type]
        return RRRSearch(
            held,
            engine,
            beta=beta if self.beta == "auto" else self.beta,  # type: ignore[arg-type]
            gamma=gamma if self.gamma == "auto" else self.gamma,  # type: ignore[arg-type]
            gap_tol=self.gap_tol,  # type: ignore[arg-type]
            anneal=anneal_for(problem) if self.anneal == "auto" else self.anneal,  # type: ignore[arg-type]
            batches=self.batches(problem),
            ranks=ranks,
        )

    def settings(self) -> dict[str, object]:
        batch = self.batch
        assert not isinstance(batch, int)
        return {
            "beta": describe(self.beta),  # type: ignore[arg-type]
            "gamma": describe(self.gamma),  # type: ignore[arg-type]
            "gap_tol": self.gap_tol,
            **({"anneal": self.anneal} if self.anneal else {}),
            **({"support": self.support} if self.support is not None else {}),
            "batch": None if batch is None else batch.size,
            "batch_iter": None if batch is None else batch.stay,
            "batch_rule": None if batch is None else batch.rule,
            "engine": ("native" if native_available() else "reference") if self.engine == "auto" else self.engine,
            "precision": self.precision,
        }


def finds_codes(problem: Problem) -> bool:
    """Do few values have to code for many?"""
    return problem.dataset.input_kind.free or has_bottleneck(problem.network)


def finds_function(problem: Problem) -> bool:
    """Is there a function to be put together from hidden neurons? Without them little has to be searched for."""
    network = problem.network
    return problem.dataset.input_kind is InputKind.BOOLEAN and network.n_neurons > network.n_outputs


def settings_for(problem: Problem) -> tuple[float, Schedule]:
    """The β and γ of ``RRR(beta="auto", gamma="auto")``.

    With steps of 0.5 most Boolean functions are found in fewer iterations, and small ones sooner still with a metric
    that changes quickly at first. Where few values have to code for many, codes are then hardly ever found, and a start
    that takes long wants a metric that changes slowly. The paper advises a γ near the inverse of the number of
    iterations; these follow it without knowing the number.
    """
    if finds_codes(problem):
        return 0.2, Inverse(1e-3, 1e-5, 5000)
    if not finds_function(problem):
        return (0.5 if problem.dataset.input_kind is InputKind.BOOLEAN else 0.2), 1e-3
    return 0.5, Inverse(min(1e-2, max(1e-3, 1 / problem.network.n_edges)), 1e-3, 2000)


def anneal_for(problem: Problem) -> int:
    """The iterations of ``RRR(anneal="auto")``: in proportion to the edges, and many more where codes have to be found.

    Functions want a short rise, codes a long one. With σ = 1 neurons are copies, a good beginning where there is an
    output for every input, as in circuits and automata. In small networks with fewer outputs than inputs, as for
    adders and parities, every output combines most inputs, and copies mislead.
    """
    network, free = problem.network, problem.dataset.input_kind.free
    few = network.n_edges < FEW_EDGES
    if finds_codes(problem):
        return 0 if few and not free else RISE_FOR_CODES * network.n_edges
    if not finds_function(problem) or (few and network.n_outputs < network.n_inputs):
        return 0
    return RISE_FOR_FUNCTIONS * network.n_edges


def precision_for(problem: Problem) -> Precision:
    """The precision of ``RRR(precision="auto")``.

    Problems that fit the caches gain nothing from half precision, and where codes have to be found it solves fewer
    starts. The limit does not depend on the machine, so that the result does not.
    """
    bytes_in_single = 8 * problem.network.n_edges * problem.n_items
    return "half" if bytes_in_single > BEYOND_CACHES and not problem.dataset.input_kind.free else "single"


def _checked_schedule(name: str, schedule: Any) -> Any:
    return schedule if isinstance(schedule, str) and schedule == "auto" else checked_schedule(name, schedule)


def _checked_anneal(anneal: Any) -> Any:
    if isinstance(anneal, str) and anneal == "auto":
        return anneal
    if not is_integer(anneal) or anneal < 0:
        raise ParameterError("anneal", "an integer of at least 0, or 'auto'", anneal)
    return int(anneal)


def _checked_support(support: Any) -> Any:
    return support if support is None else checked_number("support", support, "finite and at least 1", _is_support)


def _is_support(value: float) -> bool:
    return 1 <= value < math.inf


def _checked_engine(engine: Any) -> Any:
    check_engine(engine, "single")
    return engine


def _checked_precision(precision: Any) -> Any:
    if precision not in ("auto", *get_args(Precision)):
        raise ParameterError("precision", "'auto', 'half', 'single' or 'double'", precision)
    return precision


def _checked_batch(batch: object) -> Batch | None:
    return batch if batch is None or isinstance(batch, Batch) else Batch(batch)  # type: ignore[arg-type]
