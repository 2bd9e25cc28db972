"""A report that is served on this machine alone and follows a run under way."""

from __future__ import annotations

import json
import math
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from boolearn.report.contents import collect, live_trace
from boolearn.report.curves import columns
from boolearn.report.page import render
from boolearn.runs.folder import load_result

LOOPBACK = "127.0.0.1"


def report_server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server for the report of a run, on loopback; port 0 takes any that is free. The caller starts and closes it."""
    collect(folder)  # what is wrong with the folder is said before anybody looks

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/":
                self._answer("text/html; charset=utf-8", render(collect(folder), live=True))
            elif self.path == "/trace.json":
                self._answer("application/json", json.dumps(_state(folder)))
            else:
                self.send_error(404)

        def _answer(self, kind: str, text: str) -> None:
            content = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """The terminal belongs to the user."""

    return ThreadingHTTPServer((LOOPBACK, port), Handler)


def _state(folder: Path) -> dict[str, Any]:
    found = columns(live_trace(folder))
    finite = {
        name: [None if math.isnan(value) else value for value in values] for name, values in found.items()
    }  # JSON has no word for what is not a number
    return {"finished": load_result(folder) is not None, "columns": finite}
