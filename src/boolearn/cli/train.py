"""boolearn train: learn a network from a data file."""

from __future__ import annotations

import json
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from boolearn.cli.manner import is_quiet, shows_progress
from boolearn.cli.options import chosen_network, given, number_list, option_kinds, whole, whole_or_auto
from boolearn.cli.tables import Reader
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from mpi4py.MPI import Intracomm

    from boolearn.data import Dataset
    from boolearn.network import Network
    from boolearn.ranks import Ranks
    from boolearn.solver import Run, Solver

_NOT_OF_THE_COMMAND = ("context", "out", "resume", "distributed", "as_json")
_MAY_CHANGE = ("max_iter", "max_seconds", "threads", "checkpoint_seconds")
"""Options that, given with --resume, replace those the run was begun with."""


def train(
    context: typer.Context,
    data: Annotated[Path | None, typer.Argument(help="What to learn: a .dat, .csv, .tsv, .npz or .pla file.")] = None,
    layers: Annotated[str | None, typer.Option(help="Widths of a layered network, e.g. 4,4,4,4.")] = None,
    hidden: Annotated[
        str | None, typer.Option(help="Widths of the hidden layers alone: inputs and outputs are as wide as the data.")
    ] = None,
    network: Annotated[Path | None, typer.Option(help="A .net, .wth or .safetensors file instead of --layers.")] = None,
    reads: Annotated[
        str | None, typer.Option(help="What --layers read: below (the default), also inputs, or everything below.")
    ] = None,
    outputs: Annotated[int | None, whole("CSV: how many of the last columns are outputs.")] = None,
    target: Annotated[
        str | None, typer.Option(help="CSV: the column to learn. The others may hold numbers, text and missing values.")
    ] = None,
    bits: Annotated[int, whole("With --target: the most thresholds for a column of numbers.", least=1)] = 4,
    items: Annotated[int | None, whole("Train on the first N items, test on the rest.")] = None,
    solver: Annotated[
        str, typer.Option(help="rrr, gates (circuits of small gates), auto (both in turns) or hybrid.")
    ] = "rrr",
    sigma: Annotated[
        str, typer.Option(help="Support, a number or one per layer: 3,3,5. gates: 5 for majorities of five.")
    ] = "3",
    beta: Annotated[
        str | None, typer.Option(help="rrr: the time step (0.2), auto, or a schedule such as linear:0.5:0.2:10000.")
    ] = None,
    gamma: Annotated[
        str | None, typer.Option(help="rrr: the relaxation of the metric (0.001), auto, or a schedule.")
    ] = None,
    anneal: Annotated[
        str | None,
        typer.Option(
            help="rrr: let σ rise from 1 to its value over N iterations, or auto (0: margins as in the paper)."
        ),
    ] = None,
    support: Annotated[
        float | None,
        typer.Option(help="rrr: at most how many inputs a neuron has in effect (no bound, as in the paper)."),
    ] = None,
    gap_tol: Annotated[float | None, typer.Option(help="rrr: solved when the gap is below this (0.01).")] = None,
    precision: Annotated[str | None, typer.Option(help="rrr: half, single (the default), double or auto.")] = None,
    engine: Annotated[
        str | None, typer.Option(help="rrr: native (the default), reference, or torch (on torch's default device).")
    ] = None,
    batch: Annotated[int | None, whole("rrr: hold this many items in the solver at a time.")] = None,
    batch_iter: Annotated[
        int | None, whole("rrr: iterations an item stays in a batch (4 per item of the batch).")
    ] = None,
    batch_rule: Annotated[
        str | None, typer.Option(help="rrr: replace the whole batch (the default), or the oldest item.")
    ] = None,
    price: Annotated[
        float | None, typer.Option(help="gates: what a gate costs, in wrong bits, while a circuit is shortened (0.3).")
    ] = None,
    xor: Annotated[bool, typer.Option("--xor", help="gates: neurons may also be exclusive ors of two inputs.")] = False,
    replicas: Annotated[int | None, whole("gates: independent samplers (2, or one for each rank).")] = None,
    noise: Annotated[
        float, typer.Option(help="The share of output bits, or of class labels, that may be wrong.")
    ] = 0.0,
    input_noise: Annotated[float, typer.Option(help="The share of input bits that may be wrong.")] = 0.0,
    max_iter: Annotated[int | None, whole("Give up after this many iterations (100000).")] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Give up after this many seconds.")] = None,
    stop: Annotated[str, typer.Option(help="gap, fit, fit=3, target=0.99, stagnation=3; several with commas.")] = "gap",
    restarts: Annotated[int, whole("How many random starts to try.")] = 1,
    all_restarts: Annotated[bool, typer.Option("--all-restarts", help="Continue after one is solved.")] = False,
    halving: Annotated[int | None, whole("Abandon all restarts but the better 1/N, again and again.")] = None,
    growing: Annotated[
        float | None, typer.Option(help="Few iterations for the first start, each next one N times as many.")
    ] = None,
    seed: Annotated[int, whole("Same seed, same result.")] = 0,
    threads: Annotated[int | None, whole("At most this many threads (all cores).")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the model (DATA-run, DATA-run-2, …).")] = None,
    checkpoint_seconds: Annotated[float, typer.Option(help="How often a checkpoint is written.")] = 60.0,
    resume: Annotated[Path | None, typer.Option(help="Resume the run in this folder.")] = None,
    distributed: Annotated[
        bool, typer.Option("--distributed", help="Train on all ranks of an MPI job: mpiexec -n 4 boolearn train …")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Learn weights with which a network answers as the data says.

    A run that was stopped, by Ctrl-C or in any other way, is resumed with --resume FOLDER, where --max-iter,
    --max-seconds, --threads and --checkpoint-seconds may be changed.

    The arguments of the C toolkit's train are those of boolearn classic train.

    Exit status: 0 solved, 1 not solved, 2 error.
    """
    from boolearn.cli.distributed import all_or_none, world

    comm = world(distributed)
    with all_or_none(comm) as ranks:
        run, folder, command = _trained(context, comm, ranks)
        if not ranks.leads:
            raise typer.Exit(0)
        if as_json:
            print(json.dumps({**run.result(), "out": str(folder)}))
        else:
            _report(run, folder, _resumable(run, command))
        raise typer.Exit(0 if run.solved else 1)


def _trained(context: typer.Context, comm: Intracomm | None, ranks: Ranks) -> tuple[Run, Path, dict[str, Any]]:
    """The run, its folder and the command that it was asked for. Files are rank 0's."""
    from boolearn.data import read_npz
    from boolearn.data.handed_on import handed_on
    from boolearn.runs.folder import HANDED_ON, load_command, reserved, write_command
    from boolearn.solver.named import parameters_of

    typed, resume, quiet = context.params, context.params["resume"], context.params["as_json"] or not ranks.leads
    command = {name: value for name, value in typed.items() if name not in _NOT_OF_THE_COMMAND}
    for name in ("data", "network"):
        command[name] = None if command[name] is None else os.path.realpath(command[name])
    finished: dict[str, Any] | None = None
    with ExitStack() as stack:
        with ranks.together():
            if resume is not None:
                changed = {name: command[name] for name in _changed(context)}
                if ranks.leads:
                    kinds = option_kinds(train, command)
                    kept = load_command(resume, kinds, [("data",), ("layers", "network", "hidden")])
                    # Options that the run's version did not have yet are at default.
                    command = {**command, **kept, **changed}
                    finished = finished_result(resume)
            elif typed["data"] is None:
                raise ParameterError("data", "given, or a run with --resume", None)
            elif ranks.size > 1 and command["replicas"] is None and "replicas" in parameters_of(command["solver"]):
                command["replicas"] = max(2, ranks.size)  # kept, so that fewer ranks can resume it
        if resume is not None:
            command, finished = ranks.agreed((command, finished))
        folder = Path(resume) if resume is not None else Path(typed["out"] or free_folder(typed["data"]))
        if finished is not None:
            if ranks.leads:
                report_again(finished, folder, typed["as_json"])
            raise typer.Exit(0)
        source, copy, task = Path(command["data"]), folder / HANDED_ON, cast("_Task | None", None)
        with ranks.together():
            # What is wrong with files and layers is said before anything is made.
            if ranks.leads:
                if resume is not None and command["target"] is None and _newer(copy, source):
                    source = copy
                task = _Task(command, read_npz(copy) if source is copy else source, strict=resume is None)
        with ranks.together():
            if resume is None and ranks.leads:
                folder = stack.enter_context(reserved(folder))
                write_command(folder, command)
        dataset = handed_on(ranks, task.dataset if task else None, *ranks.agreed((source, copy)))
        with ranks.together():
            task = task or _Task(command, dataset, strict=resume is None)
        task.dataset = dataset
        return task.train(folder, resume is not None, quiet, comm), folder, command


class _Task:
    """What a command asks for, with its files read; the data may have been read elsewhere."""

    def __init__(self, command: dict[str, Any], data: Path | Dataset, strict: bool = True) -> None:
        self.command = command
        self.table = Reader(command["target"], command["bits"], command["outputs"])
        self.dataset = self.table.read(data) if isinstance(data, Path) else data
        self.network = chosen_network(self._layers(), command["network"], command["reads"])
        self.solver = chosen_solver(command, strict)
        _check_columns(self.dataset, self.network, command)

    def _layers(self) -> str | None:
        layers, hidden = self.command["layers"], self.command["hidden"]
        if layers is not None and hidden is not None:
            raise ParameterError("hidden", "left out with 'layers'", hidden)
        if hidden is None:
            return cast("str | None", layers)
        return f"{self.dataset.n_inputs},{hidden},{self.dataset.n_output_nodes}"

    def train(self, folder: Path, resume: bool, quiet: bool, comm: Intracomm | None) -> Run:
        from boolearn.runs import Checkpoints, remove_checkpoints, save_run
        from boolearn.runs.folder import CHECKPOINTS, HANDED_ON, LIVE
        from boolearn.solver import JsonLines, Restarts
        from boolearn.training import Noise, train

        command = self.command
        if not quiet and not is_quiet():
            begun = "resumed" if resume else f"seed {command['seed']}"
            part = f"the first {command['items']} items" if command["items"] is not None else "all items"
            print(f"{self.dataset!r}, {self.network!r}: training on {part}, {begun}", file=sys.stderr, flush=True)
            if comm is not None:
                again = f"boolearn train --resume {folder} --distributed"
                print(
                    f"{comm.size} ranks; should one be lost, resume on any number: {again}", file=sys.stderr, flush=True
                )
        run = train(
            self.network,
            self.dataset,
            solver=self.solver,
            sigma=number_list("sigma", command["sigma"]),
            noise=Noise(command["noise"], command["input_noise"]),
            restarts=Restarts(
                command["restarts"],
                all=command["all_restarts"],
                halving=command["halving"],
                growing=command.get("growing"),  # a folder may be older than the option
            ),
            checkpoint=Checkpoints(folder / CHECKPOINTS, every=command["checkpoint_seconds"], resume=resume),
            **{name: command[name] for name in ("items", "seed", "max_iter", "max_seconds", "stop", "threads")},
            callbacks=[JsonLines(folder / LIVE, resume=True)] if comm is None or not comm.rank else [],
            comm=comm,
            progress=shows_progress(quiet),
        )
        if comm is not None and comm.rank:
            return run
        self.table.save(folder)
        about = {"data": command["data"], "outputs": command["outputs"], **self.table.settings()}
        save_run(run, folder, command=command, **about)
        if not _resumable(run, command):
            remove_checkpoints(folder / CHECKPOINTS)
            (folder / HANDED_ON).unlink(missing_ok=True)
        return run


def _check_columns(dataset: Dataset, network: Network, command: dict[str, Any]) -> None:
    """Where only the split of a table into inputs and outputs is wrong, say how to set it."""
    columns = Path(command["data"]).suffix in (".csv", ".tsv") and not dataset.classes
    as_many = dataset.n_inputs + dataset.n_output_nodes == network.n_inputs + network.n_outputs
    if columns and as_many and dataset.n_inputs != network.n_inputs:
        raise ParameterError(
            "outputs",
            f"{network.n_outputs} for a network with {network.n_inputs} inputs and {network.n_outputs} outputs",
            command["outputs"] or 1,
        )


def chosen_solver(command: dict[str, Any], strict: bool = True) -> Solver:
    """The solver that the options ask for.

    Options of another solver are refused; if not ``strict`` they are left out, as in older run folders, which hold
    a value for every option.
    """
    from boolearn.solver.named import as_solver, parameters_of
    from boolearn.solver.rrr.batches import Batch
    from boolearn.solver.rrr.schedules import parse_schedule

    parameters: dict[str, Any] = {
        name: parse_schedule(name, command[name]) for name in ("beta", "gamma") if command.get(name) is not None
    }
    if (anneal := command.get("anneal")) is not None:
        parameters["anneal"] = whole_or_auto("anneal", anneal)
    plain = ("support", "gap_tol", "precision", "engine", "price", "replicas")
    parameters |= {name: command[name] for name in plain if command.get(name) is not None}
    if command.get("xor"):
        parameters["xor"] = True
    size, iterations, rule = (command.get(name) for name in ("batch", "batch_iter", "batch_rule"))
    if size is not None:
        parameters["batch"] = Batch(size, iterations, rule or "whole")
    elif strict:
        for name, value in (("batch_iter", iterations), ("batch_rule", rule)):
            if value is not None:
                raise ParameterError(name, "left out where there is no 'batch'", value)
    if not strict:
        known = parameters_of(command["solver"])
        parameters = {name: value for name, value in parameters.items() if name in known}
    return as_solver(command["solver"], parameters)


def _newer(copy: Path, data: Path) -> bool:
    """Is there a copy of the data that was made after them?"""
    return copy.exists() and data.exists() and copy.stat().st_mtime_ns > data.stat().st_mtime_ns


def _changed(context: typer.Context) -> list[str]:
    """The options given besides --resume; those that a run cannot change are refused."""
    changed = [name for name in given(context) if name not in ("resume", "distributed", "as_json")]
    for name in changed:
        if name not in _MAY_CHANGE:
            raise ParameterError(
                name, "left out with --resume: a run continues as it was begun", str(context.params[name])
            )
    return changed


def finished_result(folder: Path) -> dict[str, Any] | None:
    """The result of a run that was solved and has nothing to resume."""
    from boolearn.runs.folder import CHECKPOINTS, load_result
    from boolearn.solver import Status

    result = load_result(folder)
    solved = result is not None and result.get("status") in [status.word for status in Status if status.solved]
    return result if solved and not (folder / CHECKPOINTS).exists() else None


def _resumable(run: Run, command: dict[str, Any]) -> bool:
    """Is there more to be had by resuming the run?"""
    from boolearn.solver import Status

    stopped = any(start.status is Status.INTERRUPTED for start in run.starts)
    unfinished = any(not start.status.final for start in run.starts)
    missing = bool(command["all_restarts"]) and len(run.starts) < command["restarts"]
    return stopped or missing or (unfinished and not run.solved)


def _report(run: Run, folder: Path, resumable: bool) -> None:
    from boolearn.problem.noise import answers_in
    from boolearn.solver import Status, success_rate

    print(f"{run.status.word}: {run.status.value}")
    answer = "label" if run.dataset.classes else "output bit"
    if len(run.starts) > 1:
        rate = success_rate(run.starts)
        print(f"{rate.solved} of {rate.starts} starts solved", end="")
        error = f" ± {rate.error:.0f}" if rate.solved > 1 else ""
        print(f", {rate.mean_iterations:.0f}{error} iterations each" if rate.solved else "")
    if run.proved:
        specified = "" if run.dataset.open is None else "specified "
        print(f"the data is the complete truth table and every {specified}bit is right: the fit is a proof")
    if run.train_accuracy == 1 and not run.solved:
        print("every training bit is right, only the margins are not kept: --stop fit accepts such a network")
    if run.settings.get("noise"):
        print(f"believed to be wrong in the data: {_counted(int(run.doubted().sum()), answer)}")
    if not run.dataset.on_disk and (contradictions := run.dataset.contradictions).items:
        # A wrong label is two wrong bits at most.
        wrong = -(-contradictions.wrong_bits // 2) if run.dataset.classes else contradictions.wrong_bits
        share = wrong / answers_in(run.dataset)
        print(
            f"{contradictions.items} training items contradict others with the same inputs: no function gets fewer "
            f"than {_counted(wrong, answer)} wrong, a share of {share:.3g}: allow for it with --noise"
        )
    print(f"model, settings and trace are in {folder}")
    if resumable and run.settings["halving"] and run.status is Status.BUDGET:
        print("with --halving the starts have shared --max-iter out: to go further, begin another run with more")
    elif resumable:
        print(f"to resume: boolearn train --resume {folder}{_more(run)}")


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def _more(run: Run) -> str:
    """The option that gives a run which used up its budget ten times as much; one that was stopped needs none."""
    from boolearn.solver import Status

    limits = {Status.BUDGET: "max_iter", Status.TIME: "max_seconds"}
    if run.status not in limits:
        return ""
    name = limits[run.status]
    limit = cast(float, run.settings[name])
    if name == "max_seconds":
        return f" --max-seconds {10 * limit:g}"
    return f" --max-iter {10 * max(int(limit), run.iterations)}"  # a run may be resumed with less than it has done


def report_again(result: dict[str, Any], folder: Path, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"test_accuracy": None, **result, "out": str(folder)}))
    else:
        print(f"{result['status']}: this run has ended, there is nothing to resume")
        print(f"model, settings and trace are in {folder}")


def free_folder(data: Path) -> Path:
    """A name for a run's folder that is not taken."""
    base = Path(f"{data.stem}-run")
    candidate, number = base, 1
    while candidate.exists():
        number += 1
        candidate = Path(f"{base}-{number}")
    return candidate
