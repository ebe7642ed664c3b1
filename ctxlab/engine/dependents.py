"""Dependents: which results a later one has made worthless, and whether anything relied on them before that.

A read is replaced by a later read of the same lines or a write of the file; a command by the same command run again.
It has dependents where in between its file was edited, or a line of it was quoted. All of this is known from the record
alone, so it is worked out once for a History, in one pass. Evidence: ctxlab (our reading of article-2's "pure tool
output without later dependents").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from .message import CHANGE_TOOLS, COMMAND_TOOLS, OVERWRITE_TOOLS, READ_TOOLS, Block, path_of

LEAST_QUOTE = 24  # characters; a shorter line is found everywhere
LONGEST_SCAN = 200_000  # characters of one text that are looked at for quotes


class Replaced(NamedTuple):
    """A result that a later one has replaced, and whether something relied on it before."""

    by: str
    relied_on: bool


def replaced_results(blocks: Sequence[Block]) -> dict[str, Replaced]:
    """Result id -> what replaced it first, for every result of a session that was replaced."""
    out: dict[str, Replaced] = {}
    standing: dict[str, dict[str, tuple[int, Block]]] = defaultdict(dict)  # file or command -> key -> place and result
    changed: dict[str, int] = {}  # file -> place of its newest change
    quotes: list[tuple[int, frozenset[str]]] = []
    for place, block in enumerate(blocks):
        if block.kind == "reply" and (lines := quotable(block.text)):
            quotes.append((place, lines))
        if block.kind != "result" or not block.target:
            continue
        path = path_of(block.target)
        if block.tool in COMMAND_TOOLS:  # one that failed has run as well
            replace_in(out, standing[f"$ {block.target}"], block.tool, place, block, changed, quotes)
        elif block.error:
            continue
        elif block.tool in READ_TOOLS:
            replace_in(out, standing[path], block.target, place, block, changed, quotes)
        elif block.tool in OVERWRITE_TOOLS:
            for key in list(standing[path]):
                replace_in(out, standing[path], key, place, block, changed, quotes)
            standing[path].clear()
        if block.tool in CHANGE_TOOLS:
            changed[path] = place
    return out


def replace_in(
    out: dict[str, Replaced],
    standing: dict[str, tuple[int, Block]],
    key: str,
    place: int,
    new: Block,
    changed: dict[str, int],
    quotes: list[tuple[int, frozenset[str]]],
) -> None:
    """Let a new result stand under a key, and note the one that it replaces."""
    if key in standing:
        before, old = standing[key]
        edited = changed.get(path_of(old.target), -1) > before
        out[old.id] = Replaced(new.id, edited or quoted(old, before, quotes))
    standing[key] = place, new


def quoted(old: Block, since: int, quotes: list[tuple[int, frozenset[str]]]) -> bool:
    """True where a reply behind it repeats a whole line of a result."""
    lines: frozenset[str] | None = None
    for place, said in reversed(quotes):
        if place < since:
            break
        lines = quotable(old.text) if lines is None else lines
        if not said.isdisjoint(lines):
            return True
    return False


def quotable(text: str) -> frozenset[str]:
    """The lines of a text that are long enough to be recognised, without what numbers or fences them.

    >>> sorted(quotable("   12\\tdef settle(self, amount, done):\\nok"))
    ['def settle(self, amount, done):']
    """
    parts = (line.partition("\t") for line in text[:LONGEST_SCAN].splitlines())
    found = (rest if tab and number.strip().isdigit() else f"{number}{tab}{rest}" for number, tab, rest in parts)
    return frozenset(line for each in found if len(line := each.strip(" `>-")) >= LEAST_QUOTE)
