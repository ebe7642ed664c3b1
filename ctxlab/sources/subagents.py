"""Sub-agents: branches beside the main thread, each with a window of its own. They never count into the main one.

Since 2.0.2x each has a file beside the session's (`<session>/subagents/agent-<id>.jsonl`, before that `agent-<id>.jsonl`
in the same folder); in 1.0.x its records stand in the session's own file as side-chains, each run with its own root.
Of a file only what a list needs is looked at here; the branch is read in full when it is opened.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from ..engine.history import Branch, History
from .build import Json, as_text, parts
from .masks import masked
from .records import Reading, Record, lines, objects_in, read_records
from .thread import as_message, usage_of

HEAD_BYTES = 1 << 20
LONGEST_TITLE = 120
Opener = Callable[[Reading, str], History]


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
    files = [each for each in inside if each.is_file()]
    return [*files, *(each for each in near if each.is_file() and session_of(each) == session.stem)]


def session_of(path: Path) -> str:
    """The session that the first record of a file names."""
    try:
        with path.open("rb") as file:
            record = json.loads(file.readline(HEAD_BYTES))
    except (OSError, ValueError, RecursionError):
        return ""
    return as_text(record.get("sessionId")) if isinstance(record, dict) else ""


def branches_of(aside: list[Record], files: list[Path], calls: dict[str, list[str]], opener: Opener) -> list[Branch]:
    """Every sub-agent: those whose records stand in the session's file, then those with a file.

    `calls` maps a prompt, or an agent's id, to the blocks of the calls that began it.
    """
    out = []
    for root, records in runs(aside).items():
        name = f"line {records[0].line}" if not isinstance(root, str) else root
        out.append(branch(name, records, calls, partial(inside, records, opener)))
    for path in files:
        name = path.stem.removeprefix("agent-")
        with suppress(OSError), path.open("rb") as file:  # one that cannot be read must not lose the session
            found = branch(name, scanned(file), calls, partial(reopened, path, opener))
            out += [found] if found.title or found.replies else []
    return out


def inside(records: list[Record], opener: Opener) -> History:
    """A sub-agent whose records stand in the session's own file."""
    return opener(Reading.of(records), "")


def reopened(path: Path, opener: Opener) -> History:
    """Read the file of a sub-agent in full."""
    with path.open("rb") as file:
        return opener(read_records(file), str(path))


def scanned(file: BinaryIO) -> Iterator[Record]:
    """What was spoken in the file of a sub-agent, one record after the other; none is kept, damage is passed over."""
    for number, raw in enumerate(lines(file), 1):
        for value in objects_in(raw or b""):
            if isinstance(value, dict) and value.get("type") in ("user", "assistant"):
                yield Record(number, value)


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


def branch(name: str, records: Iterable[Record], calls: dict[str, list[str]], opens: Callable[[], History]) -> Branch:
    """What a list shows of one run: its first words, its replies, its size by the last usage that is one."""
    prompt, sizes = "", dict[Any, int]()
    for record in records:
        prompt = prompt or prompt_of(record)
        if found := reply_in(record):
            sizes[found[0]] = found[1]
    title = " ".join(masked(prompt[: 10 * LONGEST_TITLE]).split())[:LONGEST_TITLE]
    began = calls.get(name) or calls.get(prompt.strip()) or [""]
    call = began.pop(0) if len(began) > 1 else began[0]  # two calls may say the same: the runs are in their order
    return Branch(name, title, call, len(sizes), next((size for size in reversed(sizes.values()) if size), 0), opens)


def prompt_of(record: Record) -> str:
    """The text of a user's record."""
    if record.data.get("type") != "user":
        return ""
    found = parts(as_message(record.data.get("message")).get("content"))
    return "\n".join(as_text(part.get("text")) for part in found if part.get("type") == "text")


def reply_in(record: Record) -> tuple[Any, int] | None:
    """The name of a reply with its usage and output together; None for another record."""
    if record.data.get("type") != "assistant":
        return None
    message: Json = as_message(record.data.get("message"))
    name, usage = message.get("id"), usage_of(message.get("usage"))
    return (name if isinstance(name, str) else record.line), sum(usage) if usage[0] else 0
