"""The search in the space of gates: cool, insist, refine, sample.

The compiled sampler draws one neuron's gate at a time from all gates it could be, with probability
∝ prior · exp(−errors / T). This file decides the temperatures, and what is done when the last wrong
bits do not go away by cooling alone:

cool
    from a temperature at which nothing is decided down to T = 1, in equal ratios. Every second replica cools
    further, for problems with few items.
insist
    there, bits that are wrong come to weigh more, a little every few sweeps, until none is wrong.
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

When insisting leads nowhere, everything begins anew with more sweeps, so nobody has to say how many
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
from boolearn.solver.gate_table import PRICE, Description, GateTable, may_be_five
from boolearn.solver.typical_circuit import TypicalCircuit

SWEEPS = 5
"""Sweeps a round: how often temperatures and weights change."""
_COOLING = 80
_COOLING_IN_NOISE = 320
"""Rounds of the first attempt. Where there is noise all is won by cooling."""
_PATIENCE = 6
_COLDER = 0.4
"""Every second replica cools to this temperature, and insists there. At T = 1 few items cannot pay
for the gates that would explain them, and circuits that fit are not even likely; but where T = 1 will do it is quicker.
"""
_HEAVIEST = 63
_EASING = 80
"""Rounds of insisting after which weights are eased, every so many rounds:"""
_EASE_EVERY = 10
_REFINEMENTS = 12
"""So many in a row that find nothing shorter are enough."""
_REFINING = 16
_WARM = 0.9
_SAMPLING = 800
"""Rounds, or half as many where all circuits say the same. During the first of them votes do not count:"""
_SETTLING = 200
_FROZEN = 0.1
"""The temperature of sampling where there is no noise."""


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


class Progress(NamedTuple):
    """Where the search stands after a round."""

    sweeps: int
    errors: int
    """Wrong bits of the best replica now."""
    least: int
    """Wrong bits of the best circuit so far."""
    temperature: float
    """Of the first replica."""


class GateSearch:
    """Goes round by round to a circuit that fits and is believed. Same seed, same rounds, on any number of threads."""

    def __init__(
        self,
        problem: Problem,
        seed: int,
        *,
        noise: float = 0.0,
        price: float = PRICE,
        replicas: int = 2,
        threads: int = 1,
    ) -> None:
        network = problem.network
        five = may_be_five(network, problem.sigma)
        self.problem = problem
        self.seed = seed
        self.price = price
        """What a gate costs while refining, in errors."""
        self.replicas = replicas
        self.allowed = _allowed_errors(noise, problem.targets.size)
        self.coldest = 1.0 if noise == 0 else 1 / math.log((1 - noise) / noise)
        self.best: GateTable
        self.least = problem.targets.size + 1
        self.fits = False
        """A circuit with no more than the allowed errors was found."""
        self.sweeps = 0
        self._noisy = noise > 0
        self._description = Description(network, five)
        self._typical = TypicalCircuit(network, problem.dataset.inputs, seed, five=five)
        self._streams = 0
        self._cooling = _COOLING_IN_NOISE if noise else _COOLING
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
        )
        self._pool = ThreadPoolExecutor(min(threads, replicas), thread_name_prefix="boolearn-gates")
        self._begin_anew()

    def close(self) -> None:
        for sampler in self._samplers:
            sampler.stop()
        self._pool.shutdown()

    @property
    def finished(self) -> bool:
        """A circuit fits, is refined and has been voted on; there is nothing left to do."""
        return self._stage is Stage.FINISHED

    def advance(self) -> Progress:
        """One round."""
        if self._stage is Stage.FINISHED:
            return self._progress(0.0)
        progress = self._round(insist=self._stage in (Stage.INSIST, Stage.MEND))
        self._step += 1
        self._move_on()
        return progress

    def begin_from(self, table: GateTable, temperature: float = 2.0) -> None:
        """Begin from these gates, at a temperature (in units of the coldest) that leaves most of them as they are.

        A search that has found a circuit goes on with the better of the two.
        """
        for sampler in self._samplers:
            sampler.gates = np.ascontiguousarray(table, np.int32)
            sampler.clear_weights()
        self._enter(Stage.COOL)
        self._hot = temperature * self.coldest
        self._note()
        self._move_on()

    def snapshot(self) -> dict[str, npt.NDArray[np.generic]]:
        """The whole state: a search of the same problem that restores it goes on bit for bit as this one would."""
        numbers = {name: np.array(getattr(self, attribute)) for name, (attribute, _) in _NUMBERS.items()}
        of_samplers = {
            name: np.stack([np.asarray(getattr(sampler, name)) for sampler in self._samplers]) for name in _OF_SAMPLERS
        }
        return {**numbers, **of_samplers, **self._typical.snapshot(), "best": self.best}

    def restore(self, snapshot: Snapshot) -> None:
        """Go on where the snapshot was taken. All is checked before anything is changed."""
        now = self.snapshot()
        for name, mine in now.items():
            if name not in snapshot:
                raise BoolearnError(f"The snapshot lacks '{name}'.")
            theirs = snapshot[name]
            if theirs.shape != mine.shape or theirs.dtype.kind != mine.dtype.kind:
                raise BoolearnError(f"The snapshot belongs to another problem: '{name}' does not fit.")
        fresh = [GateSampler(self._task, self.seed) for _ in range(self.replicas)]
        try:
            for k, sampler in enumerate(fresh):
                for name in _OF_SAMPLERS:
                    value = np.array(snapshot[name][k], now[name].dtype, order="C")
                    setattr(sampler, name, value if value.ndim else value.item())
            self._typical.restore(snapshot)
        except ValueError as error:
            raise BoolearnError(f"The snapshot belongs to another problem: {error}.") from error
        self._samplers = fresh
        for name, (attribute, kind) in _NUMBERS.items():
            setattr(self, attribute, kind(snapshot[name].item()))
        self.best = np.array(snapshot["best"], np.int32)

    def hot_temperature(self) -> float:
        """Where cooling begins: half of what a quick quench gains is gained below it, and at least 2."""
        sampler = GateSampler(self._task, self.seed, 1 << 32)
        temperatures = np.geomspace(2 * max(self.problem.n_items, 4) ** 0.5, 0.5, 20)
        errors = []
        for temperature in temperatures:
            sampler.sweep(1, float(temperature), 1.0, until_right=True)
            errors.append(sampler.errors)
        half = (max(errors) + min(errors)) / 2
        above = [float(t) for t, e in zip(temperatures, errors, strict=True) if e >= half]
        return max(2.0, 2 * self.coldest, min(min(above), 8.0 * self.coldest * max(1.0, self.problem.n_items / 256)))

    def _begin_anew(self) -> None:
        self._samplers = [GateSampler(self._task, self.seed, self._streams + k) for k in range(self.replicas)]
        self._streams += self.replicas
        self._enter(Stage.COOL)
        self._note()

    def _enter(self, stage: Stage) -> None:
        self._stage = stage
        self._step = 0

    def _temperature(self, replica: int) -> float:
        """Of a replica in the next round."""
        insisting = self.coldest if replica % 2 == 0 or self._noisy else _COLDER
        if self._stage is Stage.COOL:
            self._hot = self._hot or self.hot_temperature()
            return float(np.geomspace(self._hot, insisting, self._cooling)[self._step])
        if self._stage is Stage.REFINE:
            return float(np.geomspace(_WARM, 0.4, _REFINING)[self._step])
        if self._stage is Stage.SAMPLE:
            return self.coldest if self._noisy else _FROZEN
        return insisting if self._stage is Stage.INSIST else 0.5

    def _move_on(self) -> None:
        """To the next stage, if this one is over."""
        if self._stage is Stage.SAMPLE:
            if self._step >= _SAMPLING or (self._step == _SAMPLING // 2 and self._typical.unanimous):
                self._enter(Stage.FINISHED)
        elif self._stage in (Stage.COOL, Stage.INSIST):
            # Where there is noise a circuit may fit long before it is likely, and cooling goes on.
            if self.fits and (not self._noisy or self._step >= self._cooling):
                self._refine()
            elif self._stage is Stage.COOL and self._step >= self._cooling and not self._noisy:
                self._enter(Stage.INSIST)
                self._before = self._since = self._progress(0.0).errors
            elif self._step >= self._cooling * (1 if self._stage is Stage.COOL else _PATIENCE) or self._in_vain():
                self._cooling *= 4 if self._in_vain() else 2
                self._hot = 0.0
                self._begin_anew()
        else:
            mended = all(sampler.errors <= self.allowed for sampler in self._samplers)
            if self._stage is Stage.REFINE and self._step >= _REFINING:
                self._enter(Stage.MEND)
            if self._stage is Stage.MEND and (mended or self._step >= _PATIENCE * _REFINING):
                self._refined += 1
                self._refine()

    def _in_vain(self) -> bool:
        """Insisting removes most wrong bits at once, or there were too many of them."""
        return self._stage is Stage.INSIST and self._step >= _EASING and self._since > self._before / 2

    def _refine(self) -> None:
        """Warm, cool at a price for gates. Replicas wander on from where they are as long as they fit."""
        if self._noisy or self._refined >= _REFINEMENTS:
            self._sample()
            return
        self._enter(Stage.REFINE)
        for sampler in self._samplers:
            sampler.clear_weights()
            sampler.price = self.price
            if sampler.errors > self.allowed:
                sampler.gates = self.best

    def _sample(self) -> None:
        """Unless the items tell everything.

        All replicas begin from the best circuit: at so low a temperature none would leave a bad place for long.
        """
        if not self._noisy and self.problem.dataset.complete:
            self._enter(Stage.FINISHED)
            return
        self._enter(Stage.SAMPLE)
        self._typical.forget()
        for sampler in self._samplers:
            sampler.clear_weights()
            sampler.price = 0.0
            sampler.gates = self.best

    def _round(self, *, insist: bool) -> Progress:
        def sweep(replica: int) -> None:
            sampler = self._samplers[replica]
            sampler.sweep(SWEEPS, temperatures[replica], 1.0, until_right=not self.fits)
            if insist and sampler.errors > self.allowed:
                sampler.weigh_wrong_bits(_HEAVIEST)
                if ease:
                    sampler.ease_weights()

        temperatures = [self._temperature(replica) for replica in range(self.replicas)]
        ease = self._step >= _EASING and self._step % _EASE_EVERY == 0
        for done in [self._pool.submit(sweep, replica) for replica in range(self.replicas)]:
            done.result()
        self.sweeps += SWEEPS
        self._note()
        progress = self._progress(temperatures[0])
        self._since = min(self._since, progress.errors)
        return progress

    def _progress(self, temperature: float) -> Progress:
        return Progress(self.sweeps, min(s.errors for s in self._samplers), self.least, temperature)

    def _note(self) -> None:
        """Keep the best circuit: the one with fewest errors until one fits, from then on the most typical that fits."""
        if self._stage is Stage.SAMPLE and self._step < _SETTLING:
            return
        fitting = [sampler for sampler in self._samplers if sampler.errors <= self.allowed]
        by_length = self._stage is not Stage.SAMPLE
        for sampler in fitting:
            length = self._description.length(sampler.gates) + (sampler.errors / self.coldest if self._noisy else 0)
            if by_length and length < self._typical.shortest:
                self._refined = 0
            self._typical.add(sampler.gates, sampler.errors, length, by_length=by_length)
        if fitting:
            self.fits = True
            self.best, self.least = self._typical.best()
        for sampler in self._samplers:
            if not self.fits and sampler.errors < self.least:
                self.best, self.least = sampler.gates, sampler.errors


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


def _allowed_errors(noise: float, bits: int) -> int:
    """No more wrong bits than flips that are expected, give or take three standard deviations."""
    return int(noise * bits + 3 * math.sqrt(noise * (1 - noise) * bits))
