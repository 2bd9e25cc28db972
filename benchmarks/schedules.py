"""Whether β and γ that change during a start are better than fixed ones, on the problems of settings.py.

    python benchmarks/schedules.py [--only NAME] [--cpu-seconds S] [-o benchmarks/results/schedules.json]

Round k tries all settings of a problem from the same start, seed 1000 + k: none of the starts of settings.py. Problems
take turns as there. "cool" begins with β = 0.5 and γ = 1e-2 and falls to the paper's 0.2 and 1e-3; "cycle" goes to and
fro between the two, twice as long each time. What counts is iterations, which do not depend on the machine. One thread.
"""

from __future__ import annotations

from dataclasses import dataclass

from common import arguments, chosen, new_record, run_script
from settings import CASES, RATE, cell, compare_in_turns, with_setting

from boolearn.bench.record import Row
from boolearn.solver.rrr.schedules import Geometric, Schedule


@dataclass(frozen=True)
class Cycle:
    """The one value for some iterations and the other for as many, then both for twice as long, and so on."""

    one: float
    other: float
    first: int

    def __call__(self, iteration: int) -> float:
        length = self.first
        while iteration >= 2 * length:
            iteration -= 2 * length
            length *= 2
        return self.one if iteration < length else self.other


SETTINGS: dict[str, tuple[Schedule, Schedule]] = {
    "β 0.2, γ 1e-3": (0.2, 1e-3),
    "β 0.3, γ 1e-3": (0.3, 1e-3),
    "β 0.3, γ 3e-3": (0.3, 3e-3),
    "β 0.5, γ 1e-3": (0.5, 1e-3),
    "β 0.5, γ 1e-2": (0.5, 1e-2),
    "cool, 5000": (Geometric(0.5, 0.2, 5000), Geometric(1e-2, 1e-3, 5000)),
    "cool, 2000": (Geometric(0.5, 0.2, 2000), Geometric(1e-2, 1e-3, 2000)),
    "β 0.5, γ cools": (0.5, Geometric(1e-2, 1e-3, 2000)),
    "β 0.3, γ cools": (0.3, Geometric(1e-2, 1e-3, 2000)),
    "cycle, 1000": (Cycle(0.5, 0.2, 1000), Cycle(1e-2, 1e-3, 1000)),
}
FIRST_SEED = 1000


def show(rows: list[Row]) -> None:
    """Successes per million iterations, and how far each setting is from the best of its problem."""
    problems: dict[str, dict[str, Row]] = {}
    for row in rows:
        problems.setdefault(row["problem"], {})[row["setting"]] = row
    for problem, found in problems.items():
        print(f"\n{problem}")
        best = max(row[RATE] for row in found.values())
        for name, row in found.items():
            print(f"    {name:18}{cell(row):>24}{row[RATE] / best if best else 0:10.2f} of the best")
    near = {
        name: sum(found[name][RATE] >= max(r[RATE] for r in found.values()) / 1.2 for found in problems.values())
        for name in SETTINGS
    }
    print(f"\nWithin 20 % of the best, of {len(problems)} problems")
    for name, count in near.items():
        print(f"    {name:18}{count:4}")


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--cpu-seconds", type=float, default=600.0)
    options = parser.parse_args()
    record = new_record(("problem", "setting"), options, "round k, from 0, has seed 1000 + k; data has seed 1")
    ways = {name: with_setting(*setting, FIRST_SEED) for name, setting in SETTINGS.items()}
    compare_in_turns(chosen(CASES, options.only), ways, record, options)
    show(record.rows)


if __name__ == "__main__":
    run_script(main)
