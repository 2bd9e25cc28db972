from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.errors import NetworkError, ParameterError
from boolearn.network import Network, from_edges, from_names, has_bottleneck, layered


@given(st.lists(st.integers(1, 6), min_size=2, max_size=5))
def test_layered_wires_every_neuron_to_the_constant_and_all_of_the_layer_below(widths: list[int]) -> None:
    network = layered(*widths)
    assert network.n_nodes == 1 + sum(widths)
    assert network.n_edges == sum((below + 1) * width for below, width in itertools.pairwise(widths))
    assert (network.level[network.first_output :] == len(widths) - 1).all()
    for node in range(network.first_neuron, network.n_nodes):
        senders = network.senders(node)
        assert senders[0] == 0
        assert set(network.level[senders[1:]]) == {network.level[node] - 1}
    assert [len(nodes) for nodes, _ in network.blocks] == widths[1:]


@given(st.data())
def test_from_edges_accepts_any_numbering_of_the_hidden_nodes(data: st.DataObject) -> None:
    hidden = data.draw(st.integers(1, 5))
    order = data.draw(st.permutations(range(hidden)))
    edges = [(1, 3 + order[0]), (3 + order[-1], 3 + hidden)]
    edges += [(3 + a, 3 + b) for a, b in itertools.pairwise(order)]
    network = from_edges(2, 1, edges)
    assert network.level[-1] == hidden + 1
    assert (network.sender < network.receiver).all()
    assert all(network.senders(node)[0] == 0 for node in range(network.first_neuron, network.n_nodes))


def test_from_names_finds_the_wiring() -> None:
    network = from_names(["a", "b"], ["sum", "carry"], {"carry": ["a", "b"], "or": ["a", "b"], "sum": ["or", "a"]})
    assert (network.n_inputs, network.n_neurons, network.n_outputs) == (2, 3, 2)
    assert network.senders(4).tolist() == [0, 1, 3]
    assert network.senders(5).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("senders", "message"),
    [
        ({"u": ["a", "v"], "v": ["u"], "y": ["v"]}, "no cycle; 'u' → 'v' → 'u' form one|'v' → 'u' → 'v' form one"),
        ({"u": ["a", "a"], "y": ["u"]}, "'u' receives twice from 'a'"),
        ({"u": ["a"], "v": ["u"], "y": ["u"]}, "must lead to an output; 'v' does not"),
        ({"u": [], "y": ["u", "a"]}, "reached from an input; 'u' is not"),
        ({"u": ["y"], "y": ["a"]}, "outputs must not feed other nodes; 'y' feeds 'u'"),
        ({"u": ["none"], "y": ["u"]}, "'u' receives from 'none'"),
        ({"y": []}, "at least 1 edge"),
    ],
)
def test_from_names_calls_nodes_by_their_names(senders: dict[str, list[str]], message: str) -> None:
    with pytest.raises(NetworkError, match=message):
        from_names(["a", "b"], ["y"], senders)


def test_a_network_cannot_be_changed() -> None:
    network = layered(2, 2)
    with pytest.raises(ValueError, match="read-only"):
        network.sender[0] = 1


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([(1, 3), (4, 3), (3, 4), (2, 5), (4, 5)], "nodes 3 → 4 → 3 form one"),
        ([(1, 4), (1, 3)], "must lead to an output; node 3 does not"),
        ([(0, 3), (3, 4), (1, 4)], "reached from an input; node 3 is not"),
        ([(1, 3), (1, 3), (3, 4)], "node 3 receives twice from node 1"),
        ([(1, 3), (4, 3), (3, 4)], "outputs must not feed other nodes; node 4 feeds node 3"),
        ([(1, 3), (3, 2), (3, 4)], "inputs must receive no edges; node 2 receives from node 3"),
        ([(1, 3), (5, 6), (3, 6)], "reached from an input; node 4 is not"),
        ([(-1, 3)], "must not be negative"),
        ([(1, 3, 4)], r"a pair of node numbers, .sender, receiver.\. Got \(1, 3, 4\)"),
        ([1, 3], r"a pair of node numbers.* Got 1"),
        ([(1, 3.5)], r"a pair of node numbers.* Got \(1, 3.5\)"),
        ([(1, True)], r"a pair of node numbers.* Got \(1, True\)"),
        ([(1, 10**30)], "must be at most 2147483647"),
        ([(1, 3), (3, 2_000_000_000)], "reached from an input; node 4 is not"),
        ([], "at least 1 edge"),
    ],
)
def test_illegal_wiring_is_refused_by_name(edges: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(NetworkError, match=message):
        from_edges(2, 1, edges)


@pytest.mark.parametrize(
    ("start", "sender", "message"),
    [
        ([0, 2, 4], [0, 4, 0, 3], "outputs must not feed other nodes; node 4 .output 0. feeds node 3"),
        ([0, 2, 4], [0, 1, 0, 9], "senders must be nodes 0 to 4; node 4 .output 0. receives from 9"),
        ([0, 0, 2], [1, 3], "node 3 receives none"),
        ([0, 2, 4], [1, 1, 0, 3], "node 3 receives twice from node 1 .input 0."),
        ([0, 3], [1, 2], "start must rise"),
        ([0], [], "outputs"),
    ],
)
def test_illegal_arrays_are_refused(start: list[int], sender: list[int], message: str) -> None:
    with pytest.raises(NetworkError, match=message):
        Network(n_inputs=2, n_outputs=1, start=np.array(start), sender=np.array(sender))


@pytest.mark.parametrize(("n_inputs", "n_outputs"), [("2", 1), (2.0, 1), (True, 1), (2, None)])
def test_counts_must_be_integers(n_inputs: int, n_outputs: int) -> None:
    with pytest.raises(NetworkError, match="of a network must be an integer"):
        Network(n_inputs, n_outputs, np.array([0, 2]), np.array([1, 2]))


@pytest.mark.parametrize(
    ("start", "sender", "message"),
    [
        ("ab", [1, 2], "start of a network must be integers with one axis"),
        ([0, 2], None, "sender of a network must be integers with one axis"),
        ([0, 2], [1.0, 2.5], "sender of a network must be integers with one axis. Got float64"),
        ([0, 2], [[1], [2, 3]], "sender of a network must be an array"),
        ([0, 2], [1, 2**32 + 2], "sender of a network must be from -2147483647 to 2147483647. Got 4294967298"),
    ],
)
def test_what_are_no_arrays_of_integers_is_refused(start: object, sender: object, message: str) -> None:
    with pytest.raises(NetworkError, match=message):
        Network(2, 1, start, sender)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("inputs", "outputs", "senders", "name"),
    [
        (5, ["y"], {"y": ["a"]}, "inputs"),
        (["a", "b"], "y", {"y": ["a"]}, "outputs"),
        (["a"], ["y"], 5, "senders"),
        (["a"], ["y"], {"y": 5}, "senders"),
        (["a"], ["y"], {"y": "a"}, "senders"),
        (["a", []], ["y"], {"y": ["a"]}, "inputs"),
    ],
)
def test_from_names_refuses_what_are_no_names(inputs: object, outputs: object, senders: object, name: str) -> None:
    with pytest.raises(ParameterError, match=f"'{name}' parameter"):
        from_names(inputs, outputs, senders)  # type: ignore[arg-type]


def test_more_outputs_than_neurons_are_refused() -> None:
    with pytest.raises(NetworkError, match="at most 1 outputs, the neurons there are. Got 5"):
        from_edges(2, 5, [(1, 3)])


def test_neurons_in_the_wrong_order_get_advice() -> None:
    with pytest.raises(NetworkError, match="from_edges renumbers"):
        Network(2, 1, np.array([0, 1, 2, 3]), np.array([4, 1, 3]))


def test_ties_share_whole_rows_or_nothing() -> None:
    start, sender = np.array([0, 2, 4, 7]), np.array([0, 1, 0, 2, 0, 3, 4])
    tied = Network(2, 1, start, sender, np.array([0, 1, 0, 1, 2, 3, 4]))
    assert tied.n_weights == 5
    assert tied.tied
    with pytest.raises(NetworkError, match="share the whole row; node 4 and node 3 share weight 0"):
        Network(2, 1, start, sender, np.array([0, 1, 0, 2, 3, 4, 5]))
    with pytest.raises(NetworkError, match="none left out"):
        Network(2, 1, start, sender, np.array([0, 1, 0, 1, 2, 3, 9]))
    with pytest.raises(NetworkError, match="each of 7 edges"):
        Network(2, 1, start, sender, np.array([0, 1, 0, 1]))


def test_equal_networks_are_equal() -> None:
    assert layered(2, 3, 1) == layered(2, 3, 1)
    assert layered(2, 3, 1) != layered(2, 2, 1)
    assert layered(2, 1) != "a network"


@pytest.mark.parametrize("widths", [(3,), (), (3, 0), (2, -1, 2), (2, 2.5), (True, 4), (4, np.True_)])
def test_layered_refuses_bad_widths(widths: tuple[int, ...]) -> None:
    with pytest.raises(ParameterError, match="widths"):
        layered(*widths)


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        (layered(8, 3, 8, 8), True),
        (layered(8, 8, 3, 8), True),
        (layered(4, 4, 4, 4), False),
        (layered(8, 3, 2), False),  # the outputs are the fewest
        (layered(2, 3, 8), False),
        (layered(8, 8), False),
        (layered(8, 3, 8, 8, reads="inputs"), False),  # what does not pass the code goes around it
        (from_edges(4, 4, [(k, 5) for k in range(1, 5)] + [(5, k) for k in range(6, 10)]), True),
        # Three of the outputs are known before the narrowest layer.
        (from_edges(4, 4, [(1, 5), (5, 6)] + [(k, k + 4) for k in range(3, 5)] + [(2, 9), (6, 10)]), False),
    ],
)
def test_a_bottleneck_passes_fewer_values_than_there_are_inputs_and_outputs(network: Network, expected: bool) -> None:
    assert has_bottleneck(network) is expected
