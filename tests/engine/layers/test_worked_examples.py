"""The worked example of each layer: ten messages in, Edits out. The same that its docstring tells."""

import pytest

from ctxlab.engine.edit import Cover, Delete, Note, Replace
from ctxlab.engine.replay import replay
from ctxlab.engine.request import make_request
from ctxlab.sources.scenarios import EXAMPLES, LOG, acted, example, ten_messages


@pytest.mark.parametrize("layer", EXAMPLES)
def test_ten_messages_go_in_and_only_this_layer_acts(layer: str) -> None:
    result = example(layer)

    assert len(result.history.messages) == 10
    assert {step.layer for step in result.steps if step.state == "acted"} == {layer}


def test_budget_saves_the_log_and_leaves_a_preview() -> None:
    result, step = example("budget"), acted("budget")
    [edit] = step.edits

    assert isinstance(edit, Replace)
    assert (edit.block, edit.by.state, edit.original) == ("t4/result", "preview", "archive:t4")
    assert edit.by.text.startswith(
        "<persisted-output>\nOutput too large (6,299 characters). Full output saved to: tool-results/t4.txt"
    )
    assert result.read("archive:t4") == LOG
    assert (edit.before, edit.after) == (1_575, 80)


def test_snip_removes_the_read_that_was_repeated_with_its_call() -> None:
    mark, cover = acted("snip").edits

    assert isinstance(mark, Note)
    assert mark.data == ("t1/use", "t1/result")
    assert isinstance(cover, Cover)
    assert cover.blocks == ("t1/use", "t1/result")
    assert [block.kind for block in cover.append] == ["snip_boundary", "notice"]
    assert cover.append[0].tokens == 0


def test_microcompact_clears_all_but_the_newest_after_the_gap() -> None:
    [edit] = acted("microcompact").edits

    assert isinstance(edit, Replace)
    assert (edit.block, edit.by.text, edit.original) == (
        "t1/result",
        "[Old tool result content cleared]",
        "history:2:0",
    )


def test_collapse_folds_what_is_older_than_the_open_rounds() -> None:
    [cover] = acted("collapse").edits

    assert isinstance(cover, Cover)
    assert cover.blocks == ("t1/use", "t1/result", "t2/use", "t2/result")
    assert cover.put[0].text == "[2 finished rounds folded here. Read a.py; Grep settle]"


def test_autocompact_puts_boundary_before_summary_and_reads_files_again() -> None:
    [cover] = acted("autocompact").edits

    assert isinstance(cover, Cover)
    assert [block.kind for block in cover.put] == ["compact_boundary", "summary"]
    assert [block.target for block in cover.append] == ["b.py", "a.py"]
    assert "Do not touch the public API." in cover.put[1].text


@pytest.mark.parametrize(("strategy", "sent"), [("cached", "cache_edits"), ("api", "context_management")])
def test_deletions_by_the_server_leave_the_text_byte_identical(strategy: str, sent: str) -> None:
    history, settings = ten_messages("microcompact")
    settings = settings.set(
        f"microcompact.strategy={strategy}", "microcompact.cached_trigger=4", "microcompact.api_trigger_tokens=1000"
    )
    result = replay(history, settings)
    [edit] = [edit for edit in result.log if isinstance(edit, Delete)]
    plain = replay(history, settings.set("microcompact.enabled=off"))
    request, untouched = make_request(result.at().view, settings), make_request(plain.at().view, settings)

    assert edit.blocks == ("t1/result",)
    assert request.body["messages"] == untouched.body["messages"]
    assert request.body[sent]
    assert result.exchanges[-1].tokens_sent < plain.exchanges[-1].tokens_sent


def test_cleared_text_is_what_is_sent() -> None:
    result = example("microcompact")
    messages = make_request(result.at().view, result.settings).body["messages"]

    assert messages[2]["content"][0]["content"] == "[Old tool result content cleared]"
