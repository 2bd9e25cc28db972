"""Reading what people type."""

from __future__ import annotations

from collections.abc import Callable, Container
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Literal, get_args, get_type_hints

import typer

from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.network import Network

_MOST_DIGITS = 100


def given(context: typer.Context) -> list[str]:
    """Names of the arguments and options that were typed."""
    return [name for name in context.params if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"]


def option_kinds(command: Callable[..., None], names: Container[str]) -> dict[str, type]:
    """As what a configuration file holds these options of a command: bool, int, float or text."""
    hints = {name: hint for name, hint in get_type_hints(command).items() if name in names}
    return {name: _plain_kind(get_args(hint) or (hint,)) for name, hint in hints.items()}


def _plain_kind(types: tuple[type, ...]) -> type:
    """A path is text in a file."""
    return next((kind for kind in (bool, int, float) if kind in types), str)


def whole(text: str, *names: str, least: int | None = None) -> Any:
    """An option that takes a whole number, also written as 1e4; ``text`` is its help."""

    def parser(value: str | int) -> int:
        number = whole_number(str(value))
        if number is None or (least is not None and number < least):
            rule = "a whole number" if least is None else f"a whole number of at least {least}"
            raise typer.BadParameter(f"{value!r} is not {rule}.")
        return number

    return typer.Option(*names, parser=parser, metavar="<int>", help=text)


def whole_number(text: str) -> int | None:
    """``10000`` or ``1e4``; None for everything else."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite() or number.adjusted() > _MOST_DIGITS or number != number.to_integral_value():
        return None
    return int(number)


def whole_or_auto(name: str, text: str) -> int | Literal["auto"]:
    """``10000``, ``1e4`` or ``auto``."""
    number = whole_number(text)
    if number is None and text != "auto":
        raise ParameterError(name, "a whole number or auto", text)
    return "auto" if number is None else number


def number_list(name: str, text: str) -> float | list[float]:
    """``3`` or ``3,3,5``."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(name, "a number or numbers with commas between them", text) from None
    return numbers[0] if len(numbers) == 1 else numbers


def whole_list(name: str, text: str) -> list[int]:
    """``4,4,4``."""
    numbers = [whole_number(part) for part in text.split(",")]
    found = [number for number in numbers if number is not None]
    if len(found) < len(numbers):
        raise ParameterError(name, "whole numbers with commas between them", text)
    return found


def chosen_network(layers: str | None, network: str | None, reads: str | None = None) -> Network:
    """The network that --layers or --network asks for."""
    from boolearn.checks import checked_integer
    from boolearn.model import BoolNet
    from boolearn.network import layered
    from boolearn.network.files import read_net, read_widths

    if (layers is None) == (network is None):
        raise ParameterError("network", "given by --layers, --hidden or --network", None if layers is None else "both")
    if network is not None:
        if reads is not None:
            raise ParameterError("reads", "left out with --network, which says what neurons read", reads)
        if network.endswith(".wth"):
            return layered(read_widths(network))
        return BoolNet.load(network).network if network.endswith(".safetensors") else read_net(network)[0]
    widths = whole_list("layers", layers or "")
    for width in widths:
        checked_integer("layers", width, 1)
    return layered(widths, reads=reads or "below")  # type: ignore[arg-type]
