"""boolearn train: learn a network from a data file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boolearn.cli.options import number_list, whole_list
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.network import Network
    from boolearn.solver import Run


def train(
    data: Annotated[Path, typer.Argument(help="What to learn: a .dat, .csv, .tsv, .npz or .pla file.")],
    layers: Annotated[str | None, typer.Option(help="Widths of a layered network, e.g. 4,4,4,4.")] = None,
    network: Annotated[
        Path | None, typer.Option(help="A network file (.net, .safetensors) instead of --layers.")
    ] = None,
    items: Annotated[int | None, typer.Option(help="Train on the first N items, test on the rest.")] = None,
    sigma: Annotated[str, typer.Option(help="Support parameter; one number, or one per layer: 3,3,5.")] = "3",
    beta: Annotated[float, typer.Option(help="Time step of the RRR iteration.")] = 0.2,
    gamma: Annotated[float, typer.Option(help="Relaxation of the metric.")] = 1e-3,
    max_iter: Annotated[int | None, typer.Option(help="Give up after so many iterations (100000).")] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Give up after so many seconds.")] = None,
    gap_tol: Annotated[float, typer.Option(help="Solved when the gap is below this.")] = 0.01,
    stop: Annotated[str, typer.Option(help="gap, or fit: also when every training bit is right.")] = "gap",
    solver: Annotated[str, typer.Option(help="rrr, or gates: search among circuits of small gates.")] = "rrr",
    restarts: Annotated[int, typer.Option(help="How many random starts to try.")] = 1,
    all_restarts: Annotated[bool, typer.Option("--all-restarts", help="Go on after one is solved.")] = False,
    seed: Annotated[int, typer.Option(help="Same seed, same result.")] = 0,
    threads: Annotated[int | None, typer.Option(help="At most so many threads (all cores).")] = None,
    noise: Annotated[float, typer.Option(help="gates: the share of output bits that may be wrong.")] = 0.0,
    outputs: Annotated[int | None, typer.Option(help="CSV: how many of the last columns are outputs.")] = None,
    out: Annotated[Path | None, typer.Option(help="Directory for the model (DATA-run, DATA-run-2, …).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
    batch: Annotated[int | None, typer.Option(hidden=True)] = None,
    batch_iter: Annotated[int | None, typer.Option(hidden=True)] = None,
    resume: Annotated[Path | None, typer.Option(hidden=True)] = None,
    distributed: Annotated[bool, typer.Option("--distributed", hidden=True)] = False,
) -> None:
    """Learn weights with which a network answers as the data says.

    Exit status: 0 solved, 1 not solved, 2 error.
    """
    from boolearn.data import read
    from boolearn.solver import train as learn
    from boolearn.solver.directory import reserved, save_run

    _refuse_missing(solver, batch=batch, batch_iter=batch_iter, resume=resume, distributed=distributed or None)
    dataset = read(data) if outputs is None else read(data, outputs=outputs)
    wiring = _network(layers, network)
    with reserved(out if out is not None else _free_directory(data)) as directory:
        if not as_json:
            print(f"{dataset!r} on {wiring!r}, seed {seed}", file=sys.stderr, flush=True)
        run = learn(
            wiring,
            dataset,
            solver=solver,  # type: ignore[arg-type]
            noise=noise,
            sigma=number_list("sigma", sigma),
            beta=beta,
            gamma=gamma,
            max_iter=max_iter,
            max_seconds=max_seconds,
            gap_tol=gap_tol,
            stop=stop,  # type: ignore[arg-type]
            restarts=restarts,
            all_restarts=all_restarts,
            seed=seed,
            threads=threads,
            items=items,
            progress=not as_json or sys.stderr.isatty(),
        )
        save_run(run, directory, data=str(data.resolve()), outputs=outputs)
    if as_json:
        print(json.dumps(report(run, directory)))
    else:
        _tell(run, directory)
    raise typer.Exit(0 if run.solved else 1)


def report(run: Run, directory: Path) -> dict[str, object]:
    """What --json prints."""
    return {
        **run.result(),
        "starts": len(run.starts),
        "solved_starts": sum(start.status.solved for start in run.starts),
        "out": str(directory),
    }


def _tell(run: Run, directory: Path) -> None:
    from boolearn.solver import success_rate

    print(f"{run.status.word}: {run.status.value}")
    if len(run.starts) > 1:
        rate = success_rate(run.starts)
        print(f"{rate.solved} of {rate.starts} starts solved", end="")
        print(f", {rate.mean_iterations:.0f} ± {rate.error:.0f} iterations each" if rate.solved else "")
    print(f"model, settings and trace are in {directory}")


def _network(layers: str | None, network: Path | None) -> Network:
    from boolearn.network import layered
    from boolearn.network.files import read_net

    if (layers is None) == (network is None):
        raise ParameterError("network", "given by either --layers or --network", None if layers is None else "both")
    if network is not None and network.suffix == ".safetensors":
        from boolearn.model import BoolNet

        return BoolNet.load(network).network
    if network is not None:
        return read_net(network)[0]
    return layered(*whole_list("layers", layers or ""))


def _free_directory(data: Path) -> Path:
    base = Path(f"{data.stem}-run")
    candidate, number = base, 1
    while candidate.exists():
        number += 1
        candidate = Path(f"{base}-{number}")
    return candidate


def _refuse_missing(solver: str, **options: object) -> None:
    if solver not in ("rrr", "gates"):
        raise ParameterError("solver", "'rrr' or 'gates', the solvers of this version", solver)
    for name, value in options.items():
        if value is not None:
            raise ParameterError(name, "left out: this version does not have it yet", value)
