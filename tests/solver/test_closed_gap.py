"""Free codes: a gap may close while bits are still wrong, so items are asked now and then whether they fit."""

from __future__ import annotations

import pytest

import boolearn as bl
from boolearn.data import random_vectors
from boolearn.engine import make_engine
from boolearn.problem import Problem
from boolearn.solver.rrr.search import ASK_EVERY, RRRSearch

WIDE = 0.3
"""A tolerance that closes the gap long before the codes give every bit."""

VECTORS = random_vectors(8, 8, 1, bl.InputKind.ANY_CODE)


def search() -> RRRSearch:
    problem = Problem(bl.layered(3, 8, 8), VECTORS, sigma=5)
    return RRRSearch(problem, make_engine(problem, threads=1), gamma=1e-4, gap_tol=WIDE)


def test_items_are_asked_once_in_a_while_and_at_the_end_all_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    all_items_fit = RRRSearch._all_items_fit

    def watched(search: RRRSearch) -> bool:
        asked.append(search._iteration)
        return all_items_fit(search)

    monkeypatch.setattr(RRRSearch, "_all_items_fit", watched)
    run = bl.train([3, 8, 8], VECTORS, sigma=5, gamma=1e-4, gap_tol=WIDE, max_iter=20_000, seed=5, threads=1)
    assert run.solved
    assert run.gap < WIDE
    assert len(asked) > 20
    assert all(iteration % ASK_EVERY == 0 for iteration in asked)
    assert asked[-1] == run.iterations
    assert run.codes is not None
    assert (run.model.predict(run.codes) == VECTORS.outputs).all()


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_the_stretches_in_which_it_advances_change_nothing(step: int) -> None:
    whole, parts = search(), search()
    whole.begin(5)
    whole.advance(20_000)
    parts.begin(5)
    while parts.status is None and parts._iteration < 20_000:
        parts.advance(step)
        again = search()
        again.restore(parts.snapshot())
        again.status = parts.status
        parts = again
    assert whole.status is parts.status is bl.Status.SOLVED
    assert whole._iteration == parts._iteration
    assert whole.weights().tolist() == parts.weights().tolist()
