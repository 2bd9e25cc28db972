"""boolearn classic data_cellauto: states of a cellular automaton, before and after some steps."""

from __future__ import annotations

from typing import Annotated

from boolearn.cli.classic.options import Identifier, Seed, argument, chosen_seed, long_integer, whole


def data_cellauto(
    bits: Annotated[str, argument("BITS", "How many neighbouring cells the rule looks at; odd.")],
    rule: Annotated[str, argument("RULE", "Wolfram's number of the rule.")],
    size: Annotated[str, argument("SIZE", "Cells of the periodic world.")],
    steps: Annotated[str, argument("STEPS", "Steps from inputs to outputs.")],
    items: Annotated[str, argument("ITEMS", "How many random states.")],
    ident: Identifier,
    seed: Seed = None,
) -> None:
    """Write ID.dat: random states of a periodic world, and the states STEPS later."""
    from boolearn.data import automaton, write_dat

    dataset = automaton(
        long_integer("RULE", rule),
        whole("SIZE", size, 1),
        whole("STEPS", steps, 0),
        whole("ITEMS", items, 1),
        seed=chosen_seed(seed),
        neighbours=whole("BITS", bits, 1),
    )
    write_dat(dataset, f"{ident}.dat")
