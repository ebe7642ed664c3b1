"""Answers: what the kernel tells a bench of one block, page by page, as it was and as the model gets it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..engine.replay import Replay
from .columns import columns_of
from .picture import fold, thread
from .words import harmless, one_line

PAGE_CHARACTERS = 4_000
Heard = Mapping[str, Any]


def block_answer(replay: Replay, asked: Heard) -> dict[str, Any]:
    """One page of a block's text, and the beginning of what the model gets of it, or of what stands for it, at a step."""
    columns = columns_of(replay)
    number, step = int(asked["block"]), columns.steps[int(asked["step"])]
    forms, order = fold(columns, int(asked["step"]))
    seen = replay.at(step.request, step.layer).view.get(columns.ids[thread(number, forms, set(order))[-1]])
    if seen and seen.state == "deleted":  # sent unchanged, and left out by the server
        seen = None
    original, addresses = replay.original(columns.ids[number])
    answer: dict[str, Any] = {
        "original": page_of(original, asked),
        "seen": page_of(seen.text, {}) if seen else None,
        "seen_characters": len(seen.text) if seen else 0,
        "page_characters": PAGE_CHARACTERS,
        "pages": max(1, -(-len(original) // PAGE_CHARACTERS)),
        "characters": len(original),
        "addresses": [one_line(address, 200) for address in addresses],
        "asked": dict(asked),
    }
    if asked.get("back"):
        back = replay.read(addresses[-1])
        answer["back"] = {"same": back == original, "bytes": len(back.encode("utf-8", "surrogatepass"))}
    return answer


def page_of(text: str, asked: Heard) -> str:
    """One page of a text, made harmless."""
    start = int(asked.get("page", 0)) * PAGE_CHARACTERS
    return harmless(text[start : start + PAGE_CHARACTERS])
