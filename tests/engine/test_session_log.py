"""The log on disk: a session killed at any write goes on where it was, loses nothing and repeats nothing."""

import json
import multiprocessing
import os
import signal
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.engine import archive, session_log
from ctxlab.engine.archive import DiskArchive
from ctxlab.engine.history import History
from ctxlab.engine.session_log import STEP, SessionLog
from ctxlab.engine.summary import SummaryRequest
from tests.fakes import services

SETTINGS = cl.Settings.profile("classroom").set("session_memory.enabled=on")
FORK = multiprocessing.get_context("fork")


class Counted:
    """The offline summariser, with every call noted in a file that outlives the process."""

    def __init__(self, history: History, folder: Path) -> None:
        self.real, self.path = cl.Services.offline(history).summarise, folder / "calls"

    def __call__(self, request: SummaryRequest) -> str:
        with self.path.open("a") as file:
            file.write("x")
        return self.real(request)


def start(folder: Path, history: History) -> cl.Replay:
    """One start of the program on a folder: archive and log on disk."""
    given = services(history, archive=DiskArchive(folder), summarise=Counted(history, folder))
    return cl.replay(history, SETTINGS, given, log=SessionLog(folder / "session.jsonl"))


def killed_at(folder: Path, history: History, number: int, how: str) -> None:
    """In a child: start, and be killed at the nth write: before it, in its middle, or before it has been moved."""
    writes = 0
    real_write, real_replace = os.write, Path.replace

    def due() -> bool:
        nonlocal writes
        writes += 1
        return writes == number

    def write(handle: int, data: bytes) -> int:
        if due():
            real_write(handle, data[: len(data) // 2] if how == "half" else b"")
            os.kill(os.getpid(), signal.SIGKILL)
        return real_write(handle, data)

    def replace(self: Path, target: Path) -> Path:
        if due():
            os.kill(os.getpid(), signal.SIGKILL)
        return real_replace(self, target)

    session_log.os.write = write
    archive.Path.replace = replace
    start(folder, history)
    os._exit(0)


def kill(folder: Path, history: History, number: int, how: str) -> bool:
    """True where the child was killed, False where it had come to its end."""
    child = FORK.Process(target=killed_at, args=(folder, history, number, how))
    child.start()
    child.join(60)
    assert child.exitcode in (0, -signal.SIGKILL)
    return child.exitcode != 0


def records(folder: Path) -> list[dict]:
    """The whole lines of the log."""
    out = []
    for line in (folder / "session.jsonl").read_bytes().split(b"\n"):
        try:
            out.append(json.loads(line))
        except (ValueError, RecursionError):
            continue
    return out


@pytest.fixture(scope="module")
def story() -> History:
    return cl.story("classroom")


@pytest.fixture(scope="module")
def undisturbed(story: History, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, cl.Replay]:
    folder = tmp_path_factory.mktemp("undisturbed")
    return folder, start(folder, story)


def check(folder: Path, story: History, undisturbed: tuple[Path, cl.Replay]) -> None:
    """The next start ends as if nothing had happened."""
    whole, expected = undisturbed
    result = start(folder, story)

    assert result.steps == expected.steps
    found = [record.get("uuid") or (record.get("request"), record.get("layer")) for record in records(folder)]
    assert len(found) == len(set(found)) == len(records(whole))
    assert {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*.txt")} == {
        str(p.relative_to(whole)): p.read_bytes() for p in whole.rglob("*.txt")
    }
    assert not [p for p in folder.rglob("*") if p.suffix not in (".jsonl", ".txt", ".part", "") and p.is_file()]
    for block in story.blocks:
        assert result.read(result.address(block.id)) == block.text


@pytest.mark.parametrize("how", ["before", "half"])
def test_killed_at_any_write_it_goes_on_and_repeats_nothing(
    how: str, story: History, undisturbed: tuple[Path, cl.Replay], tmp_path: Path
) -> None:
    """The story with disk archive and log; every write of it is once the last that a process does."""
    number = 0
    while True:
        number += 1
        folder = tmp_path / f"{number}"
        folder.mkdir()
        if not kill(folder, story, number, how):
            break
        steps = (
            [record for record in records(folder) if record["type"] == STEP]
            if (folder / "session.jsonl").exists()
            else []
        )
        made = sum(record["step"][-1][1]["model_calls"] for record in steps)
        before = len((folder / "calls").read_bytes()) if (folder / "calls").exists() else 0
        check(folder, story, undisturbed)
        calls = len((folder / "calls").read_bytes())
        total = sum(step.cost.model_calls for step in undisturbed[1].steps)
        assert calls - before == total - made  # what was on disk was not asked for again
        assert calls - total in (0, 1)

    assert number > 140


def test_killed_again_and_again_it_comes_to_the_end(
    story: History, undisturbed: tuple[Path, cl.Replay], tmp_path: Path
) -> None:
    starts = 0
    while kill(tmp_path, story, 9, "half"):
        starts += 1
        assert starts < 60
    assert starts > 10
    check(tmp_path, story, undisturbed)


def test_the_log_is_a_recording_that_loads(story: History, undisturbed: tuple[Path, cl.Replay]) -> None:
    loaded = cl.load(undisturbed[0] / "session.jsonl")

    assert [b.text for b in loaded.blocks] == [b.text for b in story.blocks]
    assert [(b.id, b.kind, b.tool, b.target, b.error, b.at) for b in loaded.blocks] == [
        (b.id, b.kind, b.tool, b.target, b.error, b.at) for b in story.blocks
    ]
    assert (loaded.source.skipped, loaded.model) == ((), story.model)


def test_a_torn_line_is_passed_over_and_what_follows_stands_alone(tmp_path: Path, build: object) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b'{"type": "user", "uuid": "m0", "mess')
    build.user("again")
    build.reply("ok")
    history = History(tuple(build.messages))
    cl.replay(history, log=SessionLog(path))

    assert [block.text for block in cl.load(path).blocks] == ["again", "ok"]
    assert cl.replay(history, log=SessionLog(path)).steps == cl.replay(history).steps
    assert path.read_bytes().count(b"\n") == 4


@pytest.mark.parametrize(
    "line",
    [
        {"type": STEP},
        {"type": STEP, "request": [], "layer": "snip"},
        {"type": STEP, "request": 0, "layer": "budget", "step": 5},
        {"type": STEP, "request": 0, "layer": "budget", "step": ["tuple", 1, 2, 3]},
        {"type": STEP, "request": 0, "layer": "budget", "step": [["a"]]},
        {"type": STEP, "request": 0, "layer": "budget", "step": []},
        {"type": STEP, "request": 0, "layer": "snip", "step": ["tuple", ["Bogus", {}]]},
        {"type": "progress", "uuid": "m0"},
        {"type": "user", "uuid": "m0", "sessionId": "another", "message": {}},
    ],
)
def test_a_damaged_or_foreign_record_is_taken_as_if_it_were_not_there(
    line: dict, tmp_path: Path, build: object
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text(json.dumps(line) + "\n" + "[" * 100_000 + "\n")
    build.user("go")
    build.reply("ok")
    history = History(tuple(build.messages))

    assert cl.replay(history, log=SessionLog(path)).steps == cl.replay(history).steps
    assert [record["uuid"] for record in records(tmp_path) if record.get("sessionId") == "session"] == ["m0", "m1"]


def test_a_session_that_has_grown_between_two_starts_loses_nothing(tmp_path: Path) -> None:
    call = [{"type": "tool_use", "id": name, "name": "Bash", "input": {}} for name in "ab"]
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": call}]
    results = [{"type": "tool_result", "tool_use_id": name, "content": f"of {name}"} for name in "ab"]
    path = tmp_path / "session.jsonl"
    for count in (1, 2, 2):
        cl.replay(cl.load([*messages, {"role": "user", "content": results[:count]}]), log=SessionLog(path))

    assert [block.text for block in cl.load(path).blocks if block.kind == "result"] == ["of a", "of b"]
    assert [record["uuid"] for record in records(tmp_path) if "uuid" in record] == ["m0", "m1", "m2", "m2+3"]


def test_another_session_or_other_settings_are_refused_before_anything_is_written(
    tmp_path: Path, story: History
) -> None:
    path = tmp_path / "session.jsonl"
    cl.replay(story, SETTINGS, log=SessionLog(path))
    before = path.read_bytes()
    with pytest.raises(ValueError, match="was begun under Settings"):
        cl.replay(story, cl.Settings.profile("v2.1"), log=SessionLog(path))
    with pytest.raises(ValueError, match="holds another session: its message 0 differs"):
        cl.replay(cl.load([{"role": "user", "content": "other"}]), SETTINGS, log=SessionLog(path))

    assert path.read_bytes() == before
