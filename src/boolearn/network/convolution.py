"""Convolution: neurons on a line or a grid of sites that all look around with the same weights.

A site holds one node per channel; nodes are numbered site by site (row by row on a grid), the
channels of a site together. At the edges of a world that is not periodic only whole windows are
used, so a layer has fewer sites than the one below. Filling the windows up with the constant would
feed a neuron from it along several edges at once, which a network has no room for.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from boolearn.checks import checked_integer, checked_integers
from boolearn.errors import ParameterError
from boolearn.network.network import Network
from boolearn.network.size import check_size
from boolearn.network.stacking import Layer, stacked

_TWO_CHANNELS = "two integers, those below and those of the layer"
_HEIGHT_AND_WIDTH = "two integers, height and width"


def convolution_layer(
    shape: Sequence[int],
    channels: tuple[int, int] = (1, 1),
    kernel: int | Sequence[int] = 3,
    *,
    periodic: bool = True,
    stride: int | Sequence[int] = 1,
) -> Layer:
    """One layer of convolution on sites of any number of axes; ``channels`` are those below and its own.

    A window has ``kernel`` sites along each axis. In a periodic world site s looks at s − kernel // 2
    and on, times the stride, so that odd windows are centred; else at stride · s and on.
    """
    shape = checked_integers("shape", shape, 1, "the sites along each axis, integers")
    if not shape:
        raise ParameterError("shape", "the sites along at least one axis", shape)
    pair = checked_integers("channels", channels, 1, _TWO_CHANNELS)
    if len(pair) != 2:
        raise ParameterError("channels", _TWO_CHANNELS, channels)
    below, above = pair
    kernel = _per_axis("kernel", kernel, len(shape))
    stride = _per_axis("stride", stride, len(shape))
    nodes, window = math.prod(shape) * below, math.prod(kernel) * below
    check_size(nodes, math.prod(sites_above(shape, kernel, periodic=periodic, stride=stride)) * above * (window + 1))
    views = []
    for length, size, step in zip(shape, kernel, stride, strict=True):
        if size > length:
            raise ParameterError("kernel", f"at most {length}, the sites there are", size)
        if periodic and length % step:
            raise ParameterError("stride", f"a divisor of {length}, the sites of a periodic world", step)
        first = np.arange(0, length, step) - size // 2 if periodic else np.arange(0, length - size + 1, step)
        views.append((first[:, None] + np.arange(size)) % length)  # (sites above, places in the window)
    windows = np.zeros((1, 1), np.int64)
    for length, view in zip(shape, views, strict=True):
        windows = (windows[:, None, :, None] * length + view[None, :, None, :]).reshape(
            len(windows) * len(view), windows.shape[1] * view.shape[1]
        )
    senders = (windows[:, :, None] * below + np.arange(below)).reshape(len(windows), -1)
    return Layer(
        int(np.prod(shape)) * below, np.repeat(senders, above, axis=0), np.tile(np.arange(above), len(windows))
    )


def sites_above(
    shape: Sequence[int], kernel: int | Sequence[int], *, periodic: bool, stride: int | Sequence[int] = 1
) -> tuple[int, ...]:
    """How many sites, along each axis, a layer of convolution has on top of ``shape``."""
    kernel, stride = _per_axis("kernel", kernel, len(shape)), _per_axis("stride", stride, len(shape))
    return tuple(
        length // step if periodic else (length - size) // step + 1
        for length, size, step in zip(shape, kernel, stride, strict=True)
    )


def convolution_1d(
    width: int,
    channels: Sequence[int],
    kernel: int | Sequence[int] = 3,
    *,
    periodic: bool = True,
    stride: int | Sequence[int] = 1,
    repeat: int = 1,
) -> Network:
    """Layers of convolution on a line (or ring) of ``width`` sites.

    channels
        Of the inputs, then of every layer: ``(1, 4, 1)`` has one hidden layer of four channels.
    kernel, stride
        One number, or one per layer: ``kernel=(3, 1)`` looks around in the first layer only.
    periodic
        Whether the last site is a neighbour of the first. If not, layers shrink to whole windows.
    repeat
        How many times the stack is applied with the same weights: time steps of a cellular automaton.
    """
    return _convolution((checked_integer("width", width, 1),), channels, kernel, periodic, stride, repeat)


def convolution_2d(
    shape: tuple[int, int],
    channels: Sequence[int],
    kernel: int | Sequence[int] = 3,
    *,
    periodic: bool = True,
    stride: int | Sequence[int] = 1,
    repeat: int = 1,
) -> Network:
    """Layers of convolution on a grid (or torus) of (height, width) sites; windows are squares.

    The parameters are those of ``convolution_1d``. Windows that are not square: ``convolution_layer``.
    """
    sides = checked_integers("shape", shape, 1, _HEIGHT_AND_WIDTH)
    if len(sides) != 2:
        raise ParameterError("shape", _HEIGHT_AND_WIDTH, shape)
    return _convolution(sides, channels, kernel, periodic, stride, repeat)


def _convolution(
    shape: Sequence[int],
    channels: Sequence[int],
    kernel: int | Sequence[int],
    periodic: bool,
    stride: int | Sequence[int],
    repeat: int,
) -> Network:
    rule = "those of the inputs and of at least one layer"
    channels = checked_integers("channels", channels, 1, rule)
    if len(channels) < 2:
        raise ParameterError("channels", rule, channels)
    repeat = checked_integer("repeat", repeat, 1)
    if repeat > 1 and channels[0] != channels[-1]:
        raise ParameterError("channels", "equal at both ends of a stack that is repeated", channels)
    kernels = _per_layer("kernel", kernel, len(channels) - 1)
    strides = _per_layer("stride", stride, len(channels) - 1)
    layers = []
    for _ in range(repeat):
        for pair, size, step in zip(itertools.pairwise(channels), kernels, strides, strict=True):
            layers.append(convolution_layer(shape, pair, size, periodic=periodic, stride=step))
            shape = sites_above(shape, size, periodic=periodic, stride=step)
    return stacked(*layers, weights=list(range(len(channels) - 1)) * repeat)


def _per_layer(name: str, value: int | Sequence[int], layers: int) -> list[int]:
    return _several(name, value, layers, "layer")


def _per_axis(name: str, value: int | Sequence[int], axes: int) -> list[int]:
    return _several(name, value, axes, "axis")


def _several(name: str, value: int | Sequence[int], count: int, each: str) -> list[int]:
    if isinstance(value, Sequence):
        if len(value) != count:
            raise ParameterError(name, f"one integer, or {count}, one per {each}", value)
        return [checked_integer(name, one, 1) for one in value]
    return [checked_integer(name, value, 1)] * count
