"""View: the History seen through the Edits so far; what the model gets.

Layers read a View and never change it. Only the Pipeline moves its own View on, by `_extend` and `_apply`; every View
that is handed to a reader is a fresh fold of the same log. The blocks stand in one dict in order: replacing keeps the
place, hiding is one `del`, and what a Cover puts in takes the places of the first blocks that it hides; so nothing is
ever moved. Totals are kept along the way: a layer checks in the time that what is new takes, and walks only to act.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from .edit import Cover, Delete, Edit, Expand, Note, Replace
from .history import History
from .message import Block
from .overhead import overhead_of
from .settings import Settings
from .tally import Standing

E = TypeVar("E", Replace, Cover, Delete, Expand, Note)


class View:
    """The blocks that the model gets, in order, and what layers need to know about them."""

    def __init__(self, history: History, settings: Settings, purpose: str = "main") -> None:
        self.history = history
        self.purpose = purpose  # "main", or whose helper's call this is
        overhead = overhead_of(history, settings)
        self.request = -1
        self.now: float | None = None
        self.replied_at: float | None = None
        self._places: dict[str, Block] = {block.id: block for block in overhead}  # by the id of the first block there
        self._place_of: dict[str, str] = {}  # of blocks that stand in the place of another
        self.overhead_count = len(overhead)
        self.tokens = sum(block.tokens for block in overhead)
        self.unread: dict[str, Block] = {}  # no reply has seen these yet
        self.standing = Standing()  # results that the model still gets
        self.marks: dict[str, int] = {}  # marked for snip -> tokens
        self.mark_tokens = 0
        self.deleted: dict[str, tuple[Block, str]] = {}  # left out by the server -> the block as it was, and by what
        self.covered: dict[str, tuple[Block, ...]] = {}  # cover id -> what it hides, as it looked
        self.opened: set[str] = set()  # what the user has opened again: not to be folded a second time
        self.past: dict[str, list[Edit]] = {}  # layer -> its Edits so far
        self.log: list[Edit] = []  # all of them, in time
        self._newest: dict[tuple[str, type, str], Edit] = {}
        self._changed = False
        self.added_tokens = 0
        self.added_calls = 0
        self._guess = settings.autocompact.harness_tokens
        self.estimate = self.tokens  # what the harness believes; of this request's Edits it knows the saved results

    def __iter__(self) -> Iterator[Block]:
        return iter(self._places.values())

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, block_id: str) -> bool:
        return self.get(block_id) is not None

    def __getitem__(self, block_id: str) -> Block:
        block = self.get(block_id)
        if block is None:
            raise KeyError(f"{block_id!r} is not in this view; an Edit hides it, or it has not come in yet")
        return block

    def __repr__(self) -> str:
        size = f"{self.tokens:,} tokens, {self.rests_on}: {self.history.counter.name}"
        return f"View(request {self.request}: {len(self):,} blocks, {size})"

    # What layers ask

    @property
    def results(self) -> dict[str, Block]:
        """Results that still stand, whole or as a preview, oldest first."""
        return self.standing.results

    def get(self, block_id: str) -> Block | None:
        """The block as the model gets it, or None where it does not."""
        block = self._places.get(self._place_of.get(block_id, block_id))
        return block if block is not None and block.id == block_id else None

    @property
    def rests_on(self) -> str:
        """What the size rests on: `recorded`, `counted`, or `mixed` where counts were added or a layer changed it."""
        if not self.history.anchored:
            return "counted"
        answer = self.history.turns[self.request].answer if self.request >= 0 else 0
        return "mixed" if self._changed or answer > self.history.anchored else "recorded"

    @property
    def idle_minutes(self) -> float:
        """Time since the last reply; 0 where times are missing or step back."""
        if self.now is None or self.replied_at is None:
            return 0.0
        return max(0.0, (self.now - self.replied_at) / 60)

    @property
    def overhead_tokens(self) -> int:
        """What always stands before the conversation, as this History knows it or the Settings say."""
        return sum(block.tokens for block in islice(self, self.overhead_count))

    @property
    def believed(self) -> int:
        """What the harness believes the size is: its estimate, less what snip freed in this same request."""
        snip = self.last("snip", Cover)
        freed = snip.before - snip.after if snip and snip.request == self.request else 0
        return self.estimate - freed

    def last(self, layer: str, kind: type[E], note: str = "") -> E | None:
        """The newest Edit of that kind by that layer; of a Note, name its kind."""
        return self._newest.get((layer, kind, note))  # type: ignore[return-value]

    def rounds(self, after: str = "") -> Iterator[list[Block]]:
        """Cut the messages into rounds: a prompt, or one reply with all its results; lazily, or from behind a block."""
        blocks: Iterable[Block] = islice(self, self.overhead_count, None)
        if after:
            behind: list[Block] = []
            for block in reversed(self._places.values()):
                if block.id == after:
                    break
                behind.append(block)
            blocks = reversed(behind) if after in self else blocks
        open_calls: set[str] = set()
        message = ""
        out: list[Block] = []
        for block in blocks:
            if block.message != message:
                message = block.message
                reply = block.role == "assistant"
                if reply:
                    open_calls.clear()  # an interrupted call stays open no longer than to the next reply
                if out and (reply or (not open_calls and block.kind != "result")):
                    yield out
                    out = []
            if block.kind == "call":
                open_calls.add(block.call)
            elif block.kind == "result":
                open_calls.discard(block.call)
            out.append(block)
        if out:
            yield out

    def after(self, edits: Iterable[Edit]) -> View:
        """A copy with these Edits applied: for readers who want to try one."""
        copy = View.__new__(View)
        copy.__dict__ = {
            name: value.copy() if isinstance(value, dict) else value for name, value in self.__dict__.items()
        }
        copy.past = {layer: list(past) for layer, past in self.past.items()}
        copy.log, copy.opened = list(self.log), set(self.opened)
        copy.standing = Standing(self)
        copy._apply(tuple(edits))
        return copy

    # Moved on by the Pipeline

    def _extend(self, blocks: Iterable[Block]) -> None:
        shown, unread = self._places, self.unread
        total = 0
        for block in blocks:
            shown[block.id] = block
            total += block.tokens
            if block.role == "assistant":
                if unread:
                    unread.clear()
                self.replied_at = block.at
                if block.kind == "call":
                    self.added_calls += 1
            else:
                unread[block.id] = block
                if block.kind == "result":
                    self.standing.add(block)
        self.tokens += total
        self.added_tokens += total

    def _arrive(self, request: int, settings: Settings) -> None:
        """Take the next request's blocks in, and form the estimate that the harness would have of them."""
        start, stop, _ = self.history.turns[request]
        self._extend(self.history.blocks[start:stop])
        self.request, self.now = request, self.history.clock[request]
        new = self.unread.values()
        anchor = self.tokens - sum(block.tokens for block in new)
        self.estimate = anchor + sum(settings.autocompact.harness_tokens(block) for block in new)

    def _apply(self, edits: Sequence[Edit]) -> None:
        """Apply what one layer answered."""
        for edit in edits:
            self.log.append(edit)
            self.past.setdefault(edit.layer, []).append(edit)
            self._newest[edit.layer, type(edit), edit.kind if isinstance(edit, Note) else ""] = edit
            self._changed = self._changed or not isinstance(edit, Note)
            if isinstance(edit, Replace):
                self.deleted.pop(edit.block, None)
                self._show(edit.by)
            elif isinstance(edit, Cover):
                self._cover(edit)
            elif isinstance(edit, Delete):
                self._delete(edit)
            elif isinstance(edit, Expand):
                self._expand(edit)
            else:
                self._remember(edit)

    def _show(self, block: Block) -> None:
        """Put another form of a block in its place."""
        place = self._place_of.get(block.id, block.id)
        self.tokens += block.tokens - self._places[place].tokens
        self._places[place] = block
        if block.id in self.unread:  # not in any usage yet: a saved result counts as its preview
            self.estimate += self._guess(block) - self._guess(self.unread[block.id])
            self.unread[block.id] = block
        if block.id in self.marks:
            self.mark_tokens += block.tokens - self.marks[block.id]
            self.marks[block.id] = block.tokens
        if block.kind == "result":
            self.standing.change(block)

    def _hide(self, block_id: str, instead: Block | None = None) -> Block:
        """Take a block out, or put another one into its place."""
        place = self._place_of.pop(block_id, block_id)
        block = self._places[place]
        self.tokens -= block.tokens
        if instead is None:
            del self._places[place]
        else:
            self._places[place] = instead
            self._place_of[instead.id] = place
            self.tokens += instead.tokens
        self.standing.remove(block_id)
        self.unread.pop(block_id, None)
        self.mark_tokens -= self.marks.pop(block_id, 0)
        return self.deleted.pop(block_id, (block, ""))[0]

    def _cover(self, edit: Cover) -> None:
        if len(edit.put) > len(edit.blocks):
            self._make_room(edit)
            return
        instead = (*edit.put, *[None] * (len(edit.blocks) - len(edit.put)))
        hidden = [self._hide(block_id, new) for block_id, new in zip(edit.blocks, instead, strict=True)]
        self.covered[edit.id] = tuple(hidden)
        for block in edit.append:
            self._places[block.id] = self.unread[block.id] = block
            self.tokens += block.tokens

    def _make_room(self, edit: Cover) -> None:
        """Apply a Cover that puts in more than it hides: the rows are made anew."""
        few = Cover(
            edit.layer, edit.request, edit.why, edit.before, edit.after, edit.id, edit.blocks, edit.put[:1], edit.append
        )
        self._cover(few)
        first = self._place_of[edit.put[0].id]
        places: dict[str, Block] = {}
        for key, block in self._places.items():
            places[key] = block
            if key == first:
                places.update({more.id: more for more in edit.put[1:]})
        self._places = places
        self.tokens += sum(block.tokens for block in edit.put[1:])

    def _delete(self, edit: Delete) -> None:
        for block_id in edit.blocks:
            block = self[block_id]
            self.deleted[block_id] = block, edit.via
            self._show(block.shown("deleted", edit.each))

    def _expand(self, edit: Expand) -> None:
        """Put what a digest hides back into its place: the one Edit that moves the blocks behind it."""
        back = self.covered.pop(edit.cover)
        self.opened |= {block.id for block in back}
        place = self._place_of.pop(self._digest(edit.cover).id)
        places: dict[str, Block] = {}
        for key, block in self._places.items():
            places.update({old.id: old for old in back} if key == place else {key: block})
        self.tokens += edit.after - edit.before
        self._places = places
        self.standing.recount(self)

    def _digest(self, cover_id: str) -> Block:
        return next(edit.put[0] for edit in self.log if isinstance(edit, Cover) and edit.id == cover_id)

    def _remember(self, note: Note) -> None:
        if note.kind == "mark":
            for block_id in note.data:
                if block_id in self and block_id not in self.marks:
                    self.marks[block_id] = tokens = self[block_id].tokens
                    self.mark_tokens += tokens
        elif note.kind == "lapse":
            for block_id in note.data:
                block, _ = self.deleted.pop(block_id)
                self._show(block)
            self.standing.recount(self)
