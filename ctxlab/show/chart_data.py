"""Chart: some series over one axis, as plain data. It is written as plotly, as SVG and as text.

Where plotly runs, the reader gets the figure that can be zoomed and asked; a notebook that is opened without running, or
not trusted, shows the picture or the text of the same numbers. A line is told apart by its letter too, not by its colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .palette import BLUE, GREEN, NOW, ORANGE, PURPLE, SKY

if TYPE_CHECKING:
    pass

LETTERS = "abcdef"
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
class ChartData:
    """Series over one axis; `levels` are named heights across it, `lang` is that of what its text says.

    Raises ValueError for no series or more than six, for a series without points, for a number that is not finite.
    """

    title: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    levels: dict[str, float] = field(default_factory=dict)
    lang: str = "en"

    def __post_init__(self) -> None:
        if not 1 <= len(self.series) <= len(LETTERS):
            raise ValueError(f"a chart draws 1 to {len(LETTERS)} series, got {len(self.series)}")
        numbers = [*self.levels.values(), *(value for each in self.series for value in (*each.xs, *each.ys))]
        if not all(math.isfinite(number) for number in numbers):
            raise ValueError(f"{self.title!r} has a number that is not finite")
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
        return (0.0 if 0 <= low < high / 2 else low - room), high + room


def apart(places: Mapping[str, float], least: float) -> dict[str, float]:
    """Heights of names in pixels from the top, moved down where two would meet.

    >>> apart({"low": 42, "high": 40}, 14)
    {'high': 40, 'low': 54}
    """
    out: dict[str, float] = {}
    lowest = -least
    for name, place in sorted(places.items(), key=lambda each: each[1]):
        out[name] = lowest = max(place, lowest + least)
    return out


def ticks(low: float, high: float, about: int = 5, least: float = 0.0) -> list[float]:
    """Round numbers between two values, at least so far apart.

    >>> ticks(0, 87_000)
    [0, 20000, 40000, 60000, 80000]
    """
    raw = max((high - low) / about, least) or 1.0
    size = 10 ** math.floor(math.log10(raw))
    step = next(size * many for many in (1, 2, 5, 10) if size * many >= raw)
    return [step * number for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
