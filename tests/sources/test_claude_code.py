"""Session files as they are in the wild: chains, copies, forks, boundaries, damage, usage."""

import copy

import ctxlab as cl
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
        assert "line 3: a uuid that was used before, with another content; both are kept" in notices(history)

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
