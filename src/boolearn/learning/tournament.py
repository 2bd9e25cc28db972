"""Which gate search: settings compete in rounds, each on more work, and the best are searched from several seeds.

A setting is the shape of a network, and how many inputs to divide by. Of small networks that fit every row few do so by
accident, but too small a network fits nothing, and what fits is known only by trying. So this grows: the first round
is for small to large shapes, the next for the two best and for one larger than the best, and the last, with most of the
work, for several searches of the two best. All circuits of all rounds stay candidates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from boolearn.circuit import Circuit
from boolearn.learning.anneal import COLDEST, SWEEPS, Cooled, Options, Shape, circuit_of, cool, cool_again
from boolearn.learning.clock import cost
from boolearn.learning.found import Found, Rows, from_not_too_many
from boolearn.learning.splitting import Divided, cool_divided
from boolearn.learning.task import Task

LADDER = (
    Shape((8, 8, 8, 8, 8, 8, 4)),
    Shape((16, 16, 16, 12, 12, 8, 4)),
    Shape((32, 32, 32, 32, 24, 16, 8)),
    Shape((64, 64, 64, 64, 48, 32, 16)),
    Shape((128, 128, 128, 96, 64, 32, 16)),
)
_AT_FIRST = 4
_SHARES = (0.25, 0.25, 0.5)
"""Of the work, for the three rounds."""
_OF_BEST, _OF_SECOND = 4, 2
"""Searches in the last round. Searches of one setting differ much, and the second may be the better."""
_FEWEST_ROUNDS = 20
_ENOUGH_ROUNDS = 100
"""Rather than cool faster than this a search looks at fewer rows."""
_FEWEST_ROWS = 4096
_MOST_VALID = 1 << 15
"""Rows that circuits are compared on while a search cools."""
_AGAIN = 0.12
"""The length of a second training on more rows, as a share of the first."""


@dataclass(frozen=True)
class Setting:
    """What is searched."""

    step: int
    """On the ladder of shapes."""
    tests: int = 0
    """Inputs to divide by."""
    xor: bool = False
    """Gates may be exclusive ors."""

    def shape(self, outputs: int) -> Shape:
        """Room for every output to be carried upwards."""
        widths = LADDER[self.step].widths
        return Shape(tuple(width + outputs - 1 for width in widths))

    def __str__(self) -> str:
        kinds = "gates and xor" if self.xor else "gates"
        return f"{kinds} {LADDER[self.step]}" + (f" divided by {self.tests} tests" if self.tests else "")


class Tournament:
    """For some outputs of a task at once: they share the network, and so gates."""

    def __init__(self, task: Task, outputs: list[int], work: float) -> None:
        self.task, self.outputs, self.work = task, outputs, work
        self.train, self.valid = task.train.only(outputs), task.valid.only(outputs).take(slice(0, _MOST_VALID))
        self._streams = 0
        self._wrong: dict[Setting, float] = {}

    def run(self) -> None:
        entrants = [Setting(step) for step in range(_AT_FIRST)]
        if len(self.outputs) == 1:
            entrants.insert(_AT_FIRST - 1, Setting(1, tests=3))
        if self.task.xor:
            entrants[_AT_FIRST - 1 : _AT_FIRST - 1] = [Setting(1, xor=True), Setting(2, xor=True)]
        self._play(entrants, _SHARES[0])
        if self._done():
            return
        best, second, *_ = self._ranked()
        larger = replace(best, step=min(best.step + 1, len(LADDER) - 1))
        self._play(list(dict.fromkeys((best, second, larger))), _SHARES[1])
        if not self._done():
            best, second, *_ = self._ranked()
            self._play([best] * _OF_BEST + [second] * _OF_SECOND, _SHARES[2])

    def _ranked(self) -> list[Setting]:
        return sorted(self._wrong, key=lambda setting: (self._wrong[setting], setting.step))

    def _done(self) -> bool:
        return not self.task.open(self.outputs) or self.task.clock.over()

    def _play(self, settings: list[Setting], share: float) -> None:
        """Search with each, add what was found, and remember how the settings did in this round."""
        settings = self._affordable(settings, share)
        task, each = self.task, share * self.work / len(settings)
        first = self._streams
        self._streams += len(settings)
        task.tell("gate search: " + "; ".join(dict.fromkeys(map(str, settings))))
        jobs = [(setting, each, first + number) for number, setting in enumerate(settings)]
        self._wrong = {}
        for setting, found in zip(settings, task.side_by_side(lambda job: self._search(*job), jobs), strict=True):
            for output, one in zip(self.outputs, found, strict=False):
                task.add(output, one)
            wrong = sum(one.score for one in found) if found else math.inf
            self._wrong[setting] = min(wrong, self._wrong.get(setting, wrong))

    def _affordable(self, settings: list[Setting], share: float) -> list[Setting]:
        """Without those that could not cool in their part of the work; two stay, once each, whatever they cost."""
        each = share * self.work / len(settings)
        least = {setting: self._least_work(setting) for setting in settings}
        cheapest = sorted(least, key=lambda setting: least[setting])[:2]
        if all(work <= each for work in least.values()):
            return settings
        return [setting for setting in least if least[setting] <= each or setting in cheapest]

    def _least_work(self, setting: Setting) -> float:
        neurons = sum(setting.shape(len(self.outputs)).widths) + len(self.outputs)
        parts = 1 << setting.tests
        return parts * cost(_FEWEST_ROUNDS, neurons, min(len(self.train) // parts, _FEWEST_ROWS), SWEEPS)

    def _search(self, setting: Setting, work: float, stream: int) -> list[Found]:
        """What one search finds for each output; nothing if there is no time left."""
        task, shape, seed = self.task, setting.shape(len(self.outputs)), (self.task.seed, stream)
        if task.clock.over():
            return []
        neurons = sum(shape.widths) + len(self.outputs)
        parts = 1 << setting.tests
        rows, rounds = _affordable(work / parts, neurons, len(self.train) // parts)
        train = self.train.take(slice(0, parts * rows))
        options = Options(_coldest(task.noise), not task.noise, setting.xor, task.clock.over)
        again = max(_FEWEST_ROUNDS, int(_AGAIN * rounds))
        if setting.tests:
            divided = cool_divided(train, self.valid, setting.tests, shape, rounds, seed, options)
            return [self._judged_divided(divided, setting, again, len(train))]
        cooled = cool(train, self.valid, shape, rounds, seed, options)
        return [self._judged(cooled, place, setting, again, seed, len(train)) for place in range(len(self.outputs))]

    def _judged(
        self, cooled: Cooled, place: int, setting: Setting, rounds: int, seed: tuple[int, int], seen: int
    ) -> Found:
        task, output = self.task, self.outputs[place]
        inputs, name = task.inputs, task.outputs[output]

        def again(rows: Rows) -> Circuit:
            alone = cooled.alone(place)
            return circuit_of(alone.network, cool_again(alone, 0, rows, rounds, seed), inputs, 0, name)

        circuit = cooled.circuit(place, inputs, name)
        return task.judge(output, circuit, str(setting), from_not_too_many(again, seen), math.log(cooled.looks))

    def _judged_divided(self, divided: Divided, setting: Setting, rounds: int, seen: int) -> Found:
        task, output = self.task, self.outputs[0]
        inputs, name = task.inputs, task.outputs[output]

        def again(rows: Rows) -> Circuit:
            return divided.again(rows, rounds, inputs, name)

        circuit, more = divided.circuit(inputs, name), from_not_too_many(again, seen)
        return task.judge(output, circuit, str(setting), more, divided.choices)


def _coldest(noise: float) -> float:
    """Where an error counts as much as the share of wrong bits in the data says."""
    return max(COLDEST, 1 / math.log((1 - noise) / noise)) if noise else COLDEST


def _affordable(work: float, neurons: int, rows: int) -> tuple[int, int]:
    """How many rows and rounds of cooling: all rows, unless that leaves too few rounds."""
    most = work / cost(_ENOUGH_ROUNDS, neurons, rows, SWEEPS)
    if most < 1 and rows > _FEWEST_ROWS:
        rows = max(_FEWEST_ROWS, int(rows * most))
    return max(1, rows), max(_FEWEST_ROUNDS, int(work / cost(1, neurons, rows, SWEEPS)))
