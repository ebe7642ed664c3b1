"""A Chart as a plotly Figure: plain, without a template, so that it is small in a notebook and white on a dark page."""

from __future__ import annotations

from plotly import graph_objects

from .chart_data import COLOURS, LETTERS, ChartData, apart
from .palette import INK

HEIGHT, TOP, BOTTOM = 380, 50, 50  # pixels
LINE_HEIGHT = 14
FEW = 12  # so many whole numbers each have a tick
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "solid")
LAYOUT = {
    "template": "none",
    "height": HEIGHT,
    "margin": {"l": 70, "r": 150, "t": TOP, "b": BOTTOM},
    "paper_bgcolor": "white",
    "plot_bgcolor": "white",
    "font": {"color": INK, "family": "system-ui, sans-serif"},
    "legend": {"orientation": "h", "y": 1.08, "x": 0.02},
    "hovermode": "closest",
}
AXIS = {"gridcolor": "#e5e8eb", "zeroline": False}


def chart_figure(chart: ChartData) -> graph_objects.Figure:
    """Lines and points under their letters, and a dotted line with its name for each level."""
    looks = zip(chart.series, COLOURS, SYMBOLS, DASHES, LETTERS, strict=False)
    traces = [
        graph_objects.Scatter(
            x=list(each.xs),
            y=list(each.ys),
            name=f"{letter}  {each.name}",
            mode="markers" if each.kind == "dots" else "lines",
            text=list(each.hover) or None,
            marker={"color": colour, "size": 9, "symbol": symbol},
            line={"color": colour, "dash": dash},
        )
        for each, colour, symbol, dash, letter in looks
    ]
    figure = graph_objects.Figure(traces, {**LAYOUT, "title": {"text": chart.title, "x": 0.02}})
    few = chart.x_span[1] - chart.x_span[0] < FEW
    figure.update_xaxes(title=chart.x_title, dtick=1 if few else None, **AXIS)
    figure.update_yaxes(title=chart.y_title, range=list(chart.y_span), **AXIS)
    add_levels(figure, chart)
    return figure


def add_levels(figure: graph_objects.Figure, chart: ChartData) -> None:
    """The levels, their names in the right margin and apart from each other."""
    low, high = chart.y_span
    pixels = (HEIGHT - TOP - BOTTOM) / (high - low)
    wanted = {name: (high - level) * pixels for name, level in chart.levels.items()}
    for name, place in apart(wanted, LINE_HEIGHT).items():
        level = chart.levels[name]
        words = {"text": f"{name} {level:,.0f}", "xanchor": "left", "x": 1, "yanchor": "middle"}
        words["yshift"] = round(wanted[name] - place)
        figure.add_hline(level, line_dash="dot", line_color=INK, annotation=words)
