"""boolearn make: data sets and networks to learn with. The ending of the file's name says in which format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boolearn.cli.options import whole, whole_list
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.data import Dataset, InputKind

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Make data sets and networks.",
)

Out = Annotated[Path, typer.Option("--out", "-o", help="The file to write; its ending says in which format.")]
Seed = Annotated[int, whole("The same seed makes the same file.")]
Items = Annotated[int, whole("Number of items.")]
Steps = Annotated[int, whole("Steps from inputs to outputs.")]
Height = Annotated[int, whole("Number of rows.")]
Width = Annotated[int, whole("Number of columns.")]
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
def multiplier(out: Out, bits: Annotated[int, whole("Bits of each factor.")] = 2) -> None:
    """The complete multiplication table of BITS-bit numbers."""
    from boolearn.data import multiplier

    _save(multiplier(bits), out)


@app.command()
def vectors(
    out: Out,
    items: Items = 8,
    bits: Annotated[int, whole("Bits of each vector.")] = 8,
    seed: Seed = 0,
    free: Free = None,
) -> None:
    """Different random vectors, for an autoencoder."""
    from boolearn.data import random_vectors

    _save(random_vectors(items, bits, seed, _code(free)), out)


@app.command()
def one_hot(out: Out, items: Items = 8, free: Free = None) -> None:
    """One-hot vectors, for an autoencoder."""
    from boolearn.data import one_hot_vectors

    _save(one_hot_vectors(items, _code(free)), out)


@app.command()
def automaton(
    out: Out,
    rule: Annotated[int, typer.Option(help="Wolfram's number of the rule.")] = 30,
    size: Annotated[int, whole("Cells of the periodic world.")] = 16,
    steps: Steps = 1,
    items: Items = 10_000,
    neighbours: Annotated[int, whole("Number of cells that the rule looks at, odd.")] = 3,
    seed: Seed = 0,
) -> None:
    """States of a cellular automaton and the states STEPS later."""
    from boolearn.data import automaton

    _save(automaton(rule, size, steps, items, seed, neighbours), out)


@app.command()
def life(
    out: Out,
    height: Height = 8,
    width: Width = 8,
    steps: Steps = 1,
    items: Items = 1000,
    rule: Annotated[str, typer.Option(help="Numbers of live neighbours for birth and for survival.")] = "B3/S23",
    density: Annotated[float, typer.Option(help="Share of cells that are alive in the first state.")] = 0.5,
    seed: Seed = 0,
) -> None:
    """States of the Game of Life and the states STEPS later."""
    from boolearn.data import life

    _save(life(height, width, steps, items, seed, rule, density), out)


@app.command()
def circuit(
    out: Out,
    layers: Annotated[str, typer.Option(help="Widths, inputs first.")] = "32,32,32,32,32,32",
    gates: Annotated[str, typer.Option(help="andor or maj.")] = "andor",
    gate_probability: Annotated[
        float, typer.Option(help="Probability that a node is a gate; the others are copies.")
    ] = 0.5,
    items: Items = 10_000,
    seed: Seed = 0,
    network: Annotated[Path | None, typer.Option(help="Also write the circuit itself, as .net.")] = None,
) -> None:
    """Random inputs and the outputs of a random logic circuit."""
    from boolearn.model import random_model

    drawn = random_model(whole_list("layers", layers), gates=gates, gate_probability=gate_probability, seed=seed)
    _save(drawn.sample(items, seed), out)
    if network is not None:
        drawn.save(network)
        print(f"{network}: {drawn!r}")


@app.command()
def roman(
    out: Out,
    largest: Annotated[int, whole("The largest number.")] = 899,
    task: Annotated[str, typer.Option(help="value or copy.")] = "value",
    code: Annotated[str, typer.Option(help="Bits of a letter: one-hot or four-bit.")] = "one-hot",
) -> None:
    """Roman numerals and their values. With --task copy, the outputs are the inputs."""
    from boolearn.data import roman

    _save(roman(largest, task, code), out)


@app.command()
def seven_segments(out: Out) -> None:
    """Decimal digits in binary and the segments that show them; the numbers from 10 on are left open."""
    from boolearn.data import seven_segments

    _save(seven_segments(), out)


@app.command()
def mirror(
    out: Out,
    height: Height = 4,
    width: Width = 4,
    items: Items = 1000,
    task: Annotated[str, typer.Option(help="image, symmetric or copy.")] = "image",
    seed: Seed = 0,
) -> None:
    """Random pictures and their mirror images. With --task symmetric: is the picture symmetric?

    With --task copy, pictures whose right half mirrors the left one, perhaps as a negative, for autoencoders.
    """
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
    directory: Annotated[Path | None, typer.Option(help="Directory with MNIST's IDX files.")] = None,
    seed: Seed = 0,
) -> None:
    """Black-and-white 16×16 pictures of fours, for a generator."""
    from boolearn.data import mnist_fours

    _save(mnist_fours(directory, seed=seed), out)


@app.command()
def network(out: Out, layers: Annotated[str, typer.Option(help="Widths, inputs first: 4,4,4,4.")]) -> None:
    """A layered network, all weights 0 (.net)."""
    import numpy as np

    from boolearn.network import layered, write_net

    wiring = layered(whole_list("layers", layers))
    write_net(wiring, np.zeros(wiring.n_weights), out)
    print(f"{out}: {wiring!r}")


@app.command()
def convolution(
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write, .safetensors.")],
    shape: Annotated[str, typer.Option(help="Sites: 16 for a ring, 8,8 for a torus.")] = "16",
    channels: Annotated[str, typer.Option(help="Channels of the inputs, then of every layer.")] = "1,3,1",
    kernel: Annotated[str, typer.Option(help="Width of a window, one number or one per layer.")] = "3,1",
    stride: Annotated[str, typer.Option(help="Distance between windows, one number or one per layer.")] = "1",
    repeat: Annotated[int, whole("How many times the layers are applied, with the same weights.")] = 1,
    periodic: Annotated[
        bool, typer.Option("--periodic/--not-periodic", help="Whether the last site is a neighbour of the first.")
    ] = True,
) -> None:
    """A network whose sites share weights, all 0 (.safetensors)."""
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
