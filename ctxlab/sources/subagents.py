"""Sub-agents: branches beside the main thread, each with a window of its own. They never count into the main one.

Since 2.0.2x each has a file beside the session's (`<session>/subagents/agent-<id>.jsonl`, before that `agent-<id>.jsonl`
in the same folder); in 1.0.x its records stand in the session's own file as side-chains, each run with its own root.
Of a file only what a list needs is looked at here; the branch is read in full when it is opened.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ..engine.history import Branch, History
from .build import Json, as_text, parts
from .records import Record, read_records
from .thread import as_message, usage_of

HEAD_BYTES = 1 << 20
LONGEST_TITLE = 120
Opener = Callable[[list[Record], str], History]


def files_beside(path: str) -> list[Path]:
    """The files of the sub-agents of one session, by name; those in the same folder only where they name the session.

    >>> files_beside("")
    []
    """
    if not path or not path.endswith(".jsonl"):
        return []
    session = Path(path)
    inside = sorted((session.parent / session.stem / "subagents").glob("agent-*.jsonl"))
    near = [each for each in sorted(session.parent.glob("agent-*.jsonl")) if each != session]
    return [*inside, *(each for each in near if session_of(each) == session.stem)]


def session_of(path: Path) -> str:
    """The session that the first record of a file names."""
    with path.open("rb") as file:
        line = file.readline(HEAD_BYTES)
    try:
        record = json.loads(line)
    except ValueError:
        return ""
    return as_text(record.get("sessionId")) if isinstance(record, dict) else ""


def branches_of(aside: list[Record], files: list[Path], calls: dict[str, str], opener: Opener) -> list[Branch]:
    """Every sub-agent: those whose records stand in the session's file, then those with a file.

    `calls` maps a prompt, or an agent's id, to the block of the call that began it.
    """
    out = []
    for root, records in runs(aside).items():
        name = f"line {records[0].line}" if not isinstance(root, str) else root
        out.append(branch(name, records, calls, partial(opener, records, "")))
    for path in files:
        with path.open("rb") as file:
            records = read_records(file).records
        if records:
            name = path.stem.removeprefix("agent-")
            out.append(branch(name, records, calls, partial(reopened, path, opener)))
    return out


def reopened(path: Path, opener: Opener) -> History:
    """Read the file of a sub-agent in full."""
    with path.open("rb") as file:
        return opener(read_records(file).records, str(path))


def runs(aside: list[Record]) -> dict[Any, list[Record]]:
    """The side-chains of a file: by the agent's id, or by the root that each record hangs on."""
    root: dict[str, Any] = {}
    out: dict[Any, list[Record]] = {}
    for record in aside:
        uuid, parent = record.data.get("uuid"), record.data.get("parentUuid")
        agent = record.data.get("agentId")
        above = root.get(parent) if isinstance(parent, str) else None
        own = agent if isinstance(agent, str) else above if above is not None else record.line
        if isinstance(uuid, str):
            root[uuid] = own
        out.setdefault(own, []).append(record)
    return out


def branch(name: str, records: list[Record], calls: dict[str, str], opens: Callable[[], History]) -> Branch:
    """What a list shows of one run: its first words, its replies, its size by the last usage."""
    prompt = next((text for text in map(prompt_of, records) if text), "")
    sizes = dict(replies(records))
    last = list(sizes.values())[-1] if sizes else (0, 0)
    title = " ".join(prompt.split())[:LONGEST_TITLE]
    call = calls.get(name) or calls.get(prompt.strip(), "")
    return Branch(name, title, call, len(sizes), sum(last), opens)


def prompt_of(record: Record) -> str:
    """The text of a user's record."""
    if record.data.get("type") != "user":
        return ""
    found = parts(as_message(record.data.get("message")).get("content"))
    return "\n".join(as_text(part.get("text")) for part in found if part.get("type") == "text")


def replies(records: list[Record]) -> Iterator[tuple[Any, tuple[int, int]]]:
    """Each reply's name with its usage and output; a later record of one reply replaces the earlier."""
    for record in records:
        if record.data.get("type") == "assistant":
            message: Json = as_message(record.data.get("message"))
            name = message.get("id")
            yield (name if isinstance(name, str) else record.line), usage_of(message.get("usage"))
