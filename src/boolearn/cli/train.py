"""boolearn train: learn a network from a data file."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boolearn.cli.options import chosen_network, given, number_list, option_kinds
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.solver import Run

_MAY_CHANGE = ("max_iter", "max_seconds", "threads", "checkpoint_seconds")
"""Options that, given with --resume, take the place of those the run was begun with."""


def train(
    context: typer.Context,
    data: Annotated[Path | None, typer.Argument(help="What to learn: a .dat, .csv, .tsv, .npz or .pla file.")] = None,
    layers: Annotated[str | None, typer.Option(help="Widths of a layered network, e.g. 4,4,4,4.")] = None,
    network: Annotated[Path | None, typer.Option(help="A .net or .safetensors file instead of --layers.")] = None,
    items: Annotated[int | None, typer.Option(help="Train on the first N items, test on the rest.")] = None,
    sigma: Annotated[
        str, typer.Option(help="Support, a number or one per layer: 3,3,5. gates: 5 for majorities of five.")
    ] = "3",
    beta: Annotated[str, typer.Option(help="Time step of the RRR iteration; or linear:0.5:0.2:10000.")] = "0.2",
    gamma: Annotated[str, typer.Option(help="Relaxation of the metric, a number or a schedule.")] = "0.001",
    max_iter: Annotated[int | None, typer.Option(help="Give up after so many iterations (100000).")] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Give up after so many seconds.")] = None,
    gap_tol: Annotated[float, typer.Option(help="Solved when the gap is below this.")] = 0.01,
    stop: Annotated[str, typer.Option(help="gap, fit, fit=3, target=0.99, stagnation=3; several with commas.")] = "gap",
    solver: Annotated[
        str, typer.Option(help="rrr, gates (circuits of small gates), auto (both in turns) or hybrid.")
    ] = "rrr",
    batch: Annotated[int | None, typer.Option(help="Have so many items in the solver at a time.")] = None,
    batch_iter: Annotated[int | None, typer.Option(help="Iterations an item stays in (4 per item of a batch).")] = None,
    batch_rule: Annotated[str, typer.Option(help="Replace the whole batch, or the oldest item.")] = "whole",
    noise: Annotated[float, typer.Option(help="The share of output bits that may be wrong.")] = 0.0,
    input_noise: Annotated[float, typer.Option(help="The share of input bits that may be wrong.")] = 0.0,
    price: Annotated[
        float, typer.Option(help="gates: what a gate costs, in wrong bits, while a circuit is shortened.")
    ] = 0.3,
    restarts: Annotated[int, typer.Option(help="How many random starts to try.")] = 1,
    all_restarts: Annotated[bool, typer.Option("--all-restarts", help="Go on after one is solved.")] = False,
    halving: Annotated[
        int | None, typer.Option(help="Give all restarts but the better 1/N up, again and again.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same result.")] = 0,
    precision: Annotated[str, typer.Option(help="half, single or double.")] = "single",
    threads: Annotated[int | None, typer.Option(help="At most so many threads (all cores).")] = None,
    outputs: Annotated[int | None, typer.Option(help="CSV: how many of the last columns are outputs.")] = None,
    out: Annotated[Path | None, typer.Option(help="Directory for the model (DATA-run, DATA-run-2, …).")] = None,
    checkpoint_seconds: Annotated[float, typer.Option(help="How often the state of the run is kept.")] = 60.0,
    resume: Annotated[Path | None, typer.Option(help="Go on with the run in this directory.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Learn weights with which a network answers as the data says.

    Stopped, by Ctrl-C or in any other way, a run goes on with --resume DIRECTORY, where --max-iter,
    --max-seconds, --threads and --checkpoint-seconds may be given anew.

    Exit status: 0 solved, 1 not solved, 2 error.
    """
    from boolearn.solver.directory import load_command, reserved, write_command

    command: dict[str, Any] = {
        "data": None if data is None else str(data.resolve()),
        "layers": layers,
        "network": None if network is None else str(network.resolve()),
        "outputs": outputs,
        "items": items,
        "sigma": sigma,
        "beta": beta,
        "gamma": gamma,
        "max_iter": max_iter,
        "max_seconds": max_seconds,
        "gap_tol": gap_tol,
        "stop": stop,
        "solver": solver,
        "batch": batch,
        "batch_iter": batch_iter,
        "batch_rule": batch_rule,
        "noise": noise,
        "input_noise": input_noise,
        "price": price,
        "restarts": restarts,
        "all_restarts": all_restarts,
        "halving": halving,
        "seed": seed,
        "precision": precision,
        "threads": threads,
        "checkpoint_seconds": checkpoint_seconds,
    }
    with ExitStack() as stack:
        if resume is not None:
            anew = {name: command[name] for name in _given_anew(context)}
            kept = load_command(resume, option_kinds(train, command), [("data",), ("layers", "network")])
            command = {**command, **kept, **anew}  # an option that the run's version did not have yet is as by default
            directory = resume
            if (finished := _finished(directory)) is not None:
                _tell_again(finished, directory, as_json)
                raise typer.Exit(0)
            learner = _Learner(command)
        else:
            if data is None:
                raise ParameterError("data", "given, or a run with --resume", None)
            learner = _Learner(command)  # what is wrong with files and layers is said before anything is made
            directory = stack.enter_context(reserved(out if out is not None else _free_directory(data)))
            write_command(directory, command)
        run = learner.learn(directory, resume is not None, as_json)
    if as_json:
        print(json.dumps({**run.result(), "out": str(directory)}))
    else:
        _tell(run, directory, goes_on(run, command))
    raise typer.Exit(0 if run.solved else 1)


class _Learner:
    """What a command asks for, with its files read."""

    def __init__(self, command: dict[str, Any]) -> None:
        from boolearn.data import read

        path, outputs = command["data"], command["outputs"]
        self.command = command
        self.dataset = read(path) if outputs is None else read(path, outputs=outputs)
        self.network = chosen_network(command["layers"], command["network"])

    def learn(self, directory: Path, resume: bool, quiet: bool) -> Run:
        from boolearn.solver import train as learn
        from boolearn.solver.directory import STATES, save_run
        from boolearn.solver.schedules import parse_schedule
        from boolearn.solver.store import remove_states

        own = ("data", "layers", "network", "outputs", "sigma", "beta", "gamma")
        options: dict[str, Any] = {name: value for name, value in self.command.items() if name not in own}
        if not quiet:
            begun = "resumed" if resume else f"seed {options['seed']}"
            print(f"{self.dataset!r} on {self.network!r}, {begun}", file=sys.stderr, flush=True)
        run = learn(
            self.network,
            self.dataset,
            **options,
            sigma=number_list("sigma", self.command["sigma"]),
            beta=parse_schedule("beta", self.command["beta"]),
            gamma=parse_schedule("gamma", self.command["gamma"]),
            checkpoint=directory / STATES,
            resume=resume,
            progress=not quiet or sys.stderr.isatty(),
        )
        save_run(run, directory, command=self.command, data=self.command["data"], outputs=self.command["outputs"])
        if not goes_on(run, self.command):
            remove_states(directory / STATES)
        return run


def _given_anew(context: typer.Context) -> list[str]:
    """The options given besides --resume; those a run cannot change are refused."""
    anew = [name for name in given(context) if name not in ("resume", "as_json")]
    for name in anew:
        if name not in _MAY_CHANGE:
            raise ParameterError(name, "left out with --resume: a run goes on as it was begun", context.params[name])
    return anew


def _finished(directory: Path) -> dict[str, Any] | None:
    """The result of a run that was solved and has nothing to go on from."""
    from boolearn.solver import Status
    from boolearn.solver.directory import STATES, load_result

    result = load_result(directory)
    solved = result is not None and result.get("status") in [status.word for status in Status if status.solved]
    return result if solved and not (directory / STATES).exists() else None


def _tell_again(result: dict[str, Any], directory: Path, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"test_accuracy": None, **result, "out": str(directory)}))
    else:
        print(f"{result['status']}: this run has ended, there is nothing to go on with")
        print(f"model, settings and trace are in {directory}")


def goes_on(run: Run, command: dict[str, Any]) -> bool:
    """Is there more to be had by resuming the run?"""
    from boolearn.solver import Status

    stopped = any(start.status is Status.INTERRUPTED for start in run.starts)
    unfinished = any(not start.status.final for start in run.starts)
    missing = bool(command["all_restarts"]) and len(run.starts) < command["restarts"]
    return stopped or missing or (unfinished and not run.solved)


def _tell(run: Run, directory: Path, resumable: bool) -> None:
    from boolearn.solver import success_rate

    print(f"{run.status.word}: {run.status.value}")
    if len(run.starts) > 1:
        rate = success_rate(run.starts)
        print(f"{rate.solved} of {rate.starts} starts solved", end="")
        print(f", {rate.mean_iterations:.0f} ± {rate.error:.0f} iterations each" if rate.solved else "")
    if run.proved:
        print("the data is the complete truth table and every bit is right: the fit is a proof")
    if run.settings.get("noise"):
        print(f"{int(run.doubted().sum())} output bits of the data are taken for wrong")
    print(f"model, settings and trace are in {directory}")
    if resumable:
        print(f"to go on: boolearn train --resume {directory}")


def _free_directory(data: Path) -> Path:
    base = Path(f"{data.stem}-run")
    candidate, number = base, 1
    while candidate.exists():
        number += 1
        candidate = Path(f"{base}-{number}")
    return candidate
