"""Classes of functions with exact, fast learners: each fits every example or says None.

Of each class the module has a ``NAME`` and ``fit(inputs, output)`` on Boolean arrays of shape (items, inputs) and
(items,); its docstring says what it can promise and why.
"""

from types import ModuleType

from boolearn.learning.classes import (
    affine,
    arithmetic,
    chains,
    constants,
    decision_lists,
    juntas,
    normal_forms,
    symmetric,
    terms,
    threshold,
)
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted

CLASSES: tuple[ModuleType, ...] = (
    constants,
    terms,
    affine,
    symmetric,
    arithmetic,
    chains,
    juntas,
    threshold,
    decision_lists,
    normal_forms,
)
"""From the quickest to the slowest."""

__all__ = ["CLASSES", "Bits", "Drawing", "Fitted", "fits"]


def fits(inputs: Bits, output: Bits) -> list[Fitted]:
    """What every class has to offer, the shortest description first."""
    found = [fitted for one in CLASSES if (fitted := one.fit(inputs, output)) is not None]
    return sorted(found, key=lambda fitted: fitted.bits)
