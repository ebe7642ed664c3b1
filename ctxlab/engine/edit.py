"""Edits: the closed list of what a layer can say about the window. Frozen; the log of them is the only state there is.

`why` names the rule in words, `before` and `after` are tokens of what the Edit touches. A View is the History seen
through the Edits so far, so an Edit must say everything that is needed to apply it again in any later request.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from .message import Block


@dataclass(frozen=True, slots=True)
class Replace:
    """Show one block in another form; it keeps its id and its place, `original` is the address of the whole text."""

    layer: str
    request: int
    why: str
    before: int
    after: int
    block: str
    by: Block
    original: str


@dataclass(frozen=True, slots=True)
class Cover:
    """Hide blocks; show `put` where the first of them stood, and `append` at the end.

    Snip appends its boundary and notice, collapse puts a digest, a compaction puts boundary and summary and appends
    the files it read again.
    """

    layer: str
    request: int
    why: str
    before: int
    after: int
    id: str
    blocks: tuple[str, ...]
    put: tuple[Block, ...] = ()
    append: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Delete:
    """Ask the server to leave results out; the text that is sent stays byte-identical. `each` is what stays of one."""

    layer: str
    request: int
    why: str
    before: int
    after: int
    blocks: tuple[str, ...]
    via: Literal["cache_edits", "context_management"]
    each: int = 0


@dataclass(frozen=True, slots=True)
class Expand:
    """Take one Cover back."""

    layer: str
    request: int
    why: str
    before: int
    after: int
    cover: str


@dataclass(frozen=True, slots=True)
class Note:
    """Change nothing, and remember: a mark, a failure, digests made ready, a level with nothing left, notes, a lapsed cache."""

    layer: str
    request: int
    why: str
    kind: Literal["mark", "failed", "no_gain", "stage", "exhausted", "notes", "lapse", "retry"]
    data: Any = None
    before: int = 0
    after: int = 0


Edit = Replace | Cover | Delete | Expand | Note


class Notes(NamedTuple):
    """Session notes: the text and its tokens, the last block it speaks of, and what had come in by then."""

    text: str
    weight: int
    upto: str
    tokens: int
    calls: int


class Staged(NamedTuple):
    """Digests that were made ready, what had come in by then, and whether they free enough."""

    drafts: tuple[Cover, ...]
    tokens: int
    enough: bool


class Outcome(NamedTuple):
    """What a layer answers: the reason, always in words and numbers, its Edits, and whether it tried and could not."""

    reason: str
    edits: tuple[Edit, ...] = ()
    failed: bool = False


def changes(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The Edits that change what the model gets: all but Notes."""
    return tuple(edit for edit in edits if type(edit) is not Note)


def failure(layer: str, request: int, why: str, data: Any = None) -> Outcome:
    """The answer of a layer that tried and could not: nothing changes, and the log remembers it."""
    return Outcome(why, (Note(layer, request, why, "failed", data),), failed=True)


def plural(count: int, noun: str, many: str = "") -> str:
    """A count with its noun.

    >>> plural(1, "file"), plural(3, "file")
    ('1 file', '3 files')
    """
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
