"""Which results a recording saved to disk, against the limits; judged from the first build that saved any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..engine.history import History
from ..engine.message import Block
from .recorded import settings_of

SAVED = re.compile(r"\s*<persisted-output>\s*Output too large \(([\d.,]+) ?([KM]?)B")
UNITS = {"": 1, "K": 1_024, "M": 1_048_576}


class Saved(NamedTuple):
    """One result that was saved, or that the limits would have saved; `characters` as far as the file tells."""

    result: str
    tool: str
    characters: int
    saved: bool
    predicted: bool


def saved_results(history: History) -> Iterator[Saved]:
    """Every result that was saved or is over its limit, from builds that save results."""
    version = ""
    for message in history.messages:
        version = message.version or version
        settings = settings_of(version)
        for block in message.blocks if settings.budget.enabled else ():
            if block.kind != "result":
                continue
            was = saved_size(block)
            size = len(block.text) if was is None else was
            limit = settings.budget.limit(block.tool)
            predicted = limit is not None and size > limit
            if predicted or was is not None:
                yield Saved(block.id, block.tool, size, was is not None, predicted)


def saved_size(block: Block) -> int | None:
    """What the note in place of a saved result says its size was, in characters; None for a result that stayed.

    >>> from ctxlab.engine.message import Block
    >>> note = "<persisted-output>\\nOutput too large (35.1KB). Full output saved to: x"
    >>> saved_size(Block("r", "user", "result", note, 9, "m"))
    35942
    """
    found = SAVED.match(block.text)
    if found is None:
        return None
    return int(float(found.group(1).replace(",", "")) * UNITS[found.group(2)])
