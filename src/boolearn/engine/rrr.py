"""Reflect–reflect–relax, for any two sets with projections.

    z ← z + β (P_B(R_A(z)) − P_A(z)),    R_A(z) = 2 P_A(z) − z

Where it stands still both projections agree and their common value lies in both sets. On convex
sets it is the Douglas–Rachford recursion z ← (1 − β/2) z + (β/2) R_B(R_A(z)).

Elser & Lal, "Constraint satisfaction with RRR".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self, TypeVar


class Vector(Protocol):
    """Whatever can be added and scaled."""

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __rmul__(self, factor: float, /) -> Self: ...


V = TypeVar("V", bound=Vector)


def rrr_step(z: V, project_a: Callable[[V], V], project_b: Callable[[V], V], beta: float) -> tuple[V, V]:
    """One iteration: the new point, and the difference P_B(R_A(z)) − P_A(z) whose size is the gap."""
    a = project_a(z)
    reflected = 2.0 * a - z
    difference = project_b(reflected) - a
    return z + beta * difference, difference
