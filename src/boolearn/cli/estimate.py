"""boolearn estimate: how many items a network needs."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boolearn.cli.options import chosen_network, whole

if TYPE_CHECKING:
    from boolearn.information import Estimate
    from boolearn.network import Network

_NETWORKS = (".net", ".wth", ".safetensors")


def estimate(
    network: Annotated[
        str, typer.Argument(help="Widths of a layered network, e.g. 4,4,4; or a .net, .wth or .safetensors file.")
    ],
    data: Annotated[Path, typer.Argument(help="A data file, of independent samples.")],
    sigma: Annotated[float, typer.Option(help="The support parameter; from 1 to below 9.")] = 3.0,
    outputs: Annotated[int, whole("Output columns of a .csv or .tsv file, the last ones.", least=1)] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Estimate how many items it takes to learn what the data samples.

    A function of the network takes h bits to name, and the outputs of an item give at most s bits: h/s items are
    needed. s is estimated from the data; the bounds say how well that can be done with the items there are.
    """
    from boolearn.data import read
    from boolearn.errors import DataError, FileError
    from boolearn.information import estimate as compute

    chosen = _network(network, data)
    columns = data.suffix.lower() in (".csv", ".tsv")
    dataset = read(data, outputs if columns else None)
    try:
        found = compute(chosen, dataset, sigma=sigma)
    except DataError as error:
        hint = f" --outputs says how many of the last columns are outputs, now {outputs}." if columns else ""
        raise FileError(data, None, f"{error}{hint}") from error
    if as_json:
        print(json.dumps(_report(found)))
        return
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


def _network(text: str, data: Path) -> Network:
    """The network that the first argument names; a mistake is told from a file that cannot be read."""
    from boolearn.errors import ParameterError

    if _are_widths(text):
        return chosen_network(text, None)
    if text.endswith(_NETWORKS):
        return chosen_network(None, text)
    if _are_widths(str(data)):
        raise ParameterError("network", f"given first and the data second: boolearn estimate {data} {text}", text)
    rule = f"widths with commas between them, such as 4,4,4, or a file that ends in {', '.join(_NETWORKS)}"
    raise ParameterError("network", rule, text)


def _are_widths(text: str) -> bool:
    return text.replace(",", "").isdigit()


def _report(found: Estimate) -> dict[str, Any]:
    """Plain values. JSON has no infinity: outputs that never change, from which nothing is learned, make it null."""
    items = [None if math.isinf(number) else number for number in (found.items, *found.range)]
    entropy = {**asdict(found.entropy), "best": found.entropy.best, "lower": found.entropy.lower}
    return {"items": items[0], "range": items[1:], "description": found.description, "entropy": entropy}
