"""Refusals and cut replies: each try a Step, in order, once each; and what the Request itself must keep to."""

import itertools

import pytest

import ctxlab as cl
from ctxlab.engine.breakpoints import breakpoints
from ctxlab.engine.edit import Cover, Delete
from ctxlab.engine.history import History
from ctxlab.engine.media import LEFT_OUT
from ctxlab.engine.replay import replay
from ctxlab.engine.request import make_request
from ctxlab.engine.settings import Settings
from ctxlab.sources.build import Builder
from tests.conftest import Lines
from tests.engine.layers.small import SMALL, rounds

V21 = Settings.profile("v2.1")


def picture(size: int) -> dict:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * size}}


def test_pictures_that_are_too_large_are_left_out_and_the_request_goes_again(build: Builder) -> None:
    build.user([picture(600), {"type": "text", "text": "see"}])
    build.reply([{"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "a.png"}}])
    build.results([{"tool_use_id": "t", "content": [{"type": "text", "text": "it"}, picture(600)]}])
    history = History(tuple(build.messages))
    result = replay(history, V21.replace("window.most_body_bytes", 1_000))
    last = result.exchanges[-1]
    view = result.at().view

    assert [exchange.outcome for exchange in result.exchanges] == ["sent", "recovered"]
    assert (
        last.step("recovery").reason == "refused, pictures of 1,200 bytes > 1,000: 2 blocks sent again without pictures"
    )
    assert view["m0.0"].text == LEFT_OUT
    assert view["t/result"].text == f"it\n{LEFT_OUT}"
    assert cl.check_request(make_request(view, V21).body["messages"]) == []
    assert history.by_id["t/result"].raw[0]["source"]["data"] == "A" * 600


def test_more_pictures_than_are_taken_lose_the_oldest_and_the_request_says_so(build: Builder) -> None:
    for number in range(5):
        build.user([picture(number + 4)])
        build.reply("ok")
    build.user("so?")
    made = make_request(replay(History(tuple(build.messages)), V21).at().view, V21.replace("window.most_pictures", 2))
    texts = [part.get("text") for message in made.body["messages"] for part in message["content"]]

    assert texts.count(LEFT_OUT) == 3
    assert texts[0] == LEFT_OUT
    assert made.repairs == ("3 pictures left out: more than 2 are refused",)


def test_a_reply_that_hits_its_limit_is_given_more_room_once_and_then_asked_to_go_on(lines: Lines) -> None:
    lines.user("write it all")
    for number in range(6):
        lines.reply(f"part {number}", id=f"m{number}")
        lines.records[-1]["message"]["stop_reason"] = "max_tokens"
        lines.user("Go on.", isMeta=True) if number < 5 else None
    # what the harness puts in is no prompt of the user's: here the hidden messages are those lines
    history = lines.load()
    result = replay(history, V21)
    reasons = [step.reason for step in result.steps if step.layer == "recovery"]

    assert reasons[0] == "the reply hit the output limit: raised from 8,000 to 64,000 tokens"
    assert all(step.before == step.after for step in result.steps if step.layer == "recovery")


def test_after_the_third_hidden_message_the_cut_reply_is_shown(build: Builder) -> None:
    build.user("write it all")
    for number in range(6):
        build.reply([{"type": "tool_use", "id": f"t{number}", "name": "Write", "input": {}}], stop="max_tokens")
        build.results([{"tool_use_id": f"t{number}", "content": "ok"}])
    steps = [step for step in replay(History(tuple(build.messages)), V21).steps if step.layer == "recovery"]

    assert [step.state for step in steps] == ["acted", "acted", "acted", "acted", "failed", "failed"]
    assert steps[1].reason == "the reply was cut again: hidden message 1 of 3 asks it to go on"
    assert steps[-1].reason == "the reply was cut again after 3 hidden messages: it is shown as it is"


def test_one_compaction_after_a_refusal_and_then_the_error(build: Builder) -> None:
    build.user("do it")
    rounds(build, 2)
    rounds(build, 1, 20_000)
    settings = SMALL.replace(
        {"budget.enabled": False, "autocompact.measure": "harness", "autocompact.chars_per_token": 10}
    )
    last = replay(History(tuple(build.messages)), settings).exchanges[-1]

    assert last.outcome == "refused"
    assert [step.layer for step in last.steps if step.layer.startswith("recovery")] == ["recovery"]


class TestBreakpoints:
    def test_at_most_four_behind_tools_system_and_the_last_two_user_messages(self) -> None:
        tools = [{"name": "Bash", "input_schema": {}}, {"name": "Read", "input_schema": {}}]
        messages = [{"role": r, "content": f"{n}"} for n in range(4) for r in ("user", "assistant")]
        history = cl.load(
            [*messages, {"role": "user", "content": "x"}], system=[{"type": "text", "text": "be short"}], tools=tools
        )
        made = make_request(replay(history, V21).at().view, V21)

        assert made.breakpoints == [
            ("tools", 1),
            ("system", 0),
            ("messages", 6, "content", 0),
            ("messages", 8, "content", 0),
        ]
        sent = made.to_send()
        assert sent["tools"][1]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}
        assert str(sent).count("cache_control") == 4
        assert "cache_control" not in str(made.body)
        assert cl.check_request(sent["messages"]) == []

    def test_a_cache_of_five_minutes_asks_for_five_minutes(self) -> None:
        history = cl.load([{"role": "user", "content": "x"}])
        short = V21.replace("window.cache_minutes", 5)
        assert make_request(replay(history, short).at().view, short).to_send()["messages"][0]["content"][0][
            "cache_control"
        ] == {
            "type": "ephemeral",
            "ttl": "5m",
        }

    def test_the_next_request_marks_the_end_of_what_this_one_wrote(self, classroom: cl.Replay) -> None:
        """So that the prefix that was written is found again."""
        first, second = (make_request(classroom.at(at).view, classroom.settings) for at in (3, 4))
        assert breakpoints(first.body)[-1] == breakpoints(second.body)[-2]


class TestTheApisOwnClearing:
    def rule(self, build: Builder, **changed: object) -> tuple[cl.Replay, Settings]:
        build.user("go")
        for number in range(8):
            tool = "Read" if number % 2 else "Bash"
            build.reply([{"type": "tool_use", "id": f"t{number}", "name": tool, "input": {"command": "c" * 400}}])
            build.results([{"tool_use_id": f"t{number}", "content": "r" * 800}])
        build.reply("ok")
        build.user("next")
        settings = Settings.profile("docs").replace({"microcompact.api_trigger_tokens": 2_000, **changed})
        return replay(History(tuple(build.messages)), settings), settings

    def test_excluded_tools_and_inputs_go_into_the_rule_that_is_sent(self, build: Builder) -> None:
        result, settings = self.rule(
            build, **{"microcompact.api_exclude_tools": ("Bash",), "microcompact.api_clear_inputs": True}
        )
        [rule] = make_request(result.at().view, settings).body["context_management"]["edits"]
        gone = [name for edit in result.log if isinstance(edit, Delete) for name in edit.blocks]

        assert (rule["exclude_tools"], rule["clear_tool_inputs"]) == (["Bash"], True)
        assert {result.history.by_id[name].tool for name in gone} == {"Read"}
        assert {name.rpartition("/")[2] for name in gone} == {"result", "use"}

    def test_inputs_stay_unless_asked(self, build: Builder) -> None:
        result, _ = self.rule(build)
        gone = [name for edit in result.log if isinstance(edit, Delete) for name in edit.blocks]
        assert {name.rpartition("/")[2] for name in gone} == {"result"}


def test_cached_deletions_are_pinned_and_sent_again_in_their_order(build: Builder) -> None:
    build.user("go", 0.0)
    for number in range(30):
        build.reply([{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "c"}}], number + 1.0)
        build.results([{"tool_use_id": f"t{number}", "content": "r" * 800}], [number + 1.5])
    settings = V21.replace({"microcompact.strategy": ("gap", "cached"), "microcompact.cached_trigger": 10})
    result = replay(History(tuple(build.messages)), settings)
    untouched = replay(result.history, settings.replace("microcompact.enabled", False))
    lists = []
    for at in range(len(result.exchanges)):
        body = make_request(result.at(at).view, settings).body
        lists.append([e["cache_reference"] for group in body.get("cache_edits", []) for e in group["edits"]])
        assert body["messages"] == make_request(untouched.at(at).view, settings).body["messages"]

    assert len(set(map(len, lists))) >= 3
    assert all(later[: len(earlier)] == earlier for earlier, later in itertools.pairwise(lists))


@pytest.mark.parametrize("strategy", ["gap", "cached"])
def test_a_helpers_call_clears_nothing_that_is_the_main_threads(build: Builder, strategy: str) -> None:
    build.user("go", 0.0)
    for number in range(15):
        build.reply([{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "c"}}], 1.0)
        build.results([{"tool_use_id": f"t{number}", "content": "r" * 800}], [2.0])
    build.reply("ok", 3.0)
    build.user("next", 9_000.0)
    history = History(tuple(build.messages))
    settings = V21.replace("microcompact.strategy", (strategy,))

    assert replay(history, settings).log
    assert not replay(history, settings, purpose="session_memory").log
    assert not [edit for edit in replay(history, settings).log if isinstance(edit, Cover)]
