"""Session files as they are in the wild: chains, copies, forks, boundaries, damage, usage."""

import copy
import json

import pytest

import ctxlab as cl
from ctxlab.engine.tokens import Quarter
from ctxlab.sources.claude_code import NotASessionError
from tests.conftest import Lines, said


def notices(history: cl.History) -> str:
    return "; ".join(history.notices)


class TestChain:
    """B16: a reply with several calls is several records; results hang on their own call."""

    def test_parallel_results_are_joined_in_the_order_of_the_calls(self, lines: Lines) -> None:
        lines.user("go", uuid="u1")
        lines.call("x", uuid="a1", id="m")
        lines.add("progress", "", uuid="p1", parent="a1")
        lines.call("y", uuid="a2", id="m", parent="p1")
        lines.result("y", "of y", uuid="r2", parent="a2")
        lines.result("x", "of x", uuid="r1", parent="a1")
        lines.user("next", parent="r2")
        history = lines.load()

        assert said(history) == ["user go", "call x", "call y", "result x", "result y", "user next"]
        assert [len(message.blocks) for message in history.messages] == [1, 2, 2, 1]
        assert cl.check_request(cl.make_request(cl.replay(history).at().view, cl.Settings()).body["messages"]) == []

    def test_a_missing_parent_and_a_loop_lose_nothing(self, lines: Lines) -> None:
        lines.user("one", uuid="a", parent="c")
        lines.reply("two", uuid="b", parent="nowhere")
        lines.user("three", uuid="c", parent="a")

        assert said(lines.load()) == ["user one", "reply two", "user three"]

    def test_a_result_between_the_records_of_one_reply(self, lines: Lines) -> None:
        lines.user("go")
        lines.call("x", id="m")
        lines.result("x")
        lines.call("y", id="m")
        lines.result("y")

        assert said(lines.load()) == ["user go", "call x", "call y", "result x", "result y"]


class TestInterrupted:
    """B04: a call without a result is no damage, and no layer counts it."""

    def test_an_interrupted_call(self, lines: Lines) -> None:
        lines.user("go")
        lines.call("a", id="m")
        lines.call("b", id="m")
        lines.result("a")
        lines.user("never mind")
        lines.reply("ok")
        history = lines.load()

        assert "1 call interrupted, without a result" in notices(history)
        view = cl.replay(history).at().view
        assert list(view.results) == ["a/result"]
        assert cl.check_request(cl.make_request(view, cl.Settings()).body["messages"]) == []

    def test_the_last_open_call_is_running(self, lines: Lines) -> None:
        lines.user("go")
        lines.call("a")
        history = lines.load()

        assert "1 call at the end still running" in notices(history)
        assert "interrupted" not in notices(history)


class TestCopies:
    """B17: resuming and forking append copies; a fork leaves branches, the live one is used."""

    def conversation(self, lines: Lines) -> None:
        for number in range(3):
            lines.user(f"question {number}")
            lines.reply(f"answer {number}")

    def test_six_records_and_the_same_six_again(self, lines: Lines) -> None:
        self.conversation(lines)
        lines.records += copy.deepcopy(lines.records)
        lines.user("new", uuid="n1")
        lines.reply("newest", uuid="n2")
        history = lines.load()

        assert len(history.messages) == 8
        assert "6 records written twice, counted once" in notices(history)

    def test_the_same_with_another_session_id(self, lines: Lines) -> None:
        self.conversation(lines)
        again = copy.deepcopy(lines.records)
        for record in again:
            record["sessionId"] = "another"
        lines.records += again

        assert len(lines.load().messages) == 6

    def test_copies_with_new_uuids_that_name_their_origin(self, lines: Lines) -> None:
        self.conversation(lines)
        again = copy.deepcopy(lines.records)
        for record in again:
            record["forkedFrom"] = {"messageUuid": record["uuid"]}
            record["uuid"] = "new-" + record["uuid"]
        lines.records += again

        assert len(lines.load().messages) == 6

    def test_one_uuid_with_two_contents_is_kept_twice_and_reported(self, lines: Lines) -> None:
        lines.user("first", uuid="same")
        lines.reply("answer")
        lines.user("second", uuid="same")
        history = lines.load()

        assert said(history) == ["user first", "reply answer", "user second"]
        assert "lines 3: a uuid that was used before, with another content; both are kept" in notices(history)

    def test_a_rewound_prompt_leaves_a_branch_behind(self, lines: Lines) -> None:
        lines.user("start", uuid="u0")
        lines.reply("ok", uuid="a0")
        lines.user("wrong turn", uuid="u1", parent="a0")
        lines.reply("wrong answer", uuid="a1", parent="u1")
        lines.user("right turn", uuid="u2", parent="a0")
        lines.reply("right answer", uuid="a2", parent="u2")
        history = lines.load()

        assert said(history) == ["user start", "reply ok", "user right turn", "reply right answer"]
        assert (
            "line 3: a branch of 2 records (a prompt taken back or edited) left out; the conversation went on at line 5"
            in notices(history)
        )

    def test_the_live_branch_holds_the_last_record_also_where_it_is_the_older_one(self, lines: Lines) -> None:
        lines.user("start", uuid="u0")
        lines.user("kept", uuid="u1", parent="u0")
        lines.user("tried and left", uuid="u2", parent="u0")
        lines.reply("answer", uuid="a1", parent="u1")

        assert said(lines.load()) == ["user start", "user kept", "reply answer"]


class TestPreserved:
    """B18: messages from before a boundary that stay in the context."""

    def recording(self, lines: Lines, meta: dict) -> cl.History:
        for number in range(1, 9):
            (lines.user if number % 2 else lines.reply)(f"number {number}", uuid=f"u{number}")
        lines.records.append(
            {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None, "compactMetadata": meta}
        )
        lines.user("S", uuid="s", isCompactSummary=True)
        lines.user("new")
        return lines.load()

    def texts(self, history: cl.History) -> list[str]:
        return [block.text for message in history.as_recorded() for block in message.blocks]

    def test_preserved_messages_stand_behind_the_summary(self, lines: Lines) -> None:
        history = self.recording(
            lines,
            {
                "trigger": "auto",
                "preTokens": 167_500,
                "postTokens": 13_000,
                "preservedMessages": {"uuids": ["u7", "u8"]},
            },
        )

        assert self.texts(history) == ["S", "number 7", "number 8", "new"]
        assert history.compactions[0][:4] == (8, "auto", 167_500, 13_000)
        assert [b.text for b in history.blocks] == [f"number {n}" for n in range(1, 9)] + ["new"]

    def test_an_unknown_uuid_gives_a_notice_and_never_the_whole_history(self, lines: Lines) -> None:
        history = self.recording(lines, {"preservedMessages": {"uuids": ["gone", "u8"]}})

        assert self.texts(history) == ["S", "number 8", "new"]
        assert "1 preserved message not in this file" in notices(history)

    def test_a_preserved_segment(self, lines: Lines) -> None:
        history = self.recording(lines, {"preservedSegment": {"headUuid": "u6", "anchorUuid": "s", "tailUuid": "u8"}})

        assert self.texts(history) == ["S", "number 6", "number 7", "number 8", "new"]

    def test_nothing_preserved_and_a_damaged_boundary(self, lines: Lines) -> None:
        assert self.texts(self.recording(lines, {"preservedMessages": "?", "preservedSegment": {"headUuid": 7}})) == [
            "S",
            "new",
        ]

    def test_the_summary_of_the_oldest_builds_is_a_boundary(self, lines: Lines) -> None:
        lines.user("old")
        lines.reply("answer")
        lines.user("This session is being continued", isCompactSummary=True, parent=None)
        lines.user("new")
        history = lines.load()

        assert len(history.compactions) == 1
        assert self.texts(history) == ["This session is being continued", "new"]
        assert said(history) == ["user old", "reply answer", "user new"]


class TestBytes:
    """B19: a line ends at a newline and nowhere else."""

    TEXT = "one\u2028two\u2029three\x85four\x0cfive\x1csix"

    def test_separators_inside_a_text_do_not_cut_it(self, lines: Lines) -> None:
        lines.user(self.TEXT)
        lines.reply("answer")
        raw = lines.text().replace("\\f", "\x0c").replace("\\u001c", "\x1c")
        assert "\x0c" in raw
        for text in (lines.text(), raw):
            history = cl.load(text, counter=Quarter())
            assert history.blocks[0].text == self.TEXT
            assert (history.source.records, history.source.skipped) == (2, ())

    @pytest.mark.parametrize(
        "change",
        [
            lambda t: t.replace("\n", "\r\n"),
            lambda t: "\ufeff" + t,
            lambda t: t.replace("\n", "\n\n\0\0\n"),
            lambda t: t + "\n",
        ],
    )
    def test_crlf_bom_blank_lines_and_nuls(self, lines: Lines, change: object) -> None:
        lines.user("one")
        lines.reply("two")
        history = cl.load(change(lines.text()), counter=Quarter())

        assert said(history) == ["user one", "reply two"]
        assert history.source.skipped == ()

    def test_two_objects_on_a_line_and_one_glued_behind_a_torn_one(self, lines: Lines) -> None:
        lines.user("one")
        lines.reply("two")
        lines.user("three")
        first, second, third = lines.text().split("\n")
        history = cl.load(f"{first}{second}\n{first[:40]}{third}\n{third[:30]}", counter=Quarter())

        assert said(history) == ["user one", "reply two", "user three"]
        assert [line for line, _ in history.source.skipped] == [2, 3]

    def test_deep_nesting_and_values_that_are_no_records(self, lines: Lines) -> None:
        lines.user("one")
        deep = '{"type": "user", "x": "\\u0041", "y": ' + "[" * 700 + "]" * 700 + "}"
        assert said(cl.load(lines.text() + "\n" + deep, counter=Quarter())) == ["user one"]
        text = lines.text() + "\n" + "[" * 100_000 + "\n17\nnull\n" + '{"type": 3}\n{"no": "type"}'
        history = cl.load(text, counter=Quarter())

        assert said(history) == ["user one"]
        assert [line for line, _ in history.source.skipped] == [2, 3, 4]

    @pytest.mark.parametrize(
        "message",
        ["just a text", {"role": "user", "content": "just a text"}, {str(n): c for n, c in enumerate("just a text")}],
    )
    def test_a_message_in_any_form(self, message: object) -> None:
        assert said(cl.load(json.dumps({"type": "user", "message": message}) + "\n\n", counter=Quarter())) == [
            "user just a text"
        ]

    def test_a_file_of_something_else_is_refused_with_what_was_found(self) -> None:
        with pytest.raises(NotASessionError, match="found: 1 of type session"):
            cl.load('{"type": "session"}\n\n')
        with pytest.raises(ValueError, match="is empty"):
            cl.load("\n \n")


class TestUsage:
    """B22 and B23: one reply counts once, and sub-agents are not the main context."""

    def usage(self, output: int, cache: int = 1_000) -> dict:
        return {
            "input_tokens": 10,
            "output_tokens": output,
            "cache_read_input_tokens": cache,
            "cache_creation_input_tokens": 5,
        }

    def test_three_records_of_one_reply(self, lines: Lines) -> None:
        lines.user("go")
        for output in (1, 1, 412):
            lines.reply(f"part {output} {len(lines.records)}", id="m", usage=self.usage(output))
        [_, reply] = lines.load().messages

        assert (reply.usage, reply.output, reply.tokens) == (1_015, 412, 412)
        assert [block.kind for block in reply.blocks] == ["reply", "reply", "reply", "unrecorded"]

    def test_of_several_iterations_the_last_message_counts(self, lines: Lines) -> None:
        lines.user("go")
        parts = [
            {**self.usage(5), "type": "message"},
            {**self.usage(9), "type": "compaction"},
            {**self.usage(7, 2_000), "type": "message"},
        ]
        lines.reply("x", usage={**self.usage(12, 3_000), "iterations": parts})

        assert lines.load().messages[1].usage == 2_015

    def test_a_side_chain_at_the_end_leaves_the_main_size_alone(self, lines: Lines) -> None:
        lines.user("main")
        lines.reply("main reply", usage=self.usage(10, 120_000))
        for number in range(5):
            lines.user(f"sub {number}", isSidechain=True, parent=None)
            lines.reply(f"sub reply {number}", usage=self.usage(10, 15_000), isSidechain=True)
        history = lines.load()
        result = cl.replay(history)

        assert said(history)[1:] == ["user main", "reply main reply", "unrecorded "]
        assert len(history.messages) == 2
        assert result.exchanges[-1].tokens_sent == 120_015
        assert "10 records of sub-agents (side-chains) left out" in notices(history)

    def test_a_file_of_nothing_but_a_side_chain_is_read_as_the_main_thread(self, lines: Lines) -> None:
        lines.user("sub", isSidechain=True)
        lines.reply("reply", isSidechain=True)

        assert said(lines.load()) == ["user sub", "reply reply"]

    def test_synthetic_replies_and_zero_usage_are_no_base(self, lines: Lines) -> None:
        lines.user("go")
        lines.reply("API error", model="<synthetic>", usage=dict.fromkeys(self.usage(0), 0))
        lines.reply("real", usage=dict.fromkeys(self.usage(0), 0))
        history = lines.load()

        assert said(history) == ["user go", "reply real"]
        assert history.anchored == 0
        assert cl.replay(history).at().view.rests_on == "counted"

    def test_sizes_pass_through_the_recorded_usage(self, lines: Lines) -> None:
        lines.user("go")
        for size in (20_000, 20_700, 29_000, 29_900):
            lines.call(f"t{size}", usage=self.usage(3, size))
            lines.result(f"t{size}", "r" * 4_000)
        result = cl.replay(lines.load())

        assert [each.tokens_sent for each in result.exchanges[:4]] == [20_015, 20_715, 29_015, 29_915]
        assert [result.at(n).view.rests_on for n in range(5)] == ["recorded"] * 4 + ["mixed"]
        assert [each.tokens_recorded for each in result.exchanges] == [20_015, 20_715, 29_015, 29_915, None]

    def test_what_was_said_before_the_file_begins_is_an_unrecorded_block(self, lines: Lines) -> None:
        lines.user("go on")
        lines.reply("x", usage=self.usage(3, 126_000))
        history = lines.load()

        assert history.blocks[0].kind == "unrecorded"
        assert history.overhead[0].tokens == 20_000
        assert "assumed" in history.overhead[0].text
        assert "earlier context not in this file: about 106,013 tokens" in notices(history)


def test_a_request_is_stamped_with_the_newest_time_it_sees(lines: Lines) -> None:
    lines.user("late")
    lines.user("written down later, but earlier by its clock")
    lines.reply("ok")
    lines.records[1]["timestamp"], lines.records[0]["timestamp"] = "2026-01-12T09:00:00Z", "2026-01-12T10:00:00+00:00"

    assert cl.replay(lines.load()).exchanges[0].timestamp == "2026-01-12T10:00:00+00:00"


def test_an_unknown_kind_costs_nothing(lines: Lines) -> None:
    lines.user("one")
    lines.records += [
        {"type": "atis-latch"},
        {"type": "frame-link", "uuid": 7, "parentUuid": [1]},
        {"type": "attachment", "attachment": "?"},
    ]

    assert said(lines.load()) == ["user one"]


def test_a_session_of_messages_without_a_request(lines: Lines) -> None:
    lines.reply("only this")
    history = lines.load()
    result = cl.replay(history)

    assert (len(history.messages), result.exchanges) == (1, [])
    assert "nothing to replay" in str(result)
    assert "nothing stands in front of the first reply" in notices(history)
    assert "nothing to replay" in repr(cl.Stepper(result))
    assert result._repr_mimebundle_() == {"text/plain": str(result)}


def test_two_models_and_unknown_ones_are_said(lines: Lines) -> None:
    lines.user("x")
    lines.reply("a", model="claude-opus-4-6")
    lines.reply("b", model="claude-opus-4-8")
    lines.reply("c", model="my-gateway")
    text = notices(cl.load(lines.text()))

    assert "two tokenizers" in text
    assert "unknown model 'my-gateway'" in text
