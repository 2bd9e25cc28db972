"""The API reference, made from the names that the packages list as public."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from enum import Enum
from types import ModuleType

import boolearn


def markdown() -> str:
    """A section for every public package; a name that several of them list is described in the first."""
    described: dict[int, str] = {}
    return "\n\n".join(part for package in public_packages() for part in section(package, described))


def public_packages() -> list[ModuleType]:
    """boolearn, then what is one level down, and so on: people write the shortest name there is."""
    modules = [value for name in boolearn.__all__ if inspect.ismodule(value := getattr(boolearn, name))]
    found = {"boolearn", *(module.__name__ for module in modules)}
    for entry in pkgutil.walk_packages(boolearn.__path__, "boolearn."):
        if entry.ispkg and not entry.name.startswith("boolearn.cli"):
            found |= {entry.name} if hasattr(importlib.import_module(entry.name), "__all__") else set()
    return [importlib.import_module(name) for name in sorted(found, key=lambda name: (name.count("."), name))]


def names(package: ModuleType) -> list[str]:
    """What a package lists; of a module without a list, the classes and functions it defines."""
    if hasattr(package, "__all__"):
        return sorted(package.__all__, key=str.lower)
    own = [name for name, value in vars(package).items() if getattr(value, "__module__", "") == package.__name__]
    return sorted(name for name in own if not name.startswith("_"))


def section(package: ModuleType, described: dict[int, str]) -> Iterator[str]:
    """``described`` maps objects that have been described to their full names."""
    yield f"## {package.__name__}"
    yield f"```{{eval-rst}}\n.. py:module:: {package.__name__}\n\n{inspect.getdoc(package) or ''}\n```"
    elsewhere = []
    for name in names(package):
        value, full = getattr(package, name), f"{package.__name__}.{name}"
        if inspect.ismodule(value):
            elsewhere.append(f"{{py:mod}}`{value.__name__}`")
        elif id(value) in described:
            elsewhere.append(f"{{py:obj}}`{name} <{described[id(value)]}>`")
        else:
            if callable(value):  # plain values may be one object and yet have nothing to do with each other
                described[id(value)] = full
            yield f"```{{eval-rst}}\n{directive(full, value)}\n```"
    if elsewhere:
        yield f"Described elsewhere on this page: {', '.join(elsewhere)}."


def directive(full: str, value: object) -> str:
    """How Sphinx is asked to describe an object."""
    if inspect.isclass(value):
        kind = "exception" if issubclass(value, BaseException) else "class"
        options = ":members:\n   :undoc-members:" if issubclass(value, Enum) else ":members:"
        return f".. auto{kind}:: {full}\n   {options}"
    if inspect.isroutine(value):
        return f".. autofunction:: {full}"
    return f".. py:data:: {full}\n\n   ``{value!r}``"
