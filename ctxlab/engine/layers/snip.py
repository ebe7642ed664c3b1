"""Layer 2, snip: replies whose results are worth nothing any more leave the view; a boundary lists them, a notice says so.

Known is only the call site: messages in; messages, the tokens freed and a boundary with the removed ids out. Who marks,
and what, nobody outside can know. The policies here are ctxlab's own: `superseded` (a read that a later read or write of
the file replaced), `finished` (a command that was run again; the notice keeps what it was and how it ended), `empty`
(results with nothing in them), `none` (the empty slot of the restored tree). What goes is a whole reply with all its
results, so no pair is torn. The user marks as well, and the model by calling a Snip tool. The freed tokens are handed on:
the usage of the last reply still describes the prompt before the cut. The other half, a projection that leaves marked
ids out of every request, is `project`.

But: it knows no age.
Evidence: analysis and articles 0 to 2 (the call site); ctxlab (the policies, the minimum, what counts as a dependent).

>>> from ctxlab.sources.scenarios import acted
>>> step = acted("snip")
>>> step.reason
'2 blocks removed, superseded by a later read: 392 tokens, 369 freed'
>>> cover = step.edits[-1]
>>> cover.blocks, [block.kind for block in cover.append]
(('t1/use', 't1/result'), ['snip_boundary', 'notice'])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..edit import Cover, Note, Outcome, plural
from ..message import COMMAND_TOOLS, EARLIER, OVERHEAD_KINDS, Block
from ..services import Services
from ..settings import Settings
from ..view import View

STAYS = (*OVERHEAD_KINDS, "compact_boundary", "summary")
BY_HAND, BY_MODEL = "marked by hand", "marked by the model"
SNIP_TOOL = "Snip"
NAMED = 5  # calls that a notice tells of


def snip(view: View, settings: Settings, services: Services) -> Outcome:
    """Mark the replies that have just become worthless; once the marks weigh enough, remove them."""
    rule = settings.snip
    if rule.policy == "none":
        return EMPTY_SLOT
    worthless, why = POLICIES[rule.policy]
    ours = marked_now(view, lambda block: worthless(view, block, rule.spares_dependents))
    found = ((why, ours), (BY_MODEL, tuple(set_aside(view, ours))))
    notes = tuple(Note("snip", view.request, words, "mark", ids) for words, ids in found if ids)
    new = tuple(block_id for note in notes for block_id in note.data)
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


def superseded(view: View, block: Block, spares: bool) -> bool:
    """A read that a later one, or a write of the file, has replaced."""
    return block.tool not in COMMAND_TOOLS and replaced(view, block, spares)


def finished(view: View, block: Block, spares: bool) -> bool:
    """A command that was run again."""
    return block.tool in COMMAND_TOOLS and replaced(view, block, spares)


def empty(view: View, block: Block, spares: bool) -> bool:  # noqa: ARG001 - one signature
    """A result with nothing in it, which nobody can rely on."""
    return not block.text.strip() and not block.raw and not block.error


def replaced(view: View, block: Block, spares: bool) -> bool:
    """Replaced by what has come in by now, and nothing relied on it before, where that matters."""
    found = view.history.replaced.get(block.id)
    here = found is not None and view.history.arrived.get(found.by, view.request + 1) <= view.request
    return here and not (spares and found is not None and found.relied_on)


def marked_now(view: View, worthless: Callable[[Block], bool]) -> tuple[str, ...]:
    """The replies, with all their results, that what came in has made worthless: every result of them is."""
    out: dict[str, None] = {}
    for new in view.unread.values():
        if new.kind == "result":
            for name in (*view.history.replaces.get(new.id, ()), new.id):
                block = view.get(name)
                group = reply_with_results(view, name) if block is not None and worthless(block) else ()
                results = [view[block_id] for block_id in group if view[block_id].kind == "result"]
                if results and not view.marks.keys() & set(group) and all(map(worthless, results)):
                    out.update(dict.fromkeys(group))
    return tuple(out)


def set_aside(view: View, but: tuple[str, ...]) -> Iterator[str]:
    """What the model has marked itself: results whose calls a call of the Snip tool names in its `ids`."""
    for block in view.unread.values():
        call = view.get(f"{block.call}/use") if block.tool == SNIP_TOOL else None
        named = call.raw.get("ids") if call is not None and isinstance(call.raw, dict) else None
        for name in named if isinstance(named, list) else ():
            block_id = f"{name}/result"
            if block_id in view and block_id not in view.marks and block_id not in but:
                yield block_id


def reply_with_results(view: View, block_id: str) -> tuple[str, ...]:
    """All of the reply that a call or result belongs to and all its results, where all of it is in the view."""
    block = view.get(block_id)
    call = view.get(f"{block.call}/use") if block is not None and block.kind == "result" else block
    reply = view.history.message_of.get(call.message) if call is not None else None
    if reply is None or reply.role != "assistant":
        return (block_id,) if block is not None else ()
    names = [b.id for b in reply.blocks] + [f"{b.call}/result" for b in reply.blocks if b.kind == "call"]
    return tuple(names) if all(name in view for name in names) else ()


def closed(view: View, marked: Iterable[str]) -> tuple[str, ...]:
    """The marked blocks and all that must go with them, in the order of the view; without groups that must stay."""
    prompts = [block.id for block in view if block.kind == "user"]
    out: set[str] = set()
    for first in marked:
        group = reply_with_results(view, first) if first not in out else ()
        stay = any(name in view.unread or pinned(view[name]) or name in prompts[-1:] for name in group)
        out |= set() if stay else set(group)
    return tuple(block.id for block in view if block.id in out)


def pinned(block: Block) -> bool:
    """What snip never takes: the overhead, what a compaction put in, and what happened before the file begins."""
    return block.kind in STAYS or block.target == EARLIER


def why_marked(view: View, notes: tuple[Note, ...], gone: tuple[str, ...]) -> str:
    """The reasons for which these blocks were marked, each once."""
    past = [edit for edit in view.past.get("snip", ()) if isinstance(edit, Note) and edit.kind == "mark"]
    whys = dict.fromkeys(note.why for note in (*past, *notes) if not set(gone).isdisjoint(note.data))
    return " and ".join(whys)


def removal(view: View, gone: tuple[str, ...], why: str, services: Services) -> Cover:
    """The Edit: a boundary with the removed ids, for code; a few words for the model."""
    name = f"snip@{view.request}"
    flag, ids = f"{name}.boundary", {"removed": list(gone)}
    count = plural(len(gone), "earlier block")
    text = f"[{count} of this conversation removed: {why}{told(view, gone)}]"
    boundary = Block(flag, "system", "snip_boundary", " ".join(gone), 0, flag, raw=ids)
    notice = Block(f"{name}.notice", "user", "notice", text, services.count(text), name)
    before, put = sum(view[block_id].tokens for block_id in gone), (boundary, notice)
    return Cover("snip", view.request, why, before, notice.tokens, name, gone, (), put)


def told(view: View, gone: tuple[str, ...]) -> str:
    """Tool, target and status of the calls that go: what of them still matters."""
    results = [view[block_id] for block_id in gone if view[block_id].kind == "result"]
    said = [f"{b.tool} {' '.join(b.target.split())[:80]} {'failed' if b.error else 'done'}" for b in results]
    more = [f"{len(said) - NAMED} more"] if len(said) > NAMED else []
    return "".join(f"; {each}" for each in (*said[:NAMED], *more))


NOTHING_MARKED = Outcome("nothing is marked")
EMPTY_SLOT = Outcome("an empty slot: marks nothing, removes nothing")
POLICIES: dict[str, tuple[Callable[[View, Block, bool], bool], str]] = {
    "superseded": (superseded, "superseded by a later read"),
    "finished": (finished, "run again later"),
    "empty": (empty, "nothing came back"),
}
