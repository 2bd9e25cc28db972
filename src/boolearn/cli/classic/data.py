"""boolearn classic data: inputs and what a network answers to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from boolearn.cli.classic.options import Identifier, Seed, argument, chosen_seed, whole

if TYPE_CHECKING:
    from boolearn.data import Dataset
    from boolearn.model import BoolNet


def data(
    net: Annotated[str, argument("NET", "The network, with its weights (.net or .sol).")],
    gen: Annotated[str, argument("GEN", "The codes to use as inputs (.gen); not read unless ITEMS is 0.")],
    items: Annotated[str, argument("ITEMS", "How many random inputs; 0 for the codes of GEN.")],
    ident: Identifier,
    seed: Seed = None,
) -> None:
    """Write ID.dat: random Boolean inputs, or the codes of GEN, and the network's outputs."""
    from boolearn.data import write_dat
    from boolearn.model import BoolNet
    from boolearn.network import read_net

    count = whole("ITEMS", items, 0)
    model = BoolNet(*read_net(net))
    dataset = model.sample(count, chosen_seed(seed)) if count else _decoded(model, gen)
    write_dat(dataset, f"{ident}.dat")


def _decoded(model: BoolNet, gen: str) -> Dataset:
    """The network's answers to the codes of a .gen file."""
    from boolearn.data import Dataset, read_gen
    from boolearn.errors import FileError

    codes = read_gen(gen).codes
    if codes.shape[1] != model.network.n_inputs:
        raise FileError(
            gen, None, f"codes must have {model.network.n_inputs} bits, one per input. Got {codes.shape[1]} instead."
        )
    return Dataset(codes, model.predict(codes))
