"""SQL: one query that adds the outputs of a circuit to every row of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.files import PathLike, write_text


def sql_query(
    circuit: Circuit,
    table: str = "data",
    conditions: Mapping[str, str] | None = None,
    columns: Sequence[str] | None = None,
) -> str:
    """A query in plain SQL, ``CASE WHEN`` and nothing that only one database has; the outputs are columns of 0 and 1.

    ``conditions`` gives, for an input, the condition on the columns of the table under which it is true, such as
    ``"age" > 37.5``. An input without one is a column of the table with its name, true where it is 1. A condition
    that is NULL counts as false.

    ``columns`` names the columns of the table that the result keeps, before the outputs. By default it keeps all of
    them, and before them the columns ``boolearn_g…`` of the signals: plain SQL cannot say all columns but these.

    Gates stand in as many steps as the circuit is deep, each a common table expression that reads the one before:
    what is used twice is computed once.
    """
    simple = decompose(circuit)
    wanted = {name: f"{quoted(name)} = 1" for name in simple.inputs} | dict(conditions or {})
    prefix = _prefix([table, *wanted.values(), *(columns or ())])
    names = [f"{prefix}g{signal}" for signal in range(simple.n_signals)]
    steps: list[list[str]] = [[] for _ in range(max(simple.levels, default=0) + 1)]
    for signal in sorted(simple.live):
        index = signal - len(simple.inputs)
        condition = wanted[simple.inputs[signal]] if index < 0 else _condition(simple.gates[index], names)
        steps[simple.levels[signal]].append(_case(condition, names[signal]))
    parts: list[str] = []
    source = quoted(table)
    for step in filter(None, steps):
        name = f"{prefix}step{len(parts) + 1}"
        # Signals first: should the table hold an earlier result, with columns of these names, SQLite reads the first.
        parts.append(f"{name} AS (\n  SELECT\n    {_lines([*step, f'{source}.*'])}\n  FROM {source}\n)")
        source = name
    kept = [f"{source}.*"] if columns is None else [quoted(name) for name in columns]
    answers = [_case(_literal(names[literal.signal], literal.sign), quoted(name)) for name, literal in simple.outputs]
    beginning = f"WITH {', '.join(parts)}\n" if parts else ""
    return f"{beginning}SELECT\n    {_lines([*kept, *answers])}\nFROM {source};\n"


def write_sql(circuit: Circuit, path: PathLike) -> None:
    """Write the query for a table called data, whose columns are the inputs."""
    write_text(path, sql_query(circuit))


def quoted(name: str) -> str:
    """A name as standard SQL quotes it."""
    return '"' + name.replace('"', '""') + '"'


def _prefix(texts: Iterable[str]) -> str:
    """What begins the names of signals and steps: in no name that we know, and in none that people give to columns,
    for the table may have columns that we do not know."""
    known = "\n".join(texts).casefold()  # some databases compare names without case
    prefix = "boolearn_"
    while prefix in known:
        prefix += "_"
    return prefix


def _case(condition: str, name: str) -> str:
    return f"CASE WHEN {condition} THEN 1 ELSE 0 END AS {name}"


def _condition(gate: Gate, names: list[str]) -> str:
    if gate.kind is Kind.CONSTANT:
        return "1 = 1" if gate.bias > 0 else "1 = 0"
    literals = [_literal(names[signal], weight) for signal, weight in zip(gate.inputs, gate.weights, strict=True)]
    return (" OR " if gate.kind is Kind.OR else " AND ").join(literals)


def _literal(name: str, sign: int) -> str:
    return f"{name} = {1 if sign > 0 else 0}"


def _lines(columns: list[str]) -> str:
    return ",\n    ".join(columns)
