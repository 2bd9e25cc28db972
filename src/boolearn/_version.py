"""The version: the build reads it from here, and nothing has to ask the installation for it."""

__version__ = "0.1.0"
