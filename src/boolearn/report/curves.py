"""The curves of a report: gap and accuracy against iterations, and how the weights are distributed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from boolearn.model import BoolNet
from boolearn.report.contents import Line

SOURCE = "trace"
"""The name of the data that the page replaces while a run is under way."""

_COLUMNS = ("iteration", "gap", "least_gap", "train_accuracy", "test_accuracy", "seconds")
_BLUE, _RED, _GREEN, _GREY = "#2f5fae", "#c8402f", "#2f8a53", "#8a8a8a"
_BINS = 101


def columns(trace: Sequence[Line]) -> dict[str, list[float]]:
    """The trace in columns; what was not measured is NaN, which leaves a gap in the curve."""
    return {name: [_number(line.get(name)) for line in trace] for name in _COLUMNS}


def evolution(trace: Sequence[Line]) -> dict[str, Any]:
    """Figures by name. Both read one source of data, and zooming one zooms the other."""
    from bokeh.models import ColumnDataSource, HoverTool

    source = ColumnDataSource(columns(trace), name=SOURCE)
    gap = _figure("gap", y_axis_type="log")
    accuracy = _figure("accuracy", x_range=gap.x_range)
    lines = [
        (gap, "gap", "gap", _BLUE, 0.6),
        (gap, "least_gap", "least gap so far", _RED, 1.0),
        (accuracy, "train_accuracy", "training items", _BLUE, 1.0),
        (accuracy, "test_accuracy", "test items", _GREEN, 1.0),
    ]
    for figure, column, label, colour, alpha in lines:
        if column == "test_accuracy" and all(math.isnan(value) for value in source.data[column]) and trace:
            continue
        drawn = figure.line(
            "iteration", column, source=source, legend_label=label, line_width=2, color=colour, alpha=alpha
        )
        tips = [("iteration", "@iteration{0,0}"), (label, f"@{column}{{0.0000}}"), ("seconds", "@seconds{0.0}")]
        figure.add_tools(HoverTool(renderers=[drawn], tooltips=tips, mode="vline"))
    gap.legend.location = "bottom_left"
    accuracy.legend.location = "bottom_right"
    for figure in (gap, accuracy):
        figure.legend.background_fill_alpha = 0.7
    return {"gap": gap, "accuracy": accuracy}


def weights(model: BoolNet) -> dict[str, Any]:
    """Histograms of all weights and of the lowest layer, with lines at the weights of copies and of gates."""
    network = model.network
    lowest = network.level[network.receiver] == 1
    parts = {"all layers": np.ones(network.n_edges, bool)} | ({} if lowest.all() else {"lowest layer": lowest})
    largest = 1.05 * max(float(np.abs(model.weights).max()), math.sqrt(network.fan_in.max()))
    bounds = np.linspace(-largest, largest, _BINS)
    figures = {}
    for title, chosen in parts.items():
        counts, _ = np.histogram(model.edge_weights[chosen], bounds)
        figure = _figure("edges", x_axis_type="linear", x_axis_label=f"weight, {title}", y_axis_type="log")
        seen = counts > 0  # a logarithmic axis has no place for none
        bars = figure.quad(
            left=bounds[:-1][seen], right=bounds[1:][seen], bottom=0.5, top=counts[seen], color=_BLUE, line_color=None
        )
        _hover(figure, bars, [("weight", "@left{0.00} to @right{0.00}"), ("edges", "@top{0,0}")])
        m = int(network.fan_in[network.receiver[chosen] - network.first_neuron].max())
        for support, colour in ((1, _RED), (3, _GREEN)):
            place = math.sqrt(m / support)
            figure.vspan(x=[-place, place], line_color=colour, line_dash="dashed")
        figures[title] = figure
    return figures


def _hover(figure: Any, renderer: Any, tips: list[tuple[str, str]]) -> None:
    from bokeh.models import HoverTool

    figure.add_tools(HoverTool(renderers=[renderer], tooltips=tips))


def _figure(label: str, **options: Any) -> Any:
    from bokeh.plotting import figure

    options = {"x_axis_type": "log", "x_axis_label": "iteration"} | options
    made = figure(
        y_axis_label=label,
        height=280,
        sizing_mode="stretch_width",
        tools="pan,box_zoom,wheel_zoom,reset,save",
        active_scroll=None,  # the wheel scrolls the page until somebody asks for zooming
        output_backend="svg",  # sharp in print
        **options,
    )
    made.toolbar.logo = None
    made.toolbar.stylesheets = ["@media print { :host { display: none; } }"]
    made.grid.grid_line_color = "#e4e4e4"
    return made


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan
