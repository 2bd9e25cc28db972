"""The search in the space of gates: cool, insist, refine, sample.

The compiled sampler draws one neuron's gate at a time from all gates it could be, with probability
∝ prior · exp(−errors / T). This file decides the temperatures, and what is done when the last wrong
bits do not go away by cooling alone:

cool
    from a temperature at which nothing is decided down to T = 1, in equal ratios. Every second replica cools
    further, for problems with few items.
insist
    there, the weight of wrong bits grows, a little every few sweeps, until none is wrong.
    Weights tilt the landscape so that no circuit with a few wrong bits stays a trap for long. Where
    that takes long, all weights become less from time to time: else everything that was ever wrong
    would weigh so much that nothing moves. While weights change the sampler follows no fixed
    distribution; before and after it does.
refine
    warm the circuit that fits, charge a price for gates, cool, insist again, for shorter circuits that fit.
sample
    from there, at a temperature at which next to nothing gets wrong. The sampler visits circuits as often as
    they are likely given the data; each votes on unseen inputs, and the one that agrees most with the votes is
    the result.

When insisting leads nowhere, the search starts from scratch with more sweeps, so nobody has to say how many
are needed.

Where the data is said to be noisy nothing is insisted on. The search cools to the temperature at which
errors and descriptions are weighed as the noise demands, and if a circuit has no more errors than expected
by then it samples there.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boolearn._native import GateSampler, GateTask
from boolearn.engine import Snapshot
from boolearn.errors import BoolearnError
from boolearn.problem import Problem
from boolearn.problem.noise import bit_noise, likely_errors
from boolearn.ranks import ALONE, Ranks
from boolearn.solver.gates.annealing import Annealing
from boolearn.solver.gates.description import Description
from boolearn.solver.gates.table import GateTable, may_be_five
from boolearn.solver.gates.voting import Votes

_HOTTEST = 1e5
"""Noise near a half asks for more, but every circuit is as likely as any other long before."""


class Stage(enum.IntEnum):
    """What the next round does."""

    COOL = 0
    INSIST = 1
    REFINE = 2
    MEND = 3
    """Insist again after refining."""
    SAMPLE = 4
    """Visit circuits as often as they are likely."""
    FINISHED = 5


class Round(NamedTuple):
    """Where the search stands after a round."""

    sweeps: int
    errors: int
    """Wrong bits of the best replica now."""
    least: int
    """Wrong bits of the best circuit so far."""
    temperature: float
    """Of the first replica."""


class Place(NamedTuple):
    """Where a replica stands."""

    gates: GateTable
    errors: int


class GateAnnealer:
    """Proceeds in rounds to a circuit that fits and is believed. Same seed, same rounds, on any number of threads."""

    def __init__(
        self,
        problem: Problem,
        seed: int,
        *,
        price: float = 0.3,
        replicas: int = 2,
        xor: bool = False,
        annealing: Annealing | None = None,
        threads: int = 1,
        ranks: Ranks = ALONE,
    ) -> None:
        network, noise = problem.network, bit_noise(problem.dataset, problem.noise)
        five = may_be_five(network, problem.sigma)
        self.problem = problem
        self.seed = seed
        self.price = price
        """What a gate costs while refining, in errors."""
        self.replicas = replicas
        self.ranks = ranks
        self.own = range(*ranks.share(replicas).indices(replicas))
        """The replicas that this rank sweeps; of the others it knows where they stand."""
        self.plan = annealing or Annealing()
        bits = problem.dataset.specified_bits
        self.allowed = likely_errors(noise, bits)
        self.coldest = 1.0 if noise == 0 else min(_HOTTEST, 1 / math.log((1 - noise) / noise))
        self.best: GateTable
        self.least = bits + 1
        self.fits = False
        """A circuit with no more than the allowed errors was found."""
        self.sweeps = 0
        self._noisy = noise > 0
        self._description = Description(network, five, xor=xor)
        self._votes = Votes(network, problem.dataset.inputs, seed, five=five, xor=xor)
        self._streams = 0
        self._cooling = self.plan.cooling_with_noise if noise else self.plan.cooling
        self._hot = 0.0
        """Where cooling begins; 0 as long as nobody has measured it."""
        self._refined = 0
        """Refinements since a shorter circuit was found."""
        self._before = self._since = 0
        """Wrong bits when insisting began, and the fewest since."""
        self._task = GateTask(
            network.n_inputs,
            network.n_outputs,
            network.start,
            network.sender,
            np.ascontiguousarray(problem.dataset.inputs > 0),
            np.ascontiguousarray(problem.targets > 0),
            five=five,
            open=None if problem.dataset.open is None else np.ascontiguousarray(problem.dataset.open),
            xor=xor,
        )
        self._pool = ThreadPoolExecutor(max(1, min(threads, len(self.own))), thread_name_prefix="boolearn-gates")
        self._restart()

    def close(self) -> None:
        for sampler in self._samplers:
            sampler.stop()
        self._pool.shutdown()

    @property
    def finished(self) -> bool:
        """A circuit fits, is refined and has been voted on; there is nothing left to do."""
        return self._stage is Stage.FINISHED

    def advance(self) -> Round:
        """One round."""
        if self._stage is Stage.FINISHED:
            return self._where(0.0)
        done = self._round(insist=self._stage in (Stage.INSIST, Stage.MEND))
        self._step += 1
        self._move_on()
        return done

    def describe_stage(self) -> str:
        """What the search is doing once a circuit fits; empty before."""
        if not self.fits:
            return ""
        if self._stage is Stage.SAMPLE:
            return f"fits, sampling {self._step}/{self.plan.sampling}"
        if self._stage in (Stage.REFINE, Stage.MEND):
            return f"fits, shortening {self._refined + 1}/{self.plan.refinements}"
        return "fits"

    def begin_from(self, table: GateTable) -> None:
        """Begin from these gates, at a temperature that leaves most of them as they are.

        A search that has found a circuit continues with the better of the two.
        """
        for sampler in self._samplers:
            sampler.gates = np.ascontiguousarray(table, np.int32)
            sampler.clear_weights()
        self._look_around()
        self._enter(Stage.COOL)
        self._hot = self.plan.least_hot * self.coldest
        self._note()
        self._move_on()

    def snapshot(self) -> dict[str, npt.NDArray[np.generic]]:
        """The whole state: a search of the same problem that restores it continues bit for bit as this one would."""
        numbers = {name: np.array(getattr(self, attribute)) for name, (attribute, _) in _NUMBERS.items()}
        own = [{name: np.asarray(getattr(sampler, name)) for name in _OF_SAMPLERS} for sampler in self._samplers]
        every = [state for of_rank in self.ranks.each(own) for state in of_rank]
        of_samplers = {name: np.stack([state[name] for state in every]) for name in _OF_SAMPLERS}
        return {**numbers, **of_samplers, **self._votes.snapshot(), "best": self.best}

    def restore(self, snapshot: Snapshot) -> None:
        """Continue where the snapshot was taken. All is checked before anything is changed."""
        now = self.snapshot()
        for name, mine in now.items():
            if name not in snapshot:
                raise BoolearnError(f"The snapshot lacks '{name}'.")
            theirs = snapshot[name]
            if theirs.shape != mine.shape or theirs.dtype.kind != mine.dtype.kind:
                raise BoolearnError(f"The snapshot belongs to another problem: '{name}' does not fit.")
        fresh = [GateSampler(self._task, self.seed) for _ in self.own]
        try:
            for k, sampler in zip(self.own, fresh, strict=True):
                for name in _OF_SAMPLERS:
                    value = np.array(snapshot[name][k], now[name].dtype, order="C")
                    setattr(sampler, name, value if value.ndim else value.item())
            self._votes.restore(snapshot)
        except ValueError as error:
            raise BoolearnError(f"The snapshot belongs to another problem: {error}.") from error
        self._samplers = fresh
        self._look_around()
        for name, (attribute, kind) in _NUMBERS.items():
            setattr(self, attribute, kind(snapshot[name].item()))
        self.best = np.array(snapshot["best"], np.int32)

    def hot_temperature(self) -> float:
        """Where cooling begins: half of what a quick quench gains is gained below it."""
        plan, items = self.plan, self.problem.n_items
        sampler = GateSampler(self._task, self.seed, 1 << 32)
        temperatures = np.geomspace(plan.quench_from * max(items, 4) ** 0.5, plan.quench_to, plan.quench_steps)
        errors = []
        for temperature in temperatures:
            sampler.sweep(1, float(temperature), 1.0, until_right=True)
            errors.append(sampler.errors)
        half = (max(errors) + min(errors)) / 2
        above = [float(t) for t, e in zip(temperatures, errors, strict=True) if e >= half]
        hottest = plan.hottest * self.coldest * max(1.0, items / plan.hottest_items)
        return max(plan.least_hot, plan.least_hot * self.coldest, min(min(above), hottest))

    def _restart(self) -> None:
        self._samplers = [GateSampler(self._task, self.seed, self._streams + k) for k in self.own]
        self._look_around()
        self._streams += self.replicas
        self._enter(Stage.COOL)
        self._note()

    def _enter(self, stage: Stage) -> None:
        self._stage = stage
        self._step = 0

    def _temperature(self, replica: int) -> float:
        """Of a replica in the next round."""
        insisting = self.coldest if replica % 2 == 0 or self._noisy else self.plan.colder
        if self._stage is Stage.COOL:
            self._hot = self._hot or self.hot_temperature()
            return float(np.geomspace(self._hot, insisting, self._cooling)[self._step])
        if self._stage is Stage.REFINE:
            return float(np.geomspace(self.plan.warm, self.plan.cool, self.plan.refining)[self._step])
        if self._stage is Stage.SAMPLE:
            return self.coldest if self._noisy else self.plan.frozen
        return insisting if self._stage is Stage.INSIST else self.plan.mending

    def _move_on(self) -> None:
        """To the next stage, if this one is over."""
        plan = self.plan
        if self._stage is Stage.SAMPLE:
            if self._step >= plan.sampling or (self._step == plan.sampling // 2 and self._votes.unanimous):
                self._enter(Stage.FINISHED)
        elif self._stage in (Stage.COOL, Stage.INSIST):
            # Where there is noise a circuit may fit long before it is likely, and cooling continues.
            if self.fits and (not self._noisy or self._step >= self._cooling):
                self._refine()
            elif self._stage is Stage.COOL and self._step >= self._cooling and not self._noisy:
                self._enter(Stage.INSIST)
                self._before = self._since = self._where(0.0).errors
            elif self._step >= self._cooling * (1 if self._stage is Stage.COOL else plan.patience) or self._in_vain():
                self._cooling *= plan.longer_in_vain if self._in_vain() else plan.longer
                self._hot = 0.0
                self._restart()
        else:
            mended = all(place.errors <= self.allowed for place in self._places)
            if self._stage is Stage.REFINE and self._step >= plan.refining:
                self._enter(Stage.MEND)
            if self._stage is Stage.MEND and (mended or self._step >= plan.patience * plan.refining):
                self._refined += 1
                self._refine()

    def _in_vain(self) -> bool:
        """Insisting removes most wrong bits at once, or there were too many of them."""
        insisted = self._stage is Stage.INSIST and self._step >= self.plan.easing
        return insisted and self._since > self._before * self.plan.hopeless

    def _refine(self) -> None:
        """Warm, cool at a price for gates. Replicas wander on from where they are as long as they fit."""
        if self._noisy or self._refined >= self.plan.refinements:
            self._sample()
            return
        self._enter(Stage.REFINE)
        for sampler in self._samplers:
            sampler.clear_weights()
            sampler.price = self.price
            if sampler.errors > self.allowed:
                sampler.gates = self.best

    def _sample(self) -> None:
        """Start sampling, unless the data is a complete truth table, which leaves nothing open.

        All replicas begin from the best circuit: at so low a temperature none would leave a bad place for long.
        """
        if not self._noisy and self.problem.dataset.complete:
            self._enter(Stage.FINISHED)
            return
        self._enter(Stage.SAMPLE)
        self._votes.forget()
        for sampler in self._samplers:
            sampler.clear_weights()
            sampler.price = 0.0
            sampler.gates = self.best

    def _round(self, *, insist: bool) -> Round:
        def sweep(replica: int, sampler: GateSampler) -> None:
            sampler.sweep(self.plan.sweeps, temperatures[replica], 1.0, until_right=not self.fits)
            if insist and sampler.errors > self.allowed:
                sampler.weigh_wrong_bits(self.plan.heaviest)
                if ease:
                    sampler.ease_weights()

        temperatures = [self._temperature(replica) for replica in range(self.replicas)]
        ease = self._step >= self.plan.easing and self._step % self.plan.ease_every == 0
        for swept in [self._pool.submit(sweep, *one) for one in zip(self.own, self._samplers, strict=True)]:
            swept.result()
        self._look_around()
        self.sweeps += self.plan.sweeps
        self._note()
        done = self._where(temperatures[0])
        self._since = min(self._since, done.errors)
        return done

    def _where(self, temperature: float) -> Round:
        return Round(self.sweeps, min(place.errors for place in self._places), self.least, temperature)

    def _note(self) -> None:
        """Keep the best circuit: the one with fewest errors until one fits, from then on the most typical that fits."""
        if self._stage is Stage.SAMPLE and self._step < self.plan.settling:
            return
        fitting = [place for place in self._places if place.errors <= self.allowed]
        by_length = self._stage is not Stage.SAMPLE
        for place in fitting:
            length = self._description.length(place.gates) + (place.errors / self.coldest if self._noisy else 0)
            if by_length and length < self._votes.shortest:
                self._refined = 0
            self._votes.add(place.gates, place.errors, length, by_length=by_length)
        if fitting:
            self.fits = True
            self.best, self.least = self._votes.best()
        for place in self._places:
            if not self.fits and place.errors < self.least:
                self.best, self.least = place.gates, place.errors

    def _look_around(self) -> None:
        """Where the replicas of all ranks stand. The circuits of a rank are small, and so is what is sent."""
        own = [Place(sampler.gates, sampler.errors) for sampler in self._samplers]
        self._places = [place for of_rank in self.ranks.each(own) for place in of_rank]


_NUMBERS: dict[str, tuple[str, Callable[..., object]]] = {
    "stage": ("_stage", Stage),
    "step": ("_step", int),
    "cooling": ("_cooling", int),
    "hot": ("_hot", float),
    "refined": ("_refined", int),
    "before": ("_before", int),
    "since": ("_since", int),
    "streams": ("_streams", int),
    "sweeps": ("sweeps", int),
    "least": ("least", int),
    "fits": ("fits", bool),
}
_OF_SAMPLERS = ("gates", "weights", "shares", "idle", "price", "random")
