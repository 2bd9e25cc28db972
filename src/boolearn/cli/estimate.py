"""boolearn estimate: how many items a network needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boolearn.cli.options import chosen_network, whole


def estimate(
    network: Annotated[
        str, typer.Argument(help="Widths of a layered network, e.g. 4,4,4; or a .net or .safetensors file.")
    ],
    data: Annotated[Path, typer.Argument(help="A data file, of independent samples.")],
    sigma: Annotated[float, typer.Option(help="The support parameter; from 1 to below 9.")] = 3.0,
    outputs: Annotated[int, whole("Output columns of a .csv or .tsv file, the last ones.", least=1)] = 1,
) -> None:
    """Estimate how many items it takes to learn what the data samples.

    A function of the network takes h bits to name, and the outputs of an item give at most s bits: h/s items are
    needed. s is estimated from the data; the bounds say how well that can be done with the items there are.
    """
    from boolearn.data import read
    from boolearn.information import estimate as compute

    widths = network.replace(",", "").isdigit()
    chosen = chosen_network(network if widths else None, None if widths else network)
    columns = data.suffix.lower() in (".csv", ".tsv")
    found = compute(chosen, read(data, outputs if columns else None), sigma=sigma)
    s = found.entropy
    fewest, most = found.range
    print(f"h: {found.description:.1f} bits describe a function of the network with σ {sigma:g}")
    print(f"s: {s.best:.2f} bits for an item, from {s.lower:.2f} to {s.tree:.2f}")
    print(f"items needed: about {found.items:.0f}, from {fewest:.0f} to {most:.0f}")
    print()
    print(f"s from {s.samples:,} items, {s.distinct:,} of them different, {s.coverage:.1%} of all outputs seen:")
    for name, bits, bias in (
        ("plug-in", s.plug_in, "too low on average; the paper's way"),
        ("Miller–Madow", s.miller_madow, "the first term of the bias added"),
        ("Chao–Shen", s.chao_shen, "unseen outputs made up for"),
        ("collision", s.collision, "a lower bound, from items that agree"),
        ("tree", s.tree, "an upper bound, from pairs of bits"),
    ):
        print(f"  {name:14}{bits:7.2f}  {bias}")
