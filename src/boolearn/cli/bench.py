"""boolearn bench: how fast this machine iterates and solves, beside other programs in the same run."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from boolearn.cli.options import whole_or_auto
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.bench.record import Record, Row
    from boolearn.bench.solutions import Comparison, Effort


def bench(
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Time solutions instead of iterations, ours and the C toolkit's.")
    ] = False,
    original: Annotated[Path | None, typer.Option(help="The C toolkit's train program, to time beside ours.")] = None,
    adamw: Annotated[bool, typer.Option("--adamw", help="Also time one full-batch AdamW step of PyTorch.")] = False,
    reference: Annotated[bool, typer.Option("--reference", help="Also time the NumPy engine.")] = False,
    only: Annotated[str, typer.Option(help="Only problems whose name contains this.")] = "",
    precision: Annotated[str, typer.Option(help="half, single or double.")] = "single",
    threads: Annotated[int | None, typer.Option(help="Threads, instead of each problem's own.")] = None,
    rounds: Annotated[int, typer.Option(help="Rounds; the best one counts.")] = 5,
    starts: Annotated[int, typer.Option(help="With --solutions: starts of each program on each problem.")] = 20,
    max_seconds: Annotated[
        int, typer.Option(help="With --solutions: CPU seconds of each program on each problem.")
    ] = 60,
    solver: Annotated[
        str, typer.Option(help="With --solutions: our solver, rrr, or auto for RRR and the gate search in turns.")
    ] = "rrr",
    beta: Annotated[str | None, typer.Option(help="With --solutions: β of our RRR, a number or auto.")] = None,
    gamma: Annotated[str | None, typer.Option(help="With --solutions: γ of our RRR, a number or auto.")] = None,
    anneal: Annotated[
        str | None, typer.Option(help="With --solutions: iterations over which σ of our RRR rises, or auto.")
    ] = None,
    growing: Annotated[
        float | None, typer.Option(help="With --solutions: the factor by which limits of our starts grow.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the results as JSON.")] = None,
) -> None:
    """Time one iteration on the paper's problems. Programs take turns, and the best of several rounds counts.

    With --solutions: the CPU and wall seconds for a solved start.
    """
    if solutions:
        for name, given, usual in (("adamw", adamw, False), ("reference", reference, False), ("rounds", rounds, 5)):
            if given != usual:
                raise ParameterError(name, "left out with --solutions", given)
        _solutions(original, only, threads, starts, max_seconds, solver, beta, gamma, anneal, growing, out)
    else:
        _iterations(original, adamw, reference, only, precision, threads, rounds, out)


def _iterations(
    original: Path | None,
    adamw: bool,
    reference: bool,
    only: str,
    precision: str,
    threads: int | None,
    rounds: int,
    out: Path | None,
) -> None:
    from boolearn.bench.timing import KEY, Settings, run_benchmark

    settings = Settings(original, reference, adamw, only, precision, threads, rounds)  # type: ignore[arg-type]
    record = _record("bench", KEY, "data has seed 1 or 2", asdict(settings), out)
    print(f"{_machine(record)}, {precision} precision")
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
    _write(record, out)


def _solutions(
    original: Path | None,
    only: str,
    threads: int | None,
    starts: int,
    max_seconds: int,
    solver: str,
    beta: str | None,
    gamma: str | None,
    anneal: str | None,
    growing: float | None,
    out: Path | None,
) -> None:
    from boolearn.bench.record import read_record
    from boolearn.bench.solutions import KEY, MOST_STARTS, Settings, run_solutions

    schedules = _number_or_auto("beta", beta), _number_or_auto("gamma", gamma)
    rise = None if anneal is None else whole_or_auto("anneal", anneal)
    settings = Settings(original, only, starts, max_seconds, threads, solver, *schedules, rise, growing)  # type: ignore[arg-type]
    seeds = "start k, from 0, of ours has seed k; the C toolkit takes the time; data has seed 1"
    if growing is not None:
        seeds = seeds.replace("has seed k", f"has seed {MOST_STARTS} k, and one more each time until one is solved")
    record = _record("solutions", KEY, seeds, asdict(settings), out)
    print(_machine(record))
    print("CPU seconds for a solution; ≥: none found within this time")
    head = f"{'problem':30}{'ours':>22}{'solved':>9}"
    beside = f"{'C toolkit':>22}{'solved':>9}{'ratio':>16}{'wall':>8}{'an iteration':>14}{'iterations':>12}"
    print(head if original is None else head + beside)
    for comparison in run_solutions(settings):
        record.add(comparison.row())
        if out is not None:
            record.write_into(out)  # hours may go by until the last problem is solved
        line = f"{comparison.task.name:30}{_effort(comparison.ours)}"
        if comparison.original is not None:
            line += f"{_effort(comparison.original)}{_ratio(comparison):>16}"
            wall, speed, fewer = comparison.wall_ratio, comparison.iteration_ratio, comparison.iterations_ratio
            line += f"{'' if wall is None else _short(wall):>8}"
            line += f"{'' if speed is None else f'{speed:.1f}':>14}{'' if fewer is None else f'{fewer:.2g}':>12}"
        print(line, flush=True)
    if original is not None:
        _print_means(record.rows if out is None else read_record(out)["rows"], solver)


def _print_means(rows: list[Row], solver: str) -> None:
    """Over all problems that a record has for this solver: several runs, each with its --only, may have made it."""
    from boolearn.bench.solutions import geometric_mean

    rows = [row for row in rows if row["solver"] == solver]
    found = [row for row in rows if row["cpu_ratio"] is not None]
    measured = [row for row in found if not row["ratios_are_lower_bounds"]]
    print(f"solved by both: {len(measured)} of {len(rows)} problems; by ours alone: {len(found) - len(measured)}")
    for name, chosen in (
        ("CPU seconds of an iteration", [row["iteration_cpu_ratio"] for row in found]),
        ("CPU seconds, solved by both", [row["cpu_ratio"] for row in measured]),
        ("wall seconds, lower bounds included", [row["wall_ratio"] for row in found]),
    ):
        mean = geometric_mean([ratio for ratio in chosen if ratio is not None])
        if mean is not None:
            print(f"{name}: {mean:.3g} times")
    # What a user waits for; the C toolkit has one thread.
    mean = geometric_mean([row["wall_ratio"] for row in measured])
    print("geometric mean unknown" if mean is None else f"geometric mean {mean:.3g} times the C toolkit")


def _number_or_auto(name: str, text: str | None) -> float | Literal["auto"] | None:
    try:
        return text if text is None or text == "auto" else float(text)  # type: ignore[return-value]
    except ValueError:
        raise ParameterError(name, "a number or auto", text) from None


def _record(name: str, key: tuple[str, ...], seeds: str, settings: dict[str, object], out: Path | None) -> Record:
    from boolearn.bench.record import Record
    from boolearn.files import check_writable

    if out is not None:
        check_writable(out)
    parameters = {field: str(value) if isinstance(value, Path) else value for field, value in settings.items()}
    return Record(name, key, ["boolearn", *sys.argv[1:]], seeds=seeds, parameters=parameters)


def _write(record: Record, out: Path | None) -> None:
    if out is not None:
        record.write(out)
        print(f"written: {out}")


def _machine(record: Record) -> str:
    about = record.run["machine"]
    return f"{about['processor']}, {about['cores']} cores, {about['instruction_set']}"


def _effort(effort: Effort) -> str:
    seconds, error = effort.per_solution(effort.cpu_seconds), effort.relative_error
    if seconds is None:
        text = f"≥ {effort.cpu_seconds:.3g} s"
    else:
        text = f"{seconds:.3g} s" if error is None else f"{seconds:.3g} ± {seconds * error:.2g} s"
    return f"{text:>22}{f'{effort.solved}/{len(effort.starts)}':>9}"


def _ratio(comparison: Comparison) -> str:
    if comparison.cpu_ratio is None:
        return "–"
    if comparison.is_bound:
        return f"≥ {_short(comparison.cpu_ratio)}"
    error = comparison.ratio_error
    return _short(comparison.cpu_ratio) + ("" if error is None else f" ± {_short(error, 2)}")


def _short(number: float, digits: int = 3) -> str:
    """As many digits, and no exponent where there are more before the point."""
    return f"{number:.{digits}g}" if number < 10**digits else f"{number:.0f}"


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"
