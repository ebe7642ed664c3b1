"""Other agents' files: pi, SWE-agent, OpenHands, OpenAI style, exchanges with a compaction by the server."""

import contextlib
import copy
import json
from collections.abc import Iterator

import pytest

import ctxlab as cl
from ctxlab.engine.tokens import Quarter
from tests.conftest import said
from tests.sources.test_hostile import ODD, everything


def call(name: str, tool: str, given: str) -> dict:
    return {"id": name, "type": "function", "function": {"name": tool, "arguments": given}}


OPENAI = [
    {"role": "developer", "content": "be short"},
    {
        "role": "user",
        "content": [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": "https://x/y.png"}],
    },
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [call("a", "read", '{"path": "x.py"}'), call("b", "bash", "ls")],
    },
    {"role": "tool", "tool_call_id": "b", "content": "files"},
    {"role": "tool", "tool_call_id": "a", "content": "text"},
    {"role": "assistant", "content": "done"},
]
PI = [
    {"type": "session", "version": 3, "id": "s", "modelId": "claude-opus-4-6"},
    {"type": "message", "id": "1", "parentId": None, "message": {"role": "user", "content": "go"}},
    {"type": "message", "id": "x", "parentId": "1", "message": {"role": "user", "content": "a branch that was left"}},
    {
        "type": "message",
        "id": "2",
        "parentId": "1",
        "message": {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": "x.py"}}],
            "usage": {"input": 900, "cacheRead": 4_000, "cacheWrite": 100, "output": 9},
        },
    },
    {
        "type": "message",
        "id": "3",
        "parentId": "2",
        "message": {
            "role": "toolResult",
            "toolCallId": "c",
            "toolName": "read",
            "content": [{"type": "text", "text": "t"}],
        },
    },
    {
        "type": "compaction",
        "id": "4",
        "parentId": "3",
        "summary": "so far",
        "firstKeptEntryId": "2",
        "tokensBefore": 5_010,
    },
    {
        "type": "message",
        "id": "5",
        "parentId": "4",
        "message": {"role": "bashExecution", "command": "ls", "output": "files", "exitCode": 0},
    },
]
TRAJECTORY = {"trajectory": [{"action": "ls", "thought": "look", "observation": "files"}], "info": {}}
EVENTS = [
    {"id": 0, "source": "user", "action": "message", "args": {"content": "go"}},
    {"id": 1, "source": "agent", "action": "run", "args": {"command": "ls", "thought": "look"}},
    {"id": 2, "source": "agent", "observation": "run", "cause": 1, "content": "files"},
    {"id": 3, "source": "environment", "observation": "agent_state_changed", "content": ""},
    {
        "id": 4,
        "source": "agent",
        "action": "condensation",
        "args": {"forgotten_event_ids": [1, 2], "summary": "listed"},
    },
    {"id": 5, "source": "agent", "action": "finish", "args": {}, "message": "done"},
]
COMPACTED = [
    {"role": "user", "content": "hello"},
    {
        "role": "assistant",
        "content": [{"type": "compaction", "content": "the user said hello"}, {"type": "text", "text": "hi"}],
        "usage": {"iterations": [{"type": "compaction", "input_tokens": 150_000}, {"type": "message"}]},
    },
    {"role": "user", "content": "more"},
]


def lines(records: list[dict]) -> str:
    return "\n".join(map(json.dumps, records))


@pytest.mark.parametrize(
    ("source", "form", "expected"),
    [
        (
            OPENAI,
            "openai_style",
            ["user look", "image ", "call a", "call b", "result a", "result b", "reply done"],
        ),
        (lines(PI), "pi", ["user go", "call c", "result c", "user Ran `ls`\nfiles"]),
        (TRAJECTORY, "swe_agent", ["reply look", "call step0", "result step0"]),
        (EVENTS, "openhands", ["user go", "reply look", "call event1", "result event1", "reply done"]),
        (lines([{"history": EVENTS}, {"history": EVENTS}]), "openhands", ["user go"]),
        (lines(OPENAI), "openai_style", ["user look"]),
        (COMPACTED, "messages_api", ["user hello", "reply hi", "user more"]),
    ],
    ids=["openai", "pi", "swe-agent", "openhands", "openhands lines", "openai lines", "server compaction"],
)
def test_what_was_said_is_what_is_loaded(source: object, form: str, expected: list[str]) -> None:
    history = cl.load(source, counter=Quarter())

    assert history.source.format == form
    assert [each for each in said(history) if not each.startswith("unrecorded")][: len(expected)] == expected
    everything(history)


def test_tools_have_claude_codes_names_and_a_notice_says_so() -> None:
    history = cl.load(OPENAI)

    assert [(block.tool, block.target) for block in history.blocks if block.kind == "result"] == [
        ("Read", "x.py"),
        ("Bash", ""),
    ]
    assert "tools under the names that Claude Code has for them: bash as Bash, read as Read" in history.notices


def test_results_of_one_reply_are_one_message_in_the_order_of_the_calls() -> None:
    assert [len(message.blocks) for message in cl.load(OPENAI).messages] == [2, 2, 2, 1]


def test_a_log_of_one_call_has_the_response_behind_its_messages_and_its_usage() -> None:
    usage = {"prompt_tokens": 5_000, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 4_000}}
    response = {"model": "proxy/claude-opus-4-6", "choices": [{"message": {"content": "sure"}}], "usage": usage}
    history = cl.load({"messages": OPENAI[:2], "tools": [call("", "read", "")], "response": response})

    assert (said(history)[-2], history.messages[-1].usage, history.model) == ("reply sure", 5_000, "claude-opus-4-6")
    assert [block.kind for block in history.overhead] == ["system", "tools"]


def test_a_branch_that_pi_left_is_not_replayed_and_a_compaction_keeps_what_it_says() -> None:
    history = cl.load(lines(PI))
    (compaction,) = history.compactions

    assert "1 record on branches that were left are not replayed" in history.notices
    assert (compaction.position, compaction.tokens_before, compaction.preserved) == (3, 5_010, ("m1", "m2"))
    assert history.messages[1].usage == 5_000
    assert [message.blocks[0].text for message in history.as_recorded()][:1] == ["so far"]


def test_the_servers_own_summary_is_a_recorded_compaction_and_never_sent_again() -> None:
    history = cl.load(COMPACTED)
    (compaction,) = history.compactions
    body = cl.make_request(cl.replay(history).at().view, cl.Settings()).body

    assert (compaction.position, compaction.trigger, compaction.tokens_before) == (1, "server", 150_000)
    assert compaction.summary
    assert compaction.summary.blocks[0].text == "the user said hello"
    assert "compaction" not in json.dumps(body)


def test_a_compaction_of_the_server_that_failed_is_said() -> None:
    failed = copy.deepcopy(COMPACTED)
    failed[1]["content"][0]["content"] = None
    history = cl.load(failed)

    assert history.compactions == ()
    assert "1 compaction by the server without a summary: it failed" in history.notices


def test_openhands_forgets_what_its_condensation_names() -> None:
    (compaction,) = cl.load(EVENTS).compactions

    assert compaction.summary
    assert compaction.summary.blocks[0].text == "listed"
    assert compaction.preserved == ("m0",)


def test_earlier_replies_of_an_exchange_have_the_usage_of_their_own_response() -> None:
    first = {"role": "assistant", "content": [{"type": "text", "text": "hi"}], "usage": {"input_tokens": 4_000}}
    request = [{"role": "user", "content": "hello"}]
    later = [*request, {"role": "assistant", "content": "hi"}, {"role": "user", "content": "more"}]
    history = cl.load(
        [{"request": {"messages": request}, "response": first}, {"request": {"messages": later}, "response": None}]
    )

    assert [message.usage for message in history.messages] == [0, 4_000, 0]


def test_equal_replies_of_an_exchange_have_each_its_own_usage() -> None:
    said = [{"role": "assistant", "content": "Done."} for _ in range(3)]
    messages = [part for reply in said for part in ({"role": "user", "content": "go"}, reply)]
    recorded = [
        {
            "request": {"messages": messages[: 2 * number + 1]},
            "response": {**said[number], "usage": {"input_tokens": size}},
        }
        for number, size in enumerate((1_000, 20_000, 40_000))
    ]
    history = cl.load(recorded)

    assert [message.usage for message in history.messages if message.role == "assistant"] == [1_000, 20_000, 40_000]


def test_the_way_to_the_root_of_pi_leads_over_records_that_say_nothing() -> None:
    told = [
        {"type": "session", "version": 3, "id": "s"},
        {"type": "message", "id": "1", "parentId": None, "message": {"role": "user", "content": "one"}},
        {"type": "thinking_level_change", "id": "2", "parentId": "1", "thinkingLevel": "high"},
        {"type": "message", "id": "3", "parentId": "2", "message": {"role": "user", "content": "two"}},
        {"type": "label", "id": "4", "parentId": "3", "label": "x"},
        {"type": "message", "id": "5", "parentId": "4", "message": {"role": "user", "content": "three"}},
    ]
    history = cl.load(lines(told))

    assert [block.text for block in history.blocks if block.kind == "user"] == ["one", "two", "three"]
    assert not [notice for notice in history.notices if "branches that were left" in notice]


def test_what_openhands_forgot_once_stays_forgotten_and_its_tools_count() -> None:
    told = [
        {"id": 0, "source": "agent", "action": "system", "args": {"content": "be kind", "tools": [{"name": "run"}]}}
    ]
    told += [
        {"id": number, "source": "user", "action": "message", "args": {"content": f"say {number}"}}
        for number in range(1, 7)
    ]
    for number, (first, last) in enumerate(((1, 2), (3, 10**12)), 7):
        args = {"forgotten_events_start_id": first, "forgotten_events_end_id": last, "summary": "short"}
        told.append({"id": number, "source": "agent", "action": "condensation", "args": args})
        told.append({"id": number + 10, "source": "user", "action": "message", "args": {"content": "on"}})
    history = cl.load(told)

    assert [block.kind for block in history.overhead] == ["system", "tools"]
    assert "m0" not in history.compactions[1].preserved
    assert "m1" not in history.compactions[1].preserved


def test_what_is_left_out_of_a_trajectory_or_of_exchanges_is_said() -> None:
    roles = [{"role": role, "content": role} for role in ("user", "critic", "assistant")]
    assert "1 message with a role that is not known left out" in cl.load({"history": roles}).notices
    asked = [{"request": {"messages": [{"role": "user", "content": text}]}, "response": None} for text in ("a", "b")]
    assert "1 request of another conversation left out; the last one is read" in cl.load(asked).notices
    assert not [each for each in cl.load(asked[1:]).notices if "another conversation" in each]


def mutations(value: object) -> Iterator[object]:
    """The value with each field of it, one after another, replaced by every odd value."""
    for path in list(paths(value)):
        for odd in ODD:
            copied = copy.deepcopy(value)
            at = copied
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = odd
            yield copied


def paths(value: object, above: tuple = ()) -> Iterator[tuple]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield (*above, key)
        yield from paths(each, (*above, key))


@pytest.mark.parametrize(
    "source", [OPENAI, PI, TRAJECTORY, EVENTS, COMPACTED], ids=["openai", "pi", "swe", "hands", "server"]
)
def test_any_field_of_any_format_may_be_anything(source: object) -> None:
    for number, damaged in enumerate(mutations(source)):
        text = lines(damaged) if source is PI else damaged
        with contextlib.suppress(ValueError):
            history = cl.load(text, counter=Quarter())
            if number % 9 == 0:
                everything(history)
