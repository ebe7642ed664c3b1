"""Columns: a Replay as numbers, once for all its steps, so that any step can be drawn without the engine.

Blocks are numbered: first what is sent before the conversation, then everything that the user can scroll back to, in
the order in which it came, then the digests, which only the model gets. Steps are numbered too. What came in needs no
words: it stands at the end of the View, whole. Everything else that ever happens to a block is a `Change`.

Both drawings read these columns: the pictures made in Python, and the live bench in the browser.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ..engine.edit import Cover, Delete, Edit, Expand, Note, Replace
from ..engine.history import Turn
from ..engine.message import Block
from ..engine.overhead import overhead_of
from ..engine.pipeline import Step
from ..engine.replay import Replay, said_by
from ..sources.masks import masked
from .palette import LOOKS, look_key
from .words import one_line

STAYS, END = -2, -1


class Change(NamedTuple):
    """What one step does to one block.

    `kind` and `tokens` are those of the form that the model gets from now on ("" for none), `verb` is the layer that did
    it ("" where the block is whole again), `into` the block that stands for it (-1 for none). `before` says where the
    block goes: it stays, or goes to the end, or directly in front of that block.
    """

    block: int
    kind: str
    tokens: int
    verb: str
    into: int
    before: int = STAYS


class Form(NamedTuple):
    """How the model gets a block, and why so."""

    kind: str
    tokens: int
    verb: str
    into: int


@dataclass
class Columns:
    """All blocks, requests and steps of a Replay. `stops[step]` is the number of blocks that had come in by then."""

    ids: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    put_in: list[int] = field(default_factory=list)  # blocks that an Edit made
    overhead: int = 0
    steps: list[Step] = field(default_factory=list)
    stops: list[int] = field(default_factory=list)
    changes: dict[int, tuple[Change, ...]] = field(default_factory=dict)
    first: list[int] = field(default_factory=list)  # request -> its first step
    idle_minutes: list[float] = field(default_factory=list)  # request -> time since the last reply
    asked: list[bool] = field(default_factory=list)  # request -> whether the user spoke
    mixed_from: int = 0  # the first step whose size is no longer the recorded one

    @property
    def scrolled(self) -> int:
        """The number of the first block that the user does not see: the digests begin here."""
        return max(self.stops, default=self.overhead)

    def came(self, step: int) -> range:
        """The blocks that came in at a step, or were put in for the user to see."""
        return range(self.stops[step - 1] if step else self.overhead, self.stops[step])


def columns_of(replay: Replay) -> Columns:
    """The columns of a Replay; made once and kept while the Replay is."""
    if replay not in KEPT:
        KEPT[replay] = Maker(replay).columns
    return KEPT[replay]


KEPT: WeakKeyDictionary[Replay, Columns] = WeakKeyDictionary()


class Maker:
    """Walks a Replay once, and remembers of each block how the model gets it."""

    def __init__(self, replay: Replay) -> None:
        self.columns = columns = Columns()
        self.history = replay.history
        self.number: dict[str, int] = {}
        self.form: dict[int, Form] = {}
        self.deleted: dict[int, Form] = {}  # left out by the server -> as it was before
        self.covered: dict[str, list[tuple[int, Form]]] = {}
        self.digest: dict[str, int] = {}
        self._take(overhead_of(replay.history, replay.settings))
        columns.overhead = len(columns.ids)
        self._number_all(replay)
        for number, step in enumerate(columns.steps):
            if step.edits:
                columns.changes[number] = tuple(change for edit in step.edits for change in self._changes(edit))
        columns.mixed_from = self._mixed_from()

    def _number_all(self, replay: Replay) -> None:
        columns, digests = self.columns, []
        replied_at: float | None = None
        for exchange, turn, now in zip(replay.exchanges, self.history.turns, self.history.clock, strict=True):
            columns.first.append(len(columns.steps))
            new = self.history.blocks[turn.start : turn.stop]
            replied_at = next((b.at for b in reversed(new) if b.role == "assistant"), replied_at)
            idle = 0.0 if now is None or replied_at is None else max(0.0, (now - replied_at) / 60)
            columns.idle_minutes.append(idle)
            columns.asked.append(any(block.kind == "user" for block in new))
            self._take(new)
            for step in exchange.steps:
                for edit in step.edits:
                    said = said_by(edit)
                    columns.put_in += self._take(said)
                    digests += [] if said or not isinstance(edit, Cover) else [*edit.put, *edit.append]
                columns.steps.append(step)
                columns.stops.append(len(columns.ids))
        columns.put_in += self._take(digests)

    def _take(self, blocks: tuple[Block, ...] | list[Block]) -> range:
        columns = self.columns
        first = len(columns.ids)
        for number, block in enumerate(blocks, first):
            kind = look_key(block)
            columns.ids.append(block.id)
            columns.kinds.append(kind)
            columns.tokens.append(block.tokens)
            columns.labels.append(label_of(block))
            self.number[block.id] = number
            self.form[number] = Form(kind, block.tokens, "", number)
        return range(first, len(columns.ids))

    def _changes(self, edit: Edit) -> Iterator[Change]:
        if isinstance(edit, Replace):
            number = self.number[edit.block]
            self.deleted.pop(number, None)
            yield self._now(number, Form(look_key(edit.by), edit.by.tokens, edit.layer, number))
        elif isinstance(edit, Cover):
            yield from self._cover(edit)
        elif isinstance(edit, Delete):
            for block_id in edit.blocks:
                number = self.number[block_id]
                self.deleted[number] = self.form[number]
                yield self._now(number, Form("placeholder", edit.each, edit.layer, number))
        elif isinstance(edit, Expand):
            digest = self.digest[edit.cover]
            for number, form in self.covered.pop(edit.cover):
                yield self._now(number, form, digest)
            yield self._now(digest, Form("", 0, "", -1))
        elif isinstance(edit, Note) and edit.kind == "lapse":
            for block_id in edit.data:
                number = self.number[block_id]
                yield self._now(number, self.deleted.pop(number))

    def _cover(self, edit: Cover) -> Iterator[Change]:
        """Put the new blocks where the first hidden ones stood, or at the end; then hide."""
        hidden = [self.number[block_id] for block_id in edit.blocks]
        many = len(edit.put) > len(hidden)
        for place, block in enumerate(edit.put):
            number = self.number[block.id]
            yield self._now(number, self.form[number], hidden[0 if many else place])
        for block in edit.append:
            number = self.number[block.id]
            yield self._now(number, self.form[number], END)
        stands = self.number[(edit.put or edit.append)[-1].id]
        if edit.put:
            self.digest[edit.id] = self.number[edit.put[0].id]
        self.covered[edit.id] = [(number, self.deleted.pop(number, self.form[number])) for number in hidden]
        for number in hidden:
            yield self._now(number, Form("", 0, edit.layer, stands))

    def _now(self, number: int, form: Form, before: int = STAYS) -> Change:
        self.form[number] = form
        return Change(number, *form, before)

    def _mixed_from(self) -> int:
        """Sizes are the recorded ones until a layer changed something, or the recording itself jumps."""
        columns, turns = self.columns, self.history.turns
        for number, step in enumerate(columns.steps):
            if columns.changes.get(number) or beyond(turns[step.request], self.history.anchored):
                return number
        return len(columns.steps)


def beyond(turn: Turn, anchored: int) -> bool:
    """True where a request lies behind the last reply up to which sizes are recorded."""
    return turn.answer > anchored


def label_of(block: Block) -> str:
    """What is written on a block: the tool and what it is about, a file by its name."""
    if block.kind == "unrecorded":
        return LOOKS["unrecorded"].name
    target = masked(block.target)
    target = target.rpartition("/")[2] if " " not in target else target
    return one_line(f"{block.tool} {target}".strip() or LOOKS[look_key(block)].name, 60)
