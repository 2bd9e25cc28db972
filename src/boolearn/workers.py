"""Jobs in other processes, on whatever joblib is told to use: the cores here, or a cluster through Dask or Ray.

``with joblib.parallel_config("loky", n_jobs=4):`` around a call is all it takes.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import joblib

Job = TypeVar("Job")
Result = TypeVar("Result")


def chosen_workers() -> int:
    """How many workers the joblib backend has that the user has chosen; 1 where none is."""
    return int(joblib.effective_n_jobs(None))


@contextmanager
def results_elsewhere(run: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Iterator[Result]]:
    """Results as they come, in the order of the jobs; what is still under way in the end is cancelled."""
    backend, _ = joblib.parallel.get_active_backend()
    results = (_as_they_come if backend.supports_return_generator else _in_groups)(run, jobs)
    try:
        yield results
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that it was cancelled, which is meant
            results.close()


def _as_they_come(run: Callable[[Job], Result], jobs: Iterable[Job]) -> Generator[Result]:
    calls = (joblib.delayed(_result)(run, job) for job in jobs)
    results: Generator[Result] = joblib.Parallel(return_as="generator", batch_size=1)(calls)
    return results


def _in_groups(run: Callable[[Job], Result], jobs: Iterable[Job]) -> Generator[Result]:
    """For backends, such as Ray's, that return results only together: as many at a time as there are workers."""
    left = iter(jobs)
    while group := list(itertools.islice(left, chosen_workers())):
        yield from joblib.Parallel(batch_size=1)(joblib.delayed(_result)(run, job) for job in group)


def _result(run: Callable[[Job], Result], job: Job) -> Result:
    """What is called is a function with a name for every backend: that for Dask hangs where it cannot be hashed."""
    return run(job)
