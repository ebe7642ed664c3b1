"""Sessions: the recordings of Claude Code on this machine, as a list that is made without reading them.

They are `projects/<project>/<session>.jsonl` in `~/.claude`, or in the folder that `CLAUDE_CONFIG_DIR` names. Of each file
only the head and the tail are read, so the number of compactions of a longer file is a least number.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from .build import as_text, parts
from .masks import masked
from .thread import as_message

ENDS = 16 << 10  # bytes that are read at each end of a file
LONGEST_TITLE = 100
TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle"}  # a `summary` record is often another session's
NOT_TYPED = ("<command-", "<local-command", "<system-reminder", "<ide_", "Caveat:", "[Request interrupted")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


class SessionFile(NamedTuple):
    """One recording: where it is, its title, the time of its newest record (ISO 8601, "" where it has none), its size.

    `compactions` is at least that many where `all_read` is False.
    """

    path: Path
    title: str
    project: str
    at: str
    bytes: int
    compactions: int
    all_read: bool


def recordings_folder() -> Path:
    """The folder in which Claude Code keeps its recordings; CLAUDE_CONFIG_DIR is honoured."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(named) if named else Path.home() / ".claude") / "projects"


def session_files(folder: Path | None = None) -> list[SessionFile]:
    """The recordings below a folder, the newest first; files of sub-agents are not among them.

    A file that cannot be read, or holds no record, is left out. Raises RuntimeError while the committed form of a notebook
    is made (`CTXLAB_STATIC=1`) and there are any: they would be published with it.
    """
    folder = folder or recordings_folder()
    paths = (path for path in folder.glob("*/*.jsonl") if not path.name.startswith("agent-") and path.is_file())
    found = [each for each in map(looked_at, paths) if each]
    if found and os.environ.get("CTXLAB_STATIC") == "1":
        raise RuntimeError(
            f"{folder} holds {len(found):,} recordings, and a notebook is being made that others will read; "
            "set CLAUDE_CONFIG_DIR to an empty folder"
        )
    return sorted(found, key=lambda each: (each.at, str(each.path)), reverse=True)


def looked_at(path: Path) -> SessionFile | None:
    """What head and tail of one file tell; None for one that is no recording."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            head, tail = ends(file, size)
    except OSError:
        return None
    first, last = [*records(head)], [*records(tail)]
    both = [*first, *last]
    if not both:
        return None
    named = next((text for record in reversed(both) if (text := title_in(record))), "")
    prompt = next((text for record in both if (text := prompt_in(record))), "")
    times = (record.get("timestamp") for record in both)
    at = max((time for time in times if isinstance(time, str) and TIME.match(time)), default="")
    folder = next((as_text(record["cwd"]) for record in both if record.get("cwd")), "") or path.parent.name
    return SessionFile(
        path,
        named or prompt,
        re.split(r"[/\\]", masked(folder).rstrip("/\\"))[-1],
        at,
        size,
        compactions_in(both),
        size <= 2 * ENDS,
    )


def ends(file: BinaryIO, size: int) -> tuple[bytes, bytes]:
    """The whole lines at the head and at the tail of a file; of a short one all of them, as its head."""
    head = file.read(ENDS)
    if size <= ENDS:
        return head, b""
    rest = size - ENDS
    file.seek(max(ENDS, size - ENDS))
    tail = file.read(ENDS)
    whole_head, _, begun = head.rpartition(b"\n")
    if rest <= ENDS:  # nothing was left out between them
        return whole_head, begun + tail
    return whole_head, tail.partition(b"\n")[2]


def records(raw: bytes) -> Iterator[dict[str, Any]]:
    """The records among some lines; damage is passed over."""
    for line in raw.split(b"\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("type"), str):
            yield value


def title_in(record: dict[str, Any]) -> str:
    """The title that a record gives the session, or ""."""
    return shortened(as_text(record.get(TITLES.get(record["type"], ""))))


def prompt_in(record: dict[str, Any]) -> str:
    """The beginning of what a person wrote, or ""."""
    if record["type"] != "user" or record.get("isMeta") or record.get("isCompactSummary"):
        return ""
    found = parts(as_message(record.get("message")).get("content"))
    texts = (as_text(part.get("text")).lstrip() for part in found if part.get("type") == "text")
    return shortened(" ".join(text for text in texts if not text.startswith(NOT_TYPED)))


def shortened(text: str) -> str:
    """A text on one line, cut to the length of a title."""
    flat = " ".join(masked(text[: 10 * LONGEST_TITLE]).split())  # covered before it is cut
    return flat if len(flat) <= LONGEST_TITLE else flat[: LONGEST_TITLE - 1] + "…"


def compactions_in(found: list[dict[str, Any]]) -> int:
    """How many compactions some records tell of: boundaries, in older recordings summaries alone."""
    boundaries = [record for record in found if record.get("subtype") == "compact_boundary"]
    summaries = [record for record in found if record.get("isCompactSummary") is True]
    return max(len(boundaries), len(summaries))
