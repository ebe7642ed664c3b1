"""LangChain's own reading of context editing clears the same results as the `api` strategy.

Needs the `langchain` extra; skips without, fails where CTXLAB_LANGCHAIN=required. Known differences, not compared:
`clear_at_least` (LangChain stops early there, the documentation says that it is skipped); results that no reply has read,
which ctxlab never clears, and results no longer than the placeholder.
"""

import os

import pytest

import ctxlab as cl
from ctxlab.engine.edit import Delete
from ctxlab.engine.pipeline import LAYERS
from ctxlab.engine.replay import view_before

if os.environ.get("CTXLAB_LANGCHAIN") != "required":
    pytest.importorskip("langchain")

STORY = cl.story("classroom")


def by_langchain(keep: int, exclude: tuple[str, ...]) -> list[str]:
    """The ids of the calls whose results LangChain clears, over the whole story at once."""
    from langchain.agents.middleware.context_editing import ClearToolUsesEdit
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    messages: list = []
    for message in STORY.messages[: STORY.turns[-1].answer]:
        if message.role == "assistant":
            calls = [{"id": b.call, "name": b.tool, "args": b.raw} for b in message.blocks if b.kind == "call"]
            messages.append(AIMessage(content="", tool_calls=calls))
        for block in message.blocks:
            if block.kind == "result":
                messages.append(ToolMessage(content=block.text, tool_call_id=block.call, name=block.tool))
            elif block.kind == "user":
                messages.append(HumanMessage(content=block.text))
    edit = ClearToolUsesEdit(trigger=1, keep=keep, exclude_tools=exclude)
    edit.apply(messages, count_tokens=lambda given: len(given) * 1_000)
    return [m.tool_call_id for m in messages if isinstance(m, ToolMessage) and m.content == edit.placeholder]


def by_ctxlab(keep: int, exclude: tuple[str, ...]) -> list[str]:
    """The same of the real layer."""
    settings = cl.Settings.profile("docs").replace(
        {
            "microcompact.api_trigger_tokens": 0,
            "microcompact.keep_recent": keep,
            "microcompact.api_exclude_tools": exclude,
        }
    )
    view = view_before(STORY, settings, len(STORY.turns) - 1)
    outcome = dict(LAYERS)["microcompact"](view, settings, cl.Services.offline(STORY))
    [edit] = [each for each in outcome.edits if isinstance(each, Delete)]
    return [view[name].call for name in edit.blocks]


UNREAD = {block.call for block in STORY.blocks[STORY.turns[-1].start : STORY.turns[-1].stop]}


@pytest.mark.parametrize("exclude", [(), ("Read",), ("Bash", "Grep")])
@pytest.mark.parametrize("keep", [1, 3, 5, 20])
def test_the_same_results_are_cleared(keep: int, exclude: tuple[str, ...]) -> None:
    short = {
        b.call
        for b in STORY.blocks
        if b.kind == "result" and b.tokens <= STORY.counter("[Old tool result content cleared]")
    }
    theirs = [call for call in by_langchain(keep, exclude) if call not in short | UNREAD]

    assert theirs
    assert by_ctxlab(keep, exclude) == theirs
