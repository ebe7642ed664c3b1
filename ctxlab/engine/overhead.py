"""Overhead: what is sent before the first message. It is not part of the conversation, and yet it fills the window."""

from __future__ import annotations

from .history import History
from .message import Block
from .settings import Settings


def overhead_of(history: History, settings: Settings) -> tuple[Block, ...]:
    """What is sent before the first message: what the History knows of it, else the parts from the Settings."""
    if any(block.kind in ("system", "tools") for block in history.overhead):
        return history.overhead
    parts = settings.overhead.parts()
    blocks = [Block(kind, "system", kind, "", tokens, "overhead") for kind, tokens in parts if tokens]
    return (*blocks, *history.overhead)
