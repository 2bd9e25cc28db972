"""Jobs on several cores, each in a process of its own with one thread."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from boolearn.bench.record import Row
from boolearn.experiments.experiment import Job


def run_jobs(jobs: Sequence[tuple[Job, Path]], workers: int) -> Iterator[tuple[Job, Row]]:
    """Every job with its row, as they finish; each comes with a folder for its checkpoints.

    An error or Ctrl-C ends the jobs under way at once.
    """
    if min(workers, len(jobs)) <= 1:
        yield from ((job, job.run(scratch)) for job, scratch in jobs)
        return
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks, but not the threads
    pool = ProcessPoolExecutor(min(workers, len(jobs)), context, initializer=_follow_parent)
    try:
        futures = {pool.submit(job.run, scratch): job for job, scratch in jobs}
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BaseException:
        for worker in set(multiprocessing.active_children()) - others:
            worker.kill()  # not terminate: training would catch that signal and end in its own time
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _follow_parent() -> None:
    """Ctrl-C is for the parent to act on. When the parent is gone, however it went, so is this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
