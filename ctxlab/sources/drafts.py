"""Drafts: a message, a result and a recorded compaction in the making, before anything of them is counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .build import Json
from .records import Record

MOST_TOKENS = 1_000_000_000


class Result(NamedTuple):
    """A tool result, and when it came."""

    part: Json
    at: float | None
    timestamp: str | None


@dataclass
class Draft:
    """A message in the making. A reply has its calls in order, and collects their results."""

    role: str
    line: int
    at: float | None
    timestamp: str | None
    content: list[Any] = field(default_factory=list)
    attachment: bool = False
    model: str = ""
    usage: int = 0
    output: int = 0
    calls: dict[str, None] = field(default_factory=dict)  # in order
    results: dict[str, Result] = field(default_factory=dict)
    number: int = 0
    seen: set[bytes] = field(default_factory=set)
    version: str = ""
    stop: str = ""
    target: str = ""


@dataclass
class Boundary:
    """A recorded compaction: behind how many drafts it stands, and what the model had after it."""

    position: int
    line: int
    trigger: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    named: list[str] = field(default_factory=list)
    segment: tuple[str, str] | None = None
    summary: list[Draft] = field(default_factory=list)
    restored: list[Draft] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def boundary_of(record: Record, position: int) -> Boundary:
    """What a `compact_boundary` record tells, standing behind so many drafts."""
    meta = as_dict(record.data.get("compactMetadata"))
    boundary = Boundary(position, record.line, str(meta.get("trigger") or ""))
    boundary.tokens_before, boundary.tokens_after = whole(meta.get("preTokens")), whole(meta.get("postTokens"))
    uuids = as_dict(meta.get("preservedMessages")).get("uuids")
    boundary.named = [uuid for uuid in uuids if isinstance(uuid, str)] if isinstance(uuids, list) else []
    segment = as_dict(meta.get("preservedSegment"))
    head, tail = segment.get("headUuid"), segment.get("tailUuid")
    boundary.segment = (head, tail) if isinstance(head, str) and isinstance(tail, str) else None
    return boundary


def as_dict(value: Any) -> dict[str, Any]:
    """An object as it is, everything else as an empty one."""
    return value if isinstance(value, dict) else {}


def whole(value: Any) -> int | None:
    """A number of tokens, or None; no context is larger than MOST_TOKENS."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS else None
