"""Annealing: every number that steers the gate search, in one place."""

from __future__ import annotations

from dataclasses import dataclass, fields

from boolearn.checks import checked_integer, checked_number


@dataclass(frozen=True, repr=False)
class Annealing:
    """Temperatures are in wrong bits; a round is a few sweeps. ``annealer.py`` describes the stages."""

    sweeps: int = 5
    """Sweeps per round: how often temperatures and weights change."""

    cooling: int = 80
    """Rounds of cooling in the first attempt."""
    cooling_with_noise: int = 320
    """The same where data is noisy: everything depends on cooling there."""
    colder: float = 0.4
    """Every second replica cools to this temperature, and insists there. At T = 1 few items cannot pay for the
    gates that would explain them; but where T = 1 is enough it is quicker."""
    quench_steps: int = 20
    """Temperatures of the quick quench that measures where cooling should begin."""
    quench_from: float = 2.0
    """Its first temperature, times the square root of the number of items."""
    quench_to: float = 0.5
    hottest: float = 8.0
    """Cooling begins at most at this temperature, in units of the coldest and for up to ``hottest_items`` items."""
    hottest_items: int = 256
    least_hot: float = 2.0
    """Cooling begins at least at this temperature; a search that continues from given gates begins there."""

    patience: int = 6
    """Insisting lasts at most this many times as long as cooling did."""
    heaviest: int = 63
    """The largest weight of a wrong bit."""
    easing: int = 80
    """Rounds of insisting after which weights are eased, every ``ease_every`` rounds."""
    ease_every: int = 10
    hopeless: float = 0.5
    """Insisting is in vain when, after ``easing`` rounds, more than this share of the wrong bits is still wrong."""
    longer: int = 2
    """The next attempt cools this many times as long,"""
    longer_in_vain: int = 4
    """or this many times when insisting was in vain."""

    refinements: int = 12
    """Refining ends when this many in a row find nothing shorter."""
    refining: int = 16
    """Rounds of one refinement, from temperature ``warm`` to ``cool``, and then at ``mending`` to fit again."""
    warm: float = 0.9
    cool: float = 0.4
    mending: float = 0.5

    sampling: int = 800
    """Rounds of sampling, or half as many where all circuits agree."""
    settling: int = 200
    """The first rounds of sampling, which do not count."""
    frozen: float = 0.1
    """The temperature of sampling where there is no noise."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(field.default, int):
                checked: float = checked_integer(f"annealing.{field.name}", value, 1)
            else:
                checked = checked_number(
                    f"annealing.{field.name}", value, "above 0 and below 1e6", lambda v: 0 < v < 1e6
                )
            object.__setattr__(self, field.name, checked)

    def __repr__(self) -> str:
        return f"Annealing({', '.join(f'{name}={value!r}' for name, value in self.changed().items())})"

    def changed(self) -> dict[str, object]:
        """The numbers that are not the default."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
