"""Tally: how many results of one tool stand in a View, kept along the way so that no layer has to count them."""

from __future__ import annotations

from .message import Block


class Tally:
    """How many results of one tool still stand, and their tokens and characters."""

    __slots__ = ("characters", "count", "tokens")

    def __init__(self) -> None:
        self.count = self.tokens = self.characters = 0

    def add(self, block: Block, sign: int) -> None:
        """Take one result in (`sign` 1) or out (-1)."""
        self.count += sign
        self.tokens += sign * block.tokens
        self.characters += sign * len(block.text)
