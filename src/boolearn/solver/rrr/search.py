"""RRR at work: it iterates an engine on all items, or on batches of them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn.data import InputKind
from boolearn.data.signs import Signs, signs_of
from boolearn.engine import Engine, Progress, Snapshot
from boolearn.model import BoolNet
from boolearn.problem import Problem
from boolearn.problem.margins import larger_margins
from boolearn.problem.noise import allowance, answers_in
from boolearn.ranks import ALONE, Ranks
from boolearn.solver.rrr.batches import Batches
from boolearn.solver.rrr.schedules import EVERY, Schedule, value_at
from boolearn.solver.status import Status

ASK_EVERY = 32
"""With free inputs the gap may stay closed over wrong bits for thousands of iterations, and to ask all items whether
they fit takes longer than an iteration. So they are asked in every 32nd only."""


class RRRSearch:
    """Iterates an engine until its gap is closed. In batch mode the engine's problem is the first batch."""

    def __init__(
        self,
        problem: Problem,
        engine: Engine,
        *,
        beta: Schedule = 0.2,
        gamma: Schedule = 1e-3,
        gap_tol: float = 0.01,
        anneal: int = 0,
        batches: Batches | None = None,
        ranks: Ranks = ALONE,
    ) -> None:
        self.problem = problem
        self.engine = engine
        if batches is None and problem.noise:
            batches = Batches.renewing(problem.dataset)
        self.batches = batches
        self.ranks = ranks
        self.status: Status | None = None
        self.stage = ""
        self.gap_alone = False
        """Whether a closed gap ends the search also where it does not show that every item is right."""
        self._beta = beta
        self._gamma = gamma
        self._gap_tol = gap_tol
        self._anneal = anneal
        self._risen = anneal == 0
        """Whether σ had its value from the first iteration on."""
        self._share: float | None = None
        self._scheduled = callable(beta) or callable(gamma)
        self._iteration = 0
        self._time = 0
        self._closed = False
        self._codes: Signs | None = None

    @property
    def fits(self) -> bool:
        return self.status is Status.SOLVED

    def begin(self, seed: int) -> None:
        self.engine.begin(seed)
        self._begin(risen=self._anneal == 0)
        if self.batches is not None and self.problem.dataset.input_kind.free:
            self._codes = _random_codes(len(self.batches.dataset), self.problem, seed)

    def begin_from(self, weights: npt.NDArray[np.float64], seed: int) -> None:
        """Every item holds these weights, and at its nodes what they make of its inputs. σ has its value at once."""
        self.engine.begin_from(seed, weights)
        self._begin(risen=True)

    def _begin(self, risen: bool) -> None:
        self.status = None
        self._risen = risen
        self._iteration = self._time = 0
        self._closed = False
        self._set_margins(0, project=False)

    def advance(self, n: int) -> Progress:
        """Iterations in stretches with the same β, γ, margins and items."""
        done, least = 0, math.inf
        while True:
            beta, gamma = self._values_at(self._iteration)
            stretch = self._steady(n - done, (beta, gamma))
            if self.batches is not None:
                stretch = min(stretch, self.batches.next_change(self._time) - self._time)
            gap_tol = self._gap_tol
            if self._closed and not self._asks_always:
                stretch, gap_tol = min(stretch, ASK_EVERY - self._iteration % ASK_EVERY), 0.0
            self._set_margins(self._iteration)
            progress = self.engine.iterate(stretch, beta=beta, gamma=gamma, stop_below=gap_tol)
            done += progress.iterations
            least = min(least, progress.least_gap)
            self._iteration += progress.iterations
            self._closed = progress.gap < self._gap_tol
            self._judge(progress)
            if self.batches is not None and self.status is None:
                self._move_on(self.batches, progress)
            # An engine may return early so that Ctrl-C is handled.
            early = progress.iterations < stretch and progress.gap >= gap_tol
            if self.status is not None or done >= n or early:
                return progress._replace(iterations=done, least_gap=least)

    def _values_at(self, iteration: int) -> tuple[float, float]:
        return value_at("beta", self._beta, iteration), value_at("gamma", self._gamma, iteration)

    def _steady(self, most: int, values: tuple[float, float]) -> int:
        """For how many iterations from now, at most, β, γ and the margins stay the same."""
        rising = not self._risen and self._iteration < self._anneal + EVERY
        if not (self._scheduled or rising):
            return most
        stretch = EVERY - self._iteration % EVERY
        while not rising and stretch < most and self._values_at(self._iteration + stretch) == values:
            stretch += EVERY
        return min(stretch, most)

    def weights(self) -> npt.NDArray[np.float64]:
        return self.engine.weights()

    def codes(self) -> Signs | None:
        if not self.problem.dataset.input_kind.free:
            return None
        now = signs_of(self.engine.input_values())
        if self.batches is None or self._codes is None:
            return now
        self._codes[self._inside(self.batches)] = now
        return self._codes.copy()

    def doubted_inputs(self) -> npt.NDArray[np.bool_] | None:
        # In a batch the items come and go, and flags with them.
        whole = self.batches is None or self.batches.whole_data
        return self.engine.flipped()[1] if self.problem.input_noise and whole else None

    def snapshot(self) -> Snapshot:
        state = dict(self.engine.snapshot())
        state["search.clock"] = np.array([self._iteration, self._time, *([self._risen] if self._anneal else [])])
        if self._codes is not None:
            state["search.codes"] = self._codes
        return state

    def restore(self, snapshot: Snapshot) -> None:
        own = {name: array for name, array in snapshot.items() if name.startswith("search.")}
        self.engine.restore({name: array for name, array in snapshot.items() if name not in own})
        self._iteration, self._time, *risen = (int(number) for number in own["search.clock"])
        self._risen = bool(risen[0]) if risen else True
        self._closed = False
        self._set_margins(max(0, self._iteration - 1), project=False)
        self._codes = np.array(own["search.codes"], np.int8) if "search.codes" in own else None
        self.status = None

    def close(self) -> None:
        """Nothing runs in the background."""

    def _set_margins(self, iteration: int, *, project: bool = True) -> None:
        """While σ is annealed, the margins of an iteration. A gap that is closed with larger ones is closed.

        Without ``project`` the engine's state is new or restored, and has had them already.
        """
        if not self._anneal:
            return
        share = 1.0 if self._risen else min(1.0, (iteration - iteration % EVERY) / self._anneal)
        if share != self._share or not project:
            margins = larger_margins(self.problem.network, self.problem.margins, share)
            self.engine.set_margins(margins, project=project)
            self._share = share

    def _judge(self, progress: Progress) -> None:
        if not math.isfinite(progress.gap):
            self.status = Status.DIVERGED
        elif self._closed and self._asks_now and (self._gap_is_enough or self._all_items_fit()):
            self.status = Status.SOLVED

    @property
    def _gap_is_enough(self) -> bool:
        """Is every item right when the gap is closed? Not where some are outside, nor where inputs are free.

        The gap is a mean over neurons. A free input need not be ±1 yet where all neurons agree on what it is.
        """
        return self.gap_alone or (self.batches is None and not self.problem.dataset.input_kind.free)

    @property
    def _asks_always(self) -> bool:
        """In batches a closed gap is the moment for other items, so it is looked at without delay."""
        return self._gap_is_enough or self.batches is not None

    @property
    def _asks_now(self) -> bool:
        return self._asks_always or self._iteration % ASK_EVERY == 0

    def _move_on(self, batches: Batches, progress: Progress) -> None:
        """Let new items in when it is time, or at once when there is nothing left to learn from those inside."""
        before, time = batches.entered(self._time), self._time + progress.iterations
        if progress.gap < self._gap_tol:
            time = max(time, batches.next_change(self._time))
        entering = batches.entered(time) - before
        # While the clock still says which items are inside, so that those that leave are remembered.
        codes = self.codes() if entering else None
        self._time = time
        if not entering:
            return
        items = batches.items(batches.size + before, entering)
        part = batches.dataset.take(items)
        inputs = part.inputs if codes is None else codes[items]
        slots = np.arange(before, before + entering) % batches.size
        for stretch in np.split(np.arange(entering), np.flatnonzero(np.diff(slots) != 1) + 1):
            self.engine.replace(int(slots[stretch[0]]), inputs[stretch], part.targets[stretch])

    def _inside(self, batches: Batches) -> npt.NDArray[np.intp]:
        """The items in the engine, slot by slot."""
        entered = batches.entered(self._time)
        ordinals = np.arange(entered, entered + batches.size)
        slots = np.empty(batches.size, np.intp)
        slots[ordinals % batches.size] = ordinals % len(batches.dataset)
        return slots

    def _all_items_fit(self) -> bool:
        """Does the network answer as the data says? The next items to come in are asked first."""
        batches = self.batches or Batches.renewing(self.problem.dataset)
        dataset, codes, flips = batches.dataset, self.codes(), self.doubted_inputs()
        model = BoolNet(
            self.problem.network,
            self.engine.weights(),
            input_kind=InputKind.BOOLEAN if dataset.input_kind.free else dataset.input_kind,
            classes=dataset.classes,
        )
        first = batches.size + batches.entered(self._time)
        wrong, allowed = 0, allowance(self.problem.noise, answers_in(dataset))
        for begin in range(0, len(dataset), batches.size):
            items = batches.items(first + begin, min(batches.size, len(dataset) - begin))
            items = items[self.ranks.share(len(items))]
            errors = 0
            if len(items):
                part = dataset.take(items)
                inputs = part.inputs if codes is None else codes[items]
                inputs = inputs if flips is None else np.where(flips[items], -inputs, inputs)
                errors = int(part.differ(model.predict(inputs)).sum())
            wrong += sum(self.ranks.each(errors))
            if wrong > allowed:
                return False
        return True


def _random_codes(items: int, problem: Problem, seed: int) -> Signs:
    """A code to begin with for every item, drawn from the seed."""
    random = np.random.default_rng([seed, 1])
    width = problem.network.n_inputs
    if problem.dataset.input_kind is InputKind.ANY_CODE:
        return np.where(random.integers(0, 2, (items, width), np.int8) > 0, np.int8(1), np.int8(-1))
    codes = np.full((items, width), -1, np.int8)
    codes[np.arange(items), random.integers(0, width, items)] = 1
    return codes
