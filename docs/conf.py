"""Sphinx configuration."""

from importlib.metadata import version as installed_version

project = "boolearn"
author = "The boolearn developers"
version = release = installed_version("boolearn")
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "boolearn"
nb_execution_mode = "off"
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath", "deflist"]
autodoc_typehints = "description"
