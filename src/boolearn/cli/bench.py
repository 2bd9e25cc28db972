"""boolearn bench: how fast one iteration is on this machine, beside other programs in the same run."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer


def bench(
    original: Annotated[Path | None, typer.Option(help="The C toolkit's train program, to time beside ours.")] = None,
    adamw: Annotated[bool, typer.Option("--adamw", help="Also time one full-batch AdamW step of PyTorch.")] = False,
    reference: Annotated[bool, typer.Option("--reference", help="Also time the NumPy engine.")] = False,
    only: Annotated[str, typer.Option(help="Only problems whose name contains this.")] = "",
    precision: Annotated[str, typer.Option(help="half, single or double.")] = "single",
    threads: Annotated[int | None, typer.Option(help="Threads, instead of each problem's own.")] = None,
    rounds: Annotated[int, typer.Option(help="Rounds; the best one counts.")] = 5,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the results as JSON.")] = None,
) -> None:
    """Time one iteration on the paper's problems. Programs take turns, and the best of several rounds counts."""
    from boolearn.bench.record import Record
    from boolearn.bench.timing import KEY, Settings, run_benchmark
    from boolearn.files import check_writable

    settings = Settings(original, reference, adamw, only, precision, threads, rounds)  # type: ignore[arg-type]
    if out is not None:
        check_writable(out)
    record = Record(
        "bench",
        KEY,
        ["boolearn", *sys.argv[1:]],
        seeds="data has seed 1 or 2",
        parameters=_parameters(asdict(settings)),
    )
    about = record.run["machine"]
    print(f"{about['processor']}, {about['cores']} cores, {about['instruction_set']}, {precision} precision")
    head = f"{'problem':24}{'threads':>8}{'iteration':>12}{'ns/edge·item':>14}{'of limit':>10}{'B/edge·item':>13}"
    others = [name for name, wanted in (("C toolkit", original), ("NumPy", reference), ("AdamW", adamw)) if wanted]
    print(head + "".join(f"{name:>12}{'ratio':>8}" for name in others))
    for timing in run_benchmark(settings):
        record.add(asdict(timing))
        line = f"{timing.problem:24}{timing.threads:8}{_time(timing.seconds):>12}{timing.nanoseconds:14.3f}"
        line += f"{timing.share_of_limit:10.0%}{timing.bytes_per_variable:13.2f}"
        for seconds in (timing.original_seconds, timing.reference_seconds, timing.adamw_seconds):
            if seconds is not None:
                line += f"{_time(seconds):>12}{seconds / timing.seconds:8.1f}"
        print(line, flush=True)
    if out is not None:
        record.write(out)
        print(f"written: {out}")


def _parameters(settings: dict[str, object]) -> dict[str, object]:
    return {name: str(value) if isinstance(value, Path) else value for name, value in settings.items()}


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"
