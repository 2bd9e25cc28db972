"""boolearn classic layered_maj: a random circuit of majority gates and copies."""

from __future__ import annotations

from boolearn.cli.classic.layered_andor import GateProbability, write_circuit
from boolearn.cli.classic.options import NewNet, Seed, WidthFile


def layered_maj(p: GateProbability, wth: WidthFile, net: NewNet, seed: Seed = None) -> None:
    """Write a random circuit: every node is a 3-input Maj with probability P, else a copy."""
    write_circuit("maj", p, wth, net, seed)
