"""What is to be learned, and everything that was found on the way.

Jobs run side by side in threads, or where the user has chosen a joblib backend in other processes, which get a copy of
the task. A job only reads the rows, so its result is the same wherever it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from boolearn.circuit import Circuit
from boolearn.learning.choosing import best_of
from boolearn.learning.clock import Clock
from boolearn.learning.found import Again, Found, Rows
from boolearn.workers import chosen_workers, results_elsewhere

Job = TypeVar("Job")
Result = TypeVar("Result")


def _tell_nobody(_stage: str) -> None:
    pass


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
    tell: Callable[[str], None] = _tell_nobody
    waiting: Callable[[], AbstractContextManager[None]] = nullcontext
    """Around a wait that Ctrl-C has to end."""
    found: list[list[Found]] = field(default_factory=list)
    elsewhere: bool = field(default=False, init=False)
    """This is a copy in another process."""

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
        """The outputs that no circuit gets right on all rows; not those about which all rows to train on are silent."""
        all_outputs = range(len(self.outputs)) if outputs is None else outputs
        wrong = [output for output in all_outputs if not any(found.right for found in self.found[output])]
        silent = self.train.open
        return wrong if silent is None else [output for output in wrong if not silent[:, output].all()]

    @property
    def workers(self) -> int:
        """How many jobs run at a time."""
        return chosen_workers() if self._spreads else self.threads

    @property
    def _spreads(self) -> bool:
        """Has the user chosen a joblib backend? What runs there does not do so again."""
        return not self.elsewhere and chosen_workers() > 1

    def side_by_side(self, run: Callable[[Job], Result], jobs: Iterable[Job]) -> list[Result]:
        """The results in the order of the jobs, however many run at a time, and wherever."""
        if self._spreads and not self.clock.interrupted():
            return self._spread(run, list(jobs))
        with ThreadPoolExecutor(self.threads, thread_name_prefix="boolearn-learn") as pool:
            return list(pool.map(run, jobs))

    def _spread(self, run: Callable[[Job], Result], jobs: list[Job]) -> list[Result]:
        results: list[Result] = []
        with results_elsewhere(_Elsewhere(self, run), jobs) as arriving:
            while len(results) < len(jobs) and not self.clock.interrupted():
                try:
                    with self.waiting():
                        result, cut = next(arriving)
                except BaseException:
                    if self.clock.interrupted():  # here, or in a terminal in the workers too
                        break
                    raise
                results.append(result)
                self.clock.cut |= cut
        # After Ctrl-C the others are run here, where they end at once.
        return results + [run(job) for job in jobs[len(results) :]]

    def __getstate__(self) -> dict[str, Any]:
        """A copy for another process, which has one core, nobody to tell and no use for what was found."""
        found: list[list[Found]] = [[] for _ in self.outputs]
        return {
            **vars(self),
            "threads": 1,
            "tell": _tell_nobody,
            "waiting": nullcontext,
            "found": found,
            "elsewhere": True,
        }


@dataclass(frozen=True)
class _Elsewhere(Generic[Job, Result]):
    """What is sent: the job, and the task, whose clock it may find to be over."""

    task: Task
    run: Callable[[Job], Result]

    def __call__(self, job: Job) -> tuple[Result, bool]:
        return self.run(job), self.task.clock.cut
