"""Services that misbehave: whatever they do, a replay goes on and says what happened."""

import json

import pytest

import ctxlab as cl
from ctxlab.engine.archive import MemoryArchive
from ctxlab.engine.summary_text import SummaryError, usable
from tests.fakes import services


class Raising:
    """Raises what it is given, whatever it is asked."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, *_: object) -> str:
        raise self.error

    put = get = pre_compact = __call__


CLASSROOM = cl.Settings.profile("classroom")
ERRORS = [ValueError("x"), TimeoutError("x"), OSError("x"), RuntimeError("x\ud800")]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("name", ["summarise", "hooks", "archive"])
def test_a_service_that_raises_is_a_failed_step(name: str, error: Exception) -> None:
    history = cl.story()
    result = cl.replay(history, CLASSROOM, services(history, **{name: Raising(error)}))
    failed = [step for step in result.steps if step.state == "failed"]

    assert failed
    assert any("x" in step.reason for step in failed)
    assert str(result).encode()
    assert cl.svg_picture(result).encode()


@pytest.mark.parametrize("answer", [5, True, b"bytes", ["list"]])
def test_an_answer_that_is_no_text_is_a_failed_summary(answer: object) -> None:
    history = cl.story()
    result = cl.replay(history, CLASSROOM, services(history, summarise=lambda _: answer))

    assert any(f"answered with {type(answer).__name__}, not with text" in step.reason for step in result.steps)


def test_a_degenerate_answer_is_judged_quickly() -> None:
    with pytest.raises(SummaryError, match="ends inside its analysis"):
        usable("<analysis>" * 100_000)
    assert usable("<analysis>a</analysis>" * 2_000 + "end") == "end"


def test_names_in_the_archive_do_not_collide_with_its_paths() -> None:
    archive = MemoryArchive()
    paths = {name: archive.put(name, name) for name in ("a", "tool-results/a", "tool-results/a.txt", "a.txt")}

    assert len(set(paths.values())) == 4
    assert all(archive.get(path) == name for name, path in paths.items())


def test_without_a_reserve_there_is_still_a_summary() -> None:
    result = cl.replay(cl.story(), CLASSROOM.set("window.reserve_tokens=0"))

    assert any(step.layer == "autocompact" and step.state == "acted" for step in result.steps)


def test_a_limit_of_nothing_saves_everything() -> None:
    result = cl.replay(cl.story(), CLASSROOM.set("budget.per_tool=Bash:0", "budget.preview_bytes=0"))

    assert any("Bash" in step.reason and "> 0" in step.reason for step in result.steps if step.layer == "budget")


def test_the_overhead_cannot_be_marked_away() -> None:
    from ctxlab.engine.acts import mark

    result = cl.replay(
        cl.story(), CLASSROOM.set("snip.minimum_tokens=0"), acts={3: [mark("system", "tools", "claude_md")]}
    )

    assert [block.kind for block in result.at().view][:2] == ["system", "tools"]


def test_a_deletion_is_listed_once_after_a_lapse() -> None:
    minute = 0
    records = [{"type": "user", "timestamp": "2026-01-01T00:00:00Z", "message": "go"}]

    def stamp() -> str:
        return f"2026-01-01T{minute // 60:02}:{minute % 60:02}:00Z"

    for number in range(30):
        call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {}}
        records.append({"type": "assistant", "timestamp": stamp(), "message": {"id": f"m{number}", "content": [call]}})
        minute += 100 if number == 15 else 1
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "r" * 900}
        records.append({"type": "user", "timestamp": stamp(), "message": {"content": [result]}})
    settings = cl.Settings.profile("restored").set("microcompact.strategy=cached", "microcompact.cached_trigger=8")
    result = cl.replay(cl.load("\n".join(json.dumps(record) for record in records)), settings)
    body = cl.make_request(result.at().view, settings).body
    listed = [edit["cache_reference"] for block in body["cache_edits"] for edit in block["edits"]]

    assert any("deletions lapse" in step.reason for step in result.steps)
    assert len(listed) == len(set(listed)) == len(result.at().view.deleted)


def test_the_picture_names_the_layer_that_acted_last_on_a_block() -> None:
    from ctxlab.show.picture import picture

    history = cl.story()
    drawn = picture(cl.replay(history, CLASSROOM), 14, "microcompact")
    verbs = {mark.id: mark.verb for mark in drawn.history}
    view = cl.replay(history, CLASSROOM).at(14, "microcompact").view

    assert all(verbs[block.id] == "microcompact" for block in view if block.state == "cleared")
    assert all(verbs[block.id] == "budget" for block in view if block.state == "preview")
