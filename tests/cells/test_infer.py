"""Inference: known networks come back and are proved equal; what the data cannot say is said."""

from __future__ import annotations

import json
import re
import signal
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from random_networks import random_network

import boolearn as bl
from boolearn.cells import CellNetwork, Transitions, infer_network, many, read_bnet
from boolearn.cells.infer import _others
from boolearn.cells.inference import MOST_ALTERNATIVES
from boolearn.errors import DataError, ParameterError
from commands import boolearn


@pytest.mark.parametrize("seed", range(3))
def test_a_network_comes_back_from_random_transitions(seed: int) -> None:
    truth = random_network(25, 4, seed)
    found = infer_network(truth.random_transitions(400, seed))
    assert truth.circuit.prove_equal(found.network.circuit)
    assert found.network.regulations == truth.regulations
    assert all(rule.sure and rule.wrong == 0 for rule in found.rules.values())
    assert found.accuracy is not None
    assert found.accuracy > 0.98
    assert infer_network(truth.random_transitions(400, seed)) == found


def test_few_transitions_leave_alternatives_and_all_are_counted() -> None:
    truth = CellNetwork({"a": "b & c", "b": "a", "c": "!a | b"})
    states = np.array([[1, 1, 1], [0, 0, 1], [0, 1, 0]], bool)
    found = infer_network(Transitions(truth.names, states, truth.step(states)), hold_out=False)
    rule = found.rules["a"]
    # a is 1, 0, 0 next: only "a" itself explains it alone, and both of its states were seen.
    assert (rule.formula, rule.alternatives, rule.unseen) == ("a", 0, 0)
    assert found.rules["b"].formula == "a"
    assert found.rules["c"].formula == "1"
    one = infer_network(Transitions(("x", "y"), [[0, 1], [1, 0]], [[1, 1], [0, 1]]), hold_out=False)
    assert one.rules["x"].alternatives == 1  # !x or y
    assert not one.rules["x"].sure


def test_functions_of_many_regulators_are_found_by_the_gate_search() -> None:
    names = [f"g{k}" for k in range(20)]
    rules = {name: name for name in names}
    rules["g0"] = "(g1 | g2) & (g3 | !g4) & (g5 | g6) & !(g7 & g8)"
    truth = CellNetwork(rules)
    found = infer_network(truth.random_transitions(500), hold_out=False)
    assert found.rules["g0"].method == "gate search"
    assert found.rules["g0"].wrong == 0
    assert set(found.rules["g0"].regulators) == {f"g{k}" for k in range(1, 9)}
    assert truth.circuit.prove_equal(found.network.circuit)


def test_more_alternatives_than_can_be_written_are_counted_up_to_a_limit() -> None:
    before = np.random.default_rng(0).random((400, 16)) < 0.06
    after = before.copy()
    after[:, 0] = before[:, :14].any(axis=1)
    found = infer_network(Transitions(tuple(f"v{k}" for k in range(16)), before, after), hold_out=False)
    rule = found.rules["v0"]
    assert (rule.method, rule.wrong) == ("gate search", 0)
    assert len(rule.regulators) > 12
    assert rule.unseen > 4300 * np.log2(10), "2 to this power has more digits than Python writes"
    assert rule.alternatives == MOST_ALTERNATIVES
    assert json.loads(json.dumps(found.as_dict()))["rules"]["v0"]["alternatives"] == 2**63 - 1
    assert "over a million or more other functions fit as well" in str(found)


@pytest.mark.parametrize(
    ("unseen", "others"),
    [((0,), 0), ((3,), 7), ((1, 0, 2), 6), ((62,), 2**62 - 1), ((63,), 2**63 - 1), ((64,), 2**63 - 1)],
)
def test_other_functions_are_those_that_differ_where_nothing_was_seen(unseen: tuple[int, ...], others: int) -> None:
    assert _others(*unseen) == others
    assert _others(*unseen, 2**40) == MOST_ALTERNATIVES


def test_ctrl_c_in_the_gate_search_ends_the_inference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that was cut short says nothing about a function; a best fit must not take its place."""

    class Interrupts(bl.Callback):
        times = 0

        def on_tick(self, tick: bl.Tick) -> None:
            self.times += 1
            if self.times == 1:
                signal.raise_signal(signal.SIGINT)

    rng = np.random.default_rng(0)
    before = rng.random((400, 16)) < 0.5
    after = before.copy()
    after[:, 0] = rng.random(400) < 0.5  # no small circuit fits, so the search is under way when it is interrupted
    transitions = Transitions(tuple(f"v{k}" for k in range(16)), before, after)
    monkeypatch.setattr(many, "train", partial(bl.train, callbacks=[Interrupts()]))
    with pytest.raises(KeyboardInterrupt):
        infer_network(transitions, hold_out=False)


@pytest.mark.parametrize("noise", [None, 0.05])
def test_wrong_values_are_taken_as_errors(noise: float | None) -> None:
    truth = random_network(15, 2, seed=4)
    clean = truth.random_transitions(600, 1)
    rng = np.random.default_rng(0)
    noisy = Transitions(clean.names, clean.before, clean.after ^ (rng.random(clean.after.shape) < 0.05))
    method = "exact" if noise else "best-fit"
    found = infer_network(noisy, noise=noise, method=method)
    assert truth.circuit.prove_equal(found.network.circuit)
    assert found.accuracy == pytest.approx(0.95, abs=0.02)
    assert sum(rule.wrong for rule in found.rules.values()) == (noisy.after != clean.after).sum()


def test_contradictions_are_counted_and_taken_as_errors() -> None:
    before = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 10, bool)
    after = before.copy()
    after[0, 0] = True
    found = infer_network(Transitions(("a", "b"), before, after), hold_out=False)
    assert found.contradictions.items == 10
    assert found.contradictions.wrong_bits == 1
    assert found.network.rules == {"a": "a", "b": "b"}
    assert (found.rules["a"].wrong, found.rules["b"].wrong) == (1, 0)
    assert "10 transitions contradict others (same state, different successors)" in str(found)


def test_asynchronous_transitions() -> None:
    truth = random_network(10, 2, seed=3)
    rng = np.random.default_rng(0)
    before = rng.random((4000, 10)) < 0.5
    after, turn = before.copy(), rng.integers(0, 10, 4000)
    rows = np.arange(4000)
    after[rows, turn] = truth.step(before)[rows, turn]
    found = infer_network(Transitions(truth.names, before, after, asynchronous=True))
    assert truth.circuit.prove_equal(found.network.circuit)
    assert found.accuracy == 1
    with pytest.raises(DataError, match="at most 1 variable changes. Got 2 changes in number 1"):
        Transitions(("a", "b"), [[0, 0], [0, 0]], [[0, 1], [1, 1]], asynchronous=True)


def test_prior_knowledge_restricts_the_regulators() -> None:
    truth = CellNetwork({"a": "b", "b": "a & c", "c": "!b"})
    few = truth.random_transitions(60)
    copied = Transitions((*few.names, "d"), few.before[:, [0, 1, 2, 1]], few.after[:, [0, 1, 2, 1]])
    assert infer_network(copied).rules["a"].alternatives == 1  # b and d are always the same
    known = infer_network(copied, possible={"a": ["a", "d"]})
    assert known.rules["a"].formula == "d"
    assert known.rules["a"].sure
    with pytest.raises(DataError, match="possible regulators of 'a' name 'e', which is no variable of the data"):
        infer_network(copied, possible={"a": ["e"]})
    with pytest.raises(DataError, match="regulators of 'e' name 'e'"):
        infer_network(copied, possible={"e": ["a"]})


def test_delays_find_who_drives_whom_in_noisy_series() -> None:
    rng = np.random.default_rng(3)
    series = []
    for _ in range(8):
        driver = np.repeat(rng.random(8) < 0.5, 10)
        states = np.stack([driver, np.roll(driver, 2), ~np.roll(driver, 3), rng.random(80) < 0.5], axis=1)[4:]
        series.append(states ^ (rng.random(states.shape) < 0.05))
    found = infer_network(Transitions.from_series(series, list("abcd")), method="delays", max_regulators=1)
    assert found.network.rules["b"] == "a"
    assert found.network.rules["c"] == "!a"
    assert found.held_out > 0


def test_constant_variables_are_named() -> None:
    found = infer_network(Transitions.from_series([[[0, 1], [1, 1], [0, 1]]], ["a", "b"]), hold_out=False)
    assert found.constant == ("b",)
    assert found.network.rules["b"] == "1"
    assert found.rules["b"].method == "constant"


def test_parameters_are_checked() -> None:
    transitions = CellNetwork({"a": "!a"}).random_transitions(4)
    for wrong in ({"method": "magic"}, {"noise": 0.5}, {"max_regulators": 0}, {"seed": -1}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            infer_network(transitions, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="transitions"):
        infer_network([[0, 1]])  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["a b", "A(B)", "a,b", "a&b", "!a", "~a", "a=b", "a<b", "1", "True"])
def test_names_that_no_formula_can_hold_are_refused_first(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("boolearn.cells.infer._Data")  # no rule is inferred
    with pytest.raises(DataError, match=f"the name of a variable must .*Got {re.escape(repr(name))} instead"):
        infer_network(Transitions(("c", name), [[0, 1], [1, 0]], [[1, 0], [0, 0]]))


def test_the_command_writes_sbml_of_any_name(tmp_path: Path) -> None:
    pytest.importorskip("biodivine_aeon")
    (tmp_path / "n.csv").write_text("NF-kB,c,d\n0,0,1\n1,0,0\n0,1,0\n0,0,1\n")
    boolearn("infer", str(tmp_path / "n.csv"), "-o", str(tmp_path / "n.sbml"), "-o", str(tmp_path / "n.bnet"))
    written, plain = (CellNetwork.load(tmp_path / name) for name in ("n.sbml", "n.bnet"))
    assert plain.names[0] == "NF-kB"
    assert written.circuit.prove_equal(plain.circuit)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    truth = bl.CellNetwork({"cycB": "!p27 & e2f", "p27": "!cycB", "e2f": "!cycB & !p27 | e2f & p27"})
    lines = ["series,cycB,p27,e2f"]
    for number in range(8):
        start = [number >> k & 1 for k in range(3)]
        states = truth.simulate(start, 4)[:, [truth.names.index(name) for name in ("cycB", "p27", "e2f")]]
        lines += [f"s{number},{','.join(map(str, state.astype(int)))}" for state in states]
    Path("series.csv").write_text("\n".join(lines) + "\n")
    said = boolearn(
        "infer", "series.csv", "-o", "m.bnet", "-o", "m.svg", "-o", "m.html", "--attractors", "a.png"
    ).stdout
    assert "3 variables from 32 transitions; 3 functions are the only ones that fit" in said
    assert truth.circuit.prove_equal(read_bnet("m.bnet").circuit)
    assert Path("m.svg").read_text().startswith("<?xml")
    page = Path("m.html").read_text()
    assert page.count("<svg") == 2
    assert "<td>!cycB</td><td>cycB ⊣</td>" in page
    assert Path("a.png").stat().st_size > 1000
    report = json.loads(boolearn("infer", "series.csv", "--json", "--no-hold-out").stdout)
    assert report["rules"]["p27"]["formula"] == "!cycB"
    assert report["rules"]["p27"]["regulators"] == {"cycB": -1}
    Path("prior.txt").write_text("# known\np27: cycB, mouse\n")
    assert (
        "name 'mouse', which is no variable"
        in boolearn("infer", "series.csv", "--possible", "prior.txt", status=2).stderr
    )
    Path("prior.txt").write_text("p27 cycB\n")
    assert (
        "prior.txt:1: expected 'variable:"
        in boolearn("infer", "series.csv", "--possible", "prior.txt", status=2).stderr
    )
    assert "must end in .bnet" in boolearn("infer", "series.csv", "-o", "m.txt", status=2).stderr
    Path("wrong.csv").write_text("a,b\n0,0\n1,0\n0,0\n0,1\n")
    boolearn("infer", "wrong.csv", status=1)
