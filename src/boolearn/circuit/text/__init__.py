"""Circuits as formulas and back."""
