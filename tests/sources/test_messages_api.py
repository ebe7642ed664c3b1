"""Lists of Messages API messages, request bodies, recorded exchanges; and finding out what a thing is."""

import json
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.engine.tokens import Quarter
from tests.conftest import said

MESSAGES = [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": [{"type": "text", "text": "hello"}]},
    {"role": "user", "content": "more"},
]


@pytest.mark.parametrize(
    "source",
    [
        MESSAGES,
        json.dumps(MESSAGES),
        {"messages": MESSAGES, "model": "claude-opus-4-6"},
        json.dumps({"messages": MESSAGES}, indent=2),
        [
            {"request": {"messages": MESSAGES[:1]}, "response": None},
            {"request": {"messages": MESSAGES}, "response": None},
        ],
    ],
    ids=["list", "text", "body", "body as text", "exchanges"],
)
def test_the_format_is_found(source: object) -> None:
    assert said(cl.load(source, counter=Quarter())) == ["user hi", "reply hello", "user more"]


def test_a_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a b.json"
    path.write_text(json.dumps(MESSAGES), encoding="utf-8-sig")

    assert len(cl.load(path).messages) == len(cl.load(str(path)).messages) == 3


def test_the_reply_of_an_exchange_is_put_behind() -> None:
    exchanges = [
        {
            "request": {"messages": MESSAGES},
            "response": {"role": "assistant", "content": [{"type": "text", "text": "sure"}]},
        }
    ]

    assert said(cl.load(exchanges))[-1] == "reply sure"


def test_system_and_tools_beside_the_list_are_counted_as_overhead() -> None:
    history = cl.load(MESSAGES, system=[{"type": "text", "text": "be short"}], tools=[{"name": "x"}])
    view = cl.replay(history).at().view

    assert [(block.kind, block.text) for block in view][:2] == [("system", "be short"), ("tools", '[{"name": "x"}]')]
    assert cl.make_request(view, cl.Settings()).body["system"] == [{"type": "text", "text": "be short"}]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ([{"role": "robot", "content": "x"}], "message 0 must have a role of user or assistant"),
        ([7], "message 0 must have a role"),
        (7, "expected a list of messages or a session, got int"),
        ([{"request": {}}], "the last exchange must have a request with messages"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(source: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cl.load(source)


def test_a_folder_and_a_missing_file_say_so(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="name one session file in it"):
        cl.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        cl.load(tmp_path / "nothing.jsonl")


def test_a_duplicate_call_id_is_renamed_and_said() -> None:
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "Bash", "input": {}}]}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}
    history = cl.load([MESSAGES[0], call, result, call, result])

    assert [block.id for block in history.blocks] == ["m0.0", "a/use", "a/result", "a~2/use", "a~2/result"]
    assert "1 call renamed: the id was used before" in " ".join(history.notices)
    assert cl.check_request(cl.make_request(cl.replay(history).at().view, cl.Settings()).body["messages"]) == []


def test_usage_in_a_list_and_in_a_response_is_what_sizes_rest_on() -> None:
    usage = {"input_tokens": 5_000, "output_tokens": 20}
    exchanges = [
        {
            "request": {"messages": MESSAGES, "system": "be short"},
            "response": {"role": "assistant", "content": "sure", "usage": usage},
        }
    ]
    listed = [MESSAGES[0], {**MESSAGES[1], "usage": usage}, MESSAGES[2]]

    for source, request in ((exchanges, 1), (listed, 0)):
        result = cl.replay(cl.load(source))
        exchange = result.exchanges[request]
        assert (exchange.tokens_sent, exchange.tokens_recorded) == (5_000, 5_000)
        assert result.at(request).view.rests_on == "recorded"


def test_tools_alone_are_all_that_stands_in_front() -> None:
    view = cl.replay(cl.load(MESSAGES, tools=[{"name": "x"}])).at().view

    assert [block.kind for block in view][:2] == ["tools", "user"]
