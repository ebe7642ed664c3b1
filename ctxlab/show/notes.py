"""Notes: what a replay is, what it leaves out of the recording, and where the recording itself says otherwise."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ..engine.history import History
from ..engine.replay import Replay
from ..lab.recorded import build_of, profile_of
from .columns import columns_of
from .languages import Language

NEAR = 0.05  # a size that is as near as this to the recorded one is the same
MOST_PLACES = 3  # that are named


def what_it_is(replay: Replay, tongue: Language) -> str:
    """What a replay is, and so what it cannot know."""
    bench: dict[str, str] = tongue.live.BENCH
    if replay.history.source.format == "story":
        return bench["a_story"]
    return "; ".join([bench["a_what_if"], *of_the_recording(replay, tongue)])


def of_the_recording(replay: Replay, tongue: Language) -> Iterator[str]:
    """Its compactions, the build that wrote it where these are another's rules, and a clearing that it denies."""
    history, bench = replay.history, tongue.live.BENCH
    if places := compacted(replay):
        many = tongue.count("compactions", len(history.compactions))
        yield bench["left_out"].format(many=many, where=", ".join(named_places(replay, places, tongue)))
    build, profile = build_of(history), profile_of(history)
    if build and replay.settings.base in ("v2.0", "v2.1") and replay.settings.base != profile:
        yield bench["other_build"].format(build=build, profile=profile)
    denied = gap_denied(replay)
    if denied is not None:
        yield bench["gap_denied"].format(request=denied + 1)


def compacted(replay: Replay) -> list[int]:
    """The requests in front of which the recording tells of a compaction, which a what-if leaves out."""
    return requests_of(replay.history, [compaction.position for compaction in replay.history.compactions])


def requests_of(history: History, positions: Iterable[int]) -> list[int]:
    """The requests in front of which something stood at these positions among the messages."""
    answers = [turn.answer for turn in history.turns]
    return sorted({at for position in positions if (at := bisect_left(answers, position)) < len(answers)})


def named_places(replay: Replay, places: list[int], tongue: Language) -> Iterator[str]:
    """The first of these requests, from 1, each with the recorded size in front of it where there is one."""
    known = {at: size for at, each in enumerate(replay.exchanges) if (size := each.tokens_recorded)}
    for at in places[:MOST_PLACES]:
        size = next((known[before] for before in range(at - 1, -1, -1) if before in known), 0)
        words = tongue.live.BENCH["at_tokens"] if size else "{request}"
        yield words.format(request=at + 1, tokens=f"{size:,}")
    if len(places) > MOST_PLACES:
        yield "…"


def gap_denied(replay: Replay) -> int | None:
    """The request of the first clearing, where the recorded size shows that nothing was cleared; None for none."""
    steps = columns_of(replay).steps
    first = next((step for step in steps if step.layer == "microcompact" and step.state == "acted"), None)
    recorded = replay.exchanges[first.request].tokens_recorded if first else None
    if not first or not recorded or first.after >= (1 - 2 * NEAR) * first.before:
        return None
    return first.request if abs(recorded - first.before) <= NEAR * first.before else None
