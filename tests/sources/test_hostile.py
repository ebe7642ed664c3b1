"""Damaged and hostile sessions: nothing stops a load, a replay or a picture. Each case was once a fault."""

import contextlib
import copy
import json
import random
import xml.etree.ElementTree as ET

import pytest

import ctxlab as cl
from ctxlab.engine.profiles import PROFILES
from ctxlab.engine.tokens import ClaudeEstimate, Quarter
from ctxlab.sources.build import MOST_NESTING
from ctxlab.sources.claude_code import NotASessionError
from tests.conftest import Lines, said

ODD = [
    None,
    True,
    -1,
    0,
    10**310,
    2.5,
    float("nan"),
    "",
    " ",
    "²",
    "\ud800",
    "a/use",
    "claude_md",
    "m0.0",
    [],
    [1],
    ["x"],
    {},
    {"type": ["x"]},
    {"0": "x"},
    "<b>$x$</b>\x1b[1m",
]


def everything(history: cl.History, profile: str = "classroom") -> None:
    """Replay, request, pictures: what a reader does with a session."""
    settings = cl.Settings.profile(profile)
    result = cl.replay(history, settings)
    assert str(result).encode()
    for exchange in result.exchanges[-1:]:
        view = result.at(exchange.index).view
        assert view.tokens == sum(block.tokens for block in view)
        assert cl.check_request(cl.make_request(view, settings).body["messages"]) == []
        ET.fromstring(cl.svg_picture(result))
    assert cl.Bench(result.history, result.settings)._repr_mimebundle_()
    assert cl.StepTable(result, all_steps=True)._repr_html_().encode()


def session() -> list[dict]:
    """A small session with everything in it."""
    lines = Lines()
    usage = {"input_tokens": 3, "cache_read_input_tokens": 900, "output_tokens": 5, "iterations": [{"type": "message"}]}
    lines.user("go")
    lines.records.append(
        {
            "type": "attachment",
            "uuid": "at",
            "parentUuid": "r0",
            "attachment": {"type": "hook_success", "hookEvent": "SessionStart", "content": "hi"},
        }
    )
    lines.reply(
        [
            {"type": "thinking", "thinking": "t", "signature": "s"},
            {"type": "tool_use", "id": "a", "name": "Read", "input": {"file_path": "x.py", "offset": 1, "limit": 2}},
        ],
        usage=usage,
        model="claude-opus-4-6",
    )
    lines.user(
        [
            {
                "type": "tool_result",
                "tool_use_id": "a",
                "content": [{"type": "text", "text": "r"}, {"type": "image", "source": {"data": "AAAA"}}],
            }
        ]
    )
    lines.records.append(
        {
            "type": "system",
            "subtype": "compact_boundary",
            "uuid": "b",
            "parentUuid": None,
            "compactMetadata": {"trigger": "auto", "preTokens": 5, "preservedMessages": {"uuids": ["r0"]}},
        }
    )
    lines.user("summary", isCompactSummary=True)
    lines.user("more", isSidechain=False)
    lines.reply(
        [
            {"type": "server_tool_use", "id": "s", "name": "web", "input": {}},
            {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
        ],
        usage=usage,
    )
    lines.user("end")
    return lines.records


def places(value: object, path: tuple = ()) -> list[tuple]:
    """Every place inside a record."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inside for place in places(each, (*path, key)))]


def put(record: dict, path: tuple, value: object) -> None:
    here = record
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value


@pytest.mark.parametrize("number", range(len(session())))
def test_any_field_of_any_record_may_be_anything(number: int) -> None:
    records = session()
    for path in [path for path in places(records[number]) if path]:
        for value in ODD:
            changed = copy.deepcopy(records)
            put(changed[number], path, value)
            text = "\n".join(json.dumps(record) for record in changed)
            everything(cl.load(text, counter=Quarter()))


@pytest.mark.parametrize("profile", PROFILES)
def test_shuffled_doubled_and_torn_sessions(profile: str) -> None:
    chance = random.Random(7)
    for _ in range(60):
        records = [copy.deepcopy(record) for record in chance.choices(session(), k=14)]
        chance.shuffle(records)
        text = "\n".join(json.dumps(record)[: chance.choice([10**6, 10**6, 200])] for record in records)
        with contextlib.suppress(NotASessionError):
            everything(cl.load(text + "\n", counter=Quarter()), profile)


@pytest.mark.parametrize(
    "name", ["", None, 0, False, [1], "a/use", "m0.0", "a~2", "autocompact@0.summary", "a\nb", "history:0"]
)
def test_odd_ids_of_calls_in_a_list(name: object) -> None:
    call = {"type": "tool_use", "id": name, "name": "Bash", "input": {}}
    result = {"type": "tool_result", "tool_use_id": name, "content": "r"}
    messages = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [call, call]},
        {"role": "user", "content": [result, result]},
    ]

    everything(cl.load(messages * 2, counter=Quarter()))


@pytest.mark.parametrize(
    "part",
    [
        {"type": "tool_use", "id": "x", "name": "n", "input": {}},
        {"type": "thinking"},
        {"type": "server_tool_use"},
        {"type": "web_search_tool_result", "tool_use_id": "x"},
        {"type": "compaction", "content": "c"},
        {"nothing": 1},
    ],
)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_parts_that_do_not_belong_there_go_as_text_or_not_at_all(part: dict, role: str) -> None:
    everything(
        cl.load(
            [
                {"role": "user", "content": "hi"},
                {"role": role, "content": [part, part, {"type": "text", "text": "x"}]},
                {"role": "user", "content": "y"},
            ],
            counter=Quarter(),
        )
    )


def test_a_million_blanks_are_counted() -> None:
    assert ClaudeEstimate()("x" + " " * 1_100_000 + "y") > 1_000


@pytest.mark.parametrize("depth", [MOST_NESTING - 20, MOST_NESTING + 1, 900, 100_000])
def test_nesting_is_read_or_reported(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    record = f'{{"type": "attachment", "x": "\\u0041", "attachment": {{"type": "file", "content": {deep}}}}}'
    history = cl.load(record + '\n{"type": "user", "message": "hi"}', counter=Quarter())

    everything(history)
    assert len(history.source.skipped) == (depth > MOST_NESTING)


def test_a_list_that_is_nested_too_deeply_is_refused_in_a_sentence() -> None:
    value: object = "x"
    for _ in range(500):
        value = [value]

    with pytest.raises(ValueError, match="nested more than 100 deep"):
        cl.load([{"role": "user", "content": value}])


def test_a_later_reply_that_uses_a_call_id_again_keeps_its_result(lines: Lines) -> None:
    lines.user("hi")
    lines.call("a")
    lines.result("a", "first")
    lines.call("a")
    lines.result("a", "second")
    history = lines.load()

    assert [block.text for block in history.blocks if block.kind == "result"] == ["first", "second"]
    assert said(history)[1:] == ["call a", "result a", "call a~2", "result a~2"]


def test_a_loop_of_parents_does_not_drop_the_newest_prompt(lines: Lines) -> None:
    lines.user("first", uuid="a", parent="p")
    lines.reply("reply", uuid="p", parent="a")
    lines.user("second", uuid="b", parent="p")

    assert said(lines.load()) == ["user first", "reply reply", "user second"]


def test_a_system_message_inside_a_list_is_the_system_prompt() -> None:
    history = cl.load([{"role": "system", "content": "be nice"}, {"role": "user", "content": "hi"}])
    view = cl.replay(history).at().view

    assert cl.make_request(view, cl.Settings()).body["system"] == [{"type": "text", "text": "be nice"}]
    assert history.overhead[0].tokens > 0


def test_a_notice_cannot_forge_a_line(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    from ctxlab.cli import main

    record = {"type": "assistant", "message": {"model": "evil\n  FORGED NOTICE", "content": "x"}}
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"type": "user", "message": "hi"}) + "\n" + json.dumps(record))
    main(["replay", str(path)])

    assert "\n  FORGED" not in capsys.readouterr().out
