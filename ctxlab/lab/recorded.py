"""As recorded: a session cut at its own compactions, and what the model had in each part.

The opposite of a what-if: usage, boundaries and clearings of the recording are the truth here. The build that wrote a
recording decides which rules are held against it; the three changed in three different versions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..engine.edit import Replace
from ..engine.history import Compaction, History
from ..engine.message import Message
from ..engine.replay import view_before
from ..engine.settings import Settings
from ..engine.summary import CLEARED
from ..engine.view import View

MIN_RULE_FROM = (2, 1, 21)  # changelog: no longer compacts too early where the output limit is large
GAP_FROM = (2, 1, 23)  # recorded microcompactions by weight end with 2.1.22
SAVED_FROM = (2, 1, 2)  # changelog: long results are saved instead of cut
NEWEST = (9, 9, 9)
USUAL_WINDOW, BIG_WINDOW = 200_000, 1_000_000
NEAR = 200  # messages


class Segment(NamedTuple):
    """What lies between two recorded compactions: messages `start` to `stop`, and the compaction that ended it."""

    start: int
    stop: int
    before: Compaction | None
    ended_by: Compaction | None

    def history(self, whole: History) -> History:
        """This part alone, with the summary and what was restored in front, as the model had it."""
        return History(
            (*given(whole, self.before), *whole.messages[self.start : self.stop]),
            whole.overhead,
            source=whole.source,
            model=whole.model,
            counter=whole.counter,
        )


def given(whole: History, before: Compaction | None) -> tuple[Message, ...]:
    """What a recorded compaction left the model: its summary, the messages it preserved, what was read again."""
    if before is None:
        return ()
    kept = tuple(whole.message_of[name] for name in before.preserved if name in whole.message_of)
    return (*((before.summary,) if before.summary else ()), *kept, *before.restored)


def segments(history: History) -> Iterator[Segment]:
    """The parts of a recording, oldest first; one more than it has compactions."""
    start = 0
    before: Compaction | None = None
    for each in history.compactions:
        yield Segment(start, each.position, before, each)
        start, before = each.position, each
    yield Segment(start, len(history.messages), before, None)


def version_of(text: str) -> tuple[int, ...]:
    """A version as numbers; an unknown one counts as the newest.

    >>> version_of("2.1.7"), version_of("")
    ((2, 1, 7), (9, 9, 9))
    """
    numbers = tuple(int(part) for part in re.findall(r"\d+", text)[:3] if len(part) < 6)
    return numbers if len(numbers) == 3 else NEWEST


def settings_of(version: str, context_window: int = USUAL_WINDOW) -> Settings:
    """The rules of the build that wrote a recording.

    >>> settings_of("2.1.7").thresholds.autocompact, settings_of("2.1.37").thresholds.autocompact
    (155000, 167000)
    """
    number = version_of(version)
    return Settings.profile("v2.1").replace(
        {
            "window.context_window": context_window,
            "window.reserve_rule": "min" if number >= MIN_RULE_FROM else "max",
            "microcompact.strategy": ("gap",) if number >= GAP_FROM else ("pressure",),
            "budget.enabled": number >= SAVED_FROM,
        }
    )


def build_of(history: History) -> str:
    """The build that wrote the newest reply of a recording, or "" where none says so."""
    return next((message.version for message in reversed(history.messages) if message.version), "")


def profile_of(history: History) -> str:
    """The profile with the rules of the build that wrote a recording; the newest where it does not say.

    >>> from ..sources.story import story
    >>> profile_of(story())
    'v2.1'
    """
    return "v2.1" if version_of(build_of(history)) >= MIN_RULE_FROM else "v2.0"


def version_at(history: History, position: int) -> str:
    """The build that wrote the last reply in front of a message, where one near it says so."""
    near = range(min(position, len(history.messages)) - 1, max(-1, position - NEAR), -1)
    return next((history.messages[place].version for place in near if history.messages[place].version), "")


def window_of(history: History) -> int:
    """200,000, unless a reply had more than that or the model's name says so."""
    return BIG_WINDOW if history.largest_usage > USUAL_WINDOW or "[1m]" in history.model else USUAL_WINDOW


def beliefs(history: History, part: Segment, settings: Settings) -> Iterator[tuple[int, int | None]]:
    """What the harness believes before each reply of a part, and at its end; None before the first usage.

    It is the usage and output of the last reply that has one (the larger of recorded and counted), and characters / 4 of
    what came since.
    """
    base: int | None = None
    for number in range(part.start, part.stop):
        message = history.messages[number]
        if message.role == "assistant":
            yield number, base
        if message.usage:
            base = message.usage + max(message.output, message.counted)
        elif base is not None:
            base += sum(settings.autocompact.harness_tokens(b) for b in message.blocks if b.kind != "unrecorded")
    yield part.stop, base


def view_as_recorded(part: History, request: int, settings: Settings, cleared: Collection[str]) -> View:
    """The View of a part at a request, without the results that the recording says were cleared before."""
    tokens = part.counter(CLEARED)
    before = part.blocks[: part.turns[request].start]
    edits = tuple(
        Replace(
            "microcompact",
            -1,
            "recorded",
            b.tokens,
            tokens,
            b.id,
            b.shown("cleared", tokens, CLEARED),
            part.address(b.id),
        )
        for b in before
        if b.id in cleared
    )
    return view_before(part, settings, request, edits)
