"""The measured events: what the notebooks count is what the table has."""

import pytest

from ctxlab.course.events import all_events, events, version_key
from ctxlab.course.measured import CHANGE, compactions, microcompactions, saved_results


def test_the_counts_are_those_of_the_table() -> None:
    counts = {kind: len(events(kind)) for kind in ("compaction", "microcompact", "saved", "inline")}

    assert counts == {"compaction": 50, "microcompact": 3, "saved": 5, "inline": 47}
    assert not [event for event in all_events() if event.kind == "compaction" and event.before == 50_000]


def test_no_automatic_compaction_lies_below_the_line_of_its_build() -> None:
    chart = compactions()
    older, newer = chart.series

    assert (len(older.xs), min(older.ys)) == (28, 155_030)
    assert (len(newer.xs), min(newer.ys)) == (10, 167_094)
    assert chart.levels == {"v2.0:": 155_000, "v2.1:": 167_000}
    left_out = [event for event in events("compaction", trigger="auto") if event.before not in (*older.ys, *newer.ys)]
    assert [(event.version, event.before) for event in left_out] == [("", 155_116), ("2.1.228", 100_817)]


def test_every_microcompaction_saved_what_the_rule_asks() -> None:
    weight, left, saved = microcompactions().series

    assert all(y > 40_000 for y in weight.ys)
    assert all(y <= 40_000 for y in left.ys)
    assert all(y >= 20_000 for y in saved.ys)


def test_what_was_saved_is_over_its_limit_and_what_stayed_inline_is_old_or_read() -> None:
    saved, read, other = saved_results().series

    assert (len(saved.xs), len(read.xs), len(other.xs)) == (5, 38, 9)
    over = [event for event in events("inline") if event.tool != "Read" and event.before > 30_000]
    assert len(over) == 3
    assert all(version_key(event.version) < (2, 1, 2) for event in over)
    assert sorted(y for y in read.ys if y > 60_000) == [61_000, 61_004, 77_443]


def test_the_changed_build_divides_the_versions() -> None:
    assert version_key("2.1.20") < CHANGE <= version_key("2.1.21") < version_key("2.1.100")


def test_an_unknown_kind_is_refused_with_what_there_is() -> None:
    with pytest.raises(ValueError, match="unknown kind of event 'clear'; expected one of compaction, inline"):
        events("clear")
