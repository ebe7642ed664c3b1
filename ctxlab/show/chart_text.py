"""A Chart as text: a plot in letters, and under it each series in numbers. It is what a screen reader gets."""

from __future__ import annotations

import textwrap
from bisect import bisect_left

from .chart_data import LETTERS, ChartData, Series, ticks
from .languages import language
from .text import WORD_WIDTH
from .words import one_line, thousands

COLUMNS, ROWS = 72, 14
SAMPLES = 8


def chart_text(chart: ChartData) -> str:
    """The plot, its levels as lines of dots, and the numbers."""
    (left, right), (low, high) = chart.x_span, chart.y_span
    grid = [[" "] * COLUMNS for _ in range(ROWS)]
    row_of = [round((ROWS - 1) * (high - y) / (high - low)) for y in chart.levels.values()]
    for row in row_of:
        grid[row] = ["·"] * COLUMNS
    for letter, each in zip(LETTERS, chart.series, strict=False):
        for x, y in drawn_points(each, left, right):
            column = round((COLUMNS - 1) * (x - left) / (right - left or 1))
            cells = grid[round((ROWS - 1) * (high - y) / (high - low))]
            cells[column] = letter if cells[column] in (" ", "·", letter) else "*"
    marks = {round((ROWS - 1) * (high - tick) / (high - low)): number(tick) for tick in ticks(low, high)}
    lines = [f"{marks.get(row, ''):>8} |{''.join(cells).rstrip()}" for row, cells in enumerate(grid)]
    foot = f"{number(left):<{COLUMNS // 2}}{number(right):>{COLUMNS - COLUMNS // 2}}"
    words = language(chart.lang).static.CHARTS
    head = [one_line(chart.title, WORD_WIDTH), words["head"].format(y=chart.y_title, x=chart.x_title)]
    levels = [f"··· {one_line(name, 60)} {number(value)}" for name, value in chart.levels.items()]
    told = [f"{letter}  {numbers_of(each, words)}" for letter, each in zip(LETTERS, chart.series, strict=False)]
    folded = [part for line in (*levels, *told) for part in textwrap.wrap(line, WORD_WIDTH, subsequent_indent="   ")]
    key = [words["several"]] if any("*" in line for line in lines) else []
    return "\n".join([*head, *lines, f"{'':>8} +{'-' * COLUMNS}", f"{'':>10}{foot}", *folded, *key])


def drawn_points(series: Series, left: float, right: float) -> list[tuple[float, float]]:
    """What is drawn of a series: its points, and of a line one in each column."""
    if series.kind == "dots":
        return list(zip(series.xs, series.ys, strict=True))
    places = [left + (right - left) * column / (COLUMNS - 1) for column in range(COLUMNS)]
    return [(place, height(series, place)) for place in places if series.xs[0] <= place <= series.xs[-1]]


def height(series: Series, x: float) -> float:
    """The y of a line at any x between its ends.

    >>> height(Series("rising", (0.0, 10.0), (0.0, 5.0)), 4.0)
    2.0
    """
    after = max(1, bisect_left(series.xs, x))
    if after >= len(series.xs):
        return series.ys[-1]
    (x0, x1), (y0, y1) = series.xs[after - 1 : after + 1], series.ys[after - 1 : after + 1]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0 or 1)


def numbers_of(series: Series, words: dict[str, str]) -> str:
    """A series in words: all points where they are few, else some of them, always the first and the last."""
    count, name = len(series.xs), one_line(series.name, 60)
    if series.kind == "dots":
        span = {"low": number(min(series.ys)), "high": number(max(series.ys))}
        return words["points"].format(name=name, count=count, **span)
    chosen = sorted({round(place * (count - 1) / (SAMPLES - 1)) for place in range(SAMPLES)})
    return f"{name}: " + ", ".join(f"{number(series.xs[at])} → {number(series.ys[at])}" for at in chosen)


def number(value: float) -> str:
    """A number in a few characters.

    >>> number(0.5), number(12), number(167_000)
    ('0.5', '12', '167.0K')
    """
    return thousands(round(value)) if value == round(value) or value > 100 else f"{value:g}"
