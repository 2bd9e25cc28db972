"""boolearn demo: from a table to a proven circuit in a minute."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shutil import which
from typing import Annotated

import typer


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the picture goes.")] = Path("multiplier.svg"),
    seed: Annotated[int, typer.Option(help="Same seed, same circuit.")] = 0,
) -> None:
    """Learn the multiplication of two-bit numbers, prove the circuit and draw it."""
    from boolearn.baselines import smallest_circuit
    from boolearn.circuit import agreement
    from boolearn.circuit.formats import check_savable
    from boolearn.data import multiplier
    from boolearn.network import layered
    from boolearn.solver import train

    check_savable(out)
    table = multiplier(bits=2)
    print(f"The multiplication table of two-bit numbers: {len(table)} items, 4 bits to 4 bits.")
    print("Learning it with a network of Boolean threshold functions, 4 → 4 → 4 → 4 …", flush=True)
    run = train(layered(4, 4, 4, 4), table, sigma=3, seed=seed, max_iter=20_000, restarts=50)
    if not run.solved:
        print(f"{run.status.word}: {run.status.value}")
        raise typer.Exit(1)
    print(
        f"Solved with seed {run.seed} after {run.iterations} iterations, {run.seconds:.1f} s: every neuron is right "
        "with a margin and all of them agree, as nearly as was asked for."
    )
    circuit = run.circuit()
    print("\nThe circuit it found:\n")
    for name, formula in circuit.formulas().items():
        print(f"  {name} = {formula}")
    print(f"\n{circuit.summary()}")
    print(circuit.prove_equal(run.model))
    print(agreement(circuit, table))
    least = smallest_circuit(table)
    print(f"Exact minimum, by a SAT solver: {least.gates} gates of two inputs; {least.at_least - 1} are too few.")
    circuit.save(out)
    print(f"A picture is in {out}.")
    activate = Path(os.path.relpath(sys.prefix), "bin", "activate")
    if which("boolearn") is None and activate.exists():  # after 'make demo' the environment is not active
        print(f"\nTo go on: . {activate}\nand then: boolearn --help")
    else:
        print("\nTo go on: boolearn --help")
