"""boolearn demo: from a table to a proven circuit in a minute."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shutil import which
from typing import Annotated

import typer

from boolearn.cli.manner import is_quiet
from boolearn.cli.options import whole


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="The picture to write.")] = Path("multiplier.svg"),
    seed: Annotated[int, whole("The same seed gives the same circuit.")] = 0,
) -> None:
    """Learn to multiply two-bit numbers, prove the circuit and draw it."""
    from boolearn.baselines import smallest_circuit
    from boolearn.circuit import agreement
    from boolearn.circuit.formats import check_savable
    from boolearn.data import multiplier
    from boolearn.network import layered
    from boolearn.training import train

    check_savable(out)
    table = multiplier(bits=2)
    _tell(f"The multiplication table of two-bit numbers: {len(table)} items, 4 bits to 4 bits.")
    _tell("Learning it with a network of Boolean threshold functions, 4 → 4 → 4 → 4 …")
    run = train(layered(4, 4, 4, 4), table, sigma=3, seed=seed, max_iter=20_000, restarts=50)
    if not run.solved:
        print(f"{run.status.word}: {run.status.value}")
        raise typer.Exit(1)
    _tell(
        f"Solved with seed {run.seed} after {run.iterations} iterations, {run.seconds:.1f} s: every neuron is right "
        "with a margin on every item, up to the tolerance."
    )
    circuit = run.circuit()
    _tell("\nThe circuit it found:\n")
    for name, formula in circuit.formulas().items():
        print(f"  {name} = {formula}")
    circuit.save(out)
    if not is_quiet():
        print(f"\n{circuit.summary()}\n{circuit.prove_equal(run.model)}\n{agreement(circuit, table)}")
        least = smallest_circuit(table)
        print(
            f"Exact minimum, by a SAT solver: {least.gates} gates of two inputs; {least.at_least - 1} do not suffice."
        )
    print(f"Its picture is in {out}.")
    if not is_quiet():
        _say_what_is_next()


def _tell(text: str) -> None:
    """What only a person wants to read."""
    if not is_quiet():
        print(text, flush=True)


def _say_what_is_next() -> None:
    activate = Path(os.path.relpath(sys.prefix), "bin", "activate")
    if which("boolearn") is None and activate.exists():  # after 'make demo' the environment is not active
        print(f"\nNext: . {activate}\nand then: boolearn --help")
    else:
        print("\nNext: boolearn --help")
