"""Free codes: a gap may close while bits are still wrong, and then every iteration asks whether all items fit."""

from __future__ import annotations

import pytest

import boolearn as bl
from boolearn.data import random_vectors
from boolearn.solver.rrr.search import RRRSearch


def test_asking_the_last_wrong_item_first_changes_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wide tolerance closes the gap long before the codes give every bit."""
    vectors = random_vectors(8, 8, 1, bl.InputKind.ANY_CODE)
    answers = []
    still_wrong = RRRSearch._still_wrong

    def watched(search: RRRSearch, item: int) -> bool:
        answers.append(still_wrong(search, item))
        return answers[-1]

    def decoder() -> bl.Run:
        return bl.train([3, 8, 8], vectors, sigma=5, gamma=1e-4, gap_tol=0.3, max_iter=20_000, seed=5, threads=1)

    monkeypatch.setattr(RRRSearch, "_still_wrong", watched)
    quick = decoder()
    monkeypatch.setattr(RRRSearch, "_still_wrong", lambda *_: False)
    slow = decoder()
    assert quick.solved
    assert len(answers) > sum(answers) > 100  # mostly one item was enough, and not always
    assert (quick.iterations, quick.gap) == (slow.iterations, slow.gap)
    assert quick.model.weights.tolist() == slow.model.weights.tolist()
    assert quick.codes is not None
    assert (quick.model.predict(quick.codes) == vectors.outputs).all()
