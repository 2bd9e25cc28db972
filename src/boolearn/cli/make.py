"""boolearn make: data sets and networks to learn with. The format follows the file's ending."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boolearn.cli.options import whole_list
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.data import Dataset, InputKind

app = typer.Typer(no_args_is_help=True, help="Make data sets (.dat, .csv, .tsv, .npz, .pla) and networks (.net).")

Out = Annotated[Path, typer.Option("--out", "-o", help="The file to write.")]
Seed = Annotated[int, typer.Option(help="Same seed, same file.")]
Items = Annotated[int, typer.Option(help="How many items.")]
Free = Annotated[str | None, typer.Option(help="Outputs only, for generators: any or one-hot.")]


def _save(dataset: Dataset, out: Path) -> None:
    from boolearn.data import write

    write(dataset, out)
    print(f"{out}: {dataset!r}")


def _code(free: str | None) -> InputKind | None:
    from boolearn.data import InputKind

    kinds = {None: None, "any": InputKind.ANY_CODE, "one-hot": InputKind.ONE_HOT_CODE}
    if free not in kinds:
        raise ParameterError("free", "'any' or 'one-hot'", free)
    return kinds[free]


@app.command()
def multiplier(out: Out, bits: Annotated[int, typer.Option(help="Bits of each factor.")] = 2) -> None:
    """The complete multiplication table of BITS-bit numbers."""
    from boolearn.data import multiplier

    _save(multiplier(bits), out)


@app.command()
def vectors(out: Out, items: Items = 8, bits: int = 8, seed: Seed = 0, free: Free = None) -> None:
    """Different random vectors, to be reproduced by an autoencoder."""
    from boolearn.data import random_vectors

    _save(random_vectors(items, bits, seed, _code(free)), out)


@app.command()
def one_hot(out: Out, items: Items = 8, free: Free = None) -> None:
    """One-hot vectors, to be reproduced by an autoencoder."""
    from boolearn.data import one_hot_vectors

    _save(one_hot_vectors(items, _code(free)), out)


@app.command()
def automaton(
    out: Out,
    rule: Annotated[int, typer.Option(help="Wolfram's number of the rule.")] = 30,
    size: Annotated[int, typer.Option(help="Cells of the periodic world.")] = 16,
    steps: int = 1,
    items: Items = 10_000,
    neighbours: Annotated[int, typer.Option(help="Cells a rule looks at, odd.")] = 3,
    seed: Seed = 0,
) -> None:
    """States of a one-dimensional cellular automaton and the states STEPS later."""
    from boolearn.data import automaton

    _save(automaton(rule, size, steps, items, seed, neighbours), out)


@app.command()
def life(
    out: Out,
    height: int = 8,
    width: int = 8,
    steps: int = 1,
    items: Items = 1000,
    rule: Annotated[str, typer.Option(help="Neighbours for birth and for survival.")] = "B3/S23",
    density: Annotated[float, typer.Option(help="The share of live cells at first.")] = 0.5,
    seed: Seed = 0,
) -> None:
    """States of the Game of Life on a torus and the states STEPS later."""
    from boolearn.data import life

    _save(life(height, width, steps, items, seed, rule, density), out)


@app.command()
def circuit(
    out: Out,
    layers: Annotated[str, typer.Option(help="Widths, inputs first.")] = "32,32,32,32,32,32",
    gates: Annotated[str, typer.Option(help="andor or maj.")] = "andor",
    gate_probability: Annotated[float, typer.Option(help="The other nodes are copies.")] = 0.5,
    items: Items = 10_000,
    seed: Seed = 0,
    network: Annotated[Path | None, typer.Option(help="Also write the circuit itself, as .net.")] = None,
) -> None:
    """Random inputs and what a random logic circuit answers to them."""
    from boolearn.model import random_model

    drawn = random_model(*whole_list("layers", layers), gates=gates, gate_probability=gate_probability, seed=seed)
    _save(drawn.sample(items, seed), out)
    if network is not None:
        drawn.save(network)
        print(f"{network}: {drawn!r}")


@app.command()
def roman(out: Out, largest: int = 899, task: str = "value", code: str = "one-hot") -> None:
    """Roman numerals and their values (or, with --task copy, themselves)."""
    from boolearn.data import roman

    _save(roman(largest, task, code), out)


@app.command()
def mirror(out: Out, height: int = 4, width: int = 4, items: Items = 1000, task: str = "image", seed: Seed = 0) -> None:
    """Random pictures and their mirror images (or, with --task symmetric, whether they have one axis)."""
    from boolearn.data import mirror

    _save(mirror(height, width, items, seed, task), out)


@app.command()
def digits(out: Out, source: Annotated[str, typer.Option(help="scikit-learn, paper or all.")] = "scikit-learn") -> None:
    """Grey 8×8 pictures of digits with their classes."""
    from boolearn.data import digits

    _save(digits(source), out)


@app.command()
def mnist4(
    out: Out,
    directory: Annotated[Path | None, typer.Option(help="Where the usual IDX files lie.")] = None,
    seed: Seed = 0,
) -> None:
    """Black-and-white 16×16 pictures of fours, for a generator with one-hot codes."""
    from boolearn.data import mnist_fours

    _save(mnist_fours(directory, seed=seed), out)


@app.command()
def network(out: Out, layers: Annotated[str, typer.Option(help="Widths, inputs first: 4,4,4,4.")]) -> None:
    """A layered network, all weights 0, for --network and for the C toolkit."""
    import numpy as np

    from boolearn.network import layered, write_net

    wiring = layered(*whole_list("layers", layers))
    write_net(wiring, np.zeros(wiring.n_weights), out)
    print(f"{out}: {wiring!r}")


@app.command()
def convolution(
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write, .safetensors.")],
    shape: Annotated[str, typer.Option(help="Sites: 16 for a ring, 8,8 for a torus.")] = "16",
    channels: Annotated[str, typer.Option(help="Of the inputs, then of every layer.")] = "1,3,1",
    kernel: Annotated[str, typer.Option(help="Sites a window is wide, one per layer.")] = "3,1",
    stride: Annotated[str, typer.Option(help="Sites from window to window, one or one per layer.")] = "1",
    repeat: Annotated[int, typer.Option(help="Apply the layers so often with the same weights.")] = 1,
    periodic: Annotated[bool, typer.Option("--periodic/--not-periodic", help="Is the world closed?")] = True,
) -> None:
    """A network whose sites share weights, all 0, for --network."""
    import numpy as np

    from boolearn.errors import FileError
    from boolearn.model import BoolNet
    from boolearn.network import convolution_1d, convolution_2d

    if out.suffix != ".safetensors":
        raise FileError(out, None, f"shared weights are kept by .safetensors files only. Got {out.suffix!r} instead.")
    sites = whole_list("shape", shape)
    widths = whole_list("channels", channels)
    sizes, steps = (_one_or_several(name, text) for name, text in (("kernel", kernel), ("stride", stride)))
    if len(sites) == 1:
        wiring = convolution_1d(sites[0], widths, sizes, periodic=periodic, stride=steps, repeat=repeat)
    elif len(sites) == 2:
        pair = sites[0], sites[1]
        wiring = convolution_2d(pair, widths, sizes, periodic=periodic, stride=steps, repeat=repeat)
    else:
        raise ParameterError("shape", "one or two integers", shape)
    BoolNet(wiring, np.zeros(wiring.n_weights)).save(out)
    print(f"{out}: {wiring!r}")


def _one_or_several(name: str, text: str) -> int | list[int]:
    numbers = list(whole_list(name, text))
    return numbers[0] if len(numbers) == 1 else numbers
