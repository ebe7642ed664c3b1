"""Layer 2, snip: messages that were marked leave the view; a boundary lists them and a notice tells the model.

Known is only the call site: messages in; messages, the tokens freed and a boundary with the removed ids out. Who marks,
and what, nobody outside can know. The policy here is ctxlab's own: an earlier read of a file that has just been read
again. The slot can also be empty, as in the restored tree (`policy` none). The freed tokens are handed on: the usage of
the last reply still describes the prompt before the cut.

But: it does not let the model mark messages itself, and it knows no age.
Evidence: analysis and articles 0 to 2 (the call site); ctxlab (the policy, the minimum).

>>> from ctxlab.sources.scenarios import acted
>>> step = acted("snip")
>>> step.reason
'2 blocks removed, superseded by a later read: 392 tokens, 373 freed'
>>> cover = step.edits[-1]
>>> cover.blocks, [block.kind for block in cover.append]
(('t1/use', 't1/result'), ['snip_boundary', 'notice'])
"""

from __future__ import annotations

from collections.abc import Iterable

from ..edit import Cover, Note, Outcome, plural
from ..message import OVERHEAD_KINDS, READ_TOOLS, Block
from ..services import Services
from ..settings import Settings
from ..view import View

STAYS = (*OVERHEAD_KINDS, "compact_boundary", "summary", "unrecorded")


def snip(view: View, settings: Settings, services: Services) -> Outcome:
    """Mark what has just been superseded; once the marks weigh enough, remove them with all that must go along."""
    rule = settings.snip
    if rule.policy == "none":
        return EMPTY_SLOT
    new = [block_id for block in view.unread.values() for block_id in superseded(view, block)]
    notes = (Note("snip", view.request, SUPERSEDED, "mark", tuple(new)),) if new else ()
    weight = view.mark_tokens + sum(view[block_id].tokens for block_id in new)
    if not weight:
        return NOTHING_MARKED
    if weight < rule.minimum_tokens:
        return Outcome(f"{weight:,} tokens marked < {rule.minimum_tokens:,}", notes)
    gone = closed(view, [*view.marks, *new])
    if not gone:
        return Outcome(f"{weight:,} tokens marked, but what they belong to must stay for now", notes)
    cover = removal(view, gone, why_marked(view, notes, gone), services)
    freed = f"{cover.before:,} tokens, {cover.before - cover.after:,} freed"
    return Outcome(f"{plural(len(gone), 'block')} removed, {cover.why}: {freed}", (*notes, cover))


def why_marked(view: View, notes: tuple[Note, ...], gone: tuple[str, ...]) -> str:
    """The reasons for which these blocks were marked, each once."""
    past = [edit for edit in view.past.get("snip", ()) if isinstance(edit, Note) and edit.kind == "mark"]
    whys = dict.fromkeys(note.why for note in (*past, *notes) if not set(gone).isdisjoint(note.data))
    return " and ".join(whys)


def superseded(view: View, new: Block) -> tuple[str, ...]:
    """The read before this one of the same file and range, with its call, if both are in the view and may go."""
    if new.kind != "result" or new.tool not in READ_TOOLS or new.error or new.id not in view.history.previous:
        return ()
    old = view.get(view.history.previous[new.id])
    call = view.get(f"{old.call}/use") if old else None
    if old is None or call is None or old.id in view.unread or old.id in view.marks:
        return ()
    reply = view.history.message_of[call.message].blocks
    thoughts = [block.id for block in reply if block.kind == "thinking"]
    if any(block.bound for block in reply) and len(reply) > len(thoughts) + 1:
        return ()  # its reply goes back whole or not at all, and the rest of it is still wanted
    return (*thoughts, call.id, old.id)


def closed(view: View, marked: Iterable[str]) -> tuple[str, ...]:
    """The marked blocks and all that must go with them, in the order of the view; without groups that must stay."""
    out: set[str] = set()
    for first in marked:
        group: set[str] = set()
        todo = [first]
        while todo:
            block = view.get(todo.pop())
            if block is not None and block.id not in group:
                group.add(block.id)
                todo += partners(view, block)
        if not any(block_id in view.unread or view[block_id].kind in STAYS for block_id in group):
            out |= group
    return tuple(block.id for block in view if block.id in out)


def partners(view: View, block: Block) -> list[str]:
    """What cannot be parted from a block: call and result, and the whole reply where it thinks or asked a server."""
    if block.kind == "result":
        return [f"{block.call}/use"]
    together = [f"{block.call}/result"] if block.kind == "call" else []
    reply = view.history.message_of.get(block.message)
    if reply and block.role == "assistant" and any(other.bound for other in reply.blocks):
        together += [other.id for other in reply.blocks]
    return together


def removal(view: View, gone: tuple[str, ...], why: str, services: Services) -> Cover:
    """The Edit: a boundary with the removed ids, for code, and one line for the model."""
    name = f"snip@{view.request}"
    text = f"[{plural(len(gone), 'earlier block')} of this conversation removed: {why}]"
    flag = f"{name}.boundary"
    boundary = Block(flag, "system", "snip_boundary", " ".join(gone), 0, flag)
    notice = Block(f"{name}.notice", "user", "notice", text, services.count(text), name)
    put = (boundary, notice)
    before, after = sum(view[block_id].tokens for block_id in gone), notice.tokens
    return Cover("snip", view.request, why, before, after, name, gone, (), put)


NOTHING_MARKED = Outcome("nothing is marked")
SUPERSEDED = "superseded by a later read"
EMPTY_SLOT = Outcome("an empty slot: marks nothing, removes nothing")
