"""Tables of the lessons, and what a step changed on the wire."""

import pytest

import ctxlab as cl
from ctxlab.course.listing import listing
from ctxlab.course.samples import samples
from ctxlab.course.tables import counters, numbers, windows
from ctxlab.course.wire import on_the_wire
from ctxlab.engine.layers.microcompact import gap
from ctxlab.engine.tokens import ClaudeEstimate
from ctxlab.show.table import Table


def test_numbers_stand_beside_each_other_with_their_source() -> None:
    row = numbers("budget.per_result_chars").rows[0]

    assert row[:3] == ("budget.per_result_chars", "5,000 characters", "50,000 characters")
    assert row[3:] == ("analysis", "build 2.1.88; changelog 2.1.51")
    with pytest.raises(ValueError, match="unknown setting 'budget.per_result'"):
        numbers("budget.per_result")


def test_the_counters_are_the_counters() -> None:
    count = ClaudeEstimate("claude-opus-4-6")
    for row in counters().rows:
        assert row[5] == f"{count(samples()[row[0]]):,}"
        assert row[1] == f"{len(samples()[row[0]]):,}"


def test_a_window_holds_less_chinese_than_english() -> None:
    per_token = {row[0]: float(row[1]) for row in windows().rows}

    assert per_token["Chinese"] < 1 < per_token["code"] < per_token["English"]


def test_a_cached_deletion_leaves_every_byte_and_a_clearing_does_not(classroom: cl.Replay) -> None:
    both = classroom.settings.replace("microcompact.strategy", ("gap", "cached"))
    cached, by_time = on_the_wire(cl.replay(classroom.history, both), (8, "microcompact"), (14, "microcompact")).rows

    assert (cached[3], cached[5]) == ("0", "cache_edits: 9 deletions")
    same, total = cached[4].split(" of ")
    assert same == total
    assert (by_time[3], by_time[5]) == ("9", "nothing")
    same, total = (int(part.replace(",", "")) for part in by_time[4].split(" of "))
    assert same < total / 10


def test_the_listing_is_the_code_that_runs() -> None:
    shown = listing(gap)

    assert repr(shown).startswith("# ctxlab/engine/layers/microcompact.py\ndef gap(view: View")
    assert shown._repr_markdown_().startswith("```python\n# ctxlab/engine/layers/microcompact.py")


def test_a_table_fits_its_width_and_keeps_every_word() -> None:
    words = [f"word{number}" for number in range(60)]
    table = Table(("a", "b", "c"), [(" ".join(words[:20]), " ".join(words[20:40]), " ".join(words[40:]))])

    assert max(map(len, table.text(80).split("\n"))) <= 80
    assert all(word in table.text(80) for word in words)


def test_a_row_with_a_cell_too_many_is_refused() -> None:
    with pytest.raises(ValueError, match="a row needs 2 cells, a, b; got"):
        Table(("a", "b"), [("1", "2", "3")])


def test_what_a_session_says_is_text_in_a_table() -> None:
    table = Table(("<b>",), [("<script>$x$</script>",)])

    assert "<script>" not in table._repr_html_()
    assert "<span>$</span>" in table._repr_html_()


def test_a_table_of_anything_can_be_shown() -> None:
    assert repr(Table(("",), [("",), (None,), (3,)]))
    assert "\x1b" not in repr(Table(("a",), [("\x1b[31mred",)]))


def test_a_place_that_cannot_be_compared_is_refused(classroom: cl.Replay) -> None:
    assert on_the_wire(classroom, (-1, "snip")).rows[0][0] == "58"
    with pytest.raises(ValueError, match="before 'arrive' nothing was there"):
        on_the_wire(classroom, (29, "arrive"))
    with pytest.raises(ValueError, match="no step 'bugdet'"):
        on_the_wire(classroom, (29, "bugdet"))
    with pytest.raises(IndexError, match="request 99 is not in this replay"):
        on_the_wire(classroom, (99, "budget"))


def test_what_has_no_source_is_refused_in_words() -> None:
    for thing in (print, 3, "gap"):
        with pytest.raises(ValueError, match="listing takes a function or class of the package"):
            listing(thing)
    with pytest.raises(ValueError, match="numbers needs one profile or more"):
        numbers("budget.per_result_chars", profiles=())
