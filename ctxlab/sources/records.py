"""Records: the JSON objects of a session file, with every line that could not be used and why. Damage stops nothing.

Lines end at the byte `\\n` and nowhere else: U+2028, U+0085 and form feeds may stand inside a text. A BOM, `\\r`, NUL
bytes and empty lines are passed over; two objects on one line are two records; behind a record that was cut off the
next one is looked for on the same line.

A file is read line by line, and of a record only what a reader looks at is kept: most bytes of a session file are the
harness's own copies (`toolUseResult`, snapshots, progress), which the model never saw.
"""

from __future__ import annotations

import json
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import SEEK_END
from typing import Any, BinaryIO, NamedTuple

from ..engine.edit import plural
from ..engine.history import Skipped
from ..engine.pipeline import TELL_EVERY, Progress
from .build import MOST_NESTING, nested_too_deeply, scrub

BOM = b"\xef\xbb\xbf"
ENVELOPE = ("uuid", "parentUuid", "sessionId", "session_id", "timestamp")  # what a record has and a block has not
MOST_TRIED = 2_000_000  # characters that are read again behind damage on one line
DECODER = json.JSONDecoder(strict=False)  # a form feed inside a text is no damage
IGNORED = ("sessionId", "session_id", "forkedFrom", "version")  # a copied record differs in these
MOST_LINE = 64 << 20  # bytes; one picture is a tenth of it
SPEAKING = ("user", "assistant", "system", "attachment")
OTHER_KINDS = ("message", "session", "compaction", "branch_summary", "custom_message", "model_change")
CHAIN = ("type", "uuid", "parentUuid", "isSidechain", "sessionId", "session_id", "forkedFrom")
SPOKEN = (
    "subtype",
    "timestamp",
    "version",
    "isMeta",
    "isCompactSummary",
    "isApiErrorMessage",
    "agentId",
    "message",
    "attachment",
    "compactMetadata",
    "microcompactMetadata",
)


class Record(NamedTuple):
    """One JSON object, and the number of its line, from 1."""

    line: int
    data: dict[str, Any]


@dataclass
class Reading:
    """What was read of a session: each record once, what could not be used, and how many of which kind there were.

    A record that stands there again is dropped while it is read, and of bookkeeping without a place in the chain only
    the number is kept: a resumed session is mostly copies, and a long one mostly bookkeeping.
    """

    records: list[Record] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    kinds: Tally[str] = field(default_factory=Tally)
    copies: int = 0
    clashes: list[int] = field(default_factory=list)
    first: dict[str, dict[str, Any]] = field(default_factory=dict)  # uuid -> the record that had it first

    @classmethod
    def of(cls, records: Iterable[Record]) -> Reading:
        """Records that are in memory already."""
        out = cls()
        for record in records:
            out.take(record)
        return out

    @property
    def count(self) -> int:
        """How many records there were, copies too."""
        return sum(self.kinds.values())

    def take(self, record: Record) -> None:
        """Keep a record, unless it is a copy or nothing will ever ask for it."""
        kind, uuid, fork = (record.data.get(name) for name in ("type", "uuid", "forkedFrom"))
        self.kinds[str(kind)] += 1
        origin = fork.get("messageUuid") if isinstance(fork, dict) else None
        if isinstance(uuid, str):
            known = self.first.get(uuid)
            if (isinstance(origin, str) and origin in self.first) or (known and essence(known) == essence(record.data)):
                self.copies += 1
                return
            if known:
                self.clashes.append(record.line)
            self.first.setdefault(uuid, record.data)
        elif isinstance(kind, str) and kind not in (*SPEAKING, *OTHER_KINDS) and "parentId" not in record.data:
            return
        self.records.append(record)

    def notices(self) -> list[str]:
        """What is worth telling of copies; of one uuid with two contents both records are kept."""
        out = [f"{plural(self.copies, 'record')} written twice, counted once"] if self.copies else []
        if self.clashes:
            line = "line" if len(self.clashes) == 1 else "lines"
            both = "a uuid that was used before, with another content; both are kept"
            out.append(f"{line} {listed(self.clashes)}: {both}")
        return out


def read_records(file: BinaryIO, progress: Progress | None = None) -> Reading:
    """All records of a file in order, and the lines or parts of lines that are none; tells which share was read."""
    out = Reading()
    size = file.seek(0, SEEK_END)
    file.seek(0)
    for number, raw in enumerate(lines(file), 1):
        if progress and number % TELL_EVERY == 0:
            progress(file.tell() / size)
        if raw is None:
            out.skipped.append(Skipped(number, f"longer than {MOST_LINE >> 20} MB; nothing of it was read"))
            continue
        for value in objects_in(raw):
            if isinstance(value, dict):
                out.take(Record(number, slim(value)))
            elif isinstance(value, Damage):
                out.skipped.append(Skipped(number, str(value)))
            else:
                out.skipped.append(Skipped(number, f"not an object but {type(value).__name__}"))
    return out


def lines(file: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a file without its BOM; None for one that is longer than `MOST_LINE`, whose rest is passed over."""
    raw = file.readline(MOST_LINE).removeprefix(BOM)
    while raw:
        whole = raw.endswith(b"\n") or len(raw) < MOST_LINE - len(BOM)
        yield raw if whole else None
        while not whole:
            rest = file.readline(MOST_LINE)
            whole = not rest or rest.endswith(b"\n")
        raw = file.readline(MOST_LINE)


def slim(data: dict[str, Any]) -> dict[str, Any]:
    """A record without what no reader looks at; of the harness's copy of a result only the sub-agent that it names.

    >>> slim({"type": "user", "message": "hi", "toolUseResult": {"stdout": "much", "agentId": "a1"}, "cwd": "/"})
    {'type': 'user', 'message': 'hi', 'agentId': 'a1'}
    >>> slim({"type": "progress", "uuid": "p", "data": {}}), slim({"type": "message", "any": 1})
    ({'type': 'progress', 'uuid': 'p'}, {'type': 'message', 'any': 1})
    """
    kind = data.get("type")
    if not isinstance(kind, str) or kind in OTHER_KINDS or "parentId" in data:  # the tree of another agent
        return data
    keys = (*CHAIN, *SPOKEN) if kind in SPEAKING else CHAIN
    out = {key: data[key] for key in keys if key in data}
    own = data.get("toolUseResult")
    if isinstance(own, dict) and "agentId" in own:
        out["agentId"] = own["agentId"]
    return out


class Damage(str):
    """Words for what is wrong in a line."""

    __slots__ = ()


def objects_in(raw: bytes) -> Iterator[Any]:
    """Every JSON value on a line as it stands in a file; nothing for an empty one."""
    text = raw.strip(b"\r\0 \t\n").decode("utf-8", "replace")
    return objects(text) if text else iter(())


def objects(text: str) -> Iterator[Any]:
    """Every JSON value on one line, and a Damage for what is none."""
    at = 0
    while at < len(text):
        try:
            start = at
            value, at = DECODER.raw_decode(text, start)
            if (text.count("[", start, at) + text.count("{", start, at)) > MOST_NESTING and nested_too_deeply(value):
                yield Damage(f"nested more than {MOST_NESTING} deep")
            else:
                yield scrub(value) if "\\u" in text else value
        except (ValueError, RecursionError) as error:
            message = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply or a number too long"
            yield Damage(f"{message.removesuffix(' at')} at character {at + 1}")
            at = next_object(text, at + 1)
        while at < len(text) and text[at] in " \t\0\r":
            at += 1


def next_object(text: str, at: int) -> int:
    """Where a whole record begins again (not a block of the torn one), or the end of the line."""
    tried = 0
    while tried < MOST_TRIED:
        at = text.find('{"', at)
        if at < 0:
            break
        try:
            value, end = DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            value, end = None, error.pos
        except RecursionError:
            value, end = None, len(text)
        if isinstance(value, dict) and "type" in value and any(key in value for key in ENVELOPE):
            return at
        tried += 1_000 + max(0, end - at)
        at += 1
    return len(text)


def essence(data: dict[str, Any]) -> dict[str, Any]:
    """A record without what changes when it is copied into another session."""
    return {key: value for key, value in data.items() if key not in IGNORED}


def listed(lines: list[int]) -> str:
    """A few numbers in words.

    >>> listed([1, 2, 3, 4, 5, 6, 7])
    '1, 2, 3, 4, 5 and 2 more'
    """
    more = f" and {len(lines) - 5} more" if len(lines) > 5 else ""
    return ", ".join(map(str, lines[:5])) + more
