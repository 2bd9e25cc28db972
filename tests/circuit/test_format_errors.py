"""Spoiled circuit files are refused by their line, or their byte, and never in another way."""

from __future__ import annotations

import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from boolearn.circuit import Circuit, load
from boolearn.circuit.gate import conjunction, disjunction, majority
from boolearn.errors import FileError
from boolearn.files import parse_json
from mutations import result_or_file_error, spoiled
from random_circuits import all_inputs

BLIF = b"""# a comment
.model m
.inputs a b \\
  c
.outputs y z # two
.names a b t
1- 1
01 1
.names t c y
11 0
.names c z
0 1
.end
"""
AAG = b"aag 5 2 0 2 3\n2\n4\n10\n7\n10 6 9\n6 2 5\n8 3 5\ni0 a\ni1 b c\no0 sum\nc\nanything\n"
AIG = b"aig 5 2 0 2 3\n10\n7\n\x01\x03\x03\x01\x02\x02i0 a\no1 b\nc\nanything\n"
JSON = b"""{"format": "boolearn circuit",
 "version": 1,
 "inputs": ["a", "b"],
 "gates": [
  {"inputs": [0, 1], "weights": [1, -1], "bias": -1, "name": "g"},
  {"inputs": [], "weights": [], "bias": 1}
 ],
 "outputs": [
  {"name": "y", "signal": 2, "sign": -1}
 ]}
"""
FILES = {"blif": BLIF, "aag": AAG, "aig": AIG, "json": JSON}


def read(folder: Path, ending: str, content: bytes) -> Circuit:
    (folder / f"c.{ending}").write_bytes(content)
    return load(folder / f"c.{ending}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


def test_blif_reads_covers_of_both_kinds(tmp_path: Path) -> None:
    circuit = read(tmp_path, "blif", BLIF)
    assert circuit.inputs == ("a", "b", "c")
    assert [name for name, _ in circuit.outputs] == ["y", "z"]
    a, b, c = (all_inputs(3) > 0).T
    assert np.array_equal(circuit.predict(all_inputs(3)) > 0, np.stack([~((a | b) & c), ~c], axis=1))


def test_blif_takes_definitions_in_any_order_constants_and_repeated_signals(tmp_path: Path) -> None:
    content = b".inputs a\n.outputs y\n.names one none a a y\n10-1 1\n1010 1\n.names one\n1\n.names none\n.end\n"
    circuit = read(tmp_path, "blif", content)
    assert (circuit.predict([[-1], [1]]).T == [-1, 1]).all()


def test_aiger_takes_gates_in_any_order_and_names_what_has_no_symbol(tmp_path: Path) -> None:
    circuit = read(tmp_path, "aag", AAG)
    assert circuit.inputs == ("a", "b c")
    assert [name for name, _ in circuit.outputs] == ["sum", "o1"]
    a, b = (all_inputs(2) > 0).T
    assert np.array_equal(circuit.predict(all_inputs(2)) > 0, np.stack([a & ~b, ~(a & ~b)], axis=1))
    binary = read(tmp_path, "aig", AIG)
    assert binary.inputs == ("a", "i1")
    assert [name for name, _ in binary.outputs] == ["o0", "b"]


@pytest.mark.parametrize("ending", FILES)
def test_spoiled_files_give_a_circuit_or_a_file_error(folder: Path, ending: str) -> None:
    refused = 0

    @given(spoiled(FILES[ending]))
    @settings(max_examples=300, database=None)
    def try_one(content: bytes) -> None:
        nonlocal refused
        path = folder / f"c.{ending}"
        path.write_bytes(content)
        circuit = result_or_file_error(load, path)
        if circuit is None:
            refused += 1
        elif len(circuit.inputs) <= 8:
            circuit.predict(all_inputs(len(circuit.inputs)))

    try_one()
    assert refused > 50


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (b"01 1", b"01 0", 8, "same output"),
        (b"01 1", b"011 1", 8, "2 characters of 0, 1 and -. Got '011'"),
        (b"01 1", b"0x 1", 8, "Got '0x'"),
        (b"01 1", b"01 2", 8, "0 or 1. Got '2'"),
        (b"01 1", b"01", 8, "found 1 fields"),
        (b".names t c y", b".latch t c y", 9, "not supported. Got '.latch'"),
        (b".names t c y", b".subckt f x=t", 9, "not supported. Got '.subckt'"),
        (b".names t c y", b".names q c y", 9, "'q' is read and not defined"),
        (b".names t c y", b".names t c t", 9, "'t' is defined already, on line 6"),
        (b".names t c y", b".names t c z", 11, "'z' is defined already, on line 9"),
        (b".names t c y", b".names t c a", 9, "'a' is an input"),
        (b".names t c y", b".names", 9, "found the end of the line"),
        (b".names a b t", b".names y b t", 6, "'t' → 'y' → 't' form a cycle"),
        (b".names a b t", b".model again", 6, "second one"),
        (b".names a b t\n", b"", 6, "expected a command, found '1-'"),
        (b".outputs y z", b".outputs y y", 5, "Got 'y' again"),
        (b".outputs y z", b".outputs y w", 5, "'w' is not defined"),
        (b".end", b".end\n.names", 14, "after .end"),
        (b".end\n", b"", 12, "expected .end, found the end of the file"),
        (b".outputs y z # two\n", b"", 12, "expected .outputs, found the end of the file"),
        (b"# a comment", b".names \xff", 1, "UTF-8"),
    ],
)
def test_blif_errors_name_the_line(tmp_path: Path, old: bytes, new: bytes, line: int, message: str) -> None:
    assert old in BLIF
    with pytest.raises(FileError) as caught:
        read(tmp_path, "blif", BLIF.replace(old, new, 1))
    assert f"c.blif:{line}: " in str(caught.value)
    assert message in str(caught.value)


def test_blif_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    for length in range(len(BLIF.rstrip())):
        with pytest.raises(FileError, match=r"c\.blif:\d+: "):
            read(tmp_path, "blif", BLIF[:length])
    read(tmp_path, "blif", BLIF.rstrip())


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (b"aag 5", b"aga 5", 1, "aag or aig"),
        (b"aag 5 2 0 2 3", b"aag 5 2 0 2", 1, "5 numbers"),
        (b"aag 5 2 0 2 3", b"aag 5 2 1 2 2", 1, "1 latches"),
        (b"aag 5 2 0 2 3", b"aag 4 2 0 2 3", 1, "at least inputs + And gates, 5. Got 4"),
        (b"aag 5 2 0 2 3", b"aag 5 2 0 2 3 1", 1, "1 bad states"),
        (b"aag 5 2 0 2 3", b"aag x 2 0 2 3", 1, "Got 'x'"),
        (b"\n2\n4\n", b"\n2\n2\n", 3, "Got 2"),
        (b"\n2\n4\n", b"\n2\n5\n", 3, "even literal"),
        (b"\n2\n4\n", b"\n2\n4 6\n", 3, "1 number on the line"),
        (b"\n10\n7\n", b"\n10\n12\n", 5, "at most 11. Got 12"),
        (b"10 6 9\n", b"10 6\n", 6, "3 numbers on the line"),
        (b"10 6 9\n", b"4 6 9\n", 6, "not defined yet. Got 4"),
        (b"6 2 5\n", b"6 10 5\n", 6, "variables 5 → 3 → 5 form a cycle"),
        (b"aag 5 2 0 2 3", b"aag 6 2 0 2 3", 0, ""),
        (b"i0 a\n", b"i2 a\n", 9, "once. Got 'i2 a'"),
        (b"i0 a\n", b"i1 a\n", 10, "once"),
        (b"i0 a\n", b"i0 b c\n", 10, "different. Got 'b c' twice"),
        (b"i0 a\n", b"hello\n", 9, "found 'hello'"),
        (b"i0 a\n", b"i0 \xff\n", 9, "UTF-8"),
    ],
)
def test_ascii_aiger_errors_name_the_line(tmp_path: Path, old: bytes, new: bytes, line: int, message: str) -> None:
    assert old in AAG
    content = AAG.replace(old, new, 1)
    if not line:
        read(tmp_path, "aag", content)  # variables nobody defines are no error
        return
    with pytest.raises(FileError) as caught:
        read(tmp_path, "aag", content)
    assert f"c.aag:{line}: " in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "byte", "message"),
    [
        (b"aig 5", b"aig 6", 14, "must be inputs + And gates, 5"),
        (b"\x01\x03", b"\x81\x03", 22, "And gate 0 must read literals below its own, 6"),
        (b"\x01\x03", b"\xff" * 9, 28, "longer than 9 bytes"),
        (b"\x02\x02i0 a\no1 b\nc\nanything\n", b"\x02", 24, "expected And gate 2 of 3, found the end"),
        (b"\n7\n", b"\n70\n", 20, "at most 11. Got 70"),
        (b"o1 b", b"o2 b", 35, "Got 'o2 b'"),
    ],
)
def test_binary_aiger_errors_name_the_byte(tmp_path: Path, old: bytes, new: bytes, byte: int, message: str) -> None:
    assert old in AIG
    with pytest.raises(FileError) as caught:
        read(tmp_path, "aig", AIG.replace(old, new, 1))
    assert f"before byte {byte}: " in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (b"boolearn circuit", b"other", 1, "'format' must be 'boolearn circuit'. Got 'other'"),
        (b'"version": 1', b'"version": 2', 2, "'version' must be 1. Got 2"),
        (b'"version": 1', b'"version": true', 2, "Got True"),
        (b'"a", "b"', b'"a", "a"', 3, "Got 'a' twice"),
        (b'"a", "b"', b'"a", 7', 3, "Got 7"),
        (b'"a", "b"', b'"a" "b"', 3, "expected ']'"),
        (b'"inputs": ["a"', b'"more": ["a"', 3, "found 'more'"),
        (b"[0, 1]", b"[0, 2]", 5, "earlier signals, 0 to 1. Got [0, 2]"),
        (b"[0, 1]", b"[0, 0]", 5, "all different"),
        (b"[0, 1]", b"[0, 1.0]", 5, "must be integers"),
        (b"[1, -1]", b"[1, 0]", 5, "must not be zero"),
        (b"[1, -1]", b"[1, NaN]", 5, "NaN is not JSON"),
        (b"[1, -1]", b"[1, " + b"9" * 5000 + b"]", 5, "cannot be meant"),
        (b"[1, -1]", b"[" * 100_000, 5, "is nested too deeply"),
        (b'"bias": 1}', b'"bias": 0}', 6, "must not be zero"),
        (b'"bias": 1}', b'"bias": 1, "bias": 1}', 6, "every key once"),
        (b'"bias": 1}', b'"bais": 1}', 6, "'bias' is missing"),
        (b'"bias": 1}', b'"bias": 1, "x": 1}', 6, "unknown key 'x'"),
        (b'"signal": 2', b'"signal": 4', 9, "0 to 3. Got 4"),
        (b'"sign": -1', b'"sign": 0', 9, "Got 0"),
        (b"]}\n", b"]} x", 10, "end of the file"),
        (b"]}\n", b"]", 10, "expected '}', found the end of the file"),
    ],
)
def test_json_errors_name_the_line(tmp_path: Path, old: bytes, new: bytes, line: int, message: str) -> None:
    assert old in JSON
    with pytest.raises(FileError) as caught:
        read(tmp_path, "json", JSON.replace(old, new, 1))
    assert f"c.json:{line}: " in str(caught.value)
    assert message in str(caught.value)


def test_deep_nesting_is_refused_whatever_the_recursion_limit(tmp_path: Path) -> None:
    """Libraries raise the limit for the whole process; Python's JSON parser then overruns the stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        with pytest.raises(FileError, match="nested too deeply"):
            read(tmp_path, "json", JSON.replace(b"[1, -1]", b'[{"a":' * 100_000, 1))
        with pytest.raises(ValueError, match="nested too deeply"):
            parse_json("[" * 100_000)
    finally:
        sys.setrecursionlimit(before)
    assert parse_json('["' + "[" * 1000 + '\\"[", {"a": []}]') == ["[" * 1000 + '"[', {"a": []}]


def test_json_keys_must_stand_in_order(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="c.json:2: 'format' must come before 'version'"):
        read(tmp_path, "json", b'{\n"version": 1}')
    with pytest.raises(FileError, match="ends before the outputs"):
        read(tmp_path, "json", b'{"format": "boolearn circuit"}')


@pytest.mark.parametrize(
    ("ending", "content"),
    [
        ("aag", b"aag 999999999999999999 0 0 0 999999999999999999\n"),
        ("aag", b"aag 999999999999999999 999999999999999999 0 0 0\n2\n"),
        ("aig", b"aig 999999999999999999 999999999999999999 0 0 0\n"),
        ("aig", b"aig 999999999999999999 0 0 0 999999999999999999\n"),
        ("aig", b"aig 1 1 0 999999999999999999 0\n"),
    ],
)
def test_huge_headers_take_no_memory(tmp_path: Path, ending: str, content: bytes) -> None:
    (tmp_path / f"c.{ending}").write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(FileError):
            load(tmp_path / f"c.{ending}")
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_long_chains_are_read_without_recursion(tmp_path: Path) -> None:
    length = 5000
    names = [f".names s{i + 1} a s{i}\n11 1\n" for i in range(length)]
    content = f".inputs a\n.outputs s0\n{''.join(names)}.names a s{length}\n1 1\n.end\n".encode()
    circuit = read(tmp_path, "blif", content)
    assert (circuit.predict([[-1], [1]]).T == [-1, 1]).all()


def test_blif_majorities_are_recognised_only_when_they_are(tmp_path: Path) -> None:
    head = b".inputs a b c\n.outputs y\n.names a b c y\n"
    assert read(tmp_path, "blif", head + b"11- 1\n1-0 1\n-10 1\n.end\n").gates == (
        majority([(0, 1), (1, 1), (2, -1)], "y"),
    )
    a, b, c = (all_inputs(3) > 0).T
    other = read(tmp_path, "blif", head + b"11- 1\n0-1 1\n-11 1\n.end\n")
    assert np.array_equal(other.predict(all_inputs(3))[:, 0] > 0, (a & b) | (~a & c) | (b & c))
    assert read(tmp_path, "blif", head + b"1-- 1\n-0- 1\n.end\n").gates == (disjunction([(0, 1), (1, -1)], "y"),)
    assert read(tmp_path, "blif", head + b"1-- 0\n-0- 0\n.end\n").gates == (conjunction([(0, -1), (1, 1)], "y"),)
