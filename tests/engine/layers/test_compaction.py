"""What a compaction does around its summary: who is asked, what is kept and put back, whole or in part, again and again."""

import itertools
import sys
from dataclasses import replace as changed

import pytest

import ctxlab as cl
from ctxlab.engine.acts import compact_from, compact_now, compact_up_to
from ctxlab.engine.edit import Cover, Note
from ctxlab.engine.history import History
from ctxlab.engine.hooks import CommandHooks
from ctxlab.engine.message import Block
from ctxlab.engine.replay import Replay, replay, view_before
from ctxlab.engine.request import make_request
from ctxlab.engine.settings import Settings
from ctxlab.engine.summary_text import GO_ON, TAIL_KEPT, SummaryError, TooLongError, usable
from ctxlab.engine.tail import last_noted
from ctxlab.sources.build import Builder
from tests.engine.layers.small import SMALL, rounds, states
from tests.fakes import ScriptedSummariser, Talking, services

ROOMY = SMALL.replace({"window.context_window": 60_000, "autocompact.keeps_recent": "none"})
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA" * 9_000}}


def tool(name: str, call: str, **given: object) -> dict:
    return {"type": "tool_use", "id": call, "name": name, "input": given}


def compaction(result: Replay) -> Cover:
    [cover] = [edit for edit in result.log if isinstance(edit, Cover) and edit.layer == "autocompact"]
    return cover


def by_hand(build: Builder, act: object = None, settings: Settings = ROOMY, **outside: object) -> Replay:
    """The session, compacted by hand at its last request."""
    history = History(tuple(build.messages))
    last = len(history.turns) - 1
    return replay(history, settings, services(history, **outside), acts={last: [act or compact_now()]})


@pytest.fixture
def worked(build: Builder) -> Builder:
    build.user("Move it to async.")
    rounds(build, 4)
    build.reply("Done with the first part.")
    build.user("Now the second.")
    return build


class TestHooks:
    """Before: exit 2 blocks, standard output becomes instructions. After: told. At the start: output becomes context."""

    def command(self, code: str) -> list[str]:
        return [sys.executable, "-c", f"import sys, json; given = json.load(sys.stdin); {code}"]

    def test_exit_2_blocks_and_its_error_is_the_reason(self, worked: Builder) -> None:
        hooks = CommandHooks(before=self.command("print('not now', file=sys.stderr); sys.exit(2)"))
        step = by_hand(worked, hooks=hooks).step(-1, "user")

        assert step.state == "failed"
        assert step.reason == "asked for, but a hook forbids it: not now"

    @pytest.mark.parametrize(("code", "blocks"), [(0, False), (1, False), (2, True), (3, False)])
    def test_only_2_blocks(self, worked: Builder, code: int, blocks: bool) -> None:
        hooks = CommandHooks(before=self.command(f"sys.exit({code})"))
        assert (by_hand(worked, hooks=hooks).step(-1, "user").state == "failed") is blocks

    def test_what_it_prints_becomes_instructions(self, worked: Builder) -> None:
        scripted = ScriptedSummariser("short")
        hooks = CommandHooks(before=self.command("print(given['trigger'], given['custom_instructions'])"))
        by_hand(worked, compact_now("the tests"), hooks=hooks, summarise=scripted)

        assert scripted.asked[0].instructions == "the tests\nmanual the tests"
        assert scripted.asked[0].prompt().endswith("The user adds: the tests\nmanual the tests")

    def test_a_matcher_limits_it_to_one_trigger(self, worked: Builder) -> None:
        hooks = CommandHooks(before=self.command("sys.exit(2)"), matcher="auto")
        assert by_hand(worked, hooks=hooks).step(-1, "user").state == "acted"

    def test_after_it_is_told_the_summary_and_changes_nothing(self, worked: Builder, tmp_path) -> None:
        heard = tmp_path / "heard"
        hooks = CommandHooks(
            after=self.command(f"open({str(heard)!r}, 'w').write(given['compact_summary']); sys.exit(2)")
        )
        result = by_hand(worked, hooks=hooks, summarise=ScriptedSummariser("what happened"))

        assert heard.read_text() == "what happened"
        assert result.step(-1, "user").state == "acted"

    def test_at_the_start_its_output_becomes_context(self, worked: Builder) -> None:
        hooks = CommandHooks(at_start=self.command("print('branch: main', given['source'])"))
        said = compaction(by_hand(worked, hooks=hooks)).append[-1]

        assert (said.tool, said.text) == ("SessionStart hook", "SessionStart hook:\nbranch: main compact")

    def test_a_decision_to_block_blocks_and_is_no_instruction(self, worked: Builder) -> None:
        answer = '{"decision": "block", "reason": "save first"}'
        hooks = CommandHooks(before=self.command(f"print({answer!r})"))
        assert by_hand(worked, hooks=hooks).step(-1, "user").reason == "asked for, but a hook forbids it: save first"

    def test_hooks_hear_nothing_of_a_compaction_that_gains_nothing(self, build: Builder, tmp_path) -> None:
        heard = tmp_path / "heard"
        loud = self.command(f"open({str(heard)!r}, 'a').write('x')")
        build.user("hi")
        build.reply("hello")
        build.user("so?")
        result = by_hand(build, hooks=CommandHooks(after=loud, at_start=loud))

        assert result.step(-1, "user").state == "no_gain"
        assert not heard.exists()

    @pytest.mark.parametrize("command", [["/nowhere/program"], [sys.executable, "-c", "import time; time.sleep(9)"]])
    def test_a_program_that_fails_forbids_and_is_named(self, worked: Builder, command: list[str]) -> None:
        step = by_hand(worked, hooks=CommandHooks(before=command, seconds=0.3)).step(-1, "user")

        assert step.state == "failed"
        assert "a hook forbids it: it failed with" in step.reason


class TestTheRequestForASummary:
    """A fork of the conversation: the same prefix, byte for byte, and one instruction behind it."""

    def test_it_is_the_same_prefix_and_one_more_instruction(self, worked: Builder) -> None:
        scripted = ScriptedSummariser("short")
        result = by_hand(worked, summarise=scripted, settings=ROOMY)
        asked: list[dict] = []
        history = result.history

        def listens(request: object) -> str:
            asked.append(request.fork())
            return "short"

        by_hand(worked, summarise=listens)
        main = make_request(result.at(-1, "arrive").view, ROOMY).body["messages"]
        fork = asked[0]["messages"]

        assert fork[:-1] == main[:-1]  # what no reply has read stays behind it, and out of it
        assert [part["text"][:32] for part in fork[-1]["content"]] == ["Summarise the conversation above"]
        assert cl.check_request(fork) == []
        assert history.messages[0].blocks[0].text == "Move it to async."

    @pytest.mark.parametrize(("thinking", "sent"), [("off", {"type": "disabled"}), ("inherits", None)])
    def test_thinking_is_the_profiles(self, worked: Builder, thinking: str, sent: dict | None) -> None:
        bodies: list[dict] = []
        by_hand(
            worked,
            settings=ROOMY.replace("autocompact.thinking", thinking),
            summarise=lambda request: bodies.append(request.fork()) or "short",
        )
        assert bodies[0].get("thinking") == sent

    @pytest.mark.parametrize("keeps", [True, False])
    def test_pictures_stay_in_the_fork_or_become_marks_and_are_never_in_the_text(
        self, build: Builder, keeps: bool
    ) -> None:
        build.user([PICTURE, {"type": "text", "text": "see"}])
        build.reply([tool("Read", "p", file_path="a.png")])
        build.results([{"tool_use_id": "p", "content": [{"type": "text", "text": "a picture"}, PICTURE]}])
        rounds(build, 2)
        seen: list[tuple[str, str]] = []
        by_hand(
            build,
            settings=ROOMY.replace("autocompact.keeps_pictures", keeps),
            summarise=lambda request: seen.append((request.prompt(), str(request.fork()))) or "short",
        )
        [(prompt, fork)] = seen

        assert "AAAA" not in prompt
        assert prompt.count("[picture]") == 2
        assert ("AAAA" in fork) is keeps

    @pytest.mark.parametrize(("parts", "count"), [(4, 4), (9, 9)])
    def test_four_or_nine_parts(self, worked: Builder, parts: int, count: int) -> None:
        scripted = ScriptedSummariser("short")
        by_hand(worked, settings=ROOMY.replace("autocompact.parts", parts), summarise=scripted)

        assert len(scripted.asked[0].headings) == count
        assert scripted.asked[0].purpose == "compact"

    def test_for_a_part_it_says_where_that_begins_and_counts_all_that_is_sent(self, worked: Builder) -> None:
        asked: list = []
        by_hand(worked, compact_from("t5/use"), summarise=lambda request: asked.append(request) or "short")
        [request] = asked
        texts = str(request.fork()["messages"])

        assert "Summarise only from here on: Bash" in request.instruction()
        assert "Now the second." not in texts
        assert "Move it to async." in texts
        assert request.sent_tokens > request.tokens

    def test_a_helper_never_compacts_itself(self, worked: Builder) -> None:
        rounds(worked, 30)
        history = History(tuple(worked.messages))

        assert "acted" in states(replay(history, SMALL))
        helper = replay(history, SMALL.replace("microcompact.enabled", True), purpose="compact")
        assert set(states(helper)) == {"idle"}
        assert helper.step(-1, "autocompact").reason == "a helper's call (compact) never compacts itself"


class TestWhatCountsAsASummary:
    @pytest.mark.parametrize(
        "reply", ["API Error: 529 overloaded", "Request timed out", "connection error.", "<summary> </summary>", "\n"]
    )
    def test_an_error_text_or_nothing_is_a_failure(self, reply: str) -> None:
        with pytest.raises(SummaryError):
            usable(reply)

    def test_a_model_that_says_it_was_too_long_is_asked_for_less(self, build: Builder) -> None:
        build.user("go")
        rounds(build, 14)
        history = History(tuple(build.messages))
        scripted = ScriptedSummariser("Prompt is too long", "short")
        result = replay(history, SMALL, services(history, summarise=scripted))

        assert "acted" in states(result)
        assert len(scripted.asked[1].pieces) < len(scripted.asked[0].pieces)

    def test_a_long_text_about_errors_is_a_summary(self) -> None:
        text = "API Error handling was added to every endpoint. " * 20
        assert usable(text) == text.strip()

    def test_rounds_that_did_not_fit_are_said_to_be_missing(self, build: Builder) -> None:
        build.user("go")
        rounds(build, 14)
        history = History(tuple(build.messages))
        scripted = ScriptedSummariser(TooLongError("no"), "short")
        result = replay(history, SMALL, services(history, summarise=scripted))
        reason = next(step.reason for step in result.steps if step.layer == "autocompact" and step.state == "acted")

        assert "; the oldest 3 rounds did not fit the request and are not in it; " in reason

    def test_the_oldest_rounds_go_until_the_gap_is_covered(self, build: Builder) -> None:
        build.user("go")
        rounds(build, 14)
        history = History(tuple(build.messages))
        scripted = ScriptedSummariser(TooLongError("over", 1_000), "short")
        replay(history, SMALL, services(history, summarise=scripted))
        first, second = (sum(len(piece.text) for piece in asked.pieces) // 4 for asked in scripted.asked[:2])

        assert 1_000 <= first - second <= 1_300  # four rounds of about 250


class TestWhatIsLeft:
    def test_the_summary_is_opened_and_says_what_it_must(self, worked: Builder) -> None:
        last = SMALL.replace({"autocompact.keeps_recent": "last exchange", "window.context_window": 60_000})
        by_a_person = (
            compaction(by_hand(worked, settings=last, summarise=ScriptedSummariser("it went well"))).put[1].text
        )
        rounds(worked, 12)
        history = History(tuple(worked.messages))
        automatic = next(edit for edit in replay(history, SMALL).log if isinstance(edit, Cover)).put[1].text

        assert "it went well" in by_a_person
        assert (GO_ON in by_a_person, TAIL_KEPT in by_a_person) == (False, True)
        assert GO_ON in automatic

    def test_a_boundary_is_never_sent(self, worked: Builder) -> None:
        result = by_hand(worked)
        sent = str(make_request(result.at().view, ROOMY).body)

        assert "compact_boundary" in [block.kind for block in result.at().view]
        assert "Conversation compacted" not in sent

    def test_files_plan_todos_agents_and_skills_come_back(self, build: Builder) -> None:
        build.user("go")
        build.reply([tool("ExitPlanMode", "p", plan="1. fees 2. rates")])
        build.results([{"tool_use_id": "p", "content": "approved"}])
        build.reply([tool("TodoWrite", "t", todos=[{"content": "fees", "status": "in_progress"}])])
        build.results([{"tool_use_id": "t", "content": "ok"}])
        build.reply([tool("Task", "a", description="look for callers", run_in_background=True)])
        build.results([{"tool_use_id": "a", "content": "started"}])
        build.reply([tool("Skill", "s", skill="release")])
        build.results([{"tool_use_id": "s", "content": "tag, then push"}])
        build.reply([tool("Read", "r", file_path="a.py")])
        build.results([{"tool_use_id": "r", "content": "x = 1"}])
        rounds(build, 4)
        cover = compaction(by_hand(build))

        assert [(block.tool, block.target) for block in cover.append] == [
            ("", "a.py"),
            ("plan", ""),
            ("todos", ""),
            ("agents", ""),
            ("skill release", ""),
        ]
        assert [block.text for block in cover.append][1:4] == [
            "plan:\n1. fees 2. rates",
            "todos:\n- [in_progress] fees",
            "agents:\n- look for callers",
        ]

    def test_skills_are_cut_to_their_heads_and_the_oldest_are_dropped(self, build: Builder) -> None:
        build.user("go")
        for number in range(4):
            build.reply([tool("Skill", f"s{number}", skill=f"skill{number}")])
            build.results([{"tool_use_id": f"s{number}", "content": "step\n" * 400}])
        rounds(build, 8, 2_000)
        settings = ROOMY.replace({"restore.skill_tokens": 100, "restore.skills_tokens": 250})
        back = [
            block for block in compaction(by_hand(build, settings=settings)).append if block.tool.startswith("skill")
        ]

        assert [block.tool for block in back] == ["skill skill3", "skill skill2"]
        assert all("[cut: " in block.text and block.tokens <= 110 for block in back)

    def test_the_tiers_of_claude_md_are_read_again_and_its_compact_instructions_asked_for(
        self, worked: Builder
    ) -> None:
        text = "Be brief.\n## Compact Instructions\nKeep every id.\n## More\nx"
        rules = [
            Block("claude_md", "user", "claude_md", text, 20, "overhead", target="CLAUDE.md"),
            Block("claude_md.user", "user", "claude_md", "mine", 1, "overhead", target="~/.claude/CLAUDE.md"),
        ]
        history = History(tuple(worked.messages), tuple(rules))
        scripted = ScriptedSummariser("short")
        given = services(history, summarise=scripted)
        disk = {"claude_md": text + "!", "claude_md.user": "mine, changed"}
        given = changed(given, workspace=OnDisk(given.workspace, disk))
        result = replay(history, ROOMY, given, acts={len(history.turns) - 1: [compact_now()]})

        assert scripted.asked[0].instructions == "Keep every id."
        assert [b.text for b in result.at().view if b.kind == "claude_md"] == [text + "!", "mine, changed"]

    def test_every_path_and_command_of_the_offline_summary_stands_in_the_session(self) -> None:
        history = cl.story("classroom")
        result = replay(history, Settings.profile("classroom"))
        said = "\n".join(block.text for block in result.scroll())
        for cover in (e for e in result.log if isinstance(e, Cover) and e.layer == "autocompact"):
            for line in cover.put[1].raw["summary"].splitlines():
                for label in ("- ran ", "- changed ", "- read "):
                    if line.startswith(label):
                        assert line.removeprefix(label).removesuffix(" …") in said


class OnDisk:
    """A workspace on which CLAUDE.md was changed in the meantime."""

    def __init__(self, real: object, memory: dict[str, str]) -> None:
        self.real, self.texts = real, memory

    def memory(self, tier: str, request: int) -> str | None:
        return self.texts.get(tier)

    def __getattr__(self, name: str) -> object:
        return getattr(self.real, name)


class TestInPart:
    def test_from_here_keeps_what_is_before_and_with_it_the_prefix(self, worked: Builder) -> None:
        result = by_hand(worked, compact_from("t3/use"))
        before, after = (
            make_request(result.at(-1, layer).view, ROOMY).body["messages"] for layer in ("arrive", "user")
        )
        kinds = [block.kind for block in result.at().view if block.message != "overhead"]

        assert kinds[:3] == ["user", "call", "result"]
        assert kinds[3:5] == ["compact_boundary", "summary"]
        assert after[:2] == before[:2]

    def test_up_to_here_summarises_what_is_before_and_asks_for_other_parts(self, worked: Builder) -> None:
        scripted = ScriptedSummariser("short")
        result = by_hand(worked, compact_up_to("t5/use", "the ids"), summarise=scripted, settings=ROOMY)
        kinds = [block.kind for block in result.at().view if block.message != "overhead"]

        assert kinds[:4] == ["compact_boundary", "summary", "call", "result"]
        assert scripted.asked[0].headings[-2:] == ("Work done", "Context to continue")
        assert scripted.asked[0].instructions == "the ids"
        assert TAIL_KEPT in compaction(result).put[1].text

    def test_a_block_that_is_not_there_is_refused(self, worked: Builder) -> None:
        assert by_hand(worked, compact_from("nothing")).step(-1, "user").reason == "nothing is not in this view"

    def test_what_no_reply_has_read_stays_in_any_case(self, worked: Builder) -> None:
        result = by_hand(worked, compact_from("t1/use"))
        assert [block.text for block in result.at().view if block.kind == "user"][-1] == "Now the second."


class TestSessionNotes:
    NOTES = SMALL.replace(
        {"session_memory.enabled": True, "session_memory.first_tokens": 500, "session_memory.every_tokens": 500}
    ).replace({"session_memory.every_calls": 1, "session_memory.min_tokens": 100, "session_memory.max_tokens": 600})

    def run(self, build: Builder, **outside: object) -> Replay:
        build.user("Move it to async.")
        rounds(build, 20)
        history = History(tuple(build.messages))
        return replay(history, self.NOTES, services(history, **outside))

    def test_a_compaction_from_notes_makes_no_call_of_its_own_and_the_notes_cost_earlier_ones(
        self, build: Builder
    ) -> None:
        result = self.run(build)
        acted = [step for step in result.steps if step.layer == "autocompact" and step.state == "acted"]
        notes = [step for step in result.steps if step.layer == "session_memory" and step.state == "acted"]

        assert acted
        assert all("became session notes of" in step.reason for step in acted)
        assert sum(step.cost.model_calls for step in acted) == 0
        assert sum(step.cost.model_calls for step in notes) == len(notes) > len(acted)
        assert sum(step.cost.tokens_in for step in notes) > 0

    def test_asked_for_with_a_focus_it_is_a_full_summary(self, worked: Builder) -> None:
        settings = self.NOTES.replace({"window.context_window": 60_000, "session_memory.min_tokens": 0})
        plain, focused = (by_hand(worked, compact_now(focus), settings=settings) for focus in ("", "the tests"))

        assert "session notes" in plain.step(-1, "user").reason
        assert "a summary" in focused.step(-1, "user").reason

    def test_a_round_that_was_half_unread_is_not_taken_as_noted(self, build: Builder) -> None:
        """Notes are taken while a result is new: its round is neither in them nor lost."""
        result = self.run(build)
        for step in result.steps:
            for edit in step.edits:
                if isinstance(edit, Note) and edit.kind == "notes":
                    assert edit.data.upto.endswith("/result")
                    assert edit.data.upto not in result.at(step.request, "arrive").view.unread

    def test_where_the_noted_block_is_gone_the_nearest_before_it_counts(self, build: Builder) -> None:
        build.user("go")
        rounds(build, 3)
        history = History(tuple(build.messages))
        view = view_before(history, self.NOTES, 2)
        parts = list(view.rounds())

        assert last_noted(view, parts, "t3/result") == 2
        assert last_noted(view, parts[:2], "t3/result") == 1
        assert last_noted(view, parts[2:], "m0.0") is None

    def test_a_note_taker_that_fails_is_not_asked_at_every_request(self, build: Builder) -> None:
        scripted = ScriptedSummariser("")
        build.user("go")
        rounds(build, 20, 400)
        history = History(tuple(build.messages))
        replay(history, self.NOTES, services(history, summarise=scripted))

        assert 2 <= len([asked for asked in scripted.asked if asked.purpose == "session_memory"]) <= 6

    def test_a_summariser_that_fails_leaves_no_notes_and_the_full_summary_is_tried(self, build: Builder) -> None:
        result = self.run(build, summarise=ScriptedSummariser("", "", "", "", "", "", "short"))
        assert "failed" in [exchange.step("session_memory").state for exchange in result.exchanges]


def test_a_chain_of_compactions_each_covers_what_follows_the_last(build: Builder) -> None:
    build.user("Do not touch the public API.")
    rounds(build, 60)
    history = History(tuple(build.messages))
    scripted = ScriptedSummariser("one", "two", "three", "four", "five", "six", "seven")
    result = replay(history, SMALL, services(history, summarise=scripted))
    covers = [edit for edit in result.log if isinstance(edit, Cover) and edit.layer == "autocompact"]

    assert len(covers) >= 3
    assert [asked.previous for asked in scripted.asked] == ["", *("one", "two", "three", "four", "five")][: len(covers)]
    for earlier, later in itertools.pairwise(covers):
        assert set(earlier.blocks).isdisjoint(later.blocks)
        assert {block.id for block in earlier.put} <= set(later.blocks)


def test_a_hook_that_talks_is_heard_in_every_compaction(build: Builder) -> None:
    build.user("go")
    rounds(build, 30)
    history = History(tuple(build.messages))
    scripted = ScriptedSummariser("short")
    result = replay(history, SMALL, services(history, hooks=Talking(), summarise=scripted))

    assert all(asked.instructions == "keep the ids" for asked in scripted.asked)
    assert not [edit for edit in result.log if isinstance(edit, Note) and edit.kind == "failed"]
    assert "today is a good day" in str([b.text for b in result.at().view])


class TestBreakersHearOnlyTheHarness:
    def test_what_a_person_asks_for_does_not_trip_them(self, build: Builder) -> None:
        build.user("go")
        rounds(build, 40)
        history = History(tuple(build.messages))
        acts = {at: [compact_from("t3/use")] for at in (1, 2, 3)} | {at: [compact_now()] for at in (5, 6, 7, 8)}
        result = replay(history, SMALL, acts=acts)

        assert "acted" in states(result)
        assert not [step for step in result.steps if step.reason.startswith("breaker")]

    def test_nor_does_it_let_one_go_that_holds(self, build: Builder) -> None:
        build.user("go")
        rounds(build, 40)
        history = History(tuple(build.messages))
        scripted = ScriptedSummariser("", "", "", "by hand, it works", "later")
        result = replay(history, SMALL, services(history, summarise=scripted), acts={25: [compact_now()]})

        assert result.step(25, "user").state == "acted"
        assert "acted" not in states(result)
        assert result.step(-1, "autocompact").reason.startswith("breaker: 3 failures in a row")


def test_a_compaction_from_here_does_not_read_again_what_is_before_it(build: Builder) -> None:
    build.user("go")
    build.reply([tool("Read", "r", file_path="a.py")])
    build.results([{"tool_use_id": "r", "content": "x = 1\n" * 50}])
    rounds(build, 4)
    cover = compaction(by_hand(build, compact_from("t5/use")))

    assert "r/result" in by_hand(build, compact_from("t5/use")).at().view
    assert not cover.append
