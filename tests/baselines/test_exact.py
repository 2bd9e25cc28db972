"""Exact synthesis: right circuits, least sizes, honest answers."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boolearn.baselines import Answer, Library, Specification, SynthesisStatus, smallest_circuit
from boolearn.baselines.exact_encoding import CompactEncoding
from boolearn.baselines.paper_encoding import PaperEncoding
from boolearn.circuit import Circuit, Kind, circuit_from_formulas, prove_equal
from boolearn.data import Dataset
from boolearn.errors import BoolearnError, DataError, ParameterError

Table = npt.NDArray[np.int8]


def tables(rows: int, outputs: int, values: tuple[int, ...] = (-1, 1)) -> st.SearchStrategy[Table]:
    entries = st.lists(st.sampled_from(values), min_size=rows * outputs, max_size=rows * outputs)
    return entries.map(lambda flat: np.array(flat, np.int8).reshape(rows, outputs))


def least_gates_by_enumeration(n: int, most: int, majority: bool) -> dict[int, int]:
    """For every function of n inputs, as a truth table of bits, the least number of gates: by trying all circuits.

    Functions are kept up to negation, as negation is free.
    """
    rows = 1 << n
    full = (1 << rows) - 1

    def normal(function: int) -> int:
        return full ^ function if function & 1 else function

    inputs = [normal(sum(1 << r for r in range(rows) if r >> i & 1)) for i in range(n)]
    least = dict.fromkeys((0, *inputs), 0)
    seen: set[frozenset[int]] = set()

    def extend(signals: frozenset[int], gates: int) -> None:
        if gates > most or signals in seen:
            return
        seen.add(signals)
        made = set()
        for a, b in itertools.combinations(sorted(signals), 2):
            made |= {a & b, a | b, a & (full ^ b), b & (full ^ a)}
        if majority:
            for a, b, c in itertools.combinations(sorted(signals), 3):
                for x, y, z in ((a, b, c), (full ^ a, b, c), (a, full ^ b, c), (a, b, full ^ c)):
                    made.add((x & y) | (x & z) | (y & z))
        for function in made - signals - {0}:
            least[function] = min(least.get(function, gates), gates)
            extend(signals | {function}, gates + 1)

    extend(frozenset(inputs), 1)
    return least


@pytest.mark.parametrize("library", Library)
def test_every_function_of_three_inputs_gets_its_least_number_of_gates(library: Library) -> None:
    least = least_gates_by_enumeration(3, 3, library is Library.AND_OR_MAJ)
    assert len(least) > 40
    for function in range(0, 256, 2):  # up to negation
        outputs = np.array([[1 if function >> row & 1 else -1] for row in range(8)], np.int8)
        found = smallest_circuit(Specification.from_truth_table(outputs), library=library, max_gates=3)
        # The enumeration numbers rows with the first input lowest; exchanging inputs changes no size.
        mirrored = sum((function >> row & 1) << int(f"{row:03b}"[::-1], 2) for row in range(8))
        assert found.gates == least.get(mirrored), bin(function)


@given(tables(8, 2, (-1, 0, 1)), st.sampled_from(Library))
@settings(max_examples=25)
def test_the_circuit_meets_the_table_and_counts_right(outputs: Table, library: Library) -> None:
    spec = Specification.from_truth_table(outputs)
    found = smallest_circuit(spec, library=library, max_gates=5)
    if found.status is SynthesisStatus.NONE:
        assert found.at_least == 6
        return
    assert found.circuit is not None
    assert spec.met_by(found.circuit.predict(spec.inputs))
    assert found.gates == found.at_least == real_gates(found.circuit)
    assert set(found.circuit.counts) <= {Kind.AND, Kind.OR, Kind.MAJ, Kind.CONSTANT}
    assert [budget.answer for budget in found.budgets[:-1]] == [Answer.UNSATISFIABLE] * (len(found.budgets) - 1)


@pytest.mark.slow
@given(tables(8, 2))
@settings(max_examples=15)
def test_the_paper_s_encoding_finds_the_same_sizes(outputs: Table) -> None:
    """Its outputs cannot be negated, so an output and its complement, a negated input or a constant cost it a gate."""
    spec = Specification.from_truth_table(outputs)
    ours = smallest_circuit(spec, max_gates=4)
    theirs = smallest_circuit(spec, max_gates=5, encoding="paper")
    extra = 0
    for column in {tuple(column) for column in outputs.T.tolist()}:
        negated = tuple(-value for value in column)
        projections = {tuple(column) for column in spec.inputs.T.tolist()}
        if len(set(column)) == 1 or negated in projections:
            extra += 1
        elif column not in projections and column < negated:
            extra += negated in {tuple(other) for other in outputs.T.tolist()}
    if ours.gates is None:
        assert theirs.gates in (5, None)  # more than the four that we may use
    else:
        assert theirs.gates == (ours.gates + extra if ours.gates + extra <= 5 else None)


def real_gates(circuit: Circuit) -> int:
    return len(circuit.gates) - circuit.counts.get(Kind.CONSTANT, 0)


@pytest.mark.slow
def test_the_two_bit_multiplier_takes_eight_gates_and_seven_are_too_few(two_bit_multiplier: Dataset) -> None:
    found = smallest_circuit(two_bit_multiplier)
    assert found.status is SynthesisStatus.FOUND
    assert found.gates == 8
    assert [budget.answer for budget in found.budgets] == [Answer.UNSATISFIABLE] * 8 + [Answer.SATISFIABLE]
    assert str(found).startswith("The smallest circuit has 8 gates; that 7 are too few is proved")
    assert found.circuit is not None
    assert np.array_equal(found.circuit.predict(two_bit_multiplier.inputs), two_bit_multiplier.outputs)


def test_the_paper_s_encoding_has_the_paper_s_size(two_bit_multiplier: Dataset) -> None:
    spec = Specification.from_dataset(two_bit_multiplier)
    theirs, ours = PaperEncoding(spec, 8).formula, CompactEncoding(spec, 8, Library.AND_OR, None).formula
    assert (theirs.variables, len(theirs.clauses)) == (680, 9716)
    assert ours.variables < theirs.variables


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["cadical195", "glucose42"])
def test_the_paper_s_encoding_proves_the_same_minimum(two_bit_multiplier: Dataset, solver: str) -> None:
    assert smallest_circuit(two_bit_multiplier, encoding="paper", solver=solver).gates == 8


@pytest.mark.slow
def test_majorities_do_not_help_the_multiplier(two_bit_multiplier: Dataset) -> None:
    assert smallest_circuit(two_bit_multiplier, library="and-or-maj").gates == 8


def parity(n: int) -> Table:
    return np.array([[1 if bin(row).count("1") % 2 else -1] for row in range(1 << n)], np.int8)


def test_a_full_adder_takes_fewer_gates_with_majorities() -> None:
    """The carry is a majority, and two more make the sum of it."""
    carry = np.array([[1 if bin(row).count("1") >= 2 else -1] for row in range(8)], np.int8)
    spec = Specification.from_truth_table(np.hstack([carry, parity(3)]))
    assert smallest_circuit(spec, library="and-or-maj").gates == 3


def test_depth_is_limited_and_no_circuit_is_no_circuit() -> None:
    spec = Specification.from_truth_table(parity(2))
    shallow = smallest_circuit(spec, depth=1)
    assert shallow.status is SynthesisStatus.NONE
    assert shallow.gates is None
    assert [budget.gates for budget in shallow.budgets] == [0, 1]
    deep = smallest_circuit(spec, depth=2)
    assert deep.gates == 3
    assert deep.circuit is not None
    assert deep.circuit.depth == 2
    three = Specification.from_truth_table(parity(3))
    assert smallest_circuit(three, depth=3, max_gates=8).status is SynthesisStatus.NONE
    assert smallest_circuit(three, depth=4).gates == 6
    assert smallest_circuit(spec, depth=0).status is SynthesisStatus.NONE


def test_no_answer_in_time_is_not_none(two_bit_multiplier: Dataset) -> None:
    found = smallest_circuit(two_bit_multiplier, max_seconds=0.1)
    assert found.status is SynthesisStatus.NO_ANSWER
    assert found.circuit is None
    assert found.budgets[-1].answer is Answer.NO_ANSWER
    assert 0 < found.at_least <= 8
    given_up = smallest_circuit(two_bit_multiplier, max_gates=3)
    assert given_up.status is SynthesisStatus.NONE
    assert given_up.at_least == 4
    assert "Every circuit has 4 gates or more" in str(given_up)
    assert smallest_circuit(two_bit_multiplier, max_seconds=600).gates == 8


def test_what_is_open_may_be_anything() -> None:
    exclusive_or = parity(2).copy()
    exclusive_or[3] = 0
    assert smallest_circuit(Specification.from_truth_table(exclusive_or)).gates == 1
    items = Dataset([[0, 0], [0, 1], [1, 0]], [[0], [1], [1]])
    assert smallest_circuit(items).gates == 1
    nothing = smallest_circuit(Specification.from_truth_table(np.zeros((4, 1), np.int8)))
    assert nothing.gates == 0


def test_inputs_constants_and_negations_are_free_and_gates_are_shared() -> None:
    a, b = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]], np.int8).T
    both = np.where((a > 0) & (b > 0), 1, -1)
    outputs = np.stack([a, -b, np.ones(4), -np.ones(4), both, -both, both], axis=1).astype(np.int8)
    found = smallest_circuit(Specification.from_truth_table(outputs))
    assert found.gates == 1
    assert found.circuit is not None
    assert np.array_equal(found.circuit.predict(np.stack([a, b], axis=1)), outputs)


def test_names_come_from_the_data() -> None:
    data = Dataset([[0, 0], [0, 1], [1, 1]], [[0], [0], [1]], input_names=("p", "q"), output_names=("r",))
    circuit = smallest_circuit(data).circuit
    assert circuit is not None
    assert circuit.inputs == ("p", "q")
    assert circuit.outputs[0][0] == "r"


def test_what_cannot_be_meant_is_refused(two_bit_multiplier: Dataset) -> None:
    with pytest.raises(DataError, match="two answers"):
        smallest_circuit(Dataset([[0, 0], [0, 0]], [[0], [1]]))
    with pytest.raises(DataError, match="2\\*\\*n"):
        Specification.from_truth_table([[1], [1], [1]])
    with pytest.raises(DataError, match="Got 2"):
        Specification.from_truth_table([[1], [2]])
    for name, value in (
        ("library", "nand"),
        ("depth", -1),
        ("max_gates", -1),
        ("max_seconds", 0),
        ("encoding", "other"),
        ("solver", "minisat"),
    ):
        with pytest.raises(ParameterError, match=name):
            smallest_circuit(two_bit_multiplier, **{name: value})  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="library"):
        smallest_circuit(two_bit_multiplier, encoding="paper", library="and-or-maj")


def test_circuits_and_formulas_are_specifications() -> None:
    long_way = circuit_from_formulas("y = (a & ~b) | (~a & b & c) | (~a & b & ~c)", ("a", "b", "c"))
    for table in (long_way, "y = a ^ b", {"y": "a ^ b"}):
        found = smallest_circuit(table)
        assert found.gates == 3
        assert found.circuit is not None
        assert found.circuit.outputs[0][0] == "y"
    assert prove_equal(long_way, smallest_circuit(long_way).circuit)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"depth": 1.5}, "'depth' parameter must be an integer"),
        ({"max_gates": "3"}, "'max_gates' parameter must be an integer"),
        ({"max_seconds": "1"}, "'max_seconds' parameter"),
        ({"table": [[0], [1], [1], [0]]}, "Specification.from_truth_table"),
        ({"table": Circuit(tuple(f"x{k}" for k in range(17)), (), ())}, "at most 16 inputs"),
    ],
)
def test_mistakes_are_named(words: dict[str, object], message: str) -> None:
    with pytest.raises(BoolearnError, match=message):
        smallest_circuit(**{"table": "a & b", **words})  # type: ignore[arg-type]
