"""Boolean networks as files: what is written is read back, by us and by others, and mistakes name their line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from random_networks import random_network

from boolearn.cells import CellNetwork, attractors, read_bnet, write_bnet
from boolearn.errors import BoolearnError, DataError, FileError, ParameterError


def test_formulas_mean_what_they_say() -> None:
    network = CellNetwork({"a": "b & !c | a", "b": "!(a & c) & 1", "c": "(((false)))", "d": "~c && (a || in-put)"})
    assert network.names == ("a", "b", "c", "d", "in-put")
    assert network.inputs == ("in-put",)
    states = ((np.arange(32)[:, None] >> np.arange(5)) & 1).astype(bool)
    a, b, c, _, given = states.T
    expected = np.stack([(b & ~c) | a, ~(a & c), np.zeros(32, bool), ~c & (a | given), given], axis=1)
    np.testing.assert_array_equal(network.step(states), expected)


def test_a_network_comes_back_from_its_file_and_from_its_circuit(tmp_path: Path) -> None:
    network = random_network(8, 3, seed=1)
    write_bnet(network, tmp_path / "a.bnet")
    assert read_bnet(tmp_path / "a.bnet") == network
    again = CellNetwork.from_circuit(network.circuit)
    assert network.circuit.prove_equal(again.circuit)
    assert again.regulations == network.regulations


def test_brackets_may_be_nested_to_any_depth() -> None:
    deep = "(" * 5000 + "a" + ")" * 5000
    long = " & ".join(["a"] * 5000)
    assert CellNetwork({"a": deep, "b": long}).circuit.gates == ()


def test_headings_comments_and_inputs(tmp_path: Path) -> None:
    (tmp_path / "a.bnet").write_text("# a model\ntargets, factors\n\nx, y & z # why\ny,1\n")
    network = read_bnet(tmp_path / "a.bnet")
    assert network.rules == {"x": "y & z", "y": "1"}
    network.save(tmp_path / "b.bnet")
    assert (tmp_path / "b.bnet").read_text() == "targets, factors\nx, y & z\ny, 1\nz, z\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a, b\nb, a &\n", r"a\.bnet:2: .*'b': expected an operand, found the end of the formula"),
        ("a, b c\n", r":1: .*expected an operator, found 'c'"),
        ("a, (b\n", r":1: .*closing bracket for every opening one"),
        ("a, b)\n", r":1: .*opening bracket for every closing one"),
        ("a, b > c\n", r":1: .*expected a name, an operator & \| ! or a bracket, found '> c'"),
        ("a, b\na, c\n", r":2: expected one formula for every variable, found another for 'a'"),
        ("a b\n", r":1: expected 'name, formula', found 'a b'"),
        ("# nothing\n", r":1: expected at least 1 line"),
        ("a, \n", r":1: .*expected an operand"),
    ],
)
def test_mistakes_name_their_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.bnet").write_text(text)
    with pytest.raises(FileError, match=message):
        read_bnet(tmp_path / "a.bnet")


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="rules"):
        CellNetwork({})
    with pytest.raises(DataError, match="states must have shape"):
        CellNetwork({"a": "b"}).step([[1]])
    with pytest.raises(BoolearnError, match="no spaces or operators"):
        write_bnet(CellNetwork({"a": "b", "c d": "a"}), tmp_path / "a.bnet")
    (tmp_path / "a.bnet").write_bytes(b"a, b\n\xff, a\n")
    with pytest.raises(FileError, match=r":2: expected UTF-8"):
        read_bnet(tmp_path / "a.bnet")


def test_sbml_comes_back(tmp_path: Path) -> None:
    pytest.importorskip("biodivine_aeon")
    network = CellNetwork({"a": "b & !c | a", "b": "1", "c": "!(a & d)"})
    network.save(tmp_path / "a.sbml")
    assert "sbml.org" in (tmp_path / "a.sbml").read_text()
    assert CellNetwork.load(tmp_path / "a.sbml").circuit.prove_equal(network.circuit)
    (tmp_path / "b.xml").write_text("<sbml>")
    with pytest.raises(FileError, match=r"b\.xml: is not a Boolean SBML-qual model"):
        CellNetwork.load(tmp_path / "b.xml")


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")  # mpbn
@pytest.mark.parametrize("seed", range(3))
def test_other_programs_find_the_same_attractors(seed: int, tmp_path: Path) -> None:
    mpbn = pytest.importorskip("mpbn")
    aeon = pytest.importorskip("biodivine_aeon")
    network = random_network(7, 2, seed)
    network.save(tmp_path / "a.bnet")
    ours = [{tuple(state) for state in one.states.tolist()} for one in attractors(network, "asynchronous")]

    theirs = mpbn.MPBooleanNetwork.load(str(tmp_path / "a.bnet"))
    fixed = {tuple(bool(state[name]) for name in network.names) for state in theirs.fixedpoints()}
    assert fixed == {state for one in ours if len(one) == 1 for state in one}

    graph = aeon.AsynchronousGraph(aeon.BooleanNetwork.from_file(str(tmp_path / "a.bnet")))
    found = []
    for one in aeon.Attractors.attractors(graph):
        values = [vertex.to_named_dict() for vertex in one.vertices()]
        found.append({tuple(bool(state[name]) for name in network.names) for state in values})
    assert sorted(map(sorted, found)) == sorted(map(sorted, ours))
