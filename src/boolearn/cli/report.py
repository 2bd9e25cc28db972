"""boolearn report: a run as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boolearn.cli.options import whole


def report(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The file to write (RUN/report.html).")] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Serve the report on this machine and follow the run, until Ctrl-C.")
    ] = False,
    port: Annotated[int, whole("With --watch: the port; 0 takes any that is free.", least=0)] = 0,
) -> None:
    """Write a run as one HTML file that needs nothing else: curves, weights, circuit, formulas, proof, settings."""
    from boolearn.files import check_writable, write_text
    from boolearn.report import collect, render

    if watch:
        _watch(run, port)
        return
    contents = collect(run)
    path = out if out is not None else run / "report.html"
    check_writable(path)
    write_text(path, render(contents))
    print(f"written: {path}")


def _watch(run: Path, port: int) -> None:
    from boolearn.report.serve import LOOPBACK, report_server

    with report_server(run, port) as server:
        print(f"http://{LOOPBACK}:{server.server_port}/ follows {run}; Ctrl-C ends it.", flush=True)
        server.serve_forever()
