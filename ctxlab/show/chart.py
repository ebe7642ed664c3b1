"""Chart: some series over one axis, as plain data. It is written as plotly, as SVG and as text.

Where plotly runs, the reader gets the figure that can be zoomed and asked; a notebook that is opened without running, or
not trusted, shows the picture or the text of the same numbers. A line is told apart by its letter too, not by its colour alone.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .palette import BLUE, GREEN, INK, NOW, ORANGE, PURPLE, SKY

if TYPE_CHECKING:
    import plotly.graph_objects

PLOTLY = "application/vnd.plotly.v1+json"
PNG_WIDTH = 800  # plotly shows it as it is until it runs itself, and cuts what is wider than the cell
FEW = 12  # so many whole numbers each have a tick
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, NOW)


@dataclass(frozen=True)
class Series:
    """Points with a name; `hover` is one text for each point."""

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    kind: Literal["line", "dots"] = "line"
    hover: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chart:
    """A drawing of series; `levels` are named heights across it. Shows itself; `figure` gives the plotly Figure."""

    title: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    levels: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.series:
            if not each.xs or len(each.xs) != len(each.ys):
                raise ValueError(
                    f"series {each.name!r} needs as many x as y, and at least one; got {len(each.xs)} and {len(each.ys)}"
                )

    @property
    def x_span(self) -> tuple[float, float]:
        """The smallest and the largest x."""
        xs = [x for each in self.series for x in each.xs]
        return min(xs), max(xs)

    @property
    def y_span(self) -> tuple[float, float]:
        """From 0, or from near the smallest value where all lie close together, to a little over the largest."""
        ys = [*(y for each in self.series for y in each.ys), *self.levels.values()]
        low, high = min(ys), max(ys)
        room = (high - low) * 0.08 or abs(high) * 0.08 or 1.0
        return (0.0 if low < high / 2 else low - room), high + room

    def figure(self) -> plotly.graph_objects.Figure:
        """The chart as a plotly Figure: zoom it, point at it."""
        from plotly import graph_objects

        traces = [
            graph_objects.Scatter(
                x=list(each.xs),
                y=list(each.ys),
                name=each.name,
                mode="markers" if each.kind == "dots" else "lines",
                text=list(each.hover) or None,
                marker={"color": colour, "size": 9, "symbol": symbol},
                line={"color": colour, "dash": dash},
            )
            for each, colour, symbol, dash in zip(self.series, COLOURS, SYMBOLS, DASHES, strict=False)
        ]
        figure = graph_objects.Figure(traces, {"template": "none", **LAYOUT, "title": {"text": self.title, "x": 0.02}})
        few = self.x_span[1] - self.x_span[0] < FEW
        figure.update_xaxes(title=self.x_title, gridcolor="#e5e8eb", zeroline=False, dtick=1 if few else None)
        figure.update_yaxes(title=self.y_title, gridcolor="#e5e8eb", zeroline=False, range=list(self.y_span))
        for name, height in self.levels.items():
            figure.add_hline(
                height,
                line_dash="dot",
                line_color=INK,
                annotation={"text": f"{name} {height:,.0f}", "xanchor": "left", "x": 1, "yanchor": "middle"},
            )
        return figure

    def __repr__(self) -> str:
        from .chart_text import chart_text

        return chart_text(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        from .chart_svg import chart_svg
        from .notebook import static_bundle

        return {PLOTLY: json.loads(self.figure().to_json()), **static_bundle(chart_svg(self), repr(self), PNG_WIDTH)}


SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "solid")
LAYOUT = {
    "height": 380,
    "margin": {"l": 70, "r": 150, "t": 50, "b": 50},
    "paper_bgcolor": "white",
    "plot_bgcolor": "white",
    "font": {"color": INK, "family": "system-ui, sans-serif"},
    "legend": {"orientation": "h", "y": 1.08, "x": 0.02},
    "hovermode": "closest",
}


def ticks(low: float, high: float, about: int = 5, least: float = 0.0) -> list[float]:
    """Round numbers between two values, at least so far apart.

    >>> ticks(0, 87_000)
    [0, 20000, 40000, 60000, 80000]
    """
    raw = max((high - low) / about, least) or 1.0
    size = 10 ** math.floor(math.log10(raw))
    step = next(size * many for many in (1, 2, 5, 10) if size * many >= raw)
    return [step * number for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
