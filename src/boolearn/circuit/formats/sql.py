"""SQL: one query that adds the outputs of a circuit to every row of a table."""

from __future__ import annotations

from collections.abc import Mapping

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.names import Unique
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.files import PathLike, write_text


def sql_query(circuit: Circuit, table: str = "data", conditions: Mapping[str, str] | None = None) -> str:
    """A query in plain SQL, ``CASE WHEN`` and nothing that only one database has; the outputs are columns of 0 and 1.

    ``conditions`` gives, for an input, the condition on the columns of the table under which it is true, such as
    ``"age" > 37.5``. An input without one is a column of the table with its name, true where it is 1. A condition
    that is NULL counts as false.

    Gates stand in as many steps as the circuit is deep, each a common table expression that reads the one before:
    what is used twice is computed once.
    """
    simple = decompose(circuit)
    wanted = {name: f"{quoted(name)} = 1" for name in simple.inputs} | dict(conditions or {})
    ports = (*simple.inputs, *(name for name, _ in simple.outputs))
    unique = Unique(name.casefold() for name in ports)  # some databases compare names without case
    names = [unique(f"g{signal}") for signal in range(simple.n_signals)]
    steps: list[list[str]] = [[] for _ in range(max(simple.levels, default=0) + 1)]
    for signal in sorted(simple.live):
        index = signal - len(simple.inputs)
        condition = wanted[simple.inputs[signal]] if index < 0 else _condition(simple.gates[index], names)
        steps[simple.levels[signal]].append(_case(condition, names[signal]))
    parts: list[str] = []
    source = quoted(table)
    for step in filter(None, steps):
        name = unique(f"step{len(parts) + 1}")
        parts.append(f"{name} AS (\n  SELECT *,\n    {_lines(step)}\n  FROM {source}\n)")  # noqa: S608 (a query is what is asked for)
        source = name
    answers = [_case(_literal(names[literal.signal], literal.sign), quoted(name)) for name, literal in simple.outputs]
    beginning = f"WITH {', '.join(parts)}\n" if parts else ""
    return f"{beginning}SELECT *,\n    {_lines(answers)}\nFROM {source};\n"


def write_sql(circuit: Circuit, path: PathLike) -> None:
    """Write the query for a table called data, whose columns are the inputs."""
    write_text(path, sql_query(circuit))


def quoted(name: str) -> str:
    """A name as standard SQL quotes it."""
    return '"' + name.replace('"', '""') + '"'


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
