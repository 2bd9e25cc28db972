"""The search in the space of gates: cool, insist, refine.

The compiled sampler draws one neuron's gate at a time from all gates it could be, with probability
∝ prior · exp(−errors / T). This file decides the temperatures, and what is done when the last wrong
bits do not go away by cooling alone:

cool
    from a temperature at which nothing is decided down to T = 1, in equal ratios.
insist
    at T = 1, bits that are wrong come to weigh more, a little every few sweeps, until none is wrong.
    Weights tilt the landscape so that no circuit with a few wrong bits stays a trap for long. While
    they change the sampler follows no fixed distribution; before and after it does.
refine
    warm the circuit that fits, charge a price for gates, cool, insist again; keep the circuit with the
    shortest description. Among circuits that fit, short ones are right more often.

When insisting leads nowhere, everything begins anew with twice the sweeps, so nobody has to say how
many are needed. Where the data is said to be noisy nothing is insisted on: the search cools to the
temperature at which errors and descriptions are weighed as the noise demands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from boolearn._native import GateSampler, GateTask
from boolearn.problem import Problem
from boolearn.solver.gate_table import Description, GateTable

SWEEPS = 5
"""Sweeps a round: how often temperatures and weights change."""
_COOLING = 80
_PATIENCE = 6
_HEAVIEST = 63
_REFINEMENTS = 12
_REFINING = 16
_PRICE = 0.3
_WARM = 0.9


class Progress(NamedTuple):
    """Where the search stands after a round."""

    sweeps: int
    errors: int
    """Wrong bits of the best replica now."""
    least: int
    """Wrong bits of the best circuit so far."""
    temperature: float


class GateSearch:
    """Runs rounds until a circuit fits and is refined. Same seed, same rounds, for any number of threads."""

    def __init__(self, problem: Problem, seed: int, *, noise: float = 0.0, replicas: int = 2, threads: int = 1) -> None:
        network = problem.network
        self.problem = problem
        self.seed = seed
        self.replicas = replicas
        self.allowed = _allowed_errors(noise, problem.targets.size)
        self.coldest = 1.0 if noise == 0 else 1 / math.log((1 - noise) / noise)
        self.best: GateTable
        self.least = problem.targets.size + 1
        self.fits = False
        """A circuit with no more than the allowed errors was found."""
        self.sweeps = 0
        self._noisy = noise > 0
        self._description = Description(network)
        self._length = math.inf
        self._streams = 0
        self._task = GateTask(
            network.n_inputs,
            network.n_outputs,
            network.start,
            network.sender,
            np.ascontiguousarray(problem.dataset.inputs > 0),
            np.ascontiguousarray(problem.targets > 0),
        )
        self._pool = ThreadPoolExecutor(min(threads, replicas), thread_name_prefix="boolearn-gates")
        self._begin_anew()

    def close(self) -> None:
        for sampler in self._samplers:
            sampler.stop()
        self._pool.shutdown()

    def rounds(self, refine: bool = True) -> Iterator[Progress]:
        """Round after round; ends when a circuit fits and, if asked for, is refined."""
        hot = self.hot_temperature()
        cooling = _COOLING
        while True:
            for temperature in np.geomspace(hot, self.coldest, cooling):
                yield self._round(float(temperature))
                if self.fits:
                    break
            for _ in range(0 if self._noisy else _PATIENCE * cooling):
                if self.fits:
                    break
                yield self._round(self.coldest, insist=True)
            if self.fits:
                break
            self._begin_anew()
            cooling *= 2
        for _ in range(_REFINEMENTS if refine else 0):
            yield from self._refine()

    def hot_temperature(self) -> float:
        """Where cooling begins: half of what a quick quench gains is gained below it, and at least 2."""
        sampler = GateSampler(self._task, self.seed, 1 << 32)
        temperatures = np.geomspace(2 * max(self.problem.n_items, 4) ** 0.5, 0.5, 20)
        errors = []
        for temperature in temperatures:
            sampler.sweep(1, float(temperature), 1.0)
            errors.append(sampler.errors)
        half = (max(errors) + min(errors)) / 2
        above = [float(t) for t, e in zip(temperatures, errors, strict=True) if e >= half]
        return max(2.0, 2 * self.coldest, min(min(above), 8.0 * self.coldest * max(1.0, self.problem.n_items / 256)))

    def _begin_anew(self) -> None:
        self._samplers = [GateSampler(self._task, self.seed, self._streams + k) for k in range(self.replicas)]
        self._streams += self.replicas
        self._note()

    def _round(self, temperature: float, *, insist: bool = False) -> Progress:
        def sweep(sampler: GateSampler) -> None:
            sampler.sweep(SWEEPS, temperature, 1.0)
            if insist and sampler.errors > self.allowed:
                sampler.weigh_wrong_bits(_HEAVIEST)

        self._each(sweep)
        self.sweeps += SWEEPS
        self._note()
        return Progress(self.sweeps, min(s.errors for s in self._samplers), self.least, temperature)

    def _refine(self) -> Iterator[Progress]:
        """Warm, cool at a price for gates, insist. Replicas wander on from where they are as long as they fit."""
        for sampler in self._samplers:
            sampler.clear_weights()
            sampler.price = _PRICE * self.coldest
            if sampler.errors > self.allowed:
                sampler.gates = self.best
        for temperature in np.geomspace(_WARM * self.coldest, 0.4 * self.coldest, _REFINING):
            yield self._round(float(temperature))
        for _ in range(0 if self._noisy else _PATIENCE * _REFINING):
            if all(sampler.errors <= self.allowed for sampler in self._samplers):
                break
            yield self._round(0.5 * self.coldest, insist=True)

    def _note(self) -> None:
        """Keep the best circuit: the one with fewest errors until one fits, from then on the likeliest that fits."""
        for sampler in self._samplers:
            errors, length = sampler.errors, math.inf
            if errors <= self.allowed:
                length = self._description.length(sampler.gates) + (errors / self.coldest if self._noisy else 0)
            elif self.fits:
                continue
            if (length, errors) < (self._length, self.least):
                self.best, self.least, self._length = sampler.gates, errors, length
                self.fits = errors <= self.allowed

    def _each(self, action: Callable[[GateSampler], None]) -> None:
        for done in [self._pool.submit(action, sampler) for sampler in self._samplers]:
            done.result()


def _allowed_errors(noise: float, bits: int) -> int:
    """No more wrong bits than flips that are expected, give or take two standard deviations."""
    return int(noise * bits + 2 * math.sqrt(noise * (1 - noise) * bits))
