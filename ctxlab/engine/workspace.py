"""The workspace: what is on disk now. A compaction reads files and CLAUDE.md again, and asks here.

`HistoryWorkspace` is the offline default: it answers with what the History last read, wrote or edited up to a request,
and never looks ahead; plan, todos, agents and skills are those of the newest calls that set them. What it leaves out:
files changed by commands, and those read only in part.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Collection
from functools import cached_property
from typing import Any, Protocol

from .history import History
from .message import CHANGE_TOOLS, READ_TOOLS, Block, path_of

AGENT_TOOLS = ("Task", "Agent")
STATE_TOOLS = {"TodoWrite": "todos", "ExitPlanMode": "plan", **dict.fromkeys(AGENT_TOOLS, "agents")}
LONGEST_FILE = 2_000_000  # characters; a recorded edit may double a text again and again
NUMBERED_LINE = re.compile(r"^ *\d+(?:\u2192|\t)", re.MULTILINE)


class Workspace(Protocol):
    """What a file, and a tier of CLAUDE.md, say at the time of a request (None where that is not known); and what is under way.

    `state` has pairs of a label and a text: plan, todos, agents. `skills` has names and texts, oldest first.
    """

    def file(self, path: str, request: int) -> str | None: ...

    def memory(self, tier: str, request: int) -> str | None: ...

    def state(self, request: int) -> list[tuple[str, str]]: ...

    def skills(self, request: int) -> list[tuple[str, str]]: ...


class HistoryWorkspace:
    """Answers from the record alone."""

    def __init__(self, history: History) -> None:
        self.history = history

    def file(self, path: str, request: int) -> str | None:
        """The text of a file as the record knows it at that request: its last whole text, and the edits since."""
        known = self._events.get(path, [])
        stop = bisect.bisect_right(known, request, key=lambda event: event[0])
        if (path, stop) not in self._kept:
            self._kept[path, stop] = folded([(call, result) for _, call, result in known[:stop]])
        return self._kept[path, stop]

    def memory(self, tier: str, request: int) -> str | None:
        """CLAUDE.md, by the id of its block: as it was last read, written or edited, else as it was at the start."""
        block = self.history.by_id.get(tier)
        if block is None:
            return None
        known = self.file(block.target, request) if block.target else None
        return block.text if known is None else known

    def state(self, request: int) -> list[tuple[str, str]]:
        """The newest plan and todos, and the agents that were sent to the background."""
        newest: dict[str, str] = {}
        agents: list[str] = []
        for block in self._calls(STATE_TOOLS, request):
            given = block.raw if isinstance(block.raw, dict) else {}
            result = self.history.by_id.get(f"{block.call}/result")
            if result is not None and result.error:
                continue  # a plan that was rejected, a call that was refused
            if block.tool in AGENT_TOOLS:
                agents += [f"- {given.get('description') or block.target}"] if given.get("run_in_background") else []
            else:
                newest[STATE_TOOLS[block.tool]] = plan_or_todos(given)
        found = [
            *((label, text) for label, text in newest.items() if text),
            *([("agents", "\n".join(agents))] if agents else []),
        ]
        return sorted(found, key=lambda pair: ("plan", "todos", "agents").index(pair[0]))

    def skills(self, request: int) -> list[tuple[str, str]]:
        """The skills that were invoked, by the result of the call, each once, oldest first."""
        out: dict[str, str] = {}
        for call in self._calls({"Skill": ""}, request):
            result = self.history.by_id.get(f"{call.call}/result")
            given = call.raw if isinstance(call.raw, dict) else {}
            name = str(given.get("skill") or given.get("command") or call.target)
            if (
                result is not None
                and result.text
                and not result.error
                and self.history.arrived.get(result.id, request + 1) <= request
            ):
                out.pop(name, None)
                out[name] = result.text
        return list(out.items())

    def _calls(self, tools: Collection[str], request: int) -> list[Block]:
        """The calls of some tools that had come in by a request."""
        return [
            b
            for tool in tools
            for b in self._by_tool.get(tool, ())
            if self.history.arrived.get(b.id, request + 1) <= request
        ]

    @cached_property
    def _by_tool(self) -> dict[str, list[Block]]:
        out: dict[str, list[Block]] = {}
        for block in self.history.blocks:
            if block.kind == "call":
                out.setdefault(block.tool, []).append(block)
        return out

    @cached_property
    def _events(self) -> dict[str, list[tuple[int, Block, Block]]]:
        """Path -> what was done to it: the request that saw it first, the call, its result; oldest first."""
        out: dict[str, list[tuple[int, Block, Block]]] = {}
        calls = {block.call: block for block in self.history.blocks if block.kind == "call"}
        for result in self.history.blocks:
            call = calls.get(result.call)
            about_files = result.tool in READ_TOOLS or result.tool in CHANGE_TOOLS
            if (
                result.kind == "result"
                and about_files
                and not result.error
                and call
                and result.id in self.history.arrived
            ):
                out.setdefault(path_of(result.target), []).append((self.history.arrived[result.id], call, result))
        return out

    @cached_property
    def _kept(self) -> dict[tuple[str, int], str | None]:
        """Texts that were asked for: nothing else of a file's past is kept."""
        return {}


def folded(events: list[tuple[Block, Block]]) -> str | None:
    """The text of a file after some calls on it; None where no whole text is known, or it has grown beyond a file."""
    texts = [whole_text(call, result) for call, result in events]
    start = next((n for n in range(len(texts) - 1, -1, -1) if texts[n] is not None), None)
    if start is None:
        return None
    text = texts[start] or ""
    for call, _ in events[start + 1 :]:
        text = edited(text, call)
        if len(text) > LONGEST_FILE:
            return None
    return text


def plan_or_todos(given: dict[str, Any]) -> str:
    """The plan of a call that leaves plan mode, or its todos, one a line with how far it is."""
    if isinstance(given.get("plan"), str):
        return str(given["plan"])
    todos = given.get("todos")
    listed = [todo for todo in todos if isinstance(todo, dict)] if isinstance(todos, list) else []
    return "\n".join(f"- [{todo.get('status', '?')}] {todo.get('content', '')}" for todo in listed)


def whole_text(call: Block, result: Block) -> str | None:
    """The whole text of a file, where a call or its result has it."""
    if result.tool in READ_TOOLS:
        whole = path_of(result.target) == result.target and not result.state
        return NUMBERED_LINE.sub("", result.text) if whole else None
    given = call.raw if isinstance(call.raw, dict) else {}
    return given["content"] if isinstance(given.get("content"), str) else None


def edited(text: str, call: Block) -> str:
    """The text after the replacements of a call; what is no replacement changes nothing."""
    given = call.raw if isinstance(call.raw, dict) else {}
    edits = given.get("edits")
    for edit in edits if isinstance(edits, list) else [given]:
        old, new = (edit.get("old_string"), edit.get("new_string")) if isinstance(edit, dict) else (None, None)
        if isinstance(old, str) and isinstance(new, str) and old and len(text) <= LONGEST_FILE:
            text = text.replace(old, new, -1 if edit.get("replace_all") else 1)
    return text
