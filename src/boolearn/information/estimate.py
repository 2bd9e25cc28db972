"""The number of items from which a network can be told from all others: h/s.

Elser & Lal, "Logic circuits": 176 items for an And/Or circuit of five layers of 32, and 132 for a Maj circuit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy.typing as npt

from boolearn.data import Dataset, InputKind, as_dataset
from boolearn.errors import DataError
from boolearn.information.entropy import Entropy, output_entropy
from boolearn.information.functions import description_bits
from boolearn.network import Network, as_network


@dataclass(frozen=True)
class Estimate:
    """Bits to describe a function of the network, bits that an item gives, and the items this makes."""

    description: float
    """h, in bits."""
    entropy: Entropy
    """s, in bits, with its bounds."""

    @property
    def items(self) -> float:
        """h/s with the best estimate of s."""
        return self._items(self.entropy.best)

    @property
    def range(self) -> tuple[float, float]:
        """The fewest and the most, with the bounds of s."""
        return self._items(self.entropy.tree), self._items(self.entropy.lower)

    def _items(self, bits: float) -> float:
        """Outputs that never change say nothing."""
        return self.description / bits if bits > 0 else float("inf")


def estimate(
    network: Network | Sequence[int], data: Dataset | tuple[npt.ArrayLike, npt.ArrayLike], *, sigma: float = 3
) -> Estimate:
    """How many items it takes to learn what the data samples, if a circuit of this network made it.

    An item gives at most the entropy of its outputs, and a function takes ``description`` bits to name. With fewer
    items many functions fit; with more, perhaps only one does. The items of ``data`` must be independent samples.
    """
    network, data = as_network(network), as_dataset(data)
    if data.input_kind is not InputKind.BOOLEAN:
        raise DataError(f"the inputs must be Boolean, so that functions can be counted. Got {data!r} instead.")
    if data.open is not None:
        raise DataError("every output bit must be specified, so that outputs can be counted.")
    for name, found, wanted in (
        ("inputs", data.n_inputs, network.n_inputs),
        ("output nodes", data.n_output_nodes, network.n_outputs),
    ):
        if found != wanted:
            raise DataError(f"the data must have {wanted} {name}, as the network has. Got {found} instead.")
    return Estimate(description_bits(network, sigma), output_entropy(data.targets))
