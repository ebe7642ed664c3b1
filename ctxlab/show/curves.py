"""Curves: charts of replays and of thresholds; every number in them is computed here and now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from ..engine.replay import Replay
from ..engine.settings import Settings, field_index
from .chart import Chart, Series
from .languages import language


def sizes(replays: Mapping[str, Replay], *, lang: str = "en") -> Chart:
    """The size of every request, one line for each replay; levels are the window and autocompact of the first."""
    tongue = language(lang)
    words, lines_of = tongue.static.CHARTS, tongue.static.LINES
    if not replays:
        raise ValueError("sizes needs one replay or more, got none")
    first = next(iter(replays.values())).settings
    levels = {
        lines_of["window"]: float(first.window.context_window),
        lines_of["autocompact"]: float(first.thresholds.autocompact),
    }
    lines = tuple(
        over_requests(name, shown, [each.tokens_sent for each in shown.exchanges]) for name, shown in replays.items()
    )
    return Chart(words["sizes"], words["request"], words["tokens"], lines, levels, lang)


def total_input(replays: Mapping[str, Replay], *, lang: str = "en") -> Chart:
    """What was sent from the first request on, all added up, one line for each replay."""
    words = language(lang).static.CHARTS
    lines = tuple(
        over_requests(name, shown, list(accumulate(each.tokens_sent for each in shown.exchanges)))
        for name, shown in replays.items()
    )
    return Chart(words["total_input"], words["request"], words["tokens"], lines, lang=lang)


def over_requests(name: str, shown: Replay, values: Sequence[int]) -> Series:
    """One value for each request, counted from 1 as on screen."""
    if not shown.exchanges:
        raise ValueError(f"replay {name!r} has no request, so there is nothing to draw")
    return Series(name, tuple(each.index + 1.0 for each in shown.exchanges), tuple(map(float, values)))


def autocompact_lines(named: Mapping[str, Settings], path: str, values: Iterable[int], *, lang: str = "en") -> Chart:
    """Where autocompact begins while one setting changes, one line for each set of Settings."""
    words = language(lang).static.CHARTS
    steps = sorted(values)
    lines = tuple(
        Series(
            name,
            tuple(map(float, steps)),
            tuple(float(settings.replace(path, value).thresholds.autocompact) for value in steps),
        )
        for name, settings in named.items()
    )
    across = f"{path}, {field_index()[path].metadata['unit']}"
    return Chart(words["autocompact_lines"], across, words["tokens"], lines, lang=lang)
