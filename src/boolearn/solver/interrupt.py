"""Ctrl-C and termination stop a run cleanly: between iterations, with everything kept."""

from __future__ import annotations

import enum
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import ClassVar

_HANG_UP = getattr(signal, "SIGHUP", None)
"""None on Windows."""


class Request(enum.IntEnum):
    """Whether a run is asked to end."""

    NONE = 0
    STOP = 1
    """Keep everything, so that the run can be resumed."""
    TAKE = 2
    """Also: a result that fits is good enough, though the search would have improved it."""


class Interruptible:
    """While entered, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP sets ``requested``; a second one acts as usual.

    People who press Ctrl-C want what there is; batch systems, which send SIGTERM, and people whose terminal is closed
    (SIGHUP; under nohup it is ignored, and stays so) want to resume later. Where one of these is inside another, both
    are asked, also when the inner one is entered only after the request.

    Signals reach only the main thread, so elsewhere this does nothing.
    """

    _entered: ClassVar[list[Interruptible]] = []
    """In the main thread, the innermost last."""

    def __init__(self) -> None:
        self.requested = Request.NONE
        self._old: dict[signal.Signals, object] = {}
        self._waits = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """For a wait inside that cannot look around: a request also ends it, as KeyboardInterrupt."""
        self._waits = True
        try:
            yield
        finally:
            self._waits = False

    def __enter__(self) -> Interruptible:
        if threading.current_thread() is threading.main_thread():
            hang_up = [] if _HANG_UP is None or signal.getsignal(_HANG_UP) is signal.SIG_IGN else [_HANG_UP]
            for number in (signal.SIGINT, signal.SIGTERM, *hang_up):
                self._old[number] = signal.getsignal(number)  # before: the signal may come as soon as it is asked for
                signal.signal(number, self._request)
            # Looked at only now, so that a signal meanwhile is not lost: the outer one has got it, or this one.
            if self._entered and (earlier := self._entered[-1].requested):
                self.requested = max(self.requested, earlier)
                self._release()  # that was the first signal
            self._entered.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self in self._entered:
            self._entered.remove(self)
        self._release()

    def take(self) -> None:
        """As Ctrl-C would."""
        self.requested = Request.TAKE

    def _request(self, number: int, frame: FrameType | None) -> None:
        self.requested = Request.TAKE if number == signal.SIGINT else Request.STOP
        outer = getattr(self._old.get(signal.Signals(number)), "__self__", None)
        self._release()
        if isinstance(outer, Interruptible):
            outer._request(number, frame)
        if self._waits:
            raise KeyboardInterrupt

    def _release(self) -> None:
        old, self._old = self._old, {}
        for number, handler in old.items():
            # None: a handler that was not installed from Python, which cannot be put back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)  # type: ignore[arg-type]
