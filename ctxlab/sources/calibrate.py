"""Calibrate: make the sizes of a recording pass through the usage that was recorded.

Usage at a reply is the size of the context it was given; no count is better. Between two replies the context grew by a
known number of tokens: where the blocks count more, they are scaled down to it; where they count less, the rest becomes
a block of kind `unrecorded` (hidden thinking, reminders), so that every layer may treat it like the rest. Growth across
a recorded boundary is unknown, and a fall below half of the count is a drop: both keep their counts.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from ..engine.edit import plural
from ..engine.message import EARLIER, Block, Message

MOST_OVERHEAD = 40_000  # tokens before the first reply; more than that is conversation from before the file …
USUAL_OVERHEAD = 20_000  # … and this much of it is taken as system prompt, tools and memory
DROP_SHARE, DROP_TOKENS = 0.5, 300  # growth this far below the count, and at least so much, is a drop


class Calibrated(NamedTuple):
    """The messages with sizes that fit, the overhead in tokens (None: nothing was recorded), and what was noticed.

    `assumed`: the overhead is the usual one, as the file starts in the middle. `anchored` is the index of the last reply
    in front of the first jump: up to there the sizes are the recorded ones.
    """

    messages: list[Message]
    overhead: int | None
    anchored: int
    assumed: bool
    notices: list[str]


def calibrate(messages: list[Message], boundaries: Collection[int]) -> Calibrated:
    """Fit the tokens of the blocks to the recorded usage; `boundaries` are indexes of the first message behind one."""
    out = list(messages)
    first = next((n for n, message in enumerate(out) if message.usage), None)
    if first is None:
        return Calibrated(out, None, 0, assumed=False, notices=[])
    overhead = fit_start(out, first)
    notices: list[str] = []
    previous: int | None = None
    anchored, jumps = 0, 0
    whole = True
    for number, message in enumerate(messages):
        if number in boundaries and previous is not None:
            add_output(out, previous)
            previous, whole = None, False
        if message.usage:
            if previous is not None and fit_gap(out, previous, number, message.usage - messages[previous].usage):
                jumps += 1
                whole = False
            anchored = number if whole else anchored
            previous = number
    if previous is not None:
        add_output(out, previous)
    assumed = overhead > MOST_OVERHEAD
    if assumed:
        notices.append(f"earlier context not in this file: about {overhead - USUAL_OVERHEAD:,} tokens")
        add_earlier(out, overhead - USUAL_OVERHEAD)
        overhead = USUAL_OVERHEAD
    if jumps:
        notices.append(
            f"{plural(jumps, 'time')} the recorded context shrank without a recorded compaction (something was cleared); "
            "from there on sizes are counts"
        )
    return Calibrated(out, overhead, anchored, assumed, notices)


def fit_start(out: list[Message], first: int) -> int:
    """What stood in front of the first message, by the first reply that tells its context."""
    counted = sum(message.tokens for message in out[:first])
    if out[first].usage < counted:
        scale(out, 0, first, out[first].usage)
        return 0
    return out[first].usage - counted


def add_earlier(out: list[Message], tokens: int) -> None:
    """Put a conversation that the file does not have in front of everything, as one block."""
    head = out[0]
    block = Block(f"{head.id}.earlier", head.role, "unrecorded", "", tokens, head.id, target=EARLIER)
    out[0] = replace(head, blocks=(block, *head.blocks))


def fit_gap(out: list[Message], start: int, stop: int, growth: int) -> bool:
    """Fit what came between two replies to the growth that was recorded; True where it fell too far for that."""
    add_output(out, start)
    counted = sum(message.tokens for message in out[start:stop])
    if growth > counted:
        add_unrecorded(out, stop - 1, growth - counted)
    elif growth < counted:
        if growth < counted - max(DROP_SHARE * counted, DROP_TOKENS):
            return True
        scale(out, start, stop, max(0, growth))
    return False


def add_output(out: list[Message], number: int) -> None:
    """Where the next size is unknown, a reply weighs the larger of its recorded output and its count."""
    message = out[number]
    if message.output > message.tokens:
        add_unrecorded(out, number, message.output - message.tokens)


def add_unrecorded(out: list[Message], number: int, tokens: int) -> None:
    """Append what usage knows beyond the count to a message."""
    message = out[number]
    name, blocks = f"{message.id}.unrecorded", message.blocks
    if blocks[-1].id == name:
        tokens, blocks = tokens + blocks[-1].tokens, blocks[:-1]
    block = Block(name, message.role, "unrecorded", "", tokens, message.id, at=message.at)
    out[number] = replace(message, blocks=(*blocks, block))


def scale(out: list[Message], start: int, stop: int, total: int) -> None:
    """Scale the blocks of some messages so that they sum up to `total` exactly."""
    counted = sum(message.tokens for message in out[start:stop])
    done = given = 0
    for number in range(start, stop):
        blocks = []
        for block in out[number].blocks:
            done += block.tokens
            share = total * done // counted - given if counted else 0
            given += share
            blocks.append(replace(block, tokens=share))
        out[number] = replace(out[number], blocks=tuple(blocks))
