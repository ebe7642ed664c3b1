"""Measured: charts of `data/events.tsv`, each number of them an event in a public recording."""

from __future__ import annotations

from ..engine.settings import Settings
from ..show.chart import Chart, Series
from .events import Event, events, version_key

CHANGE = (2, 1, 21)  # from this version on the smaller of output and reserve is held back (changelog)
AT_DEFAULT = "2.1.228"  # one recording with a window of its own, left out of the chart and named in the text


def compactions() -> Chart:
    """Automatic compactions by version, with the line of both profiles; 200,000 windows whose version is known."""
    known = [each for each in events("compaction", trigger="auto") if each.version and each.version != AT_DEFAULT]
    known.sort(key=lambda each: (version_key(each.version), each.before))
    groups = {
        "up to": [each for each in known if version_key(each.version) < CHANGE],
        "from": [each for each in known if version_key(each.version) >= CHANGE],
    }
    series = tuple(
        dots(f"{name} {edge(found).version} ({len(found)})", [known.index(each) + 1 for each in found], found)
        for (name, found), edge in zip(groups.items(), (last, first), strict=True)
    )
    levels = {f"{name}:": float(Settings.profile(name).thresholds.autocompact) for name in ("v2.0", "v2.1")}
    return Chart("Size at automatic compaction, in recordings", "event, by version", "tokens", series, levels)


def microcompactions() -> Chart:
    """Microcompactions: what the named results weighed, and what was saved, with the two levels of the pressure rule."""
    found = events("microcompact")
    rule = Settings.profile("v2.0").microcompact
    weight = dots("weight of the named results", range(1, len(found) + 1), found)
    left = tuple(float((each.before or 0) - (each.after or 0)) for each in found)
    saved = Series("saved", weight.xs, tuple(float(each.after or 0) for each in found), "dots", weight.hover)
    kept = Series("left of it", weight.xs, left, "dots", weight.hover)
    levels = {
        "left at most": float(rule.pressure_keep_tokens),
        "saved at least": float(rule.pressure_save_tokens),
    }
    return Chart("Microcompactions, in recordings", "event", "tokens (characters / 4)", (weight, kept, saved), levels)


def first(found: list[Event]) -> Event:
    """The oldest of some events."""
    return found[0]


def last(found: list[Event]) -> Event:
    """The newest of them."""
    return found[-1]


def saved_results() -> Chart:
    """Results that were saved, and the largest that stayed inline, by tool, with the limits of Bash and Grep."""
    saved, inline = events("saved"), events("inline")
    read = [each for each in inline if each.tool == "Read"]
    other = [each for each in inline if each.tool != "Read"]
    series = (
        dots(f"saved ({len(saved)})", range(1, len(saved) + 1), saved),
        dots(f"inline, Read ({len(read)})", range(1, len(read) + 1), read),
        dots(f"inline, other tools ({len(other)})", range(1, len(other) + 1), other),
    )
    rule = Settings.profile().budget
    levels = {f"limit of {tool}": float(rule.limit(tool) or 0) for tool in ("Bash", "Grep")}
    return Chart("Long tool results, in recordings", "event, in each group", "characters", series, levels)


def dots(name: str, places: object, found: list[Event]) -> Series:
    """One point for each event, with what it is on pointing."""
    xs = tuple(float(place) for place in places)  # type: ignore[attr-defined]
    hover = tuple(f"{each.tool} {each.version} {each.repository}".strip() for each in found)
    return Series(name, xs, tuple(float(each.before or 0) for each in found), "dots", hover)
