"""Chart: series that show themselves, as a plotly Figure, as SVG and as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .chart_data import ChartData, Series
from .chart_svg import chart_svg
from .chart_text import chart_text
from .notebook import static_bundle

if TYPE_CHECKING:
    import plotly.graph_objects

__all__ = ["PLOTLY", "Chart", "Series"]
PLOTLY = "application/vnd.plotly.v1+json"
PNG_WIDTH = 800  # plotly shows it as it is until it runs itself, and cuts what is wider than the cell


class Chart(ChartData):
    """A drawing of series; `levels` are named heights across it. Shows itself; `figure` gives the plotly Figure."""

    def figure(self) -> plotly.graph_objects.Figure:
        """The chart as a plotly Figure: zoom it, point at it."""
        from .chart_figure import chart_figure

        return chart_figure(self)

    def __repr__(self) -> str:
        return chart_text(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        bundle = static_bundle(chart_svg(self), repr(self), PNG_WIDTH)
        return {PLOTLY: json.loads(self.figure().to_json()), **bundle}
