"""Audit: a recording held against the simulation. Usage, boundaries and clearings of the recording are the truth.

Four questions, each with its misses named: does the next size follow from the last usage; do the recorded compactions
come where the rule of their build says; are the results saved that should be; which results were cleared. And a fifth:
where did the context shrink although nothing in the file says so?
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..engine.history import Compaction, History
from .clearings import MOST_LOOKED_INTO, Clearing, Drop, Unseen, clearing_of, drops_of, unseen_clearings
from .recorded import Segment, beliefs, segments, settings_of, version_at, window_of
from .saved import Saved, saved_results

LEAST_TOKENS = 20_000  # a reply with a smaller context says more about its first words than about a count
BY_HAND = "asked for by hand: no line to hold it against"


class ReplySize(NamedTuple):
    """The context of one reply: as recorded, and as it follows from the reply before it in the same part."""

    reply: int
    recorded: int
    predicted: int

    @property
    def error(self) -> float:
        """How far off, as a share of what was recorded; below 0 where the context fell."""
        return (self.recorded - self.predicted) / self.recorded


class Compacted(NamedTuple):
    """One recorded compaction: how many requests of its part came before it, and before the one where the line was reached.

    `believed` is the harness's estimate at that request by the simulation, `recorded` what the file says; `why_not` says
    why it is not predicted.
    """

    position: int
    trigger: str
    recorded: int | None
    believed: int | None
    line: int
    requests: int
    predicted: int | None
    why_not: str = ""

    @property
    def hit(self) -> bool:
        """Within one request."""
        return self.predicted is not None and abs(self.predicted - self.requests) <= 1


class SizeNow(NamedTuple):
    """What the context holds at the end of the file, and what that rests on."""

    tokens: int
    rests_on: str


@dataclass(frozen=True)
class Audit:
    """One recording against the simulation; `size_now` is what a meter should show at its end.

    `unseen` names acts that a rule of its build would have taken and of which the recording shows nothing. The History
    itself is not kept, so that a whole folder can be audited.
    """

    path: str
    model: str
    size_now: SizeNow
    form: str = ""
    sizes: tuple[ReplySize, ...] = ()
    drops: tuple[Drop, ...] = ()
    compactions: tuple[Compacted, ...] = ()
    clearings: tuple[Clearing, ...] = ()
    saved: tuple[Saved, ...] = ()
    unseen: tuple[Unseen, ...] = ()

    @property
    def automatic(self) -> list[Compacted]:
        """The compactions that nobody asked for."""
        return [each for each in self.compactions if each.trigger == "auto"]

    @property
    def steady(self) -> list[ReplySize]:
        """The sizes without the drops, which are told apart."""
        dropped = {drop.reply for drop in self.drops}
        return [size for size in self.sizes if size.reply not in dropped]

    def __repr__(self) -> str:
        name = self.path.rpartition("/")[2]
        return f"Audit({name!r}: {len(self.sizes)} sizes, {len(self.compactions)} compactions, {len(self.drops)} drops)"


def audit_history(history: History) -> Audit:
    """Hold one recording against the simulation; where it tells of nothing that can be held, nothing is found."""
    sizes: list[ReplySize] = []
    drops: list[Drop] = []
    compactions: list[Compacted] = []
    unseen: list[Unseen] = []
    for part in segments(history):
        found = list(reply_sizes(history, part))
        fell = drops_of(history, part, [(size.reply, size.predicted) for size in found])
        sizes, drops = [*sizes, *found], [*drops, *fell]
        unseen += unseen_clearings(history, part, {drop.reply for drop in fell})
        if part.ended_by is not None:
            compactions.append(compacted(history, part, part.ended_by))
        else:
            unseen += unseen_compaction(history, part)
    return Audit(
        history.source.path,
        history.model,
        size_now(history),
        history.source.format,
        tuple(sizes),
        tuple(drops),
        tuple(compactions),
        tuple(clearing_of(history, each) for each in history.clearings[:MOST_LOOKED_INTO]),
        tuple(saved_results(history)),
        tuple(unseen),
    )


def reply_sizes(history: History, part: Segment) -> Iterator[ReplySize]:
    """Every reply of a part with enough context and a reply with usage before it: that usage, its output, what came since."""
    previous: int | None = None
    messages = history.messages
    for number in range(part.start, part.stop):
        message = messages[number]
        if not message.usage:
            continue
        if previous is not None and message.usage > LEAST_TOKENS:
            last = messages[previous]
            added = sum(each.counted for each in messages[previous + 1 : number])
            yield ReplySize(number, message.usage, last.usage + max(last.output, last.counted) + added)
        previous = number


def compacted(history: History, part: Segment, recorded: Compaction) -> Compacted:
    """Where the line was reached in a part, beside where the recording compacted."""
    settings = settings_of(version_at(history, part.stop), window_of(history))
    line = settings.thresholds.autocompact
    sizes = [size for _, size in beliefs(history, part, settings)]
    predicted = next((number for number, size in enumerate(sizes) if size is not None and size >= line), None)
    trigger, before = recorded.trigger or "not named", recorded.tokens_before
    words = BY_HAND if trigger == "manual" else why_not(before, sizes[-1], predicted)
    return Compacted(recorded.position, trigger, before, sizes[-1], line, len(sizes) - 1, predicted, words)


def unseen_compaction(history: History, part: Segment) -> list[Unseen]:
    """The line was reached in a part that no compaction ended."""
    settings = settings_of(version_at(history, part.stop), window_of(history))
    line = settings.thresholds.autocompact
    reached = [at for at, size in beliefs(history, part, settings) if size is not None and size >= line]
    return [Unseen("autocompact", reached[0], f"the line of {line:,} was reached")] if reached else []


def why_not(recorded: int | None, at_end: int | None, predicted: int | None) -> str:
    """Why a compaction is not predicted, as far as the file tells."""
    if predicted is not None:
        return ""
    if at_end is None:
        return "no reply with usage is in front of it"
    if recorded is not None and abs(recorded - at_end) > 0.1 * recorded:
        return f"its own usage says {at_end:,}: not from one session"
    return "it came below the line of this window: another window or a lowered line"


def size_now(history: History) -> SizeNow:
    """The size at the end; a usage from before the last boundary is no base for it."""
    last = list(segments(history))[-1]
    at = next((n for n in range(last.stop - 1, last.start - 1, -1) if history.messages[n].usage), None)
    if at is not None:
        reply = history.messages[at]
        added = sum(each.counted for each in history.messages[at + 1 :])
        rests_on = "recorded usage" if not added else "recorded usage and a count"
        return SizeNow(reply.usage + max(reply.output, reply.counted) + added, rests_on)
    if last.before and last.before.tokens_after is not None:
        added = sum(each.counted for each in history.messages[last.start :])
        return SizeNow(
            last.before.tokens_after + added, "recorded after the compaction (estimate until the next reply)"
        )
    part = last.history(history)
    return SizeNow(
        sum(block.tokens for block in (*part.overhead, *part.blocks)), "counted (estimate until the next reply)"
    )
