"""The story: every layer acts within 60 requests, it compacts twice, and the needles are where they are said to be."""

import collections

import pytest

import ctxlab as cl
from ctxlab.engine.edit import Cover


def acts(result: cl.Replay) -> collections.Counter:
    return collections.Counter(step.layer for step in result.steps if step.state == "acted")


def test_every_layer_acts_within_60_requests_and_it_compacts_twice(classroom: cl.Replay) -> None:
    done = acts(classroom)

    assert 50 <= len(classroom.exchanges) <= 60
    assert set(done) == {"budget", "snip", "microcompact", "collapse", "autocompact"}
    assert done["autocompact"] >= 2
    assert {exchange.outcome for exchange in classroom.exchanges} == {"sent"}


def test_the_full_story_fills_200000_tokens() -> None:
    result = cl.replay(cl.story("full"), cl.Settings.profile("v2.1"))

    assert acts(result)["autocompact"] >= 2
    assert acts(result)["budget"] >= 2
    assert max(exchange.steps[0].after for exchange in result.exchanges) > 167_000


def test_the_wish_is_in_the_first_request_and_survives_both_compactions(classroom: cl.Replay) -> None:
    assert "Do not change the public API" in classroom.history.blocks[0].text
    for cover in [edit for edit in classroom.log if isinstance(edit, Cover) and edit.layer == "autocompact"]:
        assert "Do not change the public API" in cover.put[1].text


def test_request_9_meets_the_failing_test_and_then_comes_the_long_log(classroom: cl.Replay) -> None:
    results = [block for block in classroom.history.blocks if block.kind == "result" and block.tool == "Bash"]
    failing = next(block for block in results if "AssertionError: assert 40117 == 40118" in block.text)
    longest = max(results, key=lambda block: len(block.text))

    assert classroom.history.arrived[failing.id] == 9
    assert len(longest.text) > 40_000


def test_at_request_7_most_of_the_messages_are_reads_of_requests_2_and_3(classroom: cl.Replay) -> None:
    view = classroom.at(6).view
    blocks = [block for block in view if block.message != "overhead"]
    reads = [block for block in blocks if block.tool == "Read" and block.kind == "result"]

    assert sum(block.tokens for block in reads) > 0.5 * sum(block.tokens for block in blocks)


def test_lunch_lasts_70_minutes_before_a_text_of_the_user(classroom: cl.Replay) -> None:
    step = next(step for step in classroom.steps if step.layer == "microcompact" and step.state == "acted")
    start = classroom.history.turns[step.request].start

    assert step.reason.startswith("gap 70 min ≥ 60: cleared ")
    assert any(block.kind == "user" for block in classroom.history.blocks[start : start + 2])


def test_the_two_bursts_bring_three_reads_that_cannot_fold(classroom: cl.Replay) -> None:
    room = 16_700 - 12_600
    for step in [step for step in classroom.steps if step.layer == "autocompact" and step.state == "acted"]:
        start, stop, _ = classroom.history.turns[step.request]
        reads = [block for block in classroom.history.blocks[start:stop] if block.kind == "result"]
        assert [block.tool for block in reads] == ["Read"] * 3
        assert sum(block.tokens for block in reads) > room


def test_the_same_story_every_time() -> None:
    assert cl.story("classroom").messages == cl.story("classroom").messages


def test_requests_of_the_story_are_ones_the_api_takes(classroom: cl.Replay) -> None:
    for exchange in classroom.exchanges:
        request = cl.make_request(classroom.at(exchange.index).view, classroom.settings)
        assert (cl.check_request(request.body["messages"]), request.repairs) == ([], ())


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="expected classroom or full"):
        cl.story("huge")
