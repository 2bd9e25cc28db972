"""Circuits as files, one format a module. ``save`` and ``load`` choose the format by the file's ending."""

from boolearn.circuit.formats.registry import check_savable, load, save

__all__ = ["check_savable", "load", "save"]
