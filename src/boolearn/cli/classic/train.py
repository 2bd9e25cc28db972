"""boolearn classic train: several runs of RRR from random starts, recorded in files as they go."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from boolearn.cli.classic.options import MOST_ITERATIONS, Identifier, Seed, argument, chosen_seed, number
from boolearn.cli.classic.options import whole as whole_argument
from boolearn.cli.options import whole


def train(
    net: Annotated[str, argument("NET", "The network (.net); its weights do not matter.")],
    dat: Annotated[str, argument("DAT", "The data (.dat).")],
    items: Annotated[str, argument("ITEMS", "Train on the first ITEMS items, test on the rest.")],
    sigma: Annotated[str, argument("SIGMA", "Support parameter.")],
    beta: Annotated[str, argument("BETA", "Time step.")],
    gamma: Annotated[str, argument("GAMMA", "Metric relaxation.")],
    lines: Annotated[str, argument("LINES", "Maximum number of lines of ID.gap.")],
    maxiter: Annotated[str, argument("MAXITER", "Maximum number of iterations of a run.")],
    gapstop: Annotated[str, argument("GAPSTOP", "A run is solved when its gap is below this.")],
    runs: Annotated[str, argument("RUNS", "Number of runs.")],
    ident: Identifier,
    seed: Seed = None,
    threads: Annotated[int | None, whole("Maximum number of threads; by default all cores.", least=1)] = None,
) -> None:
    """Train; write ID.cmd, ID.gap, ID.run, ID.sol and, for free inputs, ID.gen.

    Exit status: 0 when all runs were done, solved or not; 2 error; 130 interrupted.
    """
    from boolearn.cli.classic.recorder import ENDINGS, Recorder
    from boolearn.data import read_dat
    from boolearn.files import check_writable
    from boolearn.network import read_net
    from boolearn.solver import RRR, Restarts
    from boolearn.training import train as learn

    arguments = (net, dat, items, sigma, beta, gamma, lines, maxiter, gapstop, runs, ident)
    max_iter = whole_argument("MAXITER", maxiter, 1, MOST_ITERATIONS)
    n_lines, n_runs, n_items = (
        whole_argument(name, text, 1) for name, text in (("LINES", lines), ("RUNS", runs), ("ITEMS", items))
    )
    solver = RRR(beta=number("beta", beta), gamma=number("gamma", gamma), gap_tol=number("gap_tol", gapstop))
    network, dataset = read_net(net)[0], read_dat(dat)
    for ending in ENDINGS:
        check_writable(f"{ident}.{ending}")
    first_seed = chosen_seed(seed)
    command = ("boolearn", "classic", "train", *arguments, "--seed", str(first_seed))
    recorder = Recorder(ident, command, n_runs, dataset.input_kind)
    learn(
        network,
        dataset,
        solver=solver,
        sigma=number("sigma", sigma),
        max_iter=max_iter,
        seed=first_seed,
        items=n_items,
        restarts=Restarts(n_runs, all=True),
        threads=threads,
        # With MAXITER 1 there is one trace line, the last, whatever the ratio.
        trace_ratio=max_iter ** (1 / n_lines) if max_iter > 1 else 2,
        callbacks=[recorder],
        progress=sys.stderr.isatty(),
    )
    print(recorder.summary)
    if recorder.interrupted:
        raise typer.Exit(130)
