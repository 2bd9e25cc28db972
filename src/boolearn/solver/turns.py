"""Several solvers in turns.

Each works for a leg, later legs are twice as long, and the first to be solved ends it. So what only one of
them can solve costs a small multiple of what that one needs, and nobody has to know which one it is. RRR takes a
first look: a small problem is solved in it sooner than a gate search takes to cool. Then comes the gate search, which
is much the quicker where small gates are enough.

With ``handover``, a search starts a leg, but not its first, from what another found, when that is better than its
own: the gates nearest to RRR's weights, or the weights of the best circuit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.engine import Progress, Snapshot
from boolearn.errors import BoolearnError, ParameterError
from boolearn.model import BoolNet
from boolearn.network import Network
from boolearn.problem import Problem
from boolearn.ranks import ALONE, Ranks
from boolearn.solver.contract import Search, Solver, is_solver
from boolearn.solver.gates import Gates
from boolearn.solver.rrr import RRR
from boolearn.solver.status import Status


@dataclass(frozen=True)
class Turns:
    """Solvers that take turns on the same problem; an iteration is one of any of them."""

    solvers: tuple[Solver, ...] = field(
        default_factory=lambda: (RRR(beta="auto", gamma="auto", precision="auto", anneal="auto"), Gates())
    )
    handover: bool = False
    """Whether one continues from what another found. Then all must be able to solve the problem; without it,
    solvers that are not able to are left out."""

    def __post_init__(self) -> None:
        rule = "a tuple of different solver objects, none of which takes turns itself"
        if not isinstance(self.solvers, list | tuple) or not self.solvers or not all(map(is_solver, self.solvers)):
            raise ParameterError("solvers", rule, self.solvers)
        object.__setattr__(self, "solvers", tuple(self.solvers))
        names = {solver.name for solver in self.solvers}
        if len(names) < len(self.solvers) or any(isinstance(solver, Turns) for solver in self.solvers):
            raise ParameterError("solvers", rule, self.solvers)
        if not isinstance(self.handover, bool):
            raise ParameterError("handover", "True or False", self.handover)

    @property
    def name(self) -> str:
        return "hybrid" if self.handover else "auto"

    @property
    def compiled(self) -> bool:
        return all(solver.compiled for solver in self.solvers)

    def check(self, problem: Problem) -> None:
        for solver in self._able(problem)[1:]:
            if self.model_network(problem) != solver.model_network(problem):
                raise ParameterError("xor", "False where solvers take turns: their models must be alike", True)

    def held(self, problem: Problem) -> Problem:
        return self._able(problem)[0].held(problem)

    def leg(self, problem: Problem, turn: int) -> int:
        return sum(solver.leg(problem, turn) for solver in self._able(problem))

    def model_network(self, problem: Problem) -> Network:
        return self._able(problem)[0].model_network(problem)

    def search(
        self, problem: Problem, *, threads: int | None = None, until_fit: bool = False, ranks: Ranks = ALONE
    ) -> Search:
        able = self._able(problem)

        def make(solver: Solver) -> Search:
            return solver.search(problem, threads=threads, until_fit=until_fit, ranks=ranks)

        return make(able[0]) if len(able) == 1 else TurnsSearch(problem, able, make, self.handover)

    def settings(self) -> dict[str, object]:
        together = {name: value for solver in self.solvers for name, value in solver.settings().items()}
        return {"solvers": [solver.name for solver in self.solvers], **together}

    def _able(self, problem: Problem) -> list[Solver]:
        """The solvers that can solve the problem. Where one works in batches, all items are too much for the others."""
        batched = [solver for solver in self.solvers if solver.held(problem) is not problem]
        able, reasons = [], []
        for solver in self.solvers:
            try:
                if batched and solver not in batched:
                    size = batched[0].held(problem).n_items
                    raise ParameterError("batch", f"left out with {solver.name!r}, which needs all items", size)
                solver.check(problem)
                able.append(solver)
            except BoolearnError as error:
                reasons.append(error)
        if reasons and (self.handover or not able):
            raise reasons[0]
        return able


class TurnsSearch:
    """Several searches for the same problem, each made when it is needed: a small problem is solved before all are."""

    def __init__(
        self, problem: Problem, solvers: Sequence[Solver], make: Callable[[Solver], Search], handover: bool
    ) -> None:
        self._problem = problem
        self._solvers = solvers
        self._make = make
        self._made: dict[int, Search] = {}
        self._handover = handover
        self._seed = 0
        self._take(0, 0)

    @property
    def status(self) -> Status | None:
        return self._current.status

    @property
    def fits(self) -> bool:
        return self._current.fits

    @property
    def stage(self) -> str:
        name = self._solvers[self._turn].name
        return f"{name}: {self._current.stage}" if self._current.stage else name

    @property
    def _current(self) -> Search:
        return self._search(self._turn)

    def _search(self, number: int) -> Search:
        if number not in self._made:
            self._made[number] = self._make(self._solvers[number])
            self._made[number].begin(self._seed)
        return self._made[number]

    @property
    def _searches(self) -> list[Search]:
        return [self._search(number) for number in range(len(self._solvers))]

    def begin(self, seed: int) -> None:
        self._seed = seed
        for search in self._made.values():
            search.begin(seed)
        self._take(0, 0)

    def begin_from(self, weights: npt.NDArray[np.float64], seed: int) -> None:
        self.begin(seed)
        for search in self._searches:
            search.begin_from(weights, seed)

    def advance(self, n: int) -> Progress:
        if self._done >= self._length:
            self._change_over()
        progress = self._current.advance(min(n, self._length - self._done))
        # Once a circuit fits, the search for a better one is brought to its end.
        if not self._current.fits:
            self._done += progress.iterations
        return progress

    def weights(self) -> npt.NDArray[np.float64]:
        return self._current.weights()

    def codes(self) -> Signs | None:
        return self._current.codes()

    def doubted_inputs(self) -> npt.NDArray[np.bool_] | None:
        return self._current.doubted_inputs()

    def snapshot(self) -> Snapshot:
        own: dict[str, npt.NDArray[np.generic]] = {"turns": np.array([self._turn, self._leg, self._done])}
        for solver, search in zip(self._solvers, self._searches, strict=True):
            own |= {f"{solver.name}:{key}": array for key, array in search.snapshot().items()}
        return own

    def restore(self, snapshot: Snapshot) -> None:
        for solver, search in zip(self._solvers, self._searches, strict=True):
            own = f"{solver.name}:"
            search.restore({key.removeprefix(own): array for key, array in snapshot.items() if key.startswith(own)})
        self._take(*(int(number) for number in snapshot["turns"]))

    def close(self) -> None:
        for search in self._made.values():
            search.close()

    def _take(self, turn: int, leg: int, done: int = 0) -> None:
        """Whose turn it is, how many turns each has had before, and how many iterations of it are done."""
        self._turn, self._leg, self._done = turn, leg, done
        self._length = self._solvers[turn].leg(self._problem, leg)

    def _change_over(self) -> None:
        turn = (self._turn + 1) % len(self._solvers)
        self._take(turn, self._leg + (turn == 0))
        if not self._handover or self._leg == 0:
            return
        network, dataset = self._problem.network, self._problem.dataset
        found = [search.weights() for search in self._searches]
        accuracies = [BoolNet(network, own, classes=dataset.classes).accuracy(dataset, by="bits") for own in found]
        best = int(np.argmax(accuracies))
        if accuracies[best] > accuracies[self._turn]:
            self._current.begin_from(found[best], self._seed)
