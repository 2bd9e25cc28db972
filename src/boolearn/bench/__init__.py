"""Benchmarks: how fast an iteration is here, and records of what was measured, with the commit they were made at."""
