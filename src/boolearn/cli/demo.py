"""boolearn demo: from a table to a proven circuit in a minute."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the picture goes.")] = Path("multiplier.svg"),
    seed: Annotated[int, typer.Option(help="Same seed, same circuit.")] = 0,
) -> None:
    """Learn the multiplication of two-bit numbers, prove the circuit and draw it."""
    from boolearn.baselines import smallest_circuit
    from boolearn.data import multiplier
    from boolearn.network import layered
    from boolearn.solver import train

    table = multiplier(bits=2)
    print(f"The multiplication table of two-bit numbers: {len(table)} items, 4 bits to 4 bits.")
    print("Learning it with a network of Boolean threshold functions, 4 → 4 → 4 → 4:")
    run = train(layered(4, 4, 4, 4), table, sigma=3, seed=seed, max_iter=20_000, restarts=50, progress=True)
    if not run.solved:
        print(f"{run.status.word}: {run.status.value}")
        raise typer.Exit(1)
    circuit = run.circuit()
    print("\nThe circuit it found:\n")
    for name, formula in circuit.formulas().items():
        print(f"  {name} = {formula}")
    print(f"\n{circuit.summary()}")
    print(f"Against the network: {circuit.prove_equal(run.model)}")
    least = smallest_circuit(table)
    print(f"Exact minimum, by a SAT solver: {least.gates} gates of two inputs; {least.at_least - 1} are too few.")
    circuit.save(out)
    print(f"A picture is in {out}.")
