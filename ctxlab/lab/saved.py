"""Which results a recording saved to disk, against the limits; judged from the first build that saved any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..engine.groups import Budget
from ..engine.history import History
from ..engine.message import Block
from .recorded import settings_of

SAVED = re.compile(r"\s*<persisted-output>\s*Output too large \((\d{1,9}(?:\.\d{1,6})?) ?([KM]?)B")
UNITS = {"": 1, "K": 1_024, "M": 1_048_576}


class Saved(NamedTuple):
    """One result that was saved, or that the limits would have saved; `characters` as far as the file tells."""

    result: str
    tool: str
    characters: int
    saved: bool
    predicted: bool


def saved_results(history: History) -> Iterator[Saved]:
    """Every result that was saved or that a limit would have saved, from builds that save results."""
    version = ""
    for message in history.messages:
        version = message.version or version
        rule = settings_of(version).budget
        results = [block for block in message.blocks if block.kind == "result"] if rule.enabled else []
        notes = {block.id: saved_size(block) for block in results}
        sizes = {block.id: len(block.text) if (was := notes[block.id]) is None else was for block in results}
        long = over_limits(results, sizes, rule)
        for block in results:
            if block.id in long or notes[block.id] is not None:
                yield Saved(block.id, block.tool, sizes[block.id], notes[block.id] is not None, block.id in long)


def over_limits(results: list[Block], sizes: dict[str, int], rule: Budget) -> set[str]:
    """The results over their own limit, and the largest of the others until one message's are within theirs."""
    limits = {block.id: rule.limit(block.tool) for block in results}
    out = {name for name, limit in limits.items() if limit is not None and sizes[name] > limit}
    left = sum(size for name, size in sizes.items() if name not in out)
    others = [b.id for b in results if b.id not in out and b.tool not in rule.exempt_tools]
    for name in sorted(others, key=lambda name: -sizes[name]):
        if rule.per_message_chars is None or left <= rule.per_message_chars:
            break
        out.add(name)
        left -= sizes[name]
    return out


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
    return int(float(found.group(1)) * UNITS[found.group(2)])
