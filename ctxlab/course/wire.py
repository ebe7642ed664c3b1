"""Wire: what a step changed in the Request that is sent, message by message and byte by byte."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from ..engine.replay import Replay
from ..engine.request import make_request
from ..engine.settings import suggest
from ..show.table import Table


def on_the_wire(replay: Replay, *places: tuple[int, str]) -> Table:
    """For each place (request, from 0, and layer): the Request right before that layer beside the one after it."""
    columns = (
        "request",
        "layer",
        "messages after",
        "changed or gone",
        "same characters from the start",
        "beside the messages",
    )
    return Table(columns, [compared(replay, request, layer) for request, layer in places])


def compared(replay: Replay, request: int, layer: str) -> tuple[str, ...]:
    """One row: how many messages there are, how many of the earlier ones are gone or differ, and what is asked of the server besides."""
    step = replay.step(request, layer)
    names = [each.layer for each in replay.exchanges[request].steps]
    if step.layer == names[0]:
        raise ValueError(f"before {names[0]!r} nothing was there to compare with; {suggest(layer, names[1:])}")
    before, after = (
        make_request(replay.at(request, name).view, replay.settings).body
        for name in (names[names.index(layer) - 1], layer)
    )
    old, new = (json.dumps(body["messages"], ensure_ascii=False) for body in (before, after))
    texts = [[json.dumps(message) for message in body["messages"]] for body in (before, after)]
    differ = (Counter(texts[0]) - Counter(texts[1])).total()
    extra = [f"{key}: {count(value)}" for key, value in after.items() if key not in ("messages", "system", "tools")]
    total = len(old)
    return (
        f"{step.request + 1}",
        layer,
        f"{len(after['messages'])}",
        f"{differ}",
        f"{shared(old, new):,} of {total:,}",
        ", ".join(extra) or "nothing",
    )


def shared(old: str, new: str) -> int:
    """How many characters two texts have in common from the start on.

    >>> shared("abcd", "abx")
    2
    """
    return next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )


def count(value: Any) -> str:
    """What is asked of the server, in words."""
    if isinstance(value, list):
        return f"{sum(len(each['edits']) for each in value)} deletions"
    return "a rule"
