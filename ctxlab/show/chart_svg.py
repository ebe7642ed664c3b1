"""A Chart as SVG: what a notebook shows where plotly does not run."""

from __future__ import annotations

from .chart_data import COLOURS, LETTERS, ChartData, Series, apart, ticks
from .chart_text import number
from .palette import FAINT, INK, LINE, PAPER
from .shapes import escape, text_width, words
from .svg import FONT

WIDTH, HEIGHT = 960, 380
LEFT, RIGHT, TOP, BOTTOM = 80, 936, 78, 332
NAMES = 146  # the margin in which levels have their names
LINE_HEIGHT = 14


def chart_svg(chart: ChartData) -> str:
    """Axes, levels, lines and points, and a key with a letter for each series."""
    right = RIGHT - NAMES * bool(chart.levels)
    across, up = Axis(chart.x_span, LEFT + 10, right - 10), Axis(chart.y_span, BOTTOM, TOP)
    body = [
        words(24, 28, chart.title, 'font-size="16" font-weight="600"'),
        *axes(chart, across, up, right),
        *key(chart.series),
        *levels(chart.levels, up, right),
        *(
            part
            for number, each in enumerate(chart.series)
            for part in drawn(each, across, up, COLOURS[number], LETTERS[number])
        ),
        *ends(chart.series, across, up),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="100%" style="max-width:{WIDTH}px" '
        f'role="img" {FONT} font-size="12" fill="{INK}"><title>{escape(chart.title)}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{PAPER}"/>{"".join(body)}</svg>'
    )


class Axis:
    """From values to pixels."""

    def __init__(self, span: tuple[float, float], start: float, stop: float) -> None:
        self.low, high = span
        self.start, self.scale = start, (stop - start) / (high - self.low or 1.0)

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) * self.scale


def axes(chart: ChartData, across: Axis, up: Axis, right: float) -> list[str]:
    """Grid, numbers and titles."""
    out = [
        part
        for tick in ticks(*chart.y_span)
        for part in (
            f'<path d="M{LEFT} {up(tick):.1f}H{right}" stroke="{LINE}"/>',
            words(LEFT - 8, up(tick) + 4, number(tick), f'text-anchor="end" fill="{FAINT}"'),
        )
    ]
    out += [
        words(across(tick), BOTTOM + 18, number(tick), f'text-anchor="middle" fill="{FAINT}"')
        for tick in ticks(*chart.x_span, about=8, least=1.0)
    ]
    out.append(words((LEFT + right) / 2, HEIGHT - 10, chart.x_title, f'text-anchor="middle" fill="{FAINT}"'))
    return [*out, words(24, 52, chart.y_title, f'fill="{FAINT}"')]


def key(series: tuple[Series, ...]) -> list[str]:
    """A swatch, a letter and a name for each series, at the right of the head."""
    out: list[str] = []
    x = float(RIGHT)
    for place in reversed(range(len(series))):
        name = f"{LETTERS[place]}  {series[place].name}"
        x -= text_width(name, 12)
        out += [words(x, 52, name), f'<rect x="{x - 18:.1f}" y="43" width="12" height="10" fill="{COLOURS[place]}"/>']
        x -= 36
    return out


def levels(named: dict[str, float], up: Axis, right: float) -> list[str]:
    """A dotted line for each level, and in the margin its name and number; names that would meet are moved apart."""
    lines = [
        f'<path d="M{LEFT} {up(value):.1f}H{right}" stroke="{INK}" stroke-dasharray="2 4"/>' for value in named.values()
    ]
    places = apart({name: up(value) + 4 for name, value in named.items()}, LINE_HEIGHT)
    return lines + [words(right + 6, place, f"{name} {named[name]:,.0f}") for name, place in places.items()]


def drawn(series: Series, across: Axis, up: Axis, colour: str, letter: str) -> list[str]:
    """A line, or a letter in a dot for each point."""
    points = [(across(x), up(y)) for x, y in zip(series.xs, series.ys, strict=True)]
    if series.kind == "dots":
        return [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}" fill-opacity="0.75"/>' for x, y in points] + [
            words(x, y + 3, letter, f'font-size="8" text-anchor="middle" fill="{INK}"') for x, y in points
        ]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return [f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.2"/>']


def ends(series: tuple[Series, ...], across: Axis, up: Axis) -> list[str]:
    """The letter of each line at its right end; letters that would meet are moved apart."""
    lines = {letter: each for letter, each in zip(LETTERS, series, strict=False) if each.kind == "line"}
    places = apart({letter: up(each.ys[-1]) - 6 for letter, each in lines.items()}, LINE_HEIGHT)
    style = f'text-anchor="end" font-weight="700" fill="{INK}"'
    return [words(across(lines[letter].xs[-1]) - 4, place, letter, style) for letter, place in places.items()]
