"""Learn networks of Boolean threshold functions from data and read them as logic circuits.

>>> import boolearn as bl
>>> table = bl.data.multiplier(bits=2)
>>> run = bl.train(bl.layered(4, 4, 4, 4), table, sigma=3, seed=1)

The public names are the imports of ``__init__.pyi``, which is also what type checkers read. Each is
loaded when it is first used, so that ``import boolearn`` and ``boolearn --help`` are quick.
"""

import functools
import importlib


@functools.cache
def _homes() -> dict[str, str]:
    """The module that every public name is imported from, by name."""
    import ast
    import pkgutil

    stub = ast.parse(pkgutil.get_data(__name__, "__init__.pyi") or b"")
    imports = [statement for statement in stub.body if isinstance(statement, ast.ImportFrom)]
    return {alias.name: str(statement.module) for statement in imports for alias in statement.names}


def __getattr__(name: str) -> object:
    if name == "__all__":
        value: object = list(_homes())
    elif name not in _homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    elif _homes()[name] == __name__:
        value = importlib.import_module(f"{__name__}.{name}")
    else:
        value = getattr(importlib.import_module(_homes()[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})
