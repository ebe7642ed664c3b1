"""Session files: where a line ends, what usage says, what models and times do to a session."""

import json

import pytest

import ctxlab as cl
from ctxlab.engine.tokens import Quarter
from ctxlab.sources.claude_code import NotASessionError
from tests.conftest import Lines, said


def notices(history: cl.History) -> str:
    return "; ".join(history.notices)


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
    assert "nothing to replay" in repr(cl.Bench(result.history, result.settings))
    assert result._repr_mimebundle_() == {"text/plain": str(result)}


def test_two_models_and_unknown_ones_are_said(lines: Lines) -> None:
    lines.user("x")
    lines.reply("a", model="claude-opus-4-6")
    lines.reply("b", model="claude-opus-4-8")
    lines.reply("c", model="my-gateway")
    text = notices(cl.load(lines.text()))

    assert "two tokenizers" in text
    assert "unknown model 'my-gateway'" in text
