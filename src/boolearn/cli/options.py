"""Reading what people type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.network import Network


def number_list(name: str, text: str) -> float | list[float]:
    """``3`` or ``3,3,5``."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(name, "a number or numbers with commas between them", text) from None
    return numbers[0] if len(numbers) == 1 else numbers


def whole_list(name: str, text: str) -> list[int]:
    """``4,4,4``."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(name, "whole numbers with commas between them", text) from None


def chosen_network(layers: str | None, network: str | None) -> Network:
    """The network that --layers or --network asks for."""
    from boolearn.model import BoolNet
    from boolearn.network import layered
    from boolearn.network.files import read_net

    if (layers is None) == (network is None):
        raise ParameterError("network", "given by either --layers or --network", None if layers is None else "both")
    if network is not None:
        return BoolNet.load(network).network if network.endswith(".safetensors") else read_net(network)[0]
    return layered(*whole_list("layers", layers or ""))
