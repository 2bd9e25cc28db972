"""Circuits as files, one format a module. ``save`` and ``load`` choose the format by the file's ending."""

from boolearn.circuit.formats.registry import load, save

__all__ = ["load", "save"]
