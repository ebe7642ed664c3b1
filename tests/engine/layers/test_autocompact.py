"""Autocompact: the line, what is kept, failures, breakers, and what happens around it."""

import pytest

from ctxlab.engine.acts import compact_now, expand, mark
from ctxlab.engine.edit import Cover, Expand, Note
from ctxlab.engine.history import History
from ctxlab.engine.message import Block
from ctxlab.engine.replay import Replay, replay
from ctxlab.engine.settings import Settings
from ctxlab.engine.summary import SummaryError, TooLongError, usable
from ctxlab.sources.build import Builder
from ctxlab.sources.load import load
from tests.fakes import Blocking, ScriptedSummariser, services

SMALL = Settings.profile("v2.1").replace(
    {
        "window.context_window": 4_000,
        "window.max_output_tokens": 400,
        "window.reserve_tokens": 400,
        "window.buffer_tokens": 300,
        "window.warning_tokens": 300,
        "window.blocking_tokens": 100,
        "overhead.system": 100,
        "overhead.tools": 0,
        "overhead.mcp": 0,
        "overhead.memory": 0,
        "overhead.skills": 0,
        "microcompact.enabled": False,
        "autocompact.measure": "size",
    }
)


def rounds(build: Builder, count: int, size: int = 1_000) -> None:
    for number in range(count):
        name = f"t{len(build.messages)}"
        build.reply([{"type": "tool_use", "id": name, "name": "Bash", "input": {"command": f"step {number}"}}])
        build.results([{"tool_use_id": name, "content": "r" * size}])


def states(result: Replay) -> list[str]:
    return [exchange.step("autocompact").state for exchange in result.exchanges]


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


def test_marking_by_hand_removes_the_group_and_says_nothing_false(build: Builder) -> None:
    build.user("first")
    rounds(build, 3)
    build.user("x" * 2_000)
    build.reply("ok")
    build.user("next")
    name = build.messages[1].blocks[0].call
    settings = SMALL.set("snip.enabled=on", "snip.minimum_tokens=100")
    result = replay(History(tuple(build.messages)), settings, acts={4: [mark(f"{name}/result"), expand("nothing")]})
    user, second, snip = (result.exchanges[4].step(layer) for layer in ("user", "user 2", "snip"))

    assert (user.reason, second.state) == ("1 of 1 block marked", "failed")
    assert snip.edits[0].blocks == (f"{name}/use", f"{name}/result")
    assert snip.edits[0].append[1].text == "[2 earlier blocks of this conversation removed: marked by hand]"
    assert result.at(4, "user 2").step is second


def test_a_digest_opens_again_at_a_later_request(build: Builder) -> None:
    build.user("do it")
    rounds(build, 12)
    settings = SMALL.set(
        "collapse.enabled=on",
        "collapse.commit_at=0.5",
        "collapse.fold_until=0.3",
        "collapse.rounds_left_open=2",
        "collapse.suppresses_autocompact=off",
    )
    history = History(tuple(build.messages))
    plain = replay(history, settings)
    cover = next(edit for edit in plain.log if edit.layer == "collapse")
    result = replay(history, settings, acts={cover.request + 1: [expand(cover.id)]})
    view = result.at(cover.request + 1, "user").view

    assert any(isinstance(edit, Expand) for edit in result.log)
    assert all(block_id in view for block_id in cover.blocks)
    assert [b.id for b in view if b.id in history.by_id] == [b.id for b in history.blocks if b.id in view]


def test_usable_takes_the_summary_and_nothing_else() -> None:
    assert usable("<analysis>a</analysis>\nplain text") == "plain text"
    with pytest.raises(SummaryError, match="the summary is empty"):
        usable("<summary> </summary>")


def test_what_the_user_has_opened_stays_open(build: Builder) -> None:
    build.user("do it")
    rounds(build, 12)
    settings = SMALL.set(
        "collapse.enabled=on",
        "collapse.commit_at=0.5",
        "collapse.fold_until=0.3",
        "collapse.rounds_left_open=2",
        "collapse.suppresses_autocompact=off",
    )
    history = History(tuple(build.messages))
    cover = next(edit for edit in replay(history, settings).log if edit.layer == "collapse")
    result = replay(history, settings, acts={cover.request + 1: [expand(cover.id)]})
    later = [
        edit
        for edit in result.log
        if isinstance(edit, Cover) and edit.layer == "collapse" and edit.request > cover.request
    ]

    assert not [edit for edit in later if set(edit.blocks) & set(cover.blocks)]


def test_a_head_of_one_block_is_compacted_too() -> None:
    """Boundary and summary stand where one block was."""
    history = load([{"role": "assistant", "content": "word " * 130_000}, {"role": "user", "content": "go"}])
    view = replay(history).at(0, "autocompact").view

    assert [block.kind for block in view][-3:] == ["compact_boundary", "summary", "user"]
    assert view.tokens == sum(block.tokens for block in view)


def test_the_summary_request_that_does_not_fit_the_window_drops_the_oldest_rounds(build: Builder) -> None:
    """B10 in the mechanism: one burst is so large that even the request for a summary is over the window."""
    build.user("do it")
    rounds(build, 4, size=400)
    rounds(build, 3, size=12_000)
    build.reply("read")
    build.user("and?")
    history = History(tuple(build.messages))
    scripted = ScriptedSummariser("short")
    replay(history, SMALL.set("autocompact.enabled=on"), services(history, summarise=scripted))

    assert scripted.asked
    assert all(request.tokens + request.limit_tokens + 100 <= 4_000 for request in scripted.asked)


def test_quick_refills_trip_the_other_breaker(build: Builder) -> None:
    """Each compaction succeeds and is useless: the next burst fills the window again."""
    build.user("do it")
    for _ in range(12):
        rounds(build, 1, size=11_000)
        build.reply("seen")
        build.user("more")
    history = History(tuple(build.messages))
    result = replay(history, SMALL, services(history, summarise=ScriptedSummariser("short")))
    made = [edit.request for edit in result.log if isinstance(edit, Cover)]

    assert len(made) == 4
    assert "breaker: refilled within 3 requests, 3 times in a row" in {step.reason for step in result.steps}
    free = replay(
        history, SMALL.set("autocompact.refills=none"), services(history, summarise=ScriptedSummariser("short"))
    )
    assert len([edit for edit in free.log if isinstance(edit, Cover)]) > 4


def test_recovery_counts_for_the_failure_breaker(build: Builder) -> None:
    build.user("do it")
    rounds(build, 30)
    history = History(tuple(build.messages))
    scripted = ScriptedSummariser("long " * 9_000)
    replay(history, SMALL, services(history, summarise=scripted))

    assert len(scripted.asked) == 3


def test_collapse_holds_autocompact_back_until_the_way_out(build: Builder) -> None:
    build.user("do it")
    rounds(build, 60, size=200)
    settings = SMALL.set("collapse.enabled=on", "collapse.rounds_left_open=100")
    history = History(tuple(build.messages))
    held, free = replay(history, settings), replay(history, settings.set("collapse.suppresses_autocompact=off"))
    first = [
        next(step for step in result.steps if step.layer == "autocompact" and step.state == "acted")
        for result in (held, free)
    ]

    assert first[0].request > first[1].request
    assert any("left to context collapse below 3,420" in step.reason for step in held.steps)


def test_session_notes_carry_the_first_wish_on(build: Builder) -> None:
    build.user("Do not change the public API.")
    rounds(build, 26)
    settings = SMALL.set(
        "session_memory.enabled=on",
        "session_memory.first_tokens=500",
        "session_memory.every_tokens=500",
        "session_memory.min_tokens=200",
        "session_memory.max_tokens=1000",
        "session_memory.min_messages=1",
    )
    history = History(tuple(build.messages))
    result = replay(history, settings)
    covers = [edit for edit in result.log if isinstance(edit, Cover) and edit.layer == "autocompact"]
    notes = [edit for edit in result.log if isinstance(edit, Note) and edit.kind == "notes"]

    assert len(notes) >= 3
    assert covers
    assert all("Do not change the public API." in cover.put[1].text for cover in covers)
    step = next(step for step in result.steps if step.layer == "autocompact" and step.state == "acted")
    assert step.cost.model_calls == 0


def test_claude_md_is_read_again_when_it_has_changed_on_disk(build: Builder) -> None:
    build.user("do it")
    call = {"type": "tool_use", "id": "w", "name": "Write", "input": {"file_path": "CLAUDE.md", "content": "new rules"}}
    build.reply([call])
    build.results([{"tool_use_id": "w", "content": "written"}])
    rounds(build, 16)
    rules = Block("claude_md", "user", "claude_md", "old rules", 3, "overhead", target="CLAUDE.md")
    result = replay(History(tuple(build.messages), (rules,)), SMALL)
    step = next(step for step in result.steps if step.layer == "autocompact" and step.state == "acted")

    assert result.at(step.request).view["claude_md"].text == "new rules"
    assert result.at(step.request, "arrive").view["claude_md"].text == "old rules"
    assert "CLAUDE.md" not in [block.target for block in step.edits[0].append]
    assert result.read(step.edits[1].original) == "old rules"


def test_an_edit_leans_on_text_that_the_model_does_not_see(build: Builder) -> None:
    build.user("do it")
    build.reply([{"type": "tool_use", "id": "r", "name": "Read", "input": {"file_path": "a.py"}}])
    build.results([{"tool_use_id": "r", "content": "     1\u2192x = 1\n" * 40}])
    rounds(build, 16)
    build.reply(
        [
            {
                "type": "tool_use",
                "id": "e",
                "name": "Edit",
                "input": {"file_path": "a.py", "old_string": "x", "new_string": "y"},
            }
        ]
    )
    build.results([{"tool_use_id": "e", "content": "ok"}])
    history = History(tuple(build.messages))
    leaning = {
        name: [block for exchange in replay(history, settings).exchanges for block in exchange.leans]
        for name, settings in {
            "restored": SMALL.set("restore.oversize=cut"),
            "only its path": SMALL.set("restore.file_tokens=5"),
            "not restored": SMALL.set("restore.files=0"),
            "never compacted": SMALL.set("window.context_window=100_000"),
        }.items()
    }

    assert leaning == {"restored": [], "only its path": ["e/use"], "not restored": ["e/use"], "never compacted": []}


def test_the_estimate_counts_what_usage_knows_and_pictures_in_results(build: Builder) -> None:
    picture = {"type": "image", "source": {"data": "AAAA"}}
    build.user("look")
    build.reply([{"type": "tool_use", "id": "a", "name": "Read", "input": {"file_path": "a.png"}}])
    build.results([{"tool_use_id": "a", "content": [{"type": "text", "text": "x" * 400}, picture, picture]}])
    view = replay(History(tuple(build.messages)), SMALL).at(-1, "arrive").view

    assert view.estimate - (view.tokens - sum(block.tokens for block in view.unread.values())) == 100 + 2 * 2_000
    hidden = Block("m9.unrecorded", "user", "unrecorded", "", 777, "m9")
    assert SMALL.autocompact.harness_tokens(hidden) == 777
