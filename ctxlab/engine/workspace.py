"""The workspace: what is on disk now. A compaction reads files and CLAUDE.md again, and asks here.

`HistoryWorkspace` is the offline default: it answers with what the History last read, wrote or edited up to a request,
and never looks ahead. What it leaves out: files changed by commands, and those read only in part.
"""

from __future__ import annotations

import bisect
import re
from functools import cached_property
from typing import Protocol

from .history import History, path_of
from .message import CHANGE_TOOLS, READ_TOOLS, Block

NUMBERED_LINE = re.compile(r"^ *\d+(?:\u2192|\t)", re.MULTILINE)


class Workspace(Protocol):
    """What a file, and CLAUDE.md, say at the time of a request; None where that is not known."""

    def file(self, path: str, request: int) -> str | None: ...

    def memory(self, request: int) -> str | None: ...


class HistoryWorkspace:
    """Answers from the record alone."""

    def __init__(self, history: History) -> None:
        self.history = history

    def file(self, path: str, request: int) -> str | None:
        """The newest text of a file that the record knows at that request."""
        known = self._versions.get(path, [])
        place = bisect.bisect_right(known, request, key=lambda version: version[0])
        return known[place - 1][1] if place else None

    def memory(self, request: int) -> str | None:
        """CLAUDE.md: as it was last read, written or edited, else as it was at the start."""
        block = self.history.by_id.get("claude_md")
        if block is None:
            return None
        known = self.file(block.target, request) if block.target else None
        return block.text if known is None else known

    @cached_property
    def _versions(self) -> dict[str, list[tuple[int, str]]]:
        """Path -> (request that saw it first, text), oldest first."""
        out: dict[str, list[tuple[int, str]]] = {}
        calls = {block.call: block for block in self.history.blocks if block.kind == "call"}
        for result in self.history.blocks:
            call = calls.get(result.call)
            if result.kind != "result" or result.error or call is None or result.id not in self.history.arrived:
                continue
            path = path_of(result.target)
            known = out.get(path)
            text = version(call, result, known[-1][1] if known else None)
            if text is not None:
                out.setdefault(path, []).append((self.history.arrived[result.id], text))
        return out


def version(call: Block, result: Block, before: str | None) -> str | None:
    """The text of a file after a call on it, or None where the call does not tell."""
    given = call.raw if isinstance(call.raw, dict) else {}
    if result.tool in READ_TOOLS:
        whole = path_of(result.target) == result.target and not result.state
        return NUMBERED_LINE.sub("", result.text) if whole else None
    if result.tool not in CHANGE_TOOLS:
        return None
    if isinstance(given.get("content"), str):
        return str(given["content"])
    if before is None:
        return None
    edits = given.get("edits")
    for edit in edits if isinstance(edits, list) else [given]:
        old, new = (edit.get("old_string"), edit.get("new_string")) if isinstance(edit, dict) else (None, None)
        if isinstance(old, str) and isinstance(new, str) and old:
            before = before.replace(old, new, -1 if edit.get("replace_all") else 1)
    return before
