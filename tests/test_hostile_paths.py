"""Hostile sessions through what reads, audits, compacts and hooks: nothing escapes, grows without bound or is forged."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.engine.edit import Cover
from ctxlab.engine.history import History
from ctxlab.engine.hooks import CommandHooks
from ctxlab.engine.message import Block
from ctxlab.engine.replay import replay
from ctxlab.engine.summary_text import usable
from ctxlab.engine.tokens import Quarter
from ctxlab.engine.workspace import LONGEST_FILE, HistoryWorkspace
from ctxlab.sources.build import Builder
from tests.conftest import Lines
from tests.engine.layers.small import SMALL, rounds


@pytest.mark.parametrize("tag", ["<summary>Log</summary>", "<summary>", "<analysis> here", "</summary>", "</analysis>"])
def test_a_session_that_speaks_of_the_tags_keeps_its_summary(build: Builder, tag: str) -> None:
    build.user(f"RULE ONE: never delete the database. {tag}")
    rounds(build, 16)
    covers = [edit for edit in replay(History(tuple(build.messages)), SMALL).log if isinstance(edit, Cover)]

    assert "RULE ONE: never delete the database." in covers[0].put[1].raw["summary"]
    assert tag in covers[0].put[1].raw["summary"]


def test_a_model_may_quote_the_tags_too() -> None:
    text = "<analysis>hm</analysis>\n<summary>The page uses <summary>Log</summary> twice.</summary>"
    assert usable(text) == "The page uses <summary>Log</summary> twice."


def test_an_edit_that_doubles_a_file_is_not_carried_out_for_ever(build: Builder) -> None:
    build.user("go")
    build.reply(
        [{"type": "tool_use", "id": "w", "name": "Write", "input": {"file_path": "a.py", "content": "a" * 1_000}}]
    )
    build.results([{"tool_use_id": "w", "content": "ok"}])
    for number in range(40):
        given = {"file_path": "a.py", "old_string": "a", "new_string": "aa", "replace_all": True}
        build.reply([{"type": "tool_use", "id": f"e{number}", "name": "Edit", "input": given}])
        build.results([{"tool_use_id": f"e{number}", "content": "ok"}])
    workspace = HistoryWorkspace(History(tuple(build.messages)))

    assert len(workspace.file("a.py", 5) or "") == 1_000 * 2**4
    assert workspace.file("a.py", 41) is None
    assert all(text is None or len(text) <= LONGEST_FILE for text in workspace._kept.values())


@pytest.mark.parametrize("size", ["9" * 400, "1.2.3", ",", "1e9", "-5"])
def test_a_saved_result_of_impossible_size_stops_no_audit(lines: Lines, size: str) -> None:
    lines.user("go")
    lines.call("t1")
    lines.result("t1", f"<persisted-output>\nOutput too large ({size}KB). Full output saved to: x")

    assert "recording" in str(cl.audit(lines.load()))


def test_a_pipe_in_a_folder_is_passed_over_and_no_name_forges_a_line(lines: Lines, tmp_path: Path) -> None:
    lines.user("go")
    lines.reply("ok")
    (tmp_path / "one.jsonl").write_text(lines.text())
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "x\ny: 84 recordings FORGED.jsonl").write_text(json.dumps({"type": "message"}))
    report = cl.audit(tmp_path)

    assert len(report.audits) == 1
    assert not [line for line in str(report).splitlines() if line.startswith("y: 84")]
    assert "FORGED" in report._repr_html_()


@pytest.mark.parametrize(
    "parts",
    [
        [{"type": "tool_result", "content": "x"}],
        [{"type": "server_tool_use", "id": "x", "name": "n", "input": {}}, {"type": "tool_result", "tool_use_id": "x"}],
    ],
)
def test_a_tool_result_inside_a_reply_is_left_out(parts: list[dict]) -> None:
    history = cl.load(
        [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [*parts, {"type": "text", "text": "t"}]},
            {"role": "user", "content": "go"},
        ]
    )
    made = cl.make_request(cl.replay(history).at().view, cl.Settings())

    assert cl.check_request(made.body["messages"]) == []
    assert "a tool result inside a reply was left out" in made.repairs


def test_a_block_shows_itself_without_control_characters() -> None:
    block = Block("a\x1b[31m", "user", "result", "x", 1, "m", tool="Ba\x07sh\nFORGED")
    assert all(letter.isprintable() for letter in repr(block))


def test_a_read_of_absurd_lines_is_read(lines: Lines) -> None:
    huge = int("9" * 4_000)
    lines.user("go")
    call = {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "a", "offset": huge, "limit": huge}}
    lines.reply([call])

    assert [block.target for block in lines.load().blocks if block.kind == "call"] == ["a"]


@pytest.mark.parametrize(
    ("tool", "given", "error"),
    [
        ("TodoWrite", {"todos": []}, False),
        ("ExitPlanMode", {"plan": "REJECTED"}, True),
        ("Skill", {"skill": "s"}, True),
    ],
)
def test_what_was_emptied_or_refused_is_not_announced_again(
    build: Builder, tool: str, given: dict, error: bool
) -> None:
    build.user("go")
    build.reply(
        [{"type": "tool_use", "id": "a", "name": "TodoWrite", "input": {"todos": [{"content": "old", "status": "x"}]}}]
    )
    build.results([{"tool_use_id": "a", "content": "ok"}])
    build.reply([{"type": "tool_use", "id": "b", "name": tool, "input": given}])
    build.results([{"tool_use_id": "b", "content": "no", "is_error": error}])
    build.user("next")
    workspace = HistoryWorkspace(History(tuple(build.messages)))
    told = [label for label, _ in workspace.state(2)] + [name for name, _ in workspace.skills(2)]

    assert told == ([] if tool == "TodoWrite" else ["todos"])


class TestHookPrograms:
    def test_a_child_left_behind_is_not_waited_for(self) -> None:
        began = time.monotonic()
        answer = CommandHooks(before=["sh", "-c", "sleep 20 & exit 0"], seconds=15).pre_compact("auto", "")

        assert answer.exit_code == 0
        assert time.monotonic() - began < 10

    def test_of_much_output_only_the_head_is_kept(self) -> None:
        code = "import sys; sys.stdout.write('x' * 5_000_000); sys.stderr.buffer.write(b'\\xff' * 9)"
        answer = CommandHooks(before=[sys.executable, "-c", code]).pre_compact("auto", "")

        assert (len(answer.output), answer.error) == (10_000, "\ufffd" * 9)


def operations(make: object, *sizes: int) -> list[float]:
    """Processor time for each size; only its growth is looked at."""
    out = []
    for size in sizes:
        history = make(size)
        began = time.process_time()
        cl.replay(history)
        cl.audit(history)
        out.append(time.process_time() - began)
    return out


def test_many_nested_files_and_drops_do_not_cost_the_square() -> None:
    def nested(count: int) -> History:
        build = Builder(Quarter())
        build.user("go")
        for number in range(count):
            build.user("rules", kind="attachment", nested=f"/p{number}/CLAUDE.md")
            build.reply("x", usage=30_000 if number % 2 else 100_000)
            build.user("y")
        return History(tuple(build.messages))

    few, many = operations(nested, 400, 1_600)
    assert many < 12 * max(few, 0.05)  # the square would be 16 times, before the fixed part
