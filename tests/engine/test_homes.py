"""Archive, workspace, summariser, history: each keeps what it promises."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ctxlab.engine.archive import DiskArchive, MemoryArchive, safe_name
from ctxlab.engine.history import History
from ctxlab.engine.message import Block, Message
from ctxlab.engine.settings import Settings
from ctxlab.engine.summariser import OfflineSummariser
from ctxlab.engine.summary import CLEARED, PICTURE, SummaryRequest, summary_request
from ctxlab.engine.tokens import Quarter
from ctxlab.engine.workspace import HistoryWorkspace
from ctxlab.sources.build import Builder


@pytest.mark.parametrize("archive", ["memory", "disk"])
def test_an_archive_writes_once_and_gives_back_every_byte(archive: str, tmp_path: Path) -> None:
    kept = MemoryArchive() if archive == "memory" else DiskArchive(tmp_path)
    text = "a\r\n\0\u2028\ud800 中"

    path = kept.put("toolu_1", text)
    assert kept.put("toolu_1", text) == path
    assert kept.get(path) == kept.get("toolu_1") == text
    with pytest.raises(FileExistsError, match="written once"):
        kept.put("toolu_1", "another")
    assert kept.get("toolu_1") == text
    with pytest.raises(FileNotFoundError, match="tool-results/nothing.txt"):
        kept.get("nothing")


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a\0b", "", ".", "..", "CON" * 60, "é" * 300, "a b"])
def test_a_hostile_name_stays_in_its_folder(name: str, tmp_path: Path) -> None:
    archive = DiskArchive(tmp_path / "inside")
    archive.put(name, "text")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]

    assert archive.get(name) == "text"
    assert [path.parent for path in files] == [tmp_path / "inside" / "tool-results"]
    assert safe_name(name) != safe_name(name + "x")


def test_a_killed_process_leaves_whole_files_only(tmp_path: Path) -> None:
    code = f"from ctxlab.engine.archive import DiskArchive\na = DiskArchive({str(tmp_path)!r})\nn = 0\nwhile True:\n    a.put(f't{{n}}', str(n) * 200_000); n += 1; print(n, flush=True)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    for _ in range(5):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    archive = DiskArchive(tmp_path)

    for path in (tmp_path / "tool-results").glob("*.txt"):
        number = path.stem.removeprefix("t")
        assert archive.get(path.stem) == number * 200_000


def test_the_workspace_answers_as_of_a_request(build: Builder) -> None:
    def does(name: str, tool: str, given: dict, answer: str) -> None:
        build.reply([{"type": "tool_use", "id": name, "name": tool, "input": given}])
        build.results([{"tool_use_id": name, "content": answer}])

    build.user("go")
    does("a", "Read", {"file_path": "a.py"}, "     1\u2192one\n     2\u2192two")
    does("b", "Edit", {"file_path": "a.py", "old_string": "two", "new_string": "zwei"}, "updated")
    does("c", "Write", {"file_path": "b.py", "content": "new"}, "written")
    does("d", "Read", {"file_path": "a.py", "offset": 2, "limit": 1}, "     2\u2192zwei")
    does(
        "e",
        "MultiEdit",
        {
            "file_path": "a.py",
            "edits": [{"old_string": "one", "new_string": "1"}, {"old_string": "zwei", "new_string": "2"}],
        },
        "updated",
    )
    does("f", "Edit", {"file_path": "never-read.py", "old_string": "x", "new_string": "y"}, "updated")
    disk = HistoryWorkspace(History(tuple(build.messages)))

    assert [disk.file("a.py", request) for request in range(7)] == [
        None,
        "one\ntwo",
        "one\nzwei",
        "one\nzwei",
        "one\nzwei",
        "1\n2",
        "1\n2",
    ]
    assert (disk.file("b.py", 2), disk.file("b.py", 3)) == (None, "new")
    assert disk.file("never-read.py", 6) is None


def request_for(build: Builder, **changed: object) -> SummaryRequest:
    blocks = [block for message in build.messages for block in message.blocks]
    return summary_request([blocks], Settings.profile("v2.1").replace(changed))


def needles(build: Builder) -> None:
    """A session with everything that must survive word by word."""
    build.user("Port it to async, and\ndo not change the public API.")
    build.reply(
        [
            {"type": "text", "text": "I run the tests. Then more."},
            {"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "pytest -q tests/test_refund.py"}},
        ]
    )
    build.results(
        [
            {
                "tool_use_id": "a",
                "content": "x\n" * 5_000
                + "FAILED tests/test_refund.py::test_key - AssertionError: assert 40117 == 40118\n1 failed, 93 passed in 3.10s",
            }
        ]
    )
    build.reply(
        [
            {
                "type": "tool_use",
                "id": "b",
                "name": "Edit",
                "input": {"file_path": "src/refund.py", "old_string": "a", "new_string": "b"},
            }
        ]
    )
    build.results([{"tool_use_id": "b", "content": "ok"}])
    build.user("Also keep the budget under 1,250 cents.")


def test_the_offline_summary_keeps_wishes_paths_commands_errors_and_numbers(build: Builder) -> None:
    needles(build)
    summary = OfflineSummariser(Quarter())(request_for(build))

    four = OfflineSummariser(Quarter())(request_for(build, **{"autocompact.parts": 4}))
    assert [line for line in four.split("\n") if line[0] not in "- "] == [
        "Done",
        "In progress",
        "Files",
        "Tests and errors",
    ]
    assert [line for line in summary.split("\n") if line[0] not in "- "] == [
        "Files and code",
        "Errors and fixes",
        "All user messages",
        "Current work",
    ]
    for needle in (
        "Port it to async, and\n  do not change the public API.",
        "Also keep the budget under 1,250 cents.",
        "ran pytest -q tests/test_refund.py",
        "FAILED tests/test_refund.py::test_key - AssertionError: assert 40117 == 40118",
        "1 failed, 93 passed in 3.10s",
        "changed src/refund.py",
    ):
        assert needle in summary


def test_a_summary_of_a_summary_keeps_the_first_wish(build: Builder) -> None:
    needles(build)
    offline = OfflineSummariser(Quarter())
    summary = offline(request_for(build))
    for number in range(3):
        later = Builder(Quarter())
        later.user(f"Next thing {number}.")
        request = request_for(later)
        summary = offline(SummaryRequest(request.pieces, summary, request.headings, "off", 400, 3_000))

    assert "Port it to async, and\n  do not change the public API." in summary
    assert "Next thing 2." in summary


@pytest.mark.parametrize("limit", [40, 80, 200, 1_000])
def test_a_summary_stays_within_its_limit(build: Builder, limit: int) -> None:
    for number in range(300):
        build.user(f"Wish {number}: make it {number} times better, and say why. " * 3)
    request = request_for(build)
    count = Quarter()
    summary = OfflineSummariser(count)(SummaryRequest(request.pieces, "", request.headings, "off", limit, 9_999))

    assert count(summary) <= limit


def test_the_summary_request_has_no_base64_and_clears_where_asked(build: Builder) -> None:
    build.user(
        [{"type": "image", "source": {"type": "base64", "data": "QUJD" * 1_000}}, {"type": "text", "text": "see"}]
    )
    build.reply([{"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "x"}}])
    build.results([{"tool_use_id": "a", "content": "secret of the log"}])
    plain, cleared = (
        request_for(build).prompt(),
        request_for(build, **{"autocompact.clears_results_first": True}).prompt(),
    )

    assert "QUJD" not in plain
    assert PICTURE in plain
    assert "secret of the log" in plain
    assert "secret of the log" not in cleared
    assert CLEARED in cleared


def test_the_same_summary_in_any_process() -> None:
    code = "import ctxlab as cl, hashlib; r = cl.replay(cl.story(), cl.Settings.profile('classroom')); print(hashlib.sha256((str(r) + repr(r.log) + cl.svg_picture(r)).encode()).hexdigest())"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "77")
    }

    assert len(seen) == 1


def test_two_blocks_with_one_id_are_refused() -> None:
    block = Block("a", "user", "user", "x", 1, "m0")

    with pytest.raises(ValueError, match="block id 'a' stands twice"):
        History((Message("m0", "user", (block, block)),))


def test_an_address_that_does_not_exist_says_how_they_look(classroom) -> None:
    with pytest.raises(KeyError, match="history:12:0"):
        classroom.read("history:9999")


def test_a_place_that_does_not_exist_says_which_there_are(classroom) -> None:
    with pytest.raises(IndexError, match="it has 58, counted from 0"):
        classroom.at(99)
    with pytest.raises(ValueError, match="did you mean 'microcompact'"):
        classroom.at(3, "mircocompact")
