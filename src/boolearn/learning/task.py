"""What is to be learned, and everything that was found on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from boolearn.circuit import Circuit
from boolearn.learning.choosing import best_of
from boolearn.learning.clock import Clock
from boolearn.learning.found import Again, Found, Rows

Job = TypeVar("Job")
Result = TypeVar("Result")


@dataclass
class Task:
    """Rows to train on, rows to choose by, and for every output the circuits found so far."""

    train: Rows
    valid: Rows
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    seed: int
    threads: int
    clock: Clock
    max_ands: int | None = None
    noise: float = 0.0
    xor: bool = False
    """Gates may be exclusive ors."""
    complete: bool = False
    """The rows are all there are: what is right on them is right."""
    tell: Callable[[str], None] = lambda _stage: None
    found: list[list[Found]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.found = [[] for _ in self.outputs]

    def rows(self, output: int) -> tuple[Rows, Rows]:
        """To train on and to choose by, for one output."""
        return self.train.only([output]), self.valid.only([output])

    def judge(
        self, output: int, circuit: Circuit, method: str, again: Again | None = None, choices: float = 0.0
    ) -> Found:
        return Found.of(circuit, method, *self.rows(output), again, choices)

    def add(self, output: int, found: Found) -> None:
        """A candidate from now on, unless it is larger than is allowed."""
        if self.max_ands is None or found.ands <= self.max_ands:
            self.found[output].append(found)

    def best(self, output: int) -> Found:
        """The one with the best score."""
        return best_of(self.found[output])

    def open(self, outputs: Iterable[int] | None = None) -> list[int]:
        """The outputs that no circuit gets right on all rows."""
        all_outputs = range(len(self.outputs)) if outputs is None else outputs
        return [output for output in all_outputs if not any(found.right for found in self.found[output])]

    def side_by_side(self, run: Callable[[Job], Result], jobs: Iterable[Job]) -> list[Result]:
        """The results in the order of the jobs, however many threads there are."""
        with ThreadPoolExecutor(self.threads, thread_name_prefix="boolearn-learn") as pool:
            return list(pool.map(run, jobs))
