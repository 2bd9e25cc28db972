"""Requests to end a run, where one that can be interrupted is inside another."""

from __future__ import annotations

import signal

import pytest

from boolearn.solver.interrupt import Interruptible, Request


@pytest.mark.parametrize(("number", "request_"), [(signal.SIGINT, Request.TAKE), (signal.SIGTERM, Request.STOP)])
def test_both_are_asked_whenever_the_signal_comes(number: signal.Signals, request_: Request) -> None:
    before = signal.getsignal(number)
    with Interruptible() as outer:
        with Interruptible() as inner:
            signal.raise_signal(number)
        assert outer.requested is inner.requested is request_
        with Interruptible() as later:
            assert later.requested is request_
            assert signal.getsignal(number) is before  # a second signal acts as usual
    with Interruptible() as after:
        assert after.requested is Request.NONE
    assert signal.getsignal(number) is before


def test_a_request_that_comes_while_the_inner_one_is_entered_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    install = signal.signal

    def hurried(number: int, handler: object) -> object:
        old = install(number, handler)  # type: ignore[arg-type]
        if number == signal.SIGTERM:
            monkeypatch.undo()
            signal.raise_signal(signal.SIGTERM)
        return old

    with Interruptible() as outer:
        monkeypatch.setattr(signal, "signal", hurried)
        with Interruptible() as inner:
            pass
        assert outer.requested is inner.requested is Request.STOP
