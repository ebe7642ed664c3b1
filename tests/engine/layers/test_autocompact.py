"""Autocompact: the line, what is kept, failures, and what happens when nothing helps."""

import pytest

from ctxlab.engine.acts import compact_now
from ctxlab.engine.edit import Cover, Note
from ctxlab.engine.history import History
from ctxlab.engine.replay import replay
from ctxlab.engine.summary_text import TooLongError
from ctxlab.sources.build import Builder
from tests.engine.layers.small import SMALL, rounds, states
from tests.fakes import Blocking, ScriptedSummariser, services


def test_a_long_run_with_one_prompt_is_summarised(build: Builder) -> None:
    """One user text at the very start, then only replies and results: the summariser gets the middle."""
    build.user("do it")
    rounds(build, 200)
    scripted = ScriptedSummariser("what happened")
    history = History(tuple(build.messages))
    result = replay(history, SMALL, services(history, summarise=scripted))

    assert scripted.asked
    assert any(piece.kind == "result" for piece in scripted.asked[0].pieces)
    assert all(exchange.tokens_sent <= 4_000 for exchange in result.exchanges)


def test_one_message_that_fills_the_window_ends_with_a_named_reason(build: Builder) -> None:
    build.user("x" * 4 * 3_600)
    for _ in range(10):
        build.reply("ok")
        build.user("go on")
    result = replay(History(tuple(build.messages)), SMALL)

    assert len([edit for edit in result.log if isinstance(edit, Cover)]) <= 4
    first = result.exchanges[0].step("autocompact")
    assert first.state == "failed"
    assert first.reason.endswith("there are not enough messages to compact")


@pytest.mark.parametrize(
    "answer", ["", "  \n", None, "<analysis>only this</analysis>", "<summary>never closed", "<analysis>x"]
)
def test_a_reply_without_a_summary_changes_nothing_and_trips_the_breaker(build: Builder, answer: object) -> None:
    build.user("do it")
    rounds(build, 30)
    history = History(tuple(build.messages))
    scripted = ScriptedSummariser(answer)
    result = replay(history, SMALL, services(history, summarise=scripted))

    assert not [edit for edit in result.log if isinstance(edit, Cover)]
    assert len(scripted.asked) == 3
    assert result.exchanges[-1].step("autocompact").reason.startswith("breaker: 3 failures in a row")
    assert result.exchanges[-1].outcome in ("blocked", "refused")


def test_a_request_that_is_too_long_drops_the_oldest_rounds_a_few_times(build: Builder) -> None:
    build.user("do it")
    rounds(build, 14)
    history = History(tuple(build.messages))
    scripted = ScriptedSummariser(TooLongError("no"), TooLongError("no"), "short")
    result = replay(history, SMALL, services(history, summarise=scripted))
    asked = [len(request.pieces) for request in scripted.asked[:3]]

    assert asked[0] > asked[1] > asked[2] > 0
    assert "acted" in states(result)


def test_too_long_for_ever_is_a_failure_with_the_history_untouched(build: Builder) -> None:
    build.user("do it")
    rounds(build, 14)
    history = History(tuple(build.messages))
    result = replay(history, SMALL, services(history, summarise=ScriptedSummariser(TooLongError("no"))))
    failed = next(step for step in result.steps if step.state == "failed")

    assert failed.before == failed.after
    assert failed.reason.endswith("the summary request does not fit, tried 3 times")
    assert failed.cost.model_calls == 3


def test_a_summary_that_is_no_shorter_is_no_gain(build: Builder) -> None:
    build.user("do it")
    rounds(build, 14)
    history = History(tuple(build.messages))
    result = replay(history, SMALL, services(history, summarise=ScriptedSummariser("long " * 5_000)))
    step = next(step for step in result.steps if step.state == "no_gain")

    assert step.reason.startswith("no gain: size ")
    assert (step.before, [type(edit) for edit in step.edits]) == (step.after, [Note])


def test_compact_by_hand_on_two_words_is_no_gain(build: Builder) -> None:
    """Compressing 'hi' and 'hello' makes it longer: it is not done, although a person asked."""
    build.user("hi")
    build.reply("hello")
    build.user("ok")
    result = replay(History(tuple(build.messages)), acts={1: [compact_now()]})
    step = result.exchanges[1].step("user")

    assert (step.state, step.before) == ("no_gain", step.after)


def test_a_hook_that_forbids_leaves_the_request_blocked_at_the_level(build: Builder) -> None:
    build.user("do it")
    rounds(build, 16)
    history = History(tuple(build.messages))
    hook = Blocking("tests are running")
    result = replay(history, SMALL, services(history, hooks=hook))
    last = result.exchanges[-1]

    assert last.step("autocompact").state == "failed"
    assert last.step("autocompact").reason.endswith("a hook forbids it: tests are running")
    assert "blocked" in {exchange.outcome for exchange in result.exchanges}
    assert set(hook.heard) >= {"auto"}


def test_switched_off_means_no_automatic_summary(build: Builder) -> None:
    build.user("do it")
    rounds(build, 30)
    result = replay(History(tuple(build.messages)), SMALL.set("autocompact.enabled=off"))

    assert set(states(result)) == {"off"}
    assert [exchange.outcome for exchange in result.exchanges[-3:]] == ["blocked"] * 3
    assert result.log == []


def test_a_request_larger_than_the_window_is_recovered_once(build: Builder) -> None:
    """The harness believes four characters are a token; these are one each, so the model refuses."""
    build.user("do it")
    rounds(build, 6)
    build.user("中" * 3_000)
    history = History(tuple(build.messages))
    heavy = [b if b.kind != "user" or len(b.text) < 3_000 else b.shown("", 3_000) for b in history.blocks]
    from dataclasses import replace

    by_id = {block.id: block for block in heavy}
    messages = tuple(replace(m, blocks=tuple(by_id[b.id] for b in m.blocks)) for m in history.messages)
    result = replay(History(messages), SMALL.set("autocompact.measure=harness"))
    last = result.exchanges[-1]

    assert last.step("autocompact").state == "idle"
    assert (last.outcome, last.step("recovery").state) == ("recovered", "acted")
    assert last.tokens_sent <= 4_000


def test_the_last_exchange_stays_where_the_rule_says_so(build: Builder) -> None:
    build.user("first")
    rounds(build, 11)
    build.user("the newest question")
    rounds(build, 2)
    settings = SMALL.set("autocompact.keeps_recent=last exchange", "autocompact.kept_share=0.5")
    result = replay(History(tuple(build.messages)), settings)
    cover = next(edit for edit in result.log if isinstance(edit, Cover))
    view = result.at(cover.request).view

    assert "the newest question" in [block.text for block in view]
    assert "first" not in [block.text for block in view]
