"""Ctrl-C and termination stop a run cleanly: between iterations, with everything kept."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class Interruptible:
    """While entered, the first SIGINT or SIGTERM sets ``requested``; a second one acts as usual.

    Signals reach only the main thread, so elsewhere this does nothing.
    """

    def __init__(self) -> None:
        self.requested = False
        self._old: dict[signal.Signals, object] = {}

    def __enter__(self) -> Interruptible:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._old[number] = signal.signal(number, self._request)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def _request(self, _number: int, _frame: FrameType | None) -> None:
        self.requested = True
        self._release()

    def _release(self) -> None:
        old, self._old = self._old, {}
        for number, handler in old.items():
            # None: a handler that was not installed from Python, which cannot be put back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)  # type: ignore[arg-type]
