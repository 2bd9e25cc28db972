"""A search that is followed by hand to its last iteration.

``train`` hands back the network with the best training accuracy it saw. Where a problem has no solution, the paper
means the network at the end, when the search has settled.
"""

from __future__ import annotations

from collections.abc import Callable

from boolearn.engine import Progress
from boolearn.solver.trace import trace_iterations

Trace = dict[str, list[float]]


def followed(advance: Callable[[int], Progress], accuracies: Callable[[], tuple[float, float]], max_iter: int) -> Trace:
    """The columns of a trace: gap, training and test accuracy at exponentially spaced iterations and at the end.

    ``advance(n)`` does n iterations, fewer when the search is solved.
    """
    trace: Trace = {"iteration": [], "gap": [], "train_accuracy": [], "test_accuracy": []}
    done = 0
    for planned in trace_iterations():
        wanted = min(planned, max_iter) - done
        progress = advance(wanted)
        done += progress.iterations
        for name, value in zip(trace, (done, progress.gap, *accuracies()), strict=True):
            trace[name].append(value)
        if done >= max_iter or progress.iterations < wanted:
            break
    return trace


def ended(trace: Trace) -> dict[str, float]:
    """The last line of a trace."""
    return {name: column[-1] for name, column in trace.items()}
