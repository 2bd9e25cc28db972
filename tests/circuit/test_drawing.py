"""Pictures: a layout that keeps its rules, files that open, figures that show what they should."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.image import imread

from boolearn.circuit import Circuit, Gate, Literal, trace
from boolearn.circuit.drawing import draw, save_figure, weight_histogram, weight_matrices, weight_pictures
from boolearn.circuit.drawing.layout import Layout, lay_out
from boolearn.circuit.gate import conjunction, disjunction, exclusive, majority
from boolearn.errors import ParameterError
from boolearn.model import BoolNet
from boolearn.network import from_edges, layered
from random_circuits import ODD_NAMES, all_inputs, circuits

Graph = tuple[list[int], list[tuple[int, int, bool]]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    layers = draw(st.lists(st.integers(0, 4), min_size=2, max_size=14))
    pairs = [(a, b) for a, b in itertools.permutations(range(len(layers)), 2) if layers[a] < layers[b]]
    if not pairs:
        return layers, []
    edges = draw(st.lists(st.tuples(st.sampled_from(pairs), st.booleans()), max_size=20, unique=True))
    return layers, [(a, b, kind) for (a, b), kind in edges]


@given(graphs())
def test_nodes_keep_their_distance_and_lines_pass_every_layer(graph: Graph) -> None:
    layers, edges = graph
    layout = lay_out(layers, edges, fixed=(0,))
    for a, b in itertools.combinations(range(len(layout.x)), 2):
        if layout.layer[a] == layout.layer[b]:
            wanted = 1 if max(a, b) < len(layers) else 0.7 if min(a, b) < len(layers) else 0.4
            assert abs(layout.x[a] - layout.x[b]) >= wanted - 1e-6
    for route, (sender, receiver, _) in zip(layout.routes, edges, strict=True):
        assert (route[0], route[-1]) == (sender, receiver)
        assert [layout.layer[node] for node in route] == list(range(layers[sender], layers[receiver] + 1))
    bottom = [layout.x[node] for node in range(len(layers)) if layers[node] == 0]
    assert bottom == sorted(bottom)


@given(graphs())
def test_crossings_are_counted_right(graph: Graph) -> None:
    layout = lay_out(*graph)
    assert layout.crossings == crossings_by_looking(layout)


def crossings_by_looking(layout: Layout) -> int:
    segments = {pair for route in layout.routes for pair in itertools.pairwise(route)}
    return sum(
        layout.layer[a] == layout.layer[c] and (layout.x[a] - layout.x[c]) * (layout.x[b] - layout.x[d]) < 0
        for (a, b), (c, d) in itertools.combinations(segments, 2)
    )


def test_a_tangle_without_need_is_untangled() -> None:
    """A ladder whose upper nodes come in the wrong order."""
    size = 12
    order = np.random.default_rng(1).permutation(size)
    edges = [(i, size + int(order[i]), True) for i in range(size)]
    edges += [(size + int(order[i]), 2 * size + i, True) for i in range(size)]
    assert lay_out([0] * size + [1] * size + [2] * size, edges, fixed=(0, 2)).crossings == 0


@given(circuits(odd_names=True))
@settings(max_examples=6)
def test_any_circuit_is_drawn_without_a_warning(tmp_path_factory: pytest.TempPathFactory, circuit: Circuit) -> None:
    path = tmp_path_factory.mktemp("drawing") / "c.svg"
    circuit.save(path)
    ElementTree.parse(path)  # noqa: S314 (our own file)


def adder() -> Circuit:
    gates = (
        majority([(0, 1), (1, 1), (2, 1)]),
        Gate((0, 1, 2, 3), (1, 1, 1, -2)),
        conjunction([(0, 1), (2, -1)]),
        disjunction([(3, 1), (5, -1)]),
        exclusive([(0, 1), (6, 1)]),
    )
    return Circuit(("a", "b", "c"), gates, (("carry", Literal(3)), ("sum", Literal(4)), ("other", Literal(7, -1))))


def test_files_hold_the_names_and_pictures_of_sensible_size(tmp_path: Path) -> None:
    adder().save(tmp_path / "c.svg")
    text = (tmp_path / "c.svg").read_text()
    for name in ("a", "b", "c", "carry", "sum", "other", "Maj", "Xor", "threshold", "Not"):
        assert f"<!-- {name} -->" in text
    adder().save(tmp_path / "c.png")
    height, width, _ = imread(tmp_path / "c.png").shape
    assert 300 < width < 1500
    assert 300 < height < 1500


def test_nots_are_red_and_thresholds_show_their_weights() -> None:
    (axes,) = draw(adder()).axes
    colours = {
        tuple(round(float(part), 2) for part in row[:3]): len(lines.get_paths())
        for lines in axes.collections
        for row in np.atleast_2d(lines.get_edgecolor())
    }
    assert colours == {(0.3, 0.3, 0.3): 12, (0.84, 0.15, 0.16): 4}
    shown = [text.get_text() for text in axes.texts]
    assert shown.count("1") == 3
    assert shown.count("2") == 1
    assert {"∧", "∨", "⊕", "M", "0"} <= set(shown)


def test_names_the_font_cannot_draw_are_spelled_out() -> None:
    outputs = tuple((name, Literal(0)) for name in ODD_NAMES)
    shown = [text.get_text() for text in draw(Circuit(("x",), (), outputs)).axes[0].texts]
    assert "\\u2028" in shown
    assert "a\\u000ab" in shown


def test_no_picture_touches_pyplot(tmp_path: Path) -> None:
    script = (
        "import sys; from boolearn.circuit import Circuit, Literal\n"
        "Circuit(('a',), (), (('y', Literal(0)),)).save('c.png')\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)


@given(circuits(max_inputs=4))
@settings(max_examples=50)
def test_a_trace_is_the_output_over_the_inputs_it_needs(circuit: Circuit) -> None:
    inputs = all_inputs(len(circuit.inputs))
    for index, (name, _) in enumerate(circuit.outputs):
        part = trace(circuit, name)
        columns = [circuit.inputs.index(found) for found in part.inputs]
        assert np.array_equal(part.predict(inputs[:, columns])[:, 0], circuit.predict(inputs)[:, index])
        read = {signal for gate in part.gates for signal in gate.inputs} | {part.outputs[0][1].signal}
        assert read == set(range(part.n_signals))
    with pytest.raises(ParameterError, match="output"):
        trace(circuit, "nobody")


@pytest.fixture
def model(rng: np.random.Generator) -> BoolNet:
    network = layered(6, 5, 4, 3)
    return BoolNet(network, rng.normal(size=network.n_weights))


def test_histograms_have_lines_where_gates_are(model: BoolNet, tmp_path: Path) -> None:
    figure = weight_histogram(model)
    lines = {round(float(np.asarray(line.get_xdata())[0]), 6) for line in figure.axes[1].lines}
    assert lines == {round(sign * (7 / support) ** 0.5, 6) for sign in (1, -1) for support in (1, 3)}
    counted = sum(patch.get_height() for patch in figure.axes[1].patches)  # type: ignore[attr-defined]
    assert counted == 35
    save_figure(figure, tmp_path / "h.png")
    assert imread(tmp_path / "h.png").size


def test_matrices_hold_the_weights(model: BoolNet, tmp_path: Path) -> None:
    figure = weight_matrices(model)
    shapes = [axes.images[0].get_array().shape for axes in figure.axes if axes.images]  # type: ignore[union-attr]
    assert shapes == [(5, 7), (4, 6), (3, 5)]
    first = figure.axes[0].images[0].get_array()
    assert first is not None
    assert np.allclose(first[2], model.weights_into(model.network.first_neuron + 2))
    save_figure(figure, tmp_path / "m.svg")
    wiring = from_edges(3, 1, {(1, 4), (2, 4), (2, 5), (3, 5), (4, 5)})
    save_figure(weight_matrices(BoolNet(wiring, np.ones(wiring.n_weights))), tmp_path / "any.png")


def test_pictures_take_the_shape_of_the_inputs(model: BoolNet) -> None:
    figure = weight_pictures(model, (2, 3))
    assert len(figure.axes) == 5
    picture = figure.axes[1].images[0].get_array()
    assert picture is not None
    assert np.allclose(picture.ravel(), model.weights_into(model.network.first_neuron + 1)[1:])
    with pytest.raises(ParameterError, match="shape"):
        weight_pictures(model, (2, 2))
