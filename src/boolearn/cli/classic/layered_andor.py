"""boolearn classic layered_andor: a random circuit of And/Or gates and copies."""

from __future__ import annotations

from typing import Annotated

from boolearn.cli.classic.options import NewNet, Seed, WidthFile, argument, chosen_seed, number

GateProbability = Annotated[str, argument("P", "The probability that a node is a gate, not a copy.")]


def layered_andor(p: GateProbability, wth: WidthFile, net: NewNet, seed: Seed = None) -> None:
    """Write a random circuit: every node is a 2-input And/Or with probability P, else a copy."""
    write_circuit("andor", p, wth, net, seed)


def write_circuit(gates: str, p: str, wth: str, net: str, seed: int | None) -> None:
    """Draw a random circuit of the given gates on the layers of a .wth file."""
    from boolearn.model import random_model
    from boolearn.network import read_widths, write_net

    probability = number("P", p)
    widths = read_widths(wth)
    circuit = random_model(*widths, gates=gates, gate_probability=probability, seed=chosen_seed(seed))
    write_net(circuit.network, circuit.weights, net)
