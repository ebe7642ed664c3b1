"""History: the append-only record of what was said. Positions never change and nothing is ever taken out.

Everything that depends on the record alone is worked out here once and kept: which blocks each request sees, when it
was sent, which result repeats an earlier one. So a layer asks and never searches.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .dependents import Replaced, replaced_results
from .message import NESTED, READ_TOOLS, Block, Message, path_of
from .tokens import Counter, Quarter


class Turn(NamedTuple):
    """What one request brings: `blocks[start:stop]`, and the index of the message that answers (or would answer) it."""

    start: int
    stop: int
    answer: int


class Skipped(NamedTuple):
    """A line that could not be used, and why."""

    line: int
    reason: str


class Source(NamedTuple):
    """Where a History comes from, and what was found there."""

    format: str = "messages"
    path: str = ""
    records: int = 0
    skipped: tuple[Skipped, ...] = ()


class Compaction(NamedTuple):
    """One compaction that a recording tells of: where it stood, and what the model had after it.

    `position` is the index of the first message after it. The summary and the restored messages are not part of the
    History of a what-if; `preserved` names messages from before that stayed.
    """

    position: int
    trigger: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    summary: Message | None = None
    restored: tuple[Message, ...] = ()
    preserved: tuple[str, ...] = ()


class Clearing(NamedTuple):
    """One microcompaction that a recording tells of: where it stood, the results it names, and what it says it saved."""

    position: int
    results: tuple[str, ...] = ()
    tokens_saved: int | None = None


@dataclass(frozen=True)
class Branch:
    """A sub-agent beside the main thread: a window of its own, no part of the main one's size.

    `call` is the block of the call that began it ("" where the file does not tell), `tokens` its size by the last
    recorded usage (0: none). `open` reads it as a History of its own.
    """

    name: str
    title: str
    call: str
    replies: int
    tokens: int
    open: Callable[[], History] = field(compare=False, repr=False)


@dataclass(frozen=True)
class History:
    """All messages of one session, oldest first.

    `overhead` holds the blocks in front of the first message that are known (CLAUDE.md, a system prompt); the rest
    comes from `Settings`. `branches` are its sub-agents. `anchored` is the index of the last reply up to which the sizes are the recorded ones (0: they
    are counted). Raises ValueError where two blocks have one id: a View is keyed by it.
    """

    messages: tuple[Message, ...]
    overhead: tuple[Block, ...] = ()
    notices: tuple[str, ...] = ()
    source: Source = Source()
    compactions: tuple[Compaction, ...] = ()
    clearings: tuple[Clearing, ...] = ()
    model: str = ""
    anchored: int = 0
    counter: Counter = field(default_factory=Quarter, compare=False)
    branches: tuple[Branch, ...] = ()

    def __post_init__(self) -> None:
        if len(self.by_id) != len(self.blocks) + len(self.overhead):
            ids = collections.Counter(block.id for block in (*self.overhead, *self.blocks))
            twice = next(name for name, count in ids.items() if count > 1)
            raise ValueError(f"block id {twice!r} stands twice in a History; rename one of them when it is loaded")

    def __repr__(self) -> str:
        return f"History({self.source.format}: {len(self.messages):,} messages, {len(self.turns):,} requests)"

    @cached_property
    def blocks(self) -> list[Block]:
        """Every block of every message, in order."""
        return [block for message in self.messages for block in message.blocks]

    @cached_property
    def by_id(self) -> dict[str, Block]:
        """Every block, the overhead's too, by its id."""
        return {block.id: block for block in (*self.overhead, *self.blocks)}

    @cached_property
    def message_of(self) -> dict[str, Message]:
        """Message by its id."""
        return {message.id: message for message in self.messages}

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """Block id -> (number of its message, number inside it)."""
        return {b.id: (m, n) for m, message in enumerate(self.messages) for n, b in enumerate(message.blocks)}

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Block id -> its place among all blocks."""
        return {block.id: place for place, block in enumerate(self.blocks)}

    @cached_property
    def turns(self) -> list[Turn]:
        """One for each call of the model: a reply, and at the end the call that nobody has answered yet.

        A reply with nothing in front of it has none: what was sent for it is not in the record.
        """
        out: list[Turn] = []
        start = stop = 0
        for number, message in enumerate(self.messages):
            if message.role == "assistant" and stop:
                out.append(Turn(start, stop, number))
                start = stop
            stop += len(message.blocks)
        if start != stop and self.messages[-1].role != "assistant":
            out.append(Turn(start, stop, len(self.messages)))
        return out

    @cached_property
    def clock(self) -> list[float | None]:
        """When each request was sent, in seconds: the newest time among the messages it sees first."""
        out = []
        for start, stop, _ in self.turns:
            times = [b.at for b in self.blocks[start:stop] if b.at is not None and b.role == "user"]
            out.append(max(times) if times else None)
        return out

    @cached_property
    def arrived(self) -> dict[str, int]:
        """Block id -> the request that saw it first."""
        return {b.id: n for n, (start, stop, _) in enumerate(self.turns) for b in self.blocks[start:stop]}

    @cached_property
    def replaced(self) -> dict[str, Replaced]:
        """Result id -> the later result that made it worthless, and whether anything relied on it before."""
        return replaced_results(self.blocks)

    @cached_property
    def replaces(self) -> dict[str, list[str]]:
        """Result id -> the results that it made worthless."""
        out: dict[str, list[str]] = {}
        for old, found in self.replaced.items():
            out.setdefault(found.by, []).append(old)
        return out

    @cached_property
    def reads(self) -> dict[str, list[str]]:
        """File path -> ids of the results in which it was read, oldest first."""
        out: dict[str, list[str]] = {}
        for block in self.blocks:
            if block.kind == "result" and block.tool in READ_TOOLS and not block.error:
                out.setdefault(path_of(block.target), []).append(block.id)
        return out

    @cached_property
    def nested(self) -> dict[str, list[Block]]:
        """Path -> the attachments that are this nested CLAUDE.md, oldest first."""
        out: dict[str, list[Block]] = {}
        for block in self.blocks:
            if block.kind == "attachment" and block.tool == NESTED:
                out.setdefault(block.target, []).append(block)
        return out

    @cached_property
    def largest_usage(self) -> int:
        """The largest recorded context of a reply."""
        return max((message.usage for message in self.messages), default=0)

    @cached_property
    def media(self) -> tuple[str, ...]:
        """The blocks that are, or hold, pictures or documents."""
        return tuple(b.id for b in self.blocks if b.kind == "image" or (b.kind == "result" and b.raw is not None))

    def address(self, block_id: str) -> str:
        """Say where the original of a block is: `history:<message>:<block>`; KeyError for a block that is not here."""
        if block_id in self.places:
            message, number = self.places[block_id]
            return f"history:{message}:{number}"
        if block_id not in self.by_id:
            raise KeyError(f"no block {block_id!r} is in this History")
        return f"history:{block_id}"  # a part of the overhead, by its name

    def read(self, address: str) -> str:
        """Read an original back, byte for byte; raises KeyError for an address that is not in this History."""
        place = address.removeprefix("history:")
        if place in self.by_id:
            return self.by_id[place].text
        message, _, number = place.partition(":")
        try:
            blocks = self.messages[int(message)].blocks
            return blocks[int(number)].text if number else "\n".join(block.text for block in blocks)
        except (ValueError, IndexError):
            raise KeyError(f"{address!r} is not in this History; addresses look like 'history:12:0'") from None

    def as_recorded(self) -> tuple[Message, ...]:
        """What the model had at the end by the recording's own compactions: summary, preserved, restored, newer."""
        if not self.compactions:
            return self.messages
        last = self.compactions[-1]
        kept = tuple(self.message_of[i] for i in last.preserved if i in self.message_of)
        head = (last.summary,) if last.summary else ()
        return (*head, *kept, *last.restored, *self.messages[last.position :])
