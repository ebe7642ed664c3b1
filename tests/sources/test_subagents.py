"""B23: a sub-agent is a branch with a window of its own, and never counts into the main one."""

import json
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.engine.tokens import Quarter
from tests.bench.load_memory import memory
from tests.conftest import Lines

MAIN, SUB = 120_000, 15_000
PROMPT = "find every caller of load"


def usage(size: int) -> dict:
    return {"input_tokens": 0, "output_tokens": 10, "cache_read_input_tokens": size, "cache_creation_input_tokens": 0}


def main_part(lines: Lines) -> None:
    lines.user("main")
    task = {"type": "tool_use", "id": "task", "name": "Task", "input": {"prompt": PROMPT, "description": "callers"}}
    lines.reply([task], usage=usage(MAIN - 500))
    lines.result("task", "three callers")
    lines.reply("done", usage=usage(MAIN))


def sub_part(lines: Lines, **more: object) -> None:
    lines.user(PROMPT, isSidechain=True, parent=None, **more)
    for number in range(5):
        lines.reply(f"sub {number}", id=f"sub{number}", usage=usage(SUB), isSidechain=True, **more)


def inside(folder: Path) -> cl.History:
    """All in one file, the sub-agent's records last."""
    lines = Lines()
    main_part(lines)
    sub_part(lines)
    path = folder / "s.jsonl"
    path.write_text(lines.text(), encoding="utf-8")
    return cl.load(path, counter=Quarter())


def beside(folder: Path, where: str) -> cl.History:
    """The sub-agent in a file of its own."""
    main, sub = Lines(), Lines()
    main_part(main)
    sub_part(sub, agentId="x1", sessionId="s")
    path = folder / "s.jsonl"
    path.write_text(main.text(), encoding="utf-8")
    file = folder / where
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(sub.text(), encoding="utf-8")
    return cl.load(path, counter=Quarter())


def layouts(folder: Path) -> list[cl.History]:
    names = ("a", "b", "c")
    for name in names:
        (folder / name).mkdir()
    return [
        inside(folder / "a"),
        beside(folder / "b", "s/subagents/agent-x1.jsonl"),
        beside(folder / "c", "agent-x1.jsonl"),
    ]


@pytest.mark.parametrize("number", range(3), ids=["one file", "folder beside", "same folder"])
def test_main_120k_and_the_sub_agent_apart(tmp_path: Path, number: int) -> None:
    history = layouts(tmp_path)[number]
    [branch] = history.branches

    assert cl.replay(history).exchanges[-1].tokens_sent == MAIN
    assert (branch.title, branch.replies, branch.tokens) == (PROMPT, 5, SUB + 10)
    assert history.by_id[branch.call].tool == "Task"
    opened = branch.open()
    assert [message.role for message in opened.messages] == ["user"] + ["assistant"] * 5
    assert opened.messages[-1].usage == SUB
    assert cl.replay(opened).history is opened
    assert branch.open() == opened


def test_the_same_session_in_each_layout_is_the_same_main_thread(tmp_path: Path) -> None:
    one, *others = ([(block.id, block.text, block.tokens) for block in each.blocks] for each in layouts(tmp_path))

    assert all(other == one for other in others)


def test_a_file_of_another_session_in_the_same_folder_is_none_of_its_branches(tmp_path: Path) -> None:
    history = beside(tmp_path, "agent-x1.jsonl")
    assert len(history.branches) == 1
    record = json.loads((tmp_path / "agent-x1.jsonl").read_text().split("\n")[0])
    (tmp_path / "agent-x1.jsonl").write_text(json.dumps({**record, "sessionId": "other"}) + "\n\n")

    assert cl.load(tmp_path / "s.jsonl", counter=Quarter()).branches == ()


@pytest.mark.parametrize("damage", ["", "\n\n", "[1, 2]\n", '{"type": "user", "message": 7}\n', '{"torn', "\0" * 50])
def test_a_damaged_file_of_a_sub_agent_harms_nothing(tmp_path: Path, damage: str) -> None:
    beside(tmp_path, "s/subagents/agent-x1.jsonl")
    (tmp_path / "s/subagents/agent-x2.jsonl").write_text(damage)
    history = cl.load(tmp_path / "s.jsonl", counter=Quarter())

    assert history.branches[0].name == "x1"
    assert cl.replay(history).exchanges[-1].tokens_sent == MAIN


@pytest.mark.parametrize("odd", ["folder", "dangling", "loop", "deep"])
def test_what_stands_beside_a_session_never_makes_it_unreadable(tmp_path: Path, odd: str) -> None:
    beside(tmp_path, "s/subagents/agent-x1.jsonl")
    for path in (tmp_path / "agent-x2.jsonl", tmp_path / "s/subagents/agent-x3.jsonl"):
        if odd == "folder":
            path.mkdir()
        elif odd == "deep":
            path.write_text("[" * 200_000)
        else:
            path.symlink_to(path if odd == "loop" else tmp_path / "nowhere")
    history = cl.load(tmp_path / "s.jsonl", counter=Quarter())

    assert [branch.name for branch in history.branches] == ["x1"]


def test_two_side_chains_at_once_are_two_branches() -> None:
    lines = Lines()
    main_part(lines)
    for name in ("one", "two", "one", "two"):
        lines.user(f"task {name}", isSidechain=True, agentId=name, parent=None)
        lines.reply(f"reply {len(lines.records)}", usage=usage(SUB), isSidechain=True, agentId=name)

    branches = cl.load(lines.text(), counter=Quarter()).branches
    assert [(each.name, each.replies) for each in branches] == [("one", 2), ("two", 2)]


def test_two_calls_with_one_prompt_are_the_beginnings_of_two_runs() -> None:
    lines = Lines()
    lines.user("main")
    for name in ("t1", "t2"):
        lines.reply([{"type": "tool_use", "id": name, "name": "Task", "input": {"prompt": PROMPT}}])
        lines.result(name, "found")
    for number in range(2):
        root = lines.user(PROMPT, isSidechain=True, parent=None)
        lines.reply(f"sub {number}", usage=usage(SUB), isSidechain=True, parent=root)

    assert [branch.call for branch in cl.load(lines.text(), counter=Quarter()).branches] == ["t1/use", "t2/use"]


def test_an_error_at_its_end_is_no_size(tmp_path: Path) -> None:
    lines = Lines()
    main_part(lines)
    sub_part(lines)
    lines.reply("API error", model="<synthetic>", usage=dict.fromkeys(usage(0), 0), isSidechain=True)
    [branch] = cl.load(lines.text(), counter=Quarter()).branches

    assert branch.tokens == SUB + 10


def test_a_torn_line_of_a_sub_agent_is_told_where_it_is_opened(tmp_path: Path) -> None:
    beside(tmp_path, "s/subagents/agent-x1.jsonl")
    path = tmp_path / "s/subagents/agent-x1.jsonl"
    path.write_text(path.read_text() + '\n{"type": "user", "torn')
    [branch] = cl.load(tmp_path / "s.jsonl", counter=Quarter()).branches

    assert len(branch.open().source.skipped) == 1


def test_a_large_file_beside_a_small_session_is_not_held(tmp_path: Path) -> None:
    beside(tmp_path, "s/subagents/agent-x1.jsonl")
    sub = Lines()
    for number in range(2_000):
        sub.user(f"{number} " + "x" * 4_000, isSidechain=True)
    (tmp_path / "s/subagents/agent-x2.jsonl").write_text(sub.text())
    _, peak, history = memory(tmp_path / "s.jsonl")

    assert [branch.name for branch in history.branches] == ["x1", "x2"]
    assert peak < 2
