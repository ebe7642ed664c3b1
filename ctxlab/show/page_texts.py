"""Texts of a page: what its inspector shows of each block, covered and capped, because nobody is there to be asked.

Two texts belong to a block: the original, and what the model gets of it from some change on. Equal texts stand once.
"""

from __future__ import annotations

from typing import Any

from ..engine.edit import Replace
from ..engine.replay import Replay
from ..sources.masks import Masks
from .columns import columns_of
from .words import harmless

MOST_CHARACTERS = 4_000  # of one block, where all together have room
LEFT_OUT = -2  # in the place of a text: the model gets nothing of the block
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

    forms, lengths, gone = forms_of(replay, masks)
    return {
        "cap": cap,
        "original": [kept(text) for text in covered],
        "characters": [len(text) for text in whole],
        "form": [LEFT_OUT if left_out else kept(text) for text, left_out in zip(forms, gone, strict=True)],
        "form_characters": lengths,
        "address": [address_of(replay, block_id) for block_id in columns.ids],
        "pool": list(pool),
    }


def forms_of(replay: Replay, masks: Masks) -> tuple[list[str], list[int], list[bool]]:
    """For each change: the text that it put there ("" for none), how long that is, and whether the server leaves it out."""
    columns = columns_of(replay)
    made = {edit.block for edit in replay.log if isinstance(edit, Replace)}
    forms: list[str] = []
    gone: list[bool] = []
    numbers = {id(step): number for number, step in enumerate(columns.steps)}
    for step, view in replay.walk():
        for change in columns.changes.get(numbers[id(step)], ()):
            name = columns.ids[change.block]
            block = view.get(name) if change.kind else None
            forms.append(block.text if block and name in made else "")
            gone.append(block is not None and block.state == "deleted")
    return [masks.derived(text) if text else "" for text in forms], [len(text) for text in forms], gone


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
