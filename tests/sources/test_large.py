"""B20: files and lines that are simply large."""

from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.engine.tokens import Quarter
from ctxlab.sources import records
from tests.bench.load_memory import memory, write
from tests.conftest import Lines, said


def test_a_line_above_the_limit_is_a_notice_and_the_rest_is_read(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    lines.user("one")
    lines.reply("two")
    lines.user("x" * 5_000)
    lines.reply("four")
    monkeypatch.setattr(records, "MOST_LINE", 4_000)
    history = cl.load(lines.text(), counter=Quarter())

    assert said(history) == ["user one", "reply two", "reply four"]
    [skipped] = history.source.skipped
    assert skipped.line == 3
    assert "nothing of it was read" in skipped.reason


def test_a_line_at_the_limit_is_read(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    lines.user("one")
    lines.reply("two")
    longest = max(len(line) for line in lines.text().encode().split(b"\n"))
    monkeypatch.setattr(records, "MOST_LINE", longest + 4)

    assert said(cl.load(lines.text() + "\n", counter=Quarter())) == ["user one", "reply two"]


def test_a_line_of_30_mb(lines: Lines) -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 30_000_000}}
    lines.user([{"type": "text", "text": "look"}, picture])
    lines.reply("seen")
    history = cl.load(lines.text(), counter=Quarter())

    assert [block.kind for block in history.blocks] == ["user", "image", "reply"]
    assert history.source.skipped == ()
    assert sum(len(block.text) for block in history.blocks) < 1_000


def test_a_file_read_as_a_stream_takes_at_most_twice_what_is_kept(tmp_path: Path) -> None:
    write(tmp_path / "large.jsonl", 15, [])
    kept, peak, history = memory(tmp_path / "large.jsonl")

    assert len(history.messages) > 5_000
    assert kept > 5
    assert peak < 2 * kept + 2, f"{peak:.0f} MB for {kept:.0f} kept"


def test_a_file_that_repeats_its_records_holds_each_once_while_it_is_read(tmp_path: Path) -> None:
    """A resumed session is mostly copies, and a long one mostly bookkeeping: neither is kept on the way."""
    lines = Lines()
    for number in range(40):
        lines.user(f"prompt {number} " + "x" * 4_000)
        lines.reply("y" * 4_000)
    noise = '{"type": "file-history-snapshot", "snapshot": {"trackedFileBackups": "' + "z" * 2_000 + '"}}'
    (tmp_path / "copies.jsonl").write_text("\n".join([lines.text(), noise] * 40), encoding="utf-8")
    kept, peak, history = memory(tmp_path / "copies.jsonl")

    assert len(history.messages) == 80
    assert history.source.records == 40 * 81
    assert "3,120 records written twice, counted once" in history.notices
    assert peak < 2 * kept + 1, f"{peak:.1f} MB for {kept:.1f} kept"
