"""Sphinx configuration."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from sphinx.ext.napoleon import NumpyDocstring

from boolearn import __version__

sys.path.insert(0, str(Path(__file__).parent))

import command_line
import comparison_tables
import iwls2020_table
import public_names
import results
import table_results
import theory_results

project = "boolearn"
author = "The boolearn developers"
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "boolearn"
nb_execution_mode = "off"
exclude_patterns = ["_build", "jupyter_execute"]
smartquotes = False  # it would turn the two hyphens of an option into a dash
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
autodoc_typehints = "description"

GENERATED = {
    "reference/command-line": command_line.markdown,
    "reference/api": public_names.markdown,
    "method/comparison": comparison_tables.markdown,
    "method/tables": table_results.markdown,
    "method/iwls2020": iwls2020_table.markdown,
    "method/theory": theory_results.markdown,
    "results": results.markdown,
}
"""Pages that end with text made from the code or from records, so that it cannot go stale."""


def add_generated(_app: Any, page: str, source: list[str]) -> None:
    if page in GENERATED:
        source[0] += "\n" + GENERATED[page]()


def read_sections(_app: Any, what: str, _name: str, _value: object, _options: Any, lines: list[str]) -> None:
    """Numpy-style sections; attributes have none, and napoleon would take the first colon for the end of a type."""
    if what not in ("attribute", "property"):
        lines[:] = NumpyDocstring("\n".join(lines)).lines()


def skip_what_scikit_learn_adds(_app: Any, _what: str, name: str, _member: Any, skip: bool, _options: Any) -> bool:
    """Methods such as set_fit_request, whose texts refer to scikit-learn's own documentation."""
    return skip or (name.startswith("set_") and name.endswith("_request"))


def setup(app: Any) -> None:
    app.connect("autodoc-skip-member", skip_what_scikit_learn_adds)
    app.connect("source-read", add_generated)
    app.connect("autodoc-process-docstring", read_sections)
