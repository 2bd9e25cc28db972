"""Numbers and networks as people type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from boolearn.cli.distributed import world
from boolearn.cli.options import chosen_network, whole_list, whole_number
from boolearn.errors import ParameterError
from boolearn.network import layered, write_widths


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-3", -3),
        ("10000", 10000),
        ("1e4", 10000),
        ("2.5E3", 2500),
        ("4.0", 4),
        ("1e20", 10**20),
        ("123456789012345678901234567890", 123456789012345678901234567890),
    ],
)
def test_whole_numbers(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize("text", ["", "a", "1.5", "1e-1", "inf", "nan", "snan", "1e999999999", "0x10", "1,000", "1 0"])
def test_what_is_not_one(text: str) -> None:
    assert whole_number(text) is None


def test_lists() -> None:
    assert whole_list("layers", "4,1e2,4") == [4, 100, 4]
    for text in ("", "4,,4", "4,1.5", "4;4"):
        with pytest.raises(ParameterError, match="whole numbers with commas"):
            whole_list("layers", text)


def test_layers_read_what_reads_says_and_files_say_it_themselves(tmp_path: Path) -> None:
    assert chosen_network("4,3,1", None) == layered(4, 3, 1)
    assert chosen_network("4,3,1", None, "inputs") == layered(4, 3, 1, reads="inputs")
    with pytest.raises(ParameterError, match="'reads' parameter must be one of 'below', 'inputs', 'everything'"):
        chosen_network("4,3,1", None, "all")
    write_widths((4, 3, 1), tmp_path / "4.wth")
    assert chosen_network(None, str(tmp_path / "4.wth")) == layered(4, 3, 1)
    with pytest.raises(ParameterError, match="'reads' parameter must be left out with --network"):
        chosen_network(None, "x.net", "inputs")


@pytest.mark.parametrize("names", [("PMI_SIZE", "PMI_RANK"), ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK")])
def test_ranks_that_train_apart_are_told_so_once(monkeypatch: pytest.MonkeyPatch, names: tuple[str, str]) -> None:
    size, rank = names
    for ranks, me in (("2", "1"), ("1", "0")):
        monkeypatch.setenv(size, ranks)
        monkeypatch.setenv(rank, me)
        assert world(distributed=False) is None
    monkeypatch.setenv(size, "2")
    with pytest.warns(UserWarning, match="2 ranks were started, and each trains by itself; --distributed lets them"):
        world(distributed=False)
