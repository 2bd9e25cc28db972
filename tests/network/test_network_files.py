"""Files of widths and networks: what is written reads back, what is spoiled is refused by its line."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.errors import FileError, NetworkError, ParameterError
from boolearn.network import Network, from_edges, layered, read_net, read_widths, write_net, write_widths
from mutations import result_or_file_error, spoiled

WIDTHS = b"3\n4 4 4 4\n"
# Two inputs, one hidden node, one output; the constant feeds the output alone.
NET = b"""5  3  1  5
    3    1    1.00000000
    3    2   -1.50000000
    4    0    0.25000000
    4    3    2.00000000
    4    1    0.00000000
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Any wiring: every neuron reads some nodes below it, every hidden node is read by the next."""
    n_inputs = draw(st.integers(1, 4))
    n_neurons = draw(st.integers(1, 5))
    n_outputs = draw(st.integers(1, n_neurons))
    first_output = 1 + n_inputs + n_neurons - n_outputs
    edges = set()
    for node in range(1 + n_inputs, 1 + n_inputs + n_neurons):
        below = min(node, first_output) - 1
        edges |= {(below, node)}
        edges |= {(sender, node) for sender in draw(st.sets(st.integers(1, below)))}
    return from_edges(n_inputs, n_outputs, edges)


@given(st.lists(st.integers(1, 500), min_size=2, max_size=8))
def test_widths_read_back_as_written(folder: Path, widths: list[int]) -> None:
    write_widths(widths, folder / "a.wth")
    assert read_widths(folder / "a.wth") == tuple(widths)


def test_widths_look_as_the_c_toolkit_has_them(tmp_path: Path) -> None:
    write_widths((4, 4, 4, 4), tmp_path / "2x2.wth")
    assert (tmp_path / "2x2.wth").read_bytes() == WIDTHS


@given(networks(), st.randoms(use_true_random=False))
def test_a_network_reads_back_as_written_whatever_the_order_of_its_edges(
    folder: Path, network: Network, random: object
) -> None:
    weights = np.random.default_rng(network.n_edges).normal(size=network.n_edges).round(8)
    path = folder / "a.net"
    write_net(network, weights, path)
    again, weights_again = read_net(path)
    assert again == network
    np.testing.assert_array_equal(weights_again, weights)
    written = path.read_bytes()
    header, *lines = written.splitlines(keepends=True)
    random.shuffle(lines)  # type: ignore[attr-defined]
    path.write_bytes(header + b"".join(lines))
    again, weights_again = read_net(path)
    write_net(again, weights_again, path)
    assert path.read_bytes() == written


def test_a_network_without_constant_edges_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.net").write_bytes(NET)
    network, weights = read_net(tmp_path / "a.net")
    assert (network.n_inputs, network.n_outputs, network.n_neurons) == (2, 1, 2)
    assert network.senders(3).tolist() == [1, 2]
    assert network.senders(4).tolist() == [0, 1, 3]
    assert weights.tolist() == [1, -1.5, 0.25, 0, 2]


def test_a_layered_network_is_written_as_the_c_toolkit_prints_it(tmp_path: Path) -> None:
    network = layered(2, 1)
    write_net(network, [0, -1.25, 9.87654321], tmp_path / "a.net")
    assert (tmp_path / "a.net").read_text() == (
        "4  3  1  3\n"  # as printf("%d  %d  %d  %d\n") and printf("%5d%5d%14.8f\n")
        "    3    0    0.00000000\n"
        "    3    1   -1.25000000\n"
        "    3    2    9.87654321\n"
    )


def test_wide_numbers_keep_a_space_between_them(tmp_path: Path) -> None:
    network = layered(100_001, 1)
    weights = np.full(network.n_edges, -123456.5)
    write_net(network, weights, tmp_path / "a.net")
    again, weights_again = read_net(tmp_path / "a.net")
    assert again == network
    np.testing.assert_array_equal(weights_again, weights)


def test_shared_weights_are_written_edge_by_edge(tmp_path: Path) -> None:
    tied = Network(
        n_inputs=2,
        n_outputs=2,
        start=np.array([0, 2, 4]),
        sender=np.array([0, 1, 0, 2], np.int32),
        tie=np.array([0, 1, 0, 1], np.int32),
    )
    write_net(tied, [0.5, -2], tmp_path / "a.net")
    network, weights = read_net(tmp_path / "a.net")
    assert not network.tied
    assert weights.tolist() == [0.5, -2, 0.5, -2]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", 1, "expected number of layers, found the end of the file"),
        (b"3\n4 4 4\n", 2, "expected width of layer 3 of 3, found the end"),
        (b"3\n4 4 4 4\n\n4", 4, "expected the end of the file, found '4'"),
        (b"3\n4 4\nfour 4\n", 3, "expected width of layer 2 of 3 .an integer from 1 to 10000000., found 'four'"),
        (b"0 4", 1, "number of layers must be at least 1. Got 0"),
        (b"1 0 4", 1, "width of the inputs must be from 1 to"),
        (b"1\n4 -4", 2, "width of layer 1 of 1 must be from 1 to"),
        (b"1000000000000\n4 4", 2, "width of layer 2 of 1000000000000, found the end"),
        (b"1\n9000000\n9000000", 3, "at most 10000000 nodes"),
        (b"1\n2000000 2000000", 2, "2147483647 edges"),
    ],
)
def test_spoiled_widths_are_refused_by_their_line(tmp_path: Path, content: bytes, line: int, message: str) -> None:
    path = tmp_path / "a.wth"
    path.write_bytes(content)
    with pytest.raises(FileError, match=message) as caught:
        read_widths(path)
    assert (caught.value.path, caught.value.line) == (path, line)


def edited(line: int, new: bytes) -> bytes:
    lines = NET.splitlines(keepends=True)
    lines[line - 1] = new + b"\n"
    return b"".join(lines)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", 1, "expected number of nodes, found the end"),
        (NET[:-12], 6, "expected a weight of row 5 of 5, found the end"),
        (NET + b"\n\n7\n", 9, "expected the end of the file, found '7'"),
        (edited(3, b"3 two 0.5"), 3, "expected a sending node .an integer from 0 to 4., found 'two'"),
        (edited(3, b"3 5 0.5"), 3, "expected a sending node .an integer from 0 to 4., found '5'"),
        (edited(3, b"3 2 nan"), 3, "expected a weight .*, found 'nan'"),
        (edited(3, b"3 2 1e99"), 3, "expected a weight .*, found '1e99'"),
        (edited(3, b"2 2 1."), 3, "only neurons receive edges, nodes from 3 on; node 2 is an input"),
        (edited(3, b"0 2 1."), 3, "node 0 is the constant"),
        (edited(3, b"3 4 1."), 3, "outputs must not feed other nodes; node 4 is an output and feeds node 3"),
        (edited(6, b"4 3 1."), 6, "an edge must appear once; node 4 receives twice from node 3"),
        (edited(1, b"5 3 1 1000000000000"), 1, "number of edges must be from 2 to 2147483647"),
        (edited(1, b"5 3 1 2000000000"), 6, "expected a receiving node of row 6 of 2000000000, found the end"),
        (edited(1, b"1000000000000 3 1 5"), 1, "number of nodes must be from 3 to"),
        (edited(1, b"5 5 1 5"), 1, "number of input nodes, the constant included must be from 2 to 4"),
        (edited(1, b"5 3 3 5"), 1, "number of output nodes must be from 1 to 2"),
        (edited(1, b"5 3 1 1"), 1, "number of edges must be from 2"),
        (b"6 3 1 6  3 1 1.  3 4 1.  4 3 1.  5 4 1.  5 3 1. 5 1 1.", None, "no cycle; nodes 3 → 4 → 3 form one"),
        (b"6 3 1 4\n3 4 1.\n4 2 1.\n5 3 1.\n5 1 1.", 2, "node 3 receives from node 4. Renumber"),
        (b"5 3 1 2\n4 1 1.\n4 2 1.", None, "every neuron must receive at least 1 edge; node 3 receives none"),
        (b"5 3 1 2\n4 1 1.\n3 2 1.", None, "every neuron must lead to an output; node 3 does not"),
        (b"5 3 1 2\n4 3 1.\n3 0 1.", None, "every neuron must be reached from an input; node 3 is not"),
    ],
)
def test_spoiled_networks_are_refused_by_their_line(
    tmp_path: Path, content: bytes, line: int | None, message: str
) -> None:
    path = tmp_path / "a.net"
    path.write_bytes(content)
    with pytest.raises(FileError, match=message) as caught:
        read_net(path)
    assert (caught.value.path, caught.value.line) == (path, line)


@given(spoiled(WIDTHS, b"5\n32 32 32 32 32 32"))
def test_whatever_widths_hold_only_a_file_error_comes_out(folder: Path, content: bytes) -> None:
    path = folder / "spoiled.wth"
    path.write_bytes(content)
    widths = result_or_file_error(read_widths, path)
    if widths is not None:
        assert int(content.split()[0]) == len(widths) - 1


@given(spoiled(NET, b"4  2  2  4\n    2    0    0.5\n    2    1    1.0\n    3    1    0.5\n    3    0    1.0\n"))
def test_whatever_a_network_file_holds_only_a_file_error_comes_out(folder: Path, content: bytes) -> None:
    path = folder / "spoiled.net"
    path.write_bytes(content)
    found = result_or_file_error(read_net, path)
    if found is not None:
        network, weights = found
        assert len(weights) == network.n_edges == int(content.split()[3])


@pytest.mark.parametrize("header", [b"10000000 3 1 2000000000", b"10000000 9999999 1 2000000000"])
def test_a_header_that_promises_much_allocates_little(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "a.net"
    path.write_bytes(header + b"\n" + b"3 1 1.0\n" * 3)
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match=r"row 4 of 2000000000|number of edges"):
            read_net(path)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_a_missing_file_and_a_folder_are_file_errors(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        read_net(tmp_path / "none.net")
    with pytest.raises(FileError, match="cannot be read"):
        read_widths(tmp_path)


@pytest.mark.parametrize("weight", [np.nan, np.inf, 1e60])
def test_weights_that_could_not_be_read_back_are_not_written(tmp_path: Path, weight: float) -> None:
    with pytest.raises(FileError, match="weights must be finite and at most 1e\\+50"):
        write_net(layered(1, 1), [1, weight], tmp_path / "a.net")
    with pytest.raises(NetworkError, match="weights must have shape"):
        write_net(layered(1, 1), [1], tmp_path / "a.net")
    with pytest.raises(ParameterError, match="widths"):
        write_widths([4], tmp_path / "a.wth")
    assert list(tmp_path.iterdir()) == []
