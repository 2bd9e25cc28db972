"""Jobs on several cores, each in a process of its own with one thread."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import partial
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from boolearn.bench.record import Row
from boolearn.experiments.experiment import Job
from boolearn.solver import Tick

Tell = Callable[[Job, Tick], None]
"""Told where the training of a job stands."""


def run_jobs(jobs: Sequence[tuple[Job, Path]], workers: int, tell: Tell) -> Iterator[tuple[Job, Row]]:
    """Every job with its row, as they finish; each comes with a folder for its checkpoints.

    An error or Ctrl-C ends the jobs under way at once.
    """
    if min(workers, len(jobs)) <= 1:
        yield from ((job, job.run(scratch, partial(tell, job))) for job, scratch in jobs)
        return
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks, but not the threads
    ticks: SimpleQueue[tuple[int, Tick]] = context.SimpleQueue()
    pool = ProcessPoolExecutor(min(workers, len(jobs)), context, initializer=_begin_worker, initargs=(ticks,))
    try:
        under_way = {pool.submit(_run, n, job, scratch): job for n, (job, scratch) in enumerate(jobs)}
        while under_way:
            ended = wait(under_way, timeout=1.0, return_when=FIRST_COMPLETED).done
            while not ticks.empty():
                number, tick = ticks.get()
                tell(jobs[number][0], tick)
            for future in ended:
                yield under_way.pop(future), future.result()
    except BaseException:
        for worker in set(multiprocessing.active_children()) - others:
            worker.kill()  # not terminate: training would catch that signal and end in its own time
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_ticks: SimpleQueue[tuple[int, Tick]]
"""Of a worker: where the parent hears of its trainings."""


def _run(number: int, job: Job, scratch: Path) -> Row:
    return job.run(scratch, lambda tick: _ticks.put((number, tick)))


def _begin_worker(ticks: SimpleQueue[tuple[int, Tick]]) -> None:
    """Ctrl-C is for the parent to act on. When the parent is gone, however it went, so is this process."""
    global _ticks
    _ticks = ticks
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
