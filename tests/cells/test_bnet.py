"""Boolean networks as files: what is written is read back, by us and by others, and mistakes name their line."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

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
    for name in ("c d", "c#d"):
        with pytest.raises(BoolearnError, match=rf"no spaces and none of .* #\. Got '{name}' instead"):
            write_bnet(CellNetwork({"a": "b", name: "a"}), tmp_path / "a.bnet")
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


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        (["NF-kB", "Ca2+", "p53*", "x'", "a:b", "c"], ["NF_kB", "Ca2_", "p53_", "x_", "a_b", "c"]),
        (["a.b", "a[0]", "{x}", '"q"', "14-3-3", "é"], ["a_b", "a_0_", "_x_", "_q_", "_14_3_3", "_"]),
        (["a-b", "a_b", "a+b", "a_b_1", "x\x01"], ["a_b_2", "a_b", "a_b_3", "a_b_1", "x_"]),
        (["1", "_1", "-1", "true", "True", "TRUE"], ["_1_1", "_1", "_1_2", "true_1", "True_1", "TRUE"]),
    ],
)
def test_any_name_is_written_to_sbml_and_read_back(names: list[str], ids: list[str], tmp_path: Path) -> None:
    pytest.importorskip("biodivine_aeon")
    following = [*names[1:], names[0]]
    network = CellNetwork(
        {
            name: f"{'!' * (place % 2)}{other} & ({names[0]} | {other} | FALSE)"
            for place, (name, other) in enumerate(zip(names, following, strict=True))
        }
    )
    network.save(tmp_path / "a.sbml")
    again = CellNetwork.load(tmp_path / "a.sbml")
    assert sorted(again.names) == sorted(ids)
    places = [again.names.index(one) for one in ids]
    states = np.random.default_rng(0).random((200, len(names))) < 0.5
    given = np.empty_like(states)
    given[:, places] = states
    np.testing.assert_array_equal(again.step(given)[:, places], network.step(states))


def test_sbml_keeps_true_names_beside_ids(tmp_path: Path) -> None:
    pytest.importorskip("biodivine_aeon")
    network = CellNetwork({"NF-kB": "!c", "c": 'NF-kB & "q"', '"q"': "d#", "a-b": "c", "a_b": "c"})
    network.save(tmp_path / "a.sbml")
    qual = "{http://www.sbml.org/sbml/level3/version1/qual/version1}"
    species = ElementTree.parse(tmp_path / "a.sbml").iter(f"{qual}qualitativeSpecies")  # noqa: S314 - the test's own file
    found = {one.get(f"{qual}id"): one.get(f"{qual}name") for one in species}
    assert found == {"NF_kB": "NF-kB", "c": "c", "_q_": '"q"', "d_": "d#", "a_b": "a_b", "a_b_1": "a_b_1"}


def test_what_aeon_refuses_to_write_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class BooleanNetwork:
        @staticmethod
        def from_bnet(text: str) -> None:
            raise RuntimeError("Unexpected '-'.")

    monkeypatch.setitem(sys.modules, "biodivine_aeon", SimpleNamespace(BooleanNetwork=BooleanNetwork))
    with pytest.raises(FileError, match=r"a\.sbml: cannot be written as SBML-qual: Unexpected '-'\.$"):
        CellNetwork({"a": "a"}).save(tmp_path / "a.sbml")
    assert not (tmp_path / "a.sbml").exists()


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
