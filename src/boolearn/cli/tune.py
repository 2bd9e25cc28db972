"""boolearn tune: find the β and γ with which a problem is solved soonest."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from boolearn.cli.manner import shows_progress
from boolearn.cli.options import chosen_network, given, whole
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.solver.axes import Axis
    from boolearn.tuning import Tuning

_TUNED = ("beta", "gamma", "sigma")
_OF_TUNING = (*_TUNED, "max_seconds", "trials", "starts", "as_json")
"""Options that train does not take, or does not take as they were given."""


def tune(
    context: typer.Context,
    data: Annotated[Path, typer.Argument(help="What to learn: a .dat, .csv, .tsv, .npz or .pla file.")],
    layers: Annotated[str | None, typer.Option(help="Widths of a layered network, e.g. 4,4,4,4.")] = None,
    network: Annotated[Path | None, typer.Option(help="A .net or .safetensors file instead of --layers.")] = None,
    reads: Annotated[
        str | None, typer.Option(help="What --layers read: below (the default), also inputs, or everything below.")
    ] = None,
    items: Annotated[int | None, whole("Train on the first N items.")] = None,
    beta: Annotated[str, typer.Option(help="A number, a range LOW:HIGH, or a choice 0.2,0.4.")] = "0.05:1",
    gamma: Annotated[str, typer.Option(help="A number, a range or a choice.")] = "0:0.01",
    sigma: Annotated[str, typer.Option(help="A number, a range or a choice; it changes what is learned.")] = "3",
    max_seconds: Annotated[float | None, typer.Option(help="How long to try settings (60).")] = None,
    trials: Annotated[int | None, whole("Try this many settings instead: same seed, same result.")] = None,
    starts: Annotated[int, whole("Starts of a setting that is not given up early.")] = 8,
    max_iter: Annotated[int | None, whole("Give up a start after this many iterations.")] = None,
    gap_tol: Annotated[float, typer.Option(help="Solved when the gap is below this.")] = 0.01,
    stop: Annotated[str, typer.Option(help="What else counts as solved: gap, fit, fit=3, target=0.99.")] = "gap",
    noise: Annotated[
        float, typer.Option(help="The share of output bits, or of class labels, that may be wrong.")
    ] = 0.0,
    input_noise: Annotated[float, typer.Option(help="The share of input bits that may be wrong.")] = 0.0,
    seed: Annotated[int, whole("Start k of every setting has seed + k.")] = 0,
    precision: Annotated[str, typer.Option(help="half, single, double or auto.")] = "single",
    threads: Annotated[int | None, whole("At most this many threads (all cores).")] = None,
    outputs: Annotated[int | None, whole("CSV: how many of the last columns are outputs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Find the settings that solve a problem at least cost.

    Ctrl-C ends it early with what there is.

    Exit status: 0 when the best setting solved the problem, 1 when none did, 2 error.
    """
    from boolearn.data import read
    from boolearn.solver import RRR
    from boolearn.training import Noise
    from boolearn.tuning import describe
    from boolearn.tuning import tune as find

    solver = RRR(
        beta=values("beta", beta),
        gamma=values("gamma", gamma),
        gap_tol=gap_tol,
        precision=precision,  # type: ignore[arg-type]
    )
    tuning = find(
        chosen_network(layers, None if network is None else str(network), reads),
        read(data, outputs=outputs),
        solver,
        sigma=values("sigma", sigma),
        max_seconds=max_seconds,
        trials=trials,
        starts=starts,
        max_iter=max_iter,
        stop=stop,
        seed=seed,
        items=items,
        noise=Noise(noise, input_noise),
        threads=threads,
        progress=shows_progress(as_json),
    )
    if as_json:
        print(json.dumps(tuning.result()))
    else:
        ended = "interrupted; " if tuning.interrupted else ""
        what = "best" if tuning.solved else "no setting solved the problem; closest"
        print(f"{ended}{what} of {len(tuning.settings)} settings, with at most {tuning.max_iter} iterations a start:")
        for tried in [tried for tried in tuning.ranking() if tried.starts][:5]:
            print(f"  {describe(tried)}")
        print(f"to train with the best: {train_command(context, tuning)}")
    raise typer.Exit(0 if tuning.solved else 1)


def train_command(context: typer.Context, tuning: Tuning) -> str:
    """The command that trains with the best β, γ and σ, the same limit, and all else as it was given here."""
    best = tuning.winner.plain()
    words = ["boolearn", "train", str(context.params["data"])]
    for name in given(context):
        if name != "data" and name not in _OF_TUNING:
            words += [f"--{name.replace('_', '-')}", str(context.params[name])]
    if "max_iter" not in given(context):
        words += ["--max-iter", str(tuning.max_iter)]
    for name in _TUNED:
        value = cast(float, best[name])
        short = f"{value:g}"
        words += [f"--{name}", short if float(short) == value else repr(value)]
    return shlex.join(words)


def values(name: str, text: str) -> float | Axis:
    """``0.2``, ``0.05:1`` or ``0.2,0.4``."""
    from boolearn.solver.axes import Choice, Range

    try:
        numbers = [float(part) for part in text.split(":" if ":" in text else ",")]
    except ValueError:
        numbers = []
    if ":" in text and len(numbers) == 2:
        if not numbers[0] < numbers[1]:
            raise ParameterError(name, "a range LOW:HIGH with LOW below HIGH", text)
        return Range(*numbers)
    if ":" in text or not numbers:
        raise ParameterError(name, "a number, a range LOW:HIGH, or numbers with commas between them", text)
    return numbers[0] if len(numbers) == 1 else Choice(*numbers)
