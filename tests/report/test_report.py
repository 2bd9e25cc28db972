"""The report of a run: what it holds, what it does in a real browser, and how it follows a run under way."""

from __future__ import annotations

import json
import re
import shlex
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import browser, needs_browser

import boolearn as bl
from boolearn.data import multiplier, write
from boolearn.errors import FileError
from boolearn.report import collect, render
from boolearn.report.page import command_line, learn_line
from boolearn.report.serve import report_server
from boolearn.runs import save_run
from boolearn.runs.folder import LIVE, write_command
from commands import boolearn


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    data, out = str(folder / "2x2.dat"), str(folder / "run <2>")
    write(multiplier(bits=2), data)
    boolearn("train", data, "--layers", "4,4,4,4", "--restarts", "20", "--max-iter", "1e4", "--out", out)
    return Path(out)


def test_the_page_holds_every_part_of_the_run(run: Path) -> None:
    contents = collect(run)
    page = render(contents)
    assert contents.circuit is not None
    assert not (run / LIVE).exists()
    text = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    for name, formula in contents.circuit.formulas().items():
        assert f"{name} = {formula}".replace("&", "&amp;") in text
    for part in (
        str(contents.proof),
        str(contents.agreement),
        "the fit is a proof",
        "boolearn train",
        "--layers 4,4,4,4",
    ):
        assert part in text
    assert "run &lt;2&gt;" in text
    assert "<2>" not in text


def test_a_learned_circuit_has_a_page_too(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    rows = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    table.write_text("a,b,c,most,odd\n" + "".join(f"{a},{b},{c},{a + b + c > 1:d},{a ^ b ^ c}\n" for a, b, c in rows))
    boolearn("learn", str(table), "--outputs", "2", "--max-work", "1e5", "--out", str(tmp_path / "run"))
    contents = collect(tmp_path / "run")
    page = re.sub(r"<script.*?</script>", "", render(contents), flags=re.DOTALL)
    for part in (
        "the parity of 3 inputs: a, b, c",
        "accuracy on unseen rows",
        str(contents.agreement),
        f"boolearn learn {table} --outputs 2 --max-work",
    ):
        assert part in page
    assert "Evolution" not in page  # there was no network to train
    assert "Weights" not in page


def test_no_name_is_given_twice_and_unused_inputs_are_not_drawn(run: Path) -> None:
    contents = collect(run)
    names = re.findall(r'<(?:section|svg)[^>]* id="([^"]*)"', render(contents))
    assert "picture" in names
    assert len(set(names)) == len(names)
    circuit = bl.circuit.circuit_from_formulas({"y": "~b & d", "z": "d"}, inputs=list("abcd"))
    page = render(replace(contents, circuit=circuit))
    assert re.findall(r'class="signal input" data-node="(\d)".*?<title>(.)<', page) == [("0", "b"), ("1", "d")]
    assert "Not drawn: 2 of 4 inputs" in page


def test_the_command_that_the_page_gives_repeats_the_run(run: Path, tmp_path: Path) -> None:
    contents = collect(run)
    line = command_line(contents.configuration["command"]).split()
    assert line[:2] == ["boolearn", "train"]
    boolearn(*line[1:], "--out", str(tmp_path / "again"))
    again = collect(tmp_path / "again")
    first, second = (dict(each.configuration["result"]) for each in (contents, again))
    assert first.pop("seconds") > 0
    assert second.pop("seconds") > 0
    assert first == second


@pytest.mark.parametrize(
    "options",
    [
        ("--valid", "valid.csv", "--max-work", "1e4", "--gates", "and,or", "--test", "valid.csv"),
        ("--valid-share", "0.4", "--max-work", "1e4", "--max-ands", "9", "--noise", "0.1"),
        (),  # an exact class fits, and no work is planned
    ],
)
def test_the_command_that_the_page_gives_learns_the_same_again(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    inputs = rng.random((260, 6)) < 0.5
    flipped = rng.random(260) < 0.1 if options else False
    outputs = (inputs[:, 0] & inputs[:, 1] | inputs[:, 2] & inputs[:, 3]) ^ flipped
    lines = [",".join(map(str, (*row, out))) for row, out in zip(inputs * 1, outputs * 1, strict=True)]
    for name, part in (("table.csv", lines[:200]), ("valid.csv", lines[200:])):
        Path(name).write_text("\n".join(["a,b,c,d,e,f,y", *part, ""]))
    boolearn("learn", "table.csv", *options, "--seed", "3", "--out", "first")
    first = collect("first")
    line = learn_line(first.configuration)
    assert line in render(first)
    monkeypatch.chdir("/")  # wherever it is typed
    boolearn(*shlex.split(line)[1:], "--out", str(tmp_path / "second"))
    second = collect(tmp_path / "second")
    assert second.circuit == first.circuit
    assert learn_line(second.configuration) == line
    timeless = [{**each.configuration["result"], "seconds": 0} for each in (first, second)]
    assert timeless[0] == timeless[1]


def test_a_run_without_its_data_says_so_and_still_shows_its_circuit(tmp_path: Path) -> None:
    result = bl.train([2, 2, 1], ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1]), seed=1)
    save_run(result, tmp_path / "run")
    contents = collect(tmp_path / "run")
    assert contents.circuit is not None
    assert contents.agreement is None
    assert "not compared with the data" in render(contents)


def test_grey_inputs_have_no_circuit(tmp_path: Path) -> None:
    digits = bl.data.digits().split(64)[0]
    result = bl.train([64, 10], digits, max_iter=20, sigma=1, gamma=0)
    save_run(result, tmp_path / "run")
    page = render(collect(tmp_path / "run"))
    assert "inputs of this network are not Boolean" in page


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must be the folder of a run"):
        collect(tmp_path)
    said = boolearn("report", str(tmp_path / "none"), status=2)
    assert "must be the folder of a run" in said.stderr


@needs_browser
def test_in_a_browser_the_page_draws_shows_cones_and_asks_nobody(run: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    boolearn("report", str(run), "--out", str(page))
    circuit = collect(run).circuit
    assert circuit is not None
    with browser(tmp_path / "profile") as driver:
        driver.get(page.as_uri())
        _wait(lambda: len(_drawn(driver)) == 4)
        assert [line for line in driver.get_log("browser") if line["level"] in ("WARNING", "SEVERE")] == []
        assert driver.execute_script("return performance.getEntriesByType('resource').map(e => e.name)") == []
        for number, (_, literal) in enumerate(circuit.outputs, circuit.n_signals):
            node = driver.find_element("css selector", f'.output[data-node="{number}"] circle')
            node.click()
            shown = driver.execute_script(
                "return [...document.querySelectorAll('.signal.cone')].map(e => +e.dataset.node)"
            )
            assert set(shown) == _cone(circuit, literal.signal) | {number}
        pale = "return [...document.querySelectorAll('.signal')].map(e => getComputedStyle(e).opacity < 0.5)"
        assert driver.execute_script(pale).count(True) == circuit.n_signals + len(circuit.outputs) - len(shown)
        node.click()
        assert driver.execute_script("return document.querySelectorAll('.cone').length") == 0


@needs_browser
def test_on_a_phone_nothing_is_wider_than_the_screen(run: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    boolearn("report", str(run), "--out", str(page))
    with browser(tmp_path / "profile", width=500) as driver:  # the narrowest window that Chromium opens
        driver.get(page.as_uri())
        _wait(lambda: len(_drawn(driver)) == 4)
        width, window = driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        assert width <= window


@needs_browser
def test_a_report_follows_a_run_under_way(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "live"
    folder.mkdir()
    write_command(folder, {"data": "2x2.dat", "layers": "4,4,4,4"})
    with report_server(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            with browser(tmp_path / "profile") as driver:
                driver.get(f"http://127.0.0.1:{server.server_port}/")
                recorder = bl.JsonLines(folder / LIVE)
                result = bl.train([4, 4, 4, 4], multiplier(2), restarts=20, max_iter=10_000, callbacks=[recorder])
                last = max(
                    json.loads(line)["iteration"]
                    for line in (folder / LIVE).read_text().splitlines()
                    if json.loads(line)["event"] == "trace"
                )
                _wait(lambda: _text(driver, "iteration") == f"{last:,}")
                save_run(result, folder, command={"data": "2x2.dat", "layers": "4,4,4,4"})
                _wait(lambda: "solved" in _text(driver, "result"))
                assert driver.find_elements("id", "circuit")
        finally:
            server.shutdown()


def _text(driver: Any, name: str) -> str:
    """Of the element of this id; nothing where there is none, such as while the page loads again."""
    found: str = driver.execute_script(f"return document.getElementById('{name}')?.textContent ?? ''")
    return found


def _drawn(driver: Any) -> list[Any]:
    """The figures that have been drawn."""
    found: list[Any] = driver.execute_script(
        "return Bokeh.index ? [...document.querySelectorAll('.figures > div > div')].filter(d => d.shadowRoot || "
        "d.querySelector('*')) : []"
    )
    return found


def _cone(circuit: bl.Circuit, signal: int) -> set[int]:
    cone, open_ = set(), [signal]
    while open_:
        node = open_.pop()
        if node not in cone:
            cone.add(node)
            if node >= len(circuit.inputs):
                open_ += circuit.gates[node - len(circuit.inputs)].inputs
    return cone


def _wait(condition: Any, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)
