"""Several circuits that are wrong in different places: the answer of most of them is right more often."""

from __future__ import annotations

import math

import numpy as np

from boolearn.circuit import Circuit
from boolearn.learning.found import Again, Found, Rows
from boolearn.learning.joining import majority
from boolearn.learning.task import Task

_SIZES = (3, 5, 7, 9)


def add_votes(task: Task, output: int) -> None:
    """Majorities of the best circuits, as candidates of their own. Their size is limited as every circuit's is.

    The best few are taken as they come rather than chosen to suit each other, which would fit the validation rows.
    """
    ranked = sorted(task.found[output], key=lambda found: (found.score, found.ands))
    voters = [found for found in ranked if found.again is not None]
    wanted = task.rows(output)[1].outputs[:, 0]
    for size in _SIZES:
        if len(voters) < size:
            return
        members = voters[:size]
        said = np.sum([found.on_valid for found in members], axis=0) * 2 > size
        if int((said != wanted).sum()) < task.best(output).valid_wrong:
            choices = math.log(math.comb(len(voters), size)) + sum(found.choices for found in members)
            task.add(output, task.judge(output, _joined(members), _method(members), _again(task, members), choices))


def _joined(members: list[Found]) -> Circuit:
    return majority([found.circuit for found in members])


def _method(members: list[Found]) -> str:
    kinds = dict.fromkeys(found.method for found in members)
    return f"majority of {len(members)}: {'; '.join(kinds)}"


def _again(task: Task, members: list[Found]) -> Again:
    def again(rows: Rows) -> Circuit:
        return majority(task.side_by_side(lambda found: found.again(rows) if found.again else found.circuit, members))

    return again
