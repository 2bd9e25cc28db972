"""Minimising: from a specification, in any of our formats, to the smallest circuit that can be found."""

from boolearn.minimising.minimise import Minimised, Stage, minimise

__all__ = ["Minimised", "Stage", "minimise"]
