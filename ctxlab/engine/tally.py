"""Standing: the tool results that the model still gets, whole or as a preview, and their totals.

Kept along the way, so that no layer has to count them: in the order of the View, for each tool how many, their tokens
and their characters, and for each file how many reads of it are whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .message import READ_TOOLS, Block, path_of

GONE = ("cleared", "deleted")


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


class Standing:
    """The index of results that still stand, and its totals."""

    def __init__(self, blocks: Iterable[Block] = ()) -> None:
        self.results: dict[str, Block] = {}
        self.by_tool: dict[str, Tally] = {}
        self.whole_reads: Counter[str] = Counter()
        self.recount(blocks)

    def recount(self, blocks: Iterable[Block]) -> None:
        """Make the index anew, where old results came back: its order is that of the View."""
        self.results.clear()
        self.by_tool.clear()
        self.whole_reads.clear()
        for block in blocks:
            if block.kind == "result" and block.state not in GONE:
                self.add(block)

    def add(self, block: Block) -> None:
        """A result that stands."""
        self.results[block.id] = block
        self._total(block, 1)

    def remove(self, block_id: str) -> None:
        """A result that no longer stands, if it did."""
        block = self.results.pop(block_id, None)
        if block is not None:
            self._total(block, -1)

    def change(self, block: Block) -> None:
        """A result in another form; while it stands it keeps its place."""
        old = self.results.get(block.id)
        if block.state in GONE:
            self.remove(block.id)
        elif old is None:
            self.add(block)
        else:
            self._total(old, -1)
            self.results[block.id] = block
            self._total(block, 1)

    def _total(self, block: Block, sign: int) -> None:
        tally = self.by_tool.get(block.tool)
        if tally is None:
            tally = self.by_tool[block.tool] = Tally()
        tally.add(block, sign)
        if block.tool in READ_TOOLS and not block.state and not block.error:
            self.whole_reads[path_of(block.target)] += sign
