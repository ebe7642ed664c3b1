"""The tool-result budget: what is saved, what stays, and that nothing is cut inside a character."""

import pytest

from ctxlab.engine.archive import DiskArchive
from ctxlab.engine.history import History
from ctxlab.engine.layers.budget import preview
from ctxlab.engine.replay import Replay, replay
from ctxlab.engine.request import make_request
from ctxlab.engine.settings import Settings
from ctxlab.engine.tokens import Quarter
from ctxlab.sources.build import Builder
from tests.fakes import FullDisk, services

PICTURE = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}


def one_request(build: Builder, results: dict[str, object], tool: str = "Bash") -> History:
    build.user("go")
    build.reply([{"type": "tool_use", "id": name, "name": tool, "input": {"command": name}} for name in results])
    build.results([{"tool_use_id": name, "content": content} for name, content in results.items()])
    return History(tuple(build.messages))


def saved(result: Replay) -> list[str]:
    return [edit.block.removesuffix("/result") for edit in result.log]


@pytest.mark.parametrize(
    "content", ["x" * 60_000, [{"type": "text", "text": "x" * 60_000}], [{"type": "text", "text": "x" * 1_000}] * 60]
)
def test_a_long_result_is_saved_in_whatever_form_it_comes(build: Builder, content: object) -> None:
    result = replay(one_request(build, {"a": content}))

    assert saved(result) == ["a"]
    assert result.read("archive:a") == result.history.by_id["a/result"].text


def test_a_picture_beside_a_long_text_stays(build: Builder) -> None:
    result = replay(one_request(build, {"a": [{"type": "text", "text": "x" * 60_000}, PICTURE]}))
    block = result.at().view["a/result"]

    assert block.state == "preview"
    assert block.raw == (PICTURE,)


@pytest.mark.parametrize("content", [None, "", []])
def test_nothing_is_nothing(build: Builder, content: object) -> None:
    result = replay(one_request(build, {"a": content}))

    assert saved(result) == []
    assert result.history.by_id["a/result"].tokens == 0


def test_a_read_is_never_saved_and_the_reason_says_so(build: Builder) -> None:
    result = replay(one_request(build, {"a": "x" * 84_231}, tool="Read"))

    assert saved(result) == []
    assert result.exchanges[-1].step("budget").reason.endswith("within the budget; Read is never saved")
    short = replay(one_request(Builder(Quarter()), {"b": "short"}, tool="Read"))
    assert short.exchanges[-1].step("budget").reason.endswith("within the budget")


def test_five_parallel_results_lose_the_largest_until_they_fit(build: Builder) -> None:
    history = one_request(build, dict.fromkeys("abcde", "x" * 45000), tool="WebFetch")

    assert saved(replay(history)) == ["a"]


def test_a_full_disk_leaves_the_result_inline_and_says_so(build: Builder) -> None:
    history = one_request(build, {"a": "x" * 60_000})
    result = replay(history, services=services(history, archive=FullDisk()))
    step = result.exchanges[1].step("budget")

    assert (step.state, step.edits) == ("failed", ())
    assert "No space left on device" in step.reason


def test_what_was_sent_whole_is_never_saved_later(build: Builder) -> None:
    """Two messages of 40,000 each are within a budget of 50,000 a message; only both together would not be."""
    build.user("go")
    for name in ("a", "b"):
        build.reply([{"type": "tool_use", "id": name, "name": "WebFetch", "input": {}}])
        build.results([{"tool_use_id": name, "content": "x" * 40_000}])
    settings = Settings.profile("v2.1").set("budget.per_message_chars=50_000")

    assert saved(replay(History(tuple(build.messages)), settings)) == []


@pytest.mark.parametrize("limit", range(14))
def test_a_preview_never_cuts_a_character(limit: int) -> None:
    text = "aé中😀b" * 3
    head = preview(text, "p", limit).split("\n")[4]

    assert text.startswith(head)
    assert len(head.encode()) <= limit


def test_a_preview_ends_at_a_line_only_in_its_second_half() -> None:
    assert preview("a\n" + "b" * 50, "p", 20).split("\n")[4:6] == ["a", "b" * 18]
    assert preview("a" * 15 + "\n" + "b" * 50, "p", 20).split("\n")[4:6] == ["a" * 15, "..."]


def test_five_lines_of_20000_characters_are_cut_by_bytes(build: Builder) -> None:
    result = replay(one_request(build, {"a": "\n".join("x" * 20_000 for _ in range(5))}))

    assert len(result.at().view["a/result"].text) < 2_300


def test_a_saved_result_is_on_disk_before_its_note_and_missing_ones_are_reported(build: Builder, tmp_path) -> None:
    history = one_request(build, {"../../evil\x00name": "x" * 60_000})
    archive = DiskArchive(tmp_path)
    result = replay(history, services=services(history, archive=archive))
    [edit] = result.log
    files = [path for path in tmp_path.rglob("*") if path.is_file()]

    assert len(files) == 1
    assert tmp_path in files[0].resolve().parents
    assert result.read(edit.original) == "x" * 60_000
    files[0].unlink()
    with pytest.raises(FileNotFoundError, match="is gone; the whole text is still in the History"):
        result.read(edit.original)


def test_must_reapply_frozen_and_fresh(build: Builder) -> None:
    """The three states: saved once, shown again byte for byte; sent whole once, never saved; new, judged now."""
    build.user("go")
    for name, size in (("saved", 60_000), ("whole", 20_000), ("new", 60_000)):
        build.reply([{"type": "tool_use", "id": name, "name": "Bash", "input": {"command": name}}])
        build.results([{"tool_use_id": name, "content": "x" * size}])
    settings = Settings.profile("v2.1")
    result = replay(History(tuple(build.messages)), settings)
    texts = [
        make_request(result.at(at).view, settings).body["messages"][2]["content"][0]["content"] for at in (1, 2, 3)
    ]

    assert texts[0].startswith("<persisted-output>")
    assert len(set(texts)) == 1  # must reapply
    late = replay(History(tuple(build.messages)), settings.replace("budget.per_tool", (("Bash", 30_000),)))
    assert late.at().view["whole/result"].state == ""  # frozen
    assert [edit.block for edit in result.log] == ["saved/result", "new/result"]  # fresh when they were judged


def test_an_empty_result_gets_one_line_in_the_request_and_nowhere_else(build: Builder) -> None:
    history = one_request(build, {"a": ""})
    result = replay(history, Settings.profile("v2.1"))
    sent = make_request(result.at().view, result.settings).body["messages"][-1]["content"][0]

    assert sent["content"] == "(the tool completed with no output)"
    assert result.at().view["a/result"].text == ""
    assert result.log == []
