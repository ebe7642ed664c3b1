"""Thread: the main thread of a session file, put together record by record as drafts of messages.

A reply is written as several records with one `message.id`, each with a copy of `usage` whose output grows; results
come as records of their own, in any order, sometimes between the records of one reply. Here they find each other.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from ..engine.edit import plural
from .attachments import attachment_text, is_restored, nested_path
from .build import Json, parts, usable_id
from .drafts import Boundary, Draft, Result, as_dict, boundary_of, whole
from .records import Record, listed

USAGE_FIELDS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
SYNTHETIC = "<synthetic>"
SORTED = json.JSONEncoder(sort_keys=True, default=repr)


class Thread:
    """Takes the records of the live main thread in the order of the file."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.boundaries: list[Boundary] = []
        self.clearings: list[tuple[int, tuple[str, ...], int | None]] = []  # behind how many drafts, calls, saved
        self.orphans: list[int] = []
        self.synthetic = 0
        self._replies: dict[str, Draft] = {}
        self._caller: dict[str, Draft] = {}
        self._waiting: dict[str, Result] = {}  # results that stand in front of their call
        self._draft_of: dict[str, int] = {}  # record uuid -> number of its draft
        self._replied = True  # since the last boundary

    def take(self, record: Record) -> None:
        """Take one record in; kinds that are not known cost nothing."""
        data = record.data
        kind = data.get("type")
        if kind == "system" and data.get("subtype") == "compact_boundary":
            self._boundary(record)
        elif kind == "system" and data.get("subtype") == "microcompact_boundary":
            self._clearing(record)
        elif kind == "attachment":
            self._attachment(record)
        elif kind == "assistant":
            self._reply(record, as_message(data.get("message")))
        elif kind == "user":
            self._user(record, as_message(data.get("message")))

    def notices(self) -> list[str]:
        """What a reader of this session should know."""
        out = []
        lost = [call for draft in self.drafts for call in draft.calls if call not in draft.results]
        last = next((draft for draft in reversed(self.drafts) if draft.role == "assistant"), None)
        running = [call for call in lost if self.drafts and last is self.drafts[-1] and call in last.calls]
        if len(lost) > len(running):
            out.append(f"{plural(len(lost) - len(running), 'call')} interrupted, without a result")
        if running:
            out.append(f"{plural(len(running), 'call')} at the end still running")
        if self._waiting:
            out.append(f"{plural(len(self._waiting), 'result')} without a call in this file left out")
        if self.orphans:
            out.append(f"lines {listed(self.orphans)}: a second result of one call is left out")
        if self.synthetic:
            out.append(f"{plural(self.synthetic, 'reply', 'replies')} that the harness made up (errors) left out")
        for boundary in self.boundaries:
            self.preserved(boundary)
            if boundary.missing:
                out.append(
                    f"line {boundary.line}: {plural(len(boundary.missing), 'preserved message')} not in this file"
                )
        return out

    def preserved(self, boundary: Boundary) -> list[int]:
        """Numbers of the drafts that stayed in the context across a boundary, in order."""
        known = [self._draft_of[uuid] for uuid in boundary.named if uuid in self._draft_of]
        boundary.missing = [uuid for uuid in boundary.named if uuid not in self._draft_of]
        if not boundary.named and boundary.segment:
            head, tail = (self._draft_of.get(uuid) for uuid in boundary.segment)
            if head is None or tail is None:
                boundary.missing = [" to ".join(boundary.segment)]
            else:
                known = list(range(head, tail + 1))
        return sorted({number for number in known if number < boundary.position})

    def _draft(self, draft: Draft, record: Record) -> Draft:
        draft.number = len(self.drafts)
        version = record.data.get("version")
        draft.version = version if isinstance(version, str) else ""
        self.drafts.append(draft)
        return draft

    def _remember(self, record: Record, draft: Draft) -> None:
        uuid = record.data.get("uuid")
        if isinstance(uuid, str):
            self._draft_of[uuid] = draft.number

    def _reply(self, record: Record, message: Json) -> None:
        if message.get("model") == SYNTHETIC or record.data.get("isApiErrorMessage"):
            self.synthetic += 1
            return
        at, timestamp = when(record.data.get("timestamp"))
        name = message.get("id")
        draft = self._replies.get(name) if isinstance(name, str) else None
        if draft is None:
            draft = self._draft(Draft("assistant", record.line, at, timestamp), record)
            if isinstance(name, str):
                self._replies[name] = draft
        self._replied = True
        draft.at = at if at is not None else draft.at
        draft.model = str(message.get("model") or draft.model)
        draft.stop = message["stop_reason"] if isinstance(message.get("stop_reason"), str) else draft.stop
        usage, output = usage_of(message.get("usage"))
        draft.usage, draft.output = usage or draft.usage, max(output, draft.output)
        for part in parts(message.get("content")):
            copy = blake2b(SORTED.encode(part).encode("utf-8", "surrogatepass"), digest_size=16).digest()
            if copy in draft.seen:
                continue  # a copy of the record, made when the session was resumed
            draft.seen.add(copy)
            draft.content.append(part)
            if part.get("type") == "tool_use" and usable_id(part.get("id")):
                self._call(draft, part["id"])
        self._remember(record, draft)

    def _call(self, draft: Draft, call: str) -> None:
        if call in draft.calls:
            return
        draft.calls[call] = None
        self._caller[call] = draft
        if call in self._waiting:
            draft.results[call] = self._waiting.pop(call)

    def _user(self, record: Record, message: Json) -> None:
        at, timestamp = when(record.data.get("timestamp"))
        content = list(parts(message.get("content")))
        if record.data.get("isCompactSummary"):
            self._summary(record, Draft("user", record.line, at, timestamp, content))
            return
        rest = []
        for part in content:
            if part.get("type") != "tool_result":
                rest.append(part)
                continue
            call = usable_id(part.get("tool_use_id"))
            caller = self._caller.get(call)
            home = caller.results if caller else self._waiting
            if call in home:
                self.orphans.append(record.line)
            else:
                home[call] = Result(part, at, timestamp)
            if caller:
                self._remember(record, caller)
        if any(part.get("type") != "text" or str(part.get("text") or "").strip() for part in rest):
            self._remember(record, self._draft(Draft("user", record.line, at, timestamp, rest), record))

    def _attachment(self, record: Record) -> None:
        text = attachment_text(record.data.get("attachment"))
        if not text:
            return
        at, timestamp = when(record.data.get("timestamp"))
        draft = Draft("user", record.line, at, timestamp, [{"type": "text", "text": text}], attachment=True)
        draft.target = nested_path(record.data.get("attachment"))
        if not self._replied and is_restored(record.data.get("attachment")):
            self.boundaries[-1].restored.append(draft)
        else:
            self._remember(record, self._draft(draft, record))

    def _boundary(self, record: Record) -> None:
        self.boundaries.append(boundary_of(record, len(self.drafts)))
        self._replied = False

    def _clearing(self, record: Record) -> None:
        """A recorded microcompaction; the results it names may be in the file or not."""
        meta = as_dict(record.data.get("microcompactMetadata"))
        ids = meta.get("compactedToolIds")
        named = tuple(call for call in ids if isinstance(call, str)) if isinstance(ids, list) else ()
        self.clearings.append((len(self.drafts), named, whole(meta.get("tokensSaved"))))

    def _summary(self, record: Record, draft: Draft) -> None:
        """The summary behind a boundary; in 1.0 it stands alone and is the boundary."""
        if self._replied or not self.boundaries or self.boundaries[-1].summary:
            self.boundaries.append(Boundary(len(self.drafts), record.line))
            self._replied = False
        self.boundaries[-1].summary.append(draft)


def as_message(value: Any) -> Json:
    """The message of a record, whatever form it has."""
    if isinstance(value, str):
        return {"content": value}
    if not isinstance(value, dict):
        return {}
    if value and all(str(key).isdigit() for key in value):  # a text that was spread into its characters
        return {"content": "".join(str(character) for character in value.values())}
    return value


def usage_of(usage: Any) -> tuple[int, int]:
    """Context and output of a reply; where several iterations are listed, of the last one that is a message."""
    if not isinstance(usage, dict):
        return 0, 0
    listed_ones = usage.get("iterations")
    turns = (
        [each for each in listed_ones if isinstance(each, dict) and each.get("type") == "message"]
        if isinstance(listed_ones, list)
        else []
    )
    context = turns[-1] if len(turns) > 1 else usage  # the top level is their sum
    return sum(whole(context.get(name)) or 0 for name in USAGE_FIELDS), whole(usage.get("output_tokens")) or 0


def when(value: Any) -> tuple[float | None, str | None]:
    """Seconds, and the time as it was written; a time without a zone is taken as UTC, so that no machine matters.

    >>> when("1970-01-01T00:01:00Z"), when("soon")
    ((60.0, '1970-01-01T00:01:00Z'), (None, None))
    """
    if not isinstance(value, str):
        return None, None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None, None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp(), value
