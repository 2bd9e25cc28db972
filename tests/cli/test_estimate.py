"""boolearn estimate: numbers for scripts, and mistakes that people make."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import boolearn as bl
from boolearn.data import multiplier, write
from commands import boolearn

pytestmark = pytest.mark.usefixtures("in_tmp")


def test_json_holds_the_numbers_of_the_estimate() -> None:
    report = json.loads(boolearn("estimate", "4,4,4,4", "2x2.dat", "--json").stdout)
    found = bl.estimate([4, 4, 4, 4], multiplier(2))
    assert (report["items"], tuple(report["range"])) == (found.items, found.range)
    assert report["description"] == found.description
    assert report["entropy"]["samples"] == 16
    assert report["entropy"]["lower"] <= report["entropy"]["best"] <= report["entropy"]["tree"]


def test_json_has_no_infinity() -> None:
    Path("same.csv").write_text("a,b,y\n0,0,1\n0,1,1\n1,0,1\n")
    assert json.loads(boolearn("estimate", "2,1", "same.csv", "--json").stdout)["items"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("2x2.dat", "4,4,4"), "must be given first and the data second: boolearn estimate 4,4,4 2x2.dat"),
        (("4-4-4", "2x2.dat"), "must be widths with commas between them, such as 4,4,4, or a file that ends in .net,"),
        (("run", "2x2.dat"), "must be widths with commas between them"),
        (("4,4,4", "2x2.csv"), "2x2.csv: the data must have 4 inputs, as the network has. Got 7 instead. --outputs"),
        (("5,4", "2x2.dat"), "2x2.dat: the data must have 5 inputs, as the network has. Got 4 instead.\n"),
        (("none.net", "2x2.dat"), "none.net: cannot be read"),
    ],
)
def test_mistakes_are_named(words: tuple[str, str], message: str) -> None:
    write(multiplier(2), "2x2.csv")
    assert message in boolearn("estimate", *words, status=2).stderr
    boolearn("estimate", "4,4,4", "2x2.csv", "--outputs", "4")
