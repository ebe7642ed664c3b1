"""Texts of a page: what its inspector shows of each block, covered and capped, because nobody is there to be asked.

Two texts belong to a block: the original, and what the model gets of it from some change on. Equal texts stand once.
"""

from __future__ import annotations

from typing import Any

from ..engine.edit import Replace
from ..engine.replay import Replay
from .columns import columns_of
from .masks import Masks
from .words import harmless

MOST_CHARACTERS = 4_000  # of one block, where all together have room
MOST_TOGETHER = 24_000_000


def texts_of(replay: Replay, masks: Masks) -> dict[str, Any]:
    """The pool of texts, and which of them each block and each change has; `masks` is told what was covered."""
    columns = columns_of(replay)
    whole = [replay.original(block_id)[0] for block_id in columns.ids]
    put_in = set(columns.put_in)
    covered = ["" if block in put_in else masks.original(text) for block, text in enumerate(whole)]
    for block in put_in:  # when every secret is known
        covered[block] = masks.derived(whole[block])
    cap = cap_of([len(text) for text in whole])
    pool: dict[str, int] = {}

    def kept(text: str) -> int:
        return pool.setdefault(harmless(text[:cap]), len(pool)) if text else -1

    forms, lengths = forms_of(replay, masks)
    return {
        "cap": cap,
        "original": [kept(text) for text in covered],
        "characters": [len(text) for text in whole],
        "form": [kept(text) for text in forms],
        "form_characters": lengths,
        "address": [address_of(replay, block_id) for block_id in columns.ids],
        "pool": list(pool),
    }


def forms_of(replay: Replay, masks: Masks) -> tuple[list[str], list[int]]:
    """For each change that replaced a block's text the new one ("" for every other change), and its length."""
    columns = columns_of(replay)
    made = {edit.block for edit in replay.log if isinstance(edit, Replace)}
    forms: list[str] = []
    numbers = {id(step): number for number, step in enumerate(columns.steps)}
    for step, view in replay.walk():
        for change in columns.changes.get(numbers[id(step)], ()):
            name = columns.ids[change.block]
            block = view.get(name) if change.kind and name in made else None
            forms.append(block.text if block else "")
    return [masks.derived(text) if text else "" for text in forms], [len(text) for text in forms]


def address_of(replay: Replay, block_id: str) -> str:
    """Where the original is in the session, or in the log of the run."""
    try:
        return replay.address(block_id)
    except KeyError:
        return ""  # a part of the overhead that only the Settings know


def cap_of(lengths: list[int]) -> int:
    """How many characters of each text travel: fewer where all together would be too many.

    >>> cap_of([10_000] * 100), cap_of([10_000] * 20_000)
    (4000, 1000)
    """
    cap = MOST_CHARACTERS
    while cap > 100 and sum(min(cap, length) for length in lengths) > MOST_TOGETHER:
        cap //= 2
    return cap
