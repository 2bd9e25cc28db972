"""Worlds whose cells share weights, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import boolearn as bl
from commands import boolearn


def test_a_shared_cell_is_made_and_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    boolearn("make", "life", "--height", "6", "--width", "6", "--items", "300", "-o", "life.npz")
    assert bl.data.read("life.npz").n_inputs == 36
    said = boolearn("make", "convolution", "--shape", "6,6", "--channels", "1,2,1", "-o", "cell.safetensors").stdout
    assert "23 weights" in said
    words = ("--sigma", "25,3", "--beta", "0.5", "--items", "8", "--restarts", "20", "--max-iter", "8000", "--json")
    report = json.loads(boolearn("train", "life.npz", "--network", "cell.safetensors", *words, "--out", "run").stdout)
    assert report["test_accuracy"] > 0.99
    assert bl.BoolNet.load("run/model.safetensors").network.n_weights == 23


def test_files_that_cannot_keep_shared_weights_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "cell.net"
    assert "kept by .safetensors files only" in boolearn("make", "convolution", "-o", str(out), status=2).stderr
    assert not out.exists()
    shape = boolearn("make", "convolution", "--shape", "2,2,2", "-o", str(tmp_path / "c.safetensors"), status=2)
    assert "one or two integers" in shape.stderr
