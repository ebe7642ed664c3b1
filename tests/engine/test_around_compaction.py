"""Around a compaction: acts by hand, breakers, collapse in front of it, session notes, CLAUDE.md, what leans on text."""

import pytest

from ctxlab.engine.acts import expand, mark
from ctxlab.engine.edit import Cover, Expand, Note
from ctxlab.engine.history import History
from ctxlab.engine.message import Block
from ctxlab.engine.replay import replay
from ctxlab.engine.settings import Settings
from ctxlab.engine.summary_text import SummaryError, usable
from ctxlab.sources.build import Builder
from ctxlab.sources.load import load
from tests.engine.layers.small import SMALL, rounds
from tests.fakes import ScriptedSummariser, services

FOLDING = SMALL.set(
    "collapse.enabled=on",
    "collapse.commit_at=0.5",
    "collapse.fold_until=0.3",
    "collapse.rounds_left_open=2",
    "collapse.suppresses_autocompact=off",
)


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
    assert (
        snip.edits[0].append[1].text
        == "[2 earlier blocks of this conversation removed: marked by hand; Bash step 0 done]"
    )
    assert result.at(4, "user 2").step is second


def test_a_digest_opens_again_at_a_later_request(build: Builder) -> None:
    build.user("do it")
    rounds(build, 12)
    history = History(tuple(build.messages))
    plain = replay(history, FOLDING)
    cover = next(edit for edit in plain.log if isinstance(edit, Cover))
    result = replay(history, FOLDING, acts={cover.request + 1: [expand(cover.id)]})
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
    history = History(tuple(build.messages))
    cover = next(edit for edit in replay(history, FOLDING).log if isinstance(edit, Cover))
    result = replay(history, FOLDING, acts={cover.request + 1: [expand(cover.id)]})
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


def test_the_overhead_that_a_session_knows_counts_beside_the_summary_request(build: Builder) -> None:
    """A recording may know a larger system prompt than the Settings guess; the request is held against that one."""
    build.user("w" * 4_000)
    rounds(build, 1, size=8_000)
    build.reply("read")
    build.user("and?")
    known = Block("system", "system", "system", "", 900, "overhead")
    history = History(tuple(build.messages), (known,))
    scripted = ScriptedSummariser("short")
    replay(history, SMALL, services(history, summarise=scripted))

    assert scripted.asked
    assert all(request.tokens + request.limit_tokens + known.tokens <= 4_000 for request in scripted.asked)


def test_a_learner_tries_edits_on_a_copy(build: Builder) -> None:
    build.user("do it")
    rounds(build, 12)
    result = replay(History(tuple(build.messages)), FOLDING)
    cover = next(edit for edit in result.log if edit.layer == "collapse")
    before = result.at(cover.request, "snip").view
    blocks, tokens = list(before), before.tokens
    tried = before.after([cover])

    assert (list(before), before.tokens, before.log) == (blocks, tokens, before.after([]).log)
    assert list(tried) == list(result.at(cover.request, "collapse").view)
    assert tried.tokens == sum(block.tokens for block in tried) == tokens - cover.before + cover.after
    assert tried.log == [*before.log, cover]


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


def test_a_saved_result_counts_in_the_estimate_as_its_preview(build: Builder) -> None:
    """No usage knows of it yet, so what the harness would count is what stands there: a card, not the log."""
    build.user("run the tests")
    build.reply([{"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "pytest"}}])
    build.results([{"tool_use_id": "a", "content": "x" * 400_000}])
    shown = replay(History(tuple(build.messages)), Settings.profile("v2.1"))
    arrived, saved = (shown.at(-1, layer).view for layer in ("arrive", "budget"))
    preview = saved["a/result"]

    assert preview.state == "preview"
    assert arrived.estimate - saved.estimate == 100_000 - Settings.profile("v2.1").autocompact.harness_tokens(preview)
    assert shown.step(layer="autocompact").state == "idle"
