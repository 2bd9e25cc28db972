"""boolearn stages: learn Boolean functions with a network that grows stage by stage."""

from __future__ import annotations

import json
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from boolearn.cli.manner import is_quiet, shows_progress
from boolearn.cli.options import given, option_kinds, whole, whole_list
from boolearn.cli.tables import Reader
from boolearn.cli.train import finished_result, free_folder, report_again
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.solver import Run

_NOT_OF_THE_COMMAND = ("context", "out", "resume", "as_json")
_MAY_CHANGE = ("resume", "as_json", "stages", "max_seconds", "threads", "checkpoint_seconds")
"""Options that, given with --resume, replace those the run was begun with, and those that are not kept."""


def train_in_stages(
    context: typer.Context,
    data: Annotated[Path | None, typer.Argument(help="Examples: a .dat, .csv, .tsv, .npz or .pla file.")] = None,
    stages: Annotated[int, whole("At most this many stages.")] = 3,
    width: Annotated[int, whole("Hidden neurons of a stage.")] = 64,
    first: Annotated[
        str | None,
        typer.Option(help="Hidden layers of the first stage, from inputs to outputs: 32,32,32 (one of WIDTH)."),
    ] = None,
    outputs: Annotated[int | None, whole("CSV: how many of the last columns are outputs.")] = None,
    target: Annotated[
        str | None, typer.Option(help="CSV: the column to learn. The others may hold numbers, text and missing values.")
    ] = None,
    bits: Annotated[int, whole("With --target: the most thresholds for a column of numbers.", least=1)] = 4,
    items: Annotated[int | None, whole("Train on the first N items, test on the rest.")] = None,
    sigma: Annotated[float, typer.Option(help="The support parameter: margins are sqrt(m/σ).")] = 3.0,
    support: Annotated[float | None, typer.Option(help="At most how many inputs a neuron has in effect (2σ).")] = None,
    max_iter: Annotated[int, whole("Iterations of each start.")] = 10_000,
    max_seconds: Annotated[float | None, typer.Option(help="Seconds of all starts of all stages together.")] = None,
    restarts: Annotated[int, whole("How many random starts each stage has.")] = 1,
    consensus: Annotated[
        int,
        whole(
            "Later stages read what at least this many starts have found. Needs --restarts of at least as many, "
            "all of which then run.",
            least=1,
        ),
    ] = 1,
    seed: Annotated[int, whole("Same seed, same result.")] = 0,
    threads: Annotated[int | None, whole("At most this many threads (all cores).")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the model (DATA-run, DATA-run-2, …).")] = None,
    checkpoint_seconds: Annotated[float, typer.Option(help="How often a checkpoint is written.")] = 60.0,
    resume: Annotated[Path | None, typer.Option(help="Resume the run in this folder.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Learn Boolean functions in stages: shallow networks, each of which reads what the earlier ones found.

    No layers have to be chosen. A run that was stopped is resumed with --resume FOLDER, where --stages, --max-seconds,
    --threads and --checkpoint-seconds may be changed.

    Exit status: 0 every training bit is right, 1 not all are, 2 error.
    """
    from boolearn.runs.folder import load_command, reserved, write_command

    command = {name: value for name, value in context.params.items() if name not in _NOT_OF_THE_COMMAND}
    with ExitStack() as stack:
        if resume is not None:
            changed = {}
            for name in given(context):
                if name not in _MAY_CHANGE:
                    rule = "left out with --resume: a run continues as it was begun"
                    raise ParameterError(name, rule, str(context.params[name]))
                changed[name] = context.params[name]
            kept = load_command(resume, option_kinds(train_in_stages, command), [("data",), ("width",)])
            if (finished := finished_result(resume)) is not None:
                report_again(finished, resume, as_json)
                raise typer.Exit(0)
            command |= kept | {name: value for name, value in changed.items() if name in command}
            folder = resume
        elif data is None:
            raise ParameterError("data", "given, or a run with --resume", None)
        else:
            command["data"] = os.path.realpath(data)
            folder = out if out is not None else free_folder(data)
        table = Reader(command["target"], command["bits"], command["outputs"])
        dataset = table.read(Path(command["data"]))
        if resume is None:
            stack.enter_context(reserved(folder))
            write_command(folder, command)
        if not as_json and not is_quiet():
            begun = "resumed" if resume is not None else f"seed {seed}"
            several = f"up to {command['stages']} stage{'s' * (command['stages'] != 1)}"
            print(f"{dataset!r}: training in {several}, {begun}", file=sys.stderr, flush=True)
        run = _train(command, dataset, folder, resume is not None, shows_progress(as_json))
        kept_older = _save(run, folder, command, table)
    if as_json:
        print(json.dumps({**run.result(), "out": str(folder)}))
    else:
        _report(run, folder, kept_older)
    raise typer.Exit(0 if run.train_accuracy == 1 else 1)


def _train(command: dict[str, Any], dataset: Any, folder: Path, resume: bool, progress: bool) -> Run:
    from boolearn.runs import Checkpoints
    from boolearn.runs.folder import CHECKPOINTS, LIVE
    from boolearn.solver import JsonLines
    from boolearn.training import train_in_stages as run

    names = (
        *("stages", "width", "sigma", "support", "items", "seed"),
        *("max_iter", "max_seconds", "restarts", "consensus", "threads"),
    )
    first = command.get("first")  # a folder may be older than the option
    return run(
        dataset,
        first=() if first is None else whole_list("first", first),
        **{name: command[name] for name in names},
        checkpoint=Checkpoints(folder / CHECKPOINTS, every=command["checkpoint_seconds"], resume=resume),
        callbacks=[JsonLines(folder / LIVE, resume=True)],
        progress=progress,
    )


def _save(run: Run, folder: Path, command: dict[str, Any], table: Reader) -> bool:
    """Unless the folder has a better result, from before a resumed run was stopped or given less; says whether it has.

    Checkpoints go once there is nothing more to be had by resuming the run.
    """
    from boolearn.runs import remove_stages, save_run
    from boolearn.runs.folder import CHECKPOINTS, LIVE

    if not _complete(run) and _quality_in(folder) > (run.train_accuracy, run.settings["whole_stages"]):
        (folder / LIVE).unlink(missing_ok=True)
        return True
    table.save(folder)
    save_run(run, folder, command=command, data=command["data"], outputs=command["outputs"], **table.settings())
    if _complete(run):
        remove_stages(folder / CHECKPOINTS)
    return False


def _quality_in(folder: Path) -> tuple[float, int]:
    """Of the result in a folder: the training accuracy, and how many stages it has of those that were not cut off."""
    from boolearn.runs.folder import load_result, load_settings

    if (result := load_result(folder)) is None:
        return 0.0, 0
    return result["train_accuracy"], load_settings(folder).get("whole_stages", 0)


def _complete(run: Run) -> bool:
    """Further stages would have nothing to do: every output is settled, and the run was not stopped."""
    return run.solved and run.settings["settled_outputs"] == run.model.network.n_outputs


def _report(run: Run, folder: Path, kept_older: bool) -> None:
    from boolearn.solver import Status

    print(f"{run.status.word}: {run.status.value}")
    tested = "" if run.test_accuracy is None else f", {run.test_accuracy:.2%} of the others"
    network, settings = run.model.network, run.settings
    print(f"{run.train_accuracy:.2%} of training bits are right{tested}, with {network.n_neurons} neurons")
    if "consensus" in settings:
        print(
            f"{settings['settled_outputs']} of {network.n_outputs} outputs are settled (found alike by enough starts)"
        )
    if kept_older:
        print(f"an earlier result, which is right on more training bits or came further, stays in {folder}")
    else:
        print(f"model, settings and trace are in {folder}; its formulas: boolearn circuit {folder}")
    again = f"boolearn stages --resume {folder}"
    stages = cast(int, settings["stages"])
    as_many = f" --stages {stages}" if kept_older else ""  # what was asked for is saved with the result
    if run.status is Status.INTERRUPTED:
        print(f"to resume: {again}{as_many}")
    elif run.status is Status.TIME:
        print(f"to resume: {again}{as_many} --max-seconds {10 * cast(float, settings['max_seconds']):g}")
    elif not _complete(run):
        print(f"for more stages: {again} --stages {2 * max(stages, _quality_in(folder)[1])}")
