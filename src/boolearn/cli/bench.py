"""boolearn bench: how fast one iteration is, here, against others in the same run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boolearn.solver.benchmark import Result


def bench(
    original: Annotated[Path | None, typer.Option(help="The C toolkit's train program, to time beside ours.")] = None,
    adamw: Annotated[bool, typer.Option("--adamw", help="Also time one full-batch AdamW step of PyTorch.")] = False,
    reference: Annotated[bool, typer.Option("--reference", help="Also time the NumPy engine.")] = False,
    only: Annotated[str, typer.Option(help="Only problems whose name holds this.")] = "",
    precision: Annotated[str, typer.Option(help="half, single or double.")] = "single",
    threads: Annotated[int | None, typer.Option(help="Threads, instead of each problem's own.")] = None,
    rounds: Annotated[int, typer.Option(help="Rounds; the best of each counts.")] = 5,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the results as JSON.")] = None,
) -> None:
    """Time iterations of the engines on the paper's problems; everything is interleaved, the best of several counts."""
    from boolearn.files import check_writable, write_text
    from boolearn.solver.benchmark import Settings, machine, run_benchmark

    settings = Settings(original, reference, adamw, only, precision, threads, rounds)  # type: ignore[arg-type]
    if out is not None:
        check_writable(out)
    about = machine()
    print(f"{about['processor']}, {about['cores']} cores, {about['instruction_set']}, {precision} precision")
    head = f"{'problem':24}{'threads':>8}{'iteration':>12}{'ns/edge·item':>14}{'of limit':>10}{'B/edge·item':>13}"
    others = [name for name, wanted in (("C toolkit", original), ("NumPy", reference), ("AdamW", adamw)) if wanted]
    print(head + "".join(f"{name:>12}{'ratio':>8}" for name in others))
    results: list[Result] = []
    for result in run_benchmark(settings):
        results.append(result)
        line = f"{result.problem:24}{result.threads:8}{_time(result.seconds):>12}{result.nanoseconds:14.3f}"
        line += f"{result.share_of_limit:10.0%}{result.bytes_per_variable:13.2f}"
        for seconds in (result.original_seconds, result.reference_seconds, result.adamw_seconds):
            if seconds is not None:
                line += f"{_time(seconds):>12}{seconds / result.seconds:8.1f}"
        print(line, flush=True)
    if out is not None:
        from dataclasses import asdict

        write_text(out, json.dumps({"machine": about, "results": [asdict(r) for r in results]}, indent=2) + "\n")
        print(f"written: {out}")


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"
