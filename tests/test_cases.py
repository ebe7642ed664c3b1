"""What others shipped wrong, from public bug reports: each input through the whole path, and what must hold instead.

B16 to B19, B22 and B23 stand with the reader (`tests/sources`), B24 and B25 with the counter (`tests/engine/test_tokens.py`),
B09 with the audit (`tests/lab/test_audit.py`), B21 also with the bench and its script.
"""

import copy
import pickle

import pytest

import ctxlab as cl
from ctxlab.engine.acts import compact_now
from ctxlab.engine.archive import DiskArchive
from ctxlab.engine.edit import Cover, Replace
from ctxlab.engine.history import History
from ctxlab.engine.pipeline import LAYERS
from ctxlab.engine.replay import view_before
from ctxlab.engine.summary import CLEARED
from ctxlab.engine.summary_text import TooLongError
from ctxlab.engine.tokens import Quarter
from ctxlab.sources.build import Builder
from tests.engine.layers.small import SMALL, rounds
from tests.fakes import ScriptedSummariser, services

ROOMY = SMALL.replace({"window.context_window": 200_000, "autocompact.keeps_recent": "last exchange"})


def calls(*names: str, tool: str = "Bash") -> dict:
    return {
        "role": "assistant",
        "content": [
            {"type": "tool_use", "id": n, "name": tool, "input": {"command": n, "file_path": n}} for n in names
        ],
    }


def answers(*names: str, text: object = "done") -> dict:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": n, "content": text} for n in names]}


def said(text: str, role: str = "user") -> dict:
    return {"role": role, "content": text}


def loaded(*messages: dict) -> History:
    return cl.load(list(messages), counter=Quarter())


def legal(replay: cl.Replay) -> bool:
    """Every Request of a replay is one that the API takes."""
    return all(
        cl.check_request(cl.make_request(replay.at(each.index).view, replay.settings).body["messages"]) == []
        for each in replay.exchanges
    )


def covers(replay: cl.Replay) -> list[Cover]:
    return [edit for edit in replay.log if isinstance(edit, Cover)]


def test_b01_a_kept_tail_never_holds_a_result_without_its_call() -> None:
    """A run of results is covered by a call only in part: U, C[a], U, C[b], R[b,a]; keep the last ones."""
    history = loaded(
        said("go"), calls("a"), said("stop"), calls("b"), answers("b", "a"), said("ok", "assistant"), said("on")
    )
    last = len(history.turns) - 1
    for keeps in ("none", "last exchange"):
        replay = cl.replay(history, ROOMY.replace("autocompact.keeps_recent", keeps), acts={last: [compact_now()]})
        view = replay.at().view
        results = [block.call for block in view if block.kind == "result"]
        assert all(f"{call}/use" in view for call in results)
        assert legal(replay)


def test_b02_any_window_keeps_pairs_whole_or_drops_them_whole() -> None:
    """Every kept share from nothing to everything over U, C[a], R[a 50k], A, U: a pair is never torn."""
    history = loaded(
        said("go"),
        calls("a"),
        answers("a", text="x" * 50_000),
        said("seen", "assistant"),
        said("on " * 200),
        calls("b"),
        answers("b"),
    )
    for share in range(1, 91):
        settings = ROOMY.replace("autocompact.kept_share", share / 100)
        replay = cl.replay(history, settings, acts={len(history.turns) - 1: [compact_now()]})
        view = replay.at().view
        assert {b.call for b in view if b.kind == "call"} == {b.call for b in view if b.kind == "result"}
        assert legal(replay)


@pytest.mark.parametrize("layer", [*dict(LAYERS), "pipeline"])
def test_b03_what_the_caller_handed_in_is_the_callers(layer: str) -> None:
    """No layer and no replay changes the list, or a content that two messages share."""
    shared = [{"type": "text", "text": "the same list twice " * 400}]
    given = [
        said("go"),
        calls("a"),
        answers("a", text=shared),
        calls("b"),
        answers("b", text=shared),
        said("x" * 9_000),
    ]
    before = copy.deepcopy(given)
    history = cl.load(given, counter=Quarter())
    frozen = pickle.dumps(history.messages)
    settings = cl.Settings.profile("classroom").set("session_memory.enabled=on", "session_memory.first_tokens=10")
    if layer == "pipeline":
        replay = cl.replay(history, settings)
        cl.make_request(replay.at().view, settings).body["messages"][0]["content"].clear()
        cl.make_request(replay.at().view, settings).to_send()["messages"].clear()
    else:
        view = view_before(history, settings, len(history.turns) - 1)
        dict(LAYERS)[layer](view, settings, services(history))

    assert given == before
    assert pickle.dumps(history.messages) == frozen


def test_b05_a_long_run_with_one_prompt_has_its_middle_summarised(build: Builder) -> None:
    build.user("do it")
    rounds(build, 200)
    history = History(tuple(build.messages))
    scripted = ScriptedSummariser("what happened")
    replay = cl.replay(history, SMALL, services(history, summarise=scripted))

    assert any(piece.kind == "result" for piece in scripted.asked[0].pieces)
    assert legal(replay)
    empty = cl.replay(loaded(said("only this")), SMALL, acts={0: [compact_now()]})
    assert empty.step(0, "user").reason == "asked for, but there are not enough messages to compact"


def test_b06_a_compaction_that_frees_nothing_stops_with_a_named_reason() -> None:
    """One user message of 180k in a window of 200k, then ten short turns."""
    turns = [each for n in range(10) for each in (said(f"ok {n}", "assistant"), said("on"))]
    history = loaded(said("x" * 4 * 158_000), *turns)
    replay = cl.replay(history, cl.Settings.profile("v2.1"))

    assert len(covers(replay)) <= 4
    assert any(
        "not enough messages" in s.reason or s.reason.startswith("breaker") for s in replay.steps if s.state == "failed"
    )


def test_b07_a_step_that_would_make_it_larger_is_no_gain() -> None:
    """`/compact` on "hi", "hello"; and results shorter than what would replace them."""
    greeting = cl.replay(loaded(said("hi"), said("hello", "assistant"), said("so?")), ROOMY, acts={1: [compact_now()]})
    assert greeting.step(1, "user").state == "no_gain"
    assert greeting.step(1, "user").before == greeting.step(1, "user").after

    short = [each for n in range(12) for each in (calls(f"t{n}"), answers(f"t{n}", text="x" * (10 + 4 * n)))]
    settings = cl.Settings.profile("classroom").set(
        "microcompact.strategy=age",
        "microcompact.age_rounds=1",
        "budget.per_result_chars=100",
        "budget.preview_bytes=0",
    )
    replay = cl.replay(loaded(said("go"), *short), settings)
    assert all(step.after <= step.before for step in replay.steps if step.layer in dict(LAYERS))
    assert not [edit for edit in replay.log if isinstance(edit, Replace) and edit.after >= edit.before]


def test_b08_the_line_follows_the_window_that_is_set() -> None:
    """Windows of 200,000 and 1,000,000, autocompact off, an unknown model, two models in one file."""
    big = [each for n in range(20) for each in (calls(f"t{n}"), answers(f"t{n}", text="x" * 40_000))]
    history = loaded(said("go"), *big)
    settings = cl.Settings.profile("v2.1").replace({"budget.enabled": False, "microcompact.enabled": False})
    assert covers(cl.replay(history, settings))
    assert not covers(cl.replay(history, settings.replace("window.context_window", 1_000_000)))
    assert not covers(cl.replay(history, settings.replace("autocompact.enabled", False)))
    assert any("unknown model" in notice for notice in cl.load([said("x")], model="some-model-9").notices)


def test_b10_a_summary_request_that_does_not_fit_is_made_smaller_and_ends(build: Builder) -> None:
    """A history of all of the window with one picture of 1 MB; a stand-in that refuses what is over the window."""
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 1_000_000}}
    build.user([picture, {"type": "text", "text": "see"}])
    rounds(build, 24, 1_200)
    history = History(tuple(build.messages))
    asked: list[str] = []

    def stand_in(request: object) -> str:
        asked.append(request.prompt())
        raise TooLongError("over the window")

    before = pickle.dumps(history.messages)
    settings = SMALL.replace({"window.context_window": 9_000, "autocompact.keeps_pictures": False})
    replay = cl.replay(history, settings, services(history, summarise=stand_in))

    assert asked
    assert all("AAAA" not in prompt for prompt in asked)
    assert not covers(replay)
    assert pickle.dumps(history.messages) == before
    assert len(asked) <= 9  # three tries, three times, then the breaker


@pytest.mark.parametrize("reply", ["", "  \n", None, "<analysis>only</analysis>", "<summary>never closed"])
def test_b11_an_empty_summary_writes_no_boundary(build: Builder, reply: str | None) -> None:
    build.user("do it")
    rounds(build, 16)
    history = History(tuple(build.messages))
    scripted = ScriptedSummariser(reply)
    replay = cl.replay(history, SMALL, services(history, summarise=scripted))

    assert not covers(replay)
    failed = [step.request for step in replay.steps if step.layer == "autocompact" and step.cost.model_calls]
    assert len(failed) == len(set(failed)) == 3  # once a request, then the breaker


def test_b12_only_the_named_tools_are_cleared_and_the_rest_is_spared(build: Builder) -> None:
    names = ("Read", "Bash", "Grep", "mcp__memory__search", "Task", "unknown_tool", "read")
    build.user("go", 0.0)
    for number in range(30):
        tool = names[number % len(names)]
        build.reply([{"type": "tool_use", "id": f"t{number}", "name": tool, "input": {"command": f"{number}"}}], 1.0)
        build.results([{"tool_use_id": f"t{number}", "content": "x" * 400}], [2.0])
    build.reply("ok", 3.0)
    build.user("later", 2 * 3_600.0)
    history = History(tuple(build.messages))
    settings = cl.Settings.profile("v2.1").replace("microcompact.keep_recent", 1)

    def cleared(chosen: cl.Settings) -> set[str]:
        return {history.by_id[e.block].tool for e in cl.replay(history, chosen).log if isinstance(e, Replace)}

    assert cleared(settings) == {"Read", "Bash", "Grep"}
    assert cleared(settings.replace("microcompact.tools", ("Task",))) == {"Task"}
    assert "of 14 results, kept 1" in cl.replay(history, settings).step(-1, "microcompact").reason


@pytest.mark.parametrize("zone", ["Z", "+08:00", ""])
def test_b13_nothing_is_cleared_before_the_gap_and_then_once(lines: object, zone: str) -> None:
    """40 rounds at 10 s, then one after 61 minutes; missing and mixed times are no gap."""

    def at(seconds: int) -> str | None:
        hours = 9 if zone != "+08:00" else 17
        return (
            f"2026-01-12T{hours + seconds // 3_600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{zone}"
            if zone
            else None
        )

    lines.user("go", timestamp=at(0))
    for number in range(40):
        lines.call(f"c{number}", timestamp=at(10 * number + 1))
        lines.result(f"c{number}", "x" * 400, timestamp=at(10 * number + 2))
    lines.reply("ok", timestamp=at(410))
    lines.user("back", timestamp=at(410 + 61 * 60))
    replay = cl.replay(lines.load(), cl.Settings.profile("v2.1"))
    acted = [step.request for step in replay.steps if step.layer == "microcompact" and step.state == "acted"]

    assert acted == ([len(replay.exchanges) - 1] if zone else [])


@pytest.mark.parametrize(
    "content",
    [
        "x" * 60_000,
        [{"type": "text", "text": "x" * 60_000}],
        [{"type": "text", "text": "x" * 1_000} for _ in range(60)],
        [{"type": "text", "text": "x" * 60_000}, {"type": "image", "source": {"type": "base64", "data": "AAAA"}}],
        None,
        "missing",
    ],
)
def test_b14_a_long_result_is_saved_in_whatever_form_it_comes(content: object, tmp_path) -> None:
    result = {"type": "tool_result", "tool_use_id": "a", **({} if content == "missing" else {"content": content})}
    history = loaded(said("go"), calls("a"), {"role": "user", "content": [result]})
    replay = cl.replay(history, cl.Settings.profile("v2.1"), services(history, archive=DiskArchive(tmp_path)))
    block = replay.at().view["a/result"]

    if content in (None, "missing"):
        assert (block.text, block.tokens, block.state) == ("", 0, "")
        return
    assert block.state == "preview"
    assert replay.read("archive:a") == history.by_id["a/result"].text
    assert bool(block.raw) is (isinstance(content, list) and content[-1]["type"] == "image")


def test_b15_a_saved_result_can_be_had_again_and_is_not_saved_twice(tmp_path) -> None:
    """Five lines of 20,000 characters; then the same text by Read; then the folder is gone."""
    text = "\n".join(["y" * 20_000] * 5)
    history = loaded(said("go"), calls("a"), answers("a", text=text), calls("b", tool="Read"), answers("b", text=text))
    archive = DiskArchive(tmp_path)
    replay = cl.replay(history, cl.Settings.profile("v2.1"), services(history, archive=archive))
    view = replay.at().view

    assert (view["a/result"].state, view["b/result"].state) == ("preview", "")
    assert len(view["a/result"].text) < 2_400
    assert archive.get("tool-results/a.txt") == text
    (tmp_path / "tool-results" / "a.txt").unlink()
    with pytest.raises(FileNotFoundError, match=r"a\.txt is gone; the whole text is still in the History"):
        replay.read("archive:a")
    assert replay.read(replay.address("a/result")) == text


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "</script><b>",
        "[x](javascript:alert(1))",
        "$x_1$ and $y_2$",
        "\x1b[31mred\x1b[0m",
    ],
)
def test_b21_the_text_of_a_session_is_never_markup(text: str) -> None:
    history = loaded(said(text), calls(text), answers(text, text=text), said(text, "assistant"), said("next"))
    replay = cl.replay(history, cl.Settings.profile("classroom"))
    shown = replay._repr_mimebundle_()
    page = shown.get("text/html", "") + shown["image/svg+xml"] + cl.audit(history)._repr_html_()

    assert not any(harm in page for harm in ("<img", "</script><b", "javascript:alert(1))</a", "\x1b"))
    assert "\x1b" not in str(replay)


def test_the_placeholder_is_the_one_that_is_known() -> None:
    assert CLEARED == "[Old tool result content cleared]"
