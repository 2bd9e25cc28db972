"""What was inferred: a network, and for each variable how its function was found and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boolearn.cells.network import CellNetwork
from boolearn.data.contradictions import Contradictions
from boolearn.errors import FileError
from boolearn.files import PathLike, checked_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".bnet", ".sbml", ".html", ".svg", ".png")

MOST_ALTERNATIVES = 2**63 - 1
"""More are not counted: n unseen states leave 2ⁿ functions, a number of thousands of digits from 14 regulators on."""


@dataclass(frozen=True)
class InferredRule:
    """The update function of one variable."""

    name: str
    formula: str
    regulators: dict[str, int]
    """+1 for a regulator that activates, −1 for one that inhibits, 0 for one that does both."""
    method: str
    """"constant", "exact", "gate search", "best fit" or "delays"."""
    wrong: int
    """Transitions in which the function is wrong."""
    transitions: int
    """Transitions that say what the function is; fewer than all when updates are asynchronous."""
    unseen: int
    """States of the regulators that occur in no transition: there the function is a guess."""
    alternatives: int
    """Other functions with no more regulators that explain all transitions as well; 0 means that there are none.

    Where errors are allowed, it counts functions of the same regulators: one for each way to fill in what is unseen.
    ``MOST_ALTERNATIVES``, 2⁶³ − 1, stands for that many or more.
    """
    complete: bool
    """Whether all sets with this number of regulators were tried; else there may be more alternatives."""
    suggested: tuple[str, ...] = ()
    """Other variables that tell something about this one, although its more likely value never hangs on them."""
    held_out: float | None = None
    """The share of held-out transitions that a function inferred without them predicts; None without any."""

    @property
    def sure(self) -> bool:
        """Whether this is the only function with so few regulators that explains everything."""
        return self.wrong == 0 and self.alternatives == 0 and self.complete

    def __str__(self) -> str:
        doubts = [f"{self.wrong} of {self.transitions} wrong"] if self.wrong else []
        if self.alternatives or not (self.complete or self.wrong):
            more = "" if self.complete else " or more"
            count = f"{self.alternatives:,}" if self.alternatives < 10**6 else "over a million"
            doubts.append(f"{count}{more} other functions fit as well")
        held = "" if self.held_out is None else f"; held out {self.held_out:.1%}"
        return f"{self.name} = {self.formula}  [{self.method}; {', '.join(doubts) or 'the only one that fits'}{held}]"


@dataclass(frozen=True)
class Inference:
    """A network inferred from transitions. Print it for a summary."""

    network: CellNetwork
    rules: dict[str, InferredRule]
    transitions: int
    contradictions: Contradictions
    constant: tuple[str, ...]
    """Variables that never change in the data."""
    held_out: int = 0
    """Transitions on which the accuracy was measured."""

    @property
    def accuracy(self) -> float | None:
        """The share of values that were predicted in the held-out transitions, over all variables."""
        shares = [rule.held_out for rule in self.rules.values() if rule.held_out is not None]
        return sum(shares) / len(shares) if shares else None

    def save(self, path: PathLike) -> None:
        """Write the network as ``.bnet`` or ``.sbml``, its graph as ``.svg`` or ``.png``, or all of it as ``.html``."""
        from boolearn.cells.page import write_page
        from boolearn.circuit.drawing import save_figure

        ending = checked_path(path).suffix.lower()
        if ending not in ENDINGS:
            raise FileError(path, None, f"must end in {', '.join(ENDINGS)}.")
        if ending in (".bnet", ".sbml"):
            self.network.save(path)
        elif ending == ".html":
            write_page(self, path)
        else:
            save_figure(self.draw(), path)

    def draw(self) -> Figure:
        """The regulation graph."""
        from boolearn.cells.drawing import draw_regulations

        return draw_regulations(self.network)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as JSON holds them."""
        return {
            "variables": len(self.rules),
            "transitions": self.transitions,
            "contradictory_transitions": self.contradictions.items,
            "constant": list(self.constant),
            "held_out_transitions": self.held_out,
            "held_out_accuracy": self.accuracy,
            "rules": {name: {**vars(rule), "sure": rule.sure} for name, rule in self.rules.items()},
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        sure = sum(rule.sure for rule in self.rules.values())
        count = f"{len(self.rules)} variables from {self.transitions} transitions"
        yield f"{count}; {sure} functions are the only ones that fit."
        if self.contradictions.items:
            yield (
                f"{self.contradictions.items} transitions contradict others (same state, different successors); "
                f"at least {self.contradictions.wrong_bits} values are taken as errors."
            )
        if self.constant:
            yield f"never change: {', '.join(self.constant)}"
        if self.accuracy is not None:
            yield f"held-out accuracy: {self.accuracy:.2%} of the values in {self.held_out} transitions"
        yield from map(str, self.rules.values())
