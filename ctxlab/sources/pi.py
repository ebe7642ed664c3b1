"""pi: a session of that agent, JSONL with a `session` record first, then messages, compactions and changes of the model.

Newer files are a tree by `id` and `parentId`; the way from the last record up to the root is the conversation that went
on. Roles are user, assistant, toolResult, bashExecution (a command that the user ran), custom and branch summaries.

What ctxlab leaves out: labels, extension state, and context transforms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.edit import plural
from .build import Json, as_text, parts, usable_id
from .conversation import Conversation, Shortened
from .drafts import as_dict, whole
from .records import Record

FORM = "pi"
USAGE = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cacheRead": "cache_read_input_tokens",
    "cacheWrite": "cache_creation_input_tokens",
}
OWN_RECORDS = ("thinking_level_change", "model_change", "compaction", "branch_summary", "custom_message")


def is_pi(records: Sequence[Record]) -> bool:
    """True where a record of type `message` has a message, or a `session` record stands first."""
    kinds = {as_text(record.data.get("type")) for record in records[:50]}
    return "message" in kinds and bool(kinds & {"session", *OWN_RECORDS})


def conversation(records: Sequence[Record]) -> Conversation:
    """Translate the records of the live branch."""
    out = Conversation(FORM, len(records))
    live = way_up(records)
    if len(live) < len(records):
        out.notices.append(f"{plural(len(records) - len(live), 'record')} on branches that were left are not replayed")
    entries: dict[str | int, int] = {}  # id, and the place in the file -> its message
    for place, record in enumerate(live):
        entries[usable_id(record.data.get("id"))] = entries[place] = len(out.messages)
        take(out, record.data, entries)
    return out


def way_up(records: Sequence[Record]) -> list[Record]:
    """From the last record to the root, in the order of the file; all of them where there is no tree."""
    by_id = {record.data["id"]: record for record in records if isinstance(record.data.get("id"), str)}
    if not any("parentId" in record.data for record in records):
        return list(records)
    at = next((record for record in reversed(records) if "parentId" in record.data), None)
    live: set[int] = {record.line for record in records if "parentId" not in record.data}  # the head of the file
    while at is not None and at.line not in live:
        live.add(at.line)
        parent = at.data.get("parentId")
        at = by_id.get(parent) if isinstance(parent, str) else None
    return [record for record in records if record.line in live]


def take(out: Conversation, data: Json, entries: dict[str | int, int]) -> None:
    """One record; kinds that are not known cost nothing."""
    kind, at = data.get("type"), data.get("timestamp")
    if kind == "message":
        message(out, as_dict(data.get("message")), at)
    elif kind == "compaction":
        first = data.get("firstKeptEntryId", data.get("firstKeptEntryIndex"))
        known = isinstance(first, (str, int)) and first in entries
        kept = range(entries[first], len(out.messages)) if known else ()
        before = whole(data.get("tokensBefore"))
        out.shortened.append(Shortened(len(out.messages), as_text(data.get("summary")), "", before, None, tuple(kept)))
    elif kind == "branch_summary" and data.get("summary"):
        out.user(as_text(data["summary"]), at)
    elif kind == "custom_message":
        out.user(data.get("content"), at)
    elif kind in ("session", "model_change") and isinstance(data.get("modelId"), str):
        out.model = data["modelId"]


def message(out: Conversation, said: Json, at: Any) -> None:
    """One message, by its role."""
    role = said.get("role")
    content = [block(out, part) for part in parts(said.get("content"))]
    if role == "user":
        out.user(content, at)
    elif role == "assistant":
        usage = as_dict(said.get("usage"))
        out.model = said["model"] if content and isinstance(said.get("model"), str) else out.model
        named = {ours: usage.get(theirs) for theirs, ours in USAGE.items()}
        out.reply(content, at, named, said.get("stopReason"))
    elif role == "toolResult":
        out.result(said.get("toolCallId"), content, at, error=said.get("isError") is True)
    elif role == "bashExecution":
        out.user(f"Ran `{as_text(said.get('command'))}`\n{as_text(said.get('output'))}", at)
    elif as_text(role) in ("custom", "hookMessage") or "summary" in said:
        out.user(content or as_text(said.get("summary")), at)


def block(out: Conversation, part: Json) -> Json:
    """One block under the Messages API's names."""
    kind = part.get("type")
    if kind == "toolCall":
        return out.call(part.get("name"), part.get("id"), part.get("arguments"))
    if kind == "thinking":
        return {
            "type": "thinking",
            "thinking": part.get("thinking"),
            "signature": as_text(part.get("thinkingSignature")),
        }
    if kind == "image":
        source = {"type": "base64", "media_type": part.get("mimeType"), "data": part.get("data")}
        return {"type": "image", "source": source}
    return part
