"""The Request: repairs that the API needs, reported, and never a change of what was handed in."""

import copy

import pytest

import ctxlab as cl
from ctxlab.engine.settings import Settings
from ctxlab.engine.tokens import Quarter

V21 = Settings.profile("v2.1")
CALLS = [{"type": "tool_use", "id": name, "name": "Bash", "input": {"command": name}} for name in "ab"]
RESULT = {"type": "tool_result", "tool_use_id": "a", "content": "done"}


def request(messages: list) -> cl.engine.request.Request:
    result = cl.replay(cl.load(messages, counter=Quarter()))
    return cl.make_request(result.at().view, V21)


def user(content: object) -> dict:
    return {"role": "user", "content": content}


def reply(content: object) -> dict:
    return {"role": "assistant", "content": content}


def test_an_interrupted_call_gets_a_made_up_error_result() -> None:
    made = request([user("go"), reply(CALLS), user([RESULT]), user("never mind"), reply("ok"), user("x")])

    assert cl.check_request(made.body["messages"]) == []
    assert made.body["messages"][2]["content"][1] == {
        "type": "tool_result",
        "tool_use_id": "b",
        "content": "[Interrupted before the tool answered]",
        "is_error": True,
    }
    assert made.repairs == ("b was interrupted: an error result was made up",)


def test_a_session_that_ends_at_open_calls() -> None:
    history = cl.load([user("go"), reply(CALLS)], counter=Quarter())
    view = cl.replay(history).at().view

    assert len(history.turns) == 1
    assert not view.results
    assert cl.check_request(cl.make_request(view, V21).body["messages"]) == []


@pytest.mark.parametrize(
    ("messages", "broken"),
    [
        ([], "the first message must be the user's"),
        ([reply("hi"), user("x")], "message 0: the first message must be the user's"),
        ([user("x"), reply("hi")], "message 1: the last message must be the user's"),
        (
            [user("x"), reply(CALLS[:1]), user("y")],
            "message 1: its calls and the results in the next message do not match",
        ),
        ([user([RESULT])], "message 0: its results and the calls in the message before do not match"),
        (
            [user("x"), reply(CALLS[:1]), user([{"type": "text", "text": "y"}, RESULT])],
            "message 2: something stands in front of a result",
        ),
        (
            [user("x"), reply([CALLS[0], CALLS[0]]), user([RESULT, RESULT])],
            "message 1: a call has an id that was used before",
        ),
        ([user(" ")], "message 0: a text block is empty or blank"),
        ([user([])], "message 0: the message is empty"),
        (
            [user("x"), reply([{"type": "thinking", "thinking": "a", "signature": "s"}]), user("y")],
            "message 1: the reply ends with thinking",
        ),
        (
            [user("x"), reply([{"type": "thinking", "thinking": "a"}, {"type": "text", "text": "b"}]), user("y")],
            "message 1: a thinking block is not whole",
        ),
        (
            [user("x"), reply([{"type": "server_tool_use", "id": "s"}, {"type": "text", "text": "b"}]), user("y")],
            "message 1: a server tool and its result are not together",
        ),
        ([user(CALLS[:1]), user("y")], "message 0: a call or a result stands on the wrong side"),
    ],
)
def test_each_rule_of_the_api_is_checked(messages: list, broken: str) -> None:
    assert any(complaint.endswith(broken) for complaint in cl.check_request(messages))


def test_neighbours_of_one_role_are_legal() -> None:
    assert cl.check_request([user("a"), user("b"), reply("c"), reply("d"), user("e")]) == []


def test_broken_thinking_and_half_server_tools_are_left_out_and_reported() -> None:
    parts = [
        {"type": "thinking", "thinking": "x"},
        {"type": "server_tool_use", "id": "s", "name": "w", "input": {}},
        {"type": "text", "text": "b"},
    ]
    made = request([user("x"), reply(parts), user("y")])

    assert cl.check_request(made.body["messages"]) == []
    assert made.repairs == (
        "thinking without its signature was left out",
        "half of the server tool s was left out",
    )


def test_system_and_tools_go_back_as_they_came_and_claude_md_is_the_users() -> None:
    tools = [{"name": "Bash", "input_schema": {}}]
    made = cl.make_request(cl.replay(cl.load([user("x")], system="be short", tools=tools)).at().view, V21)
    story = cl.make_request(cl.replay(cl.story(), Settings.profile("classroom")).at().view, V21)

    assert (made.body["system"], made.body["tools"]) == ("be short", tools)
    assert "Ledgerly" in story.body["messages"][0]["content"][0]["text"]
    assert "system" not in story.body


def test_nothing_that_was_handed_in_is_changed_or_shared() -> None:
    """B03: the caller's list is the caller's, also where two messages share one content."""
    shared = [{"type": "text", "text": "the same list twice"}]
    given = [
        user(shared),
        reply(CALLS),
        user([{**RESULT, "content": [{"type": "text", "text": "long " * 20_000}]}]),
        user(shared),
    ]
    before = copy.deepcopy(given)
    history = cl.load(given)
    for profile in ("article", "restored", "v2.0", "v2.1", "docs", "classroom"):
        settings = Settings.profile(profile)
        result = cl.replay(history, settings)
        body = cl.make_request(result.at().view, settings).body
        body["messages"][1]["content"][0]["input"]["command"] = "changed by the caller"
        body["messages"].clear()
        str(result)
        cl.svg_picture(result)

    assert given == before
    assert history.by_id["a/use"].raw == {"command": "a"}
