"""Layer 5, autocompact: the conversation becomes a boundary, a summary, a kept tail and what is put back from disk.

The line is window - reserve - buffer. What is held against it is either the size, or what the harness believes the
size is (`autocompact.measure`): then an earlier layer cannot prevent a compaction in the same request, snip apart.
Session notes are tried first; a hook may forbid; a helper's call never compacts itself.

But: the summary is asked of a summariser that is given to it, offline one of rules.
Evidence: measured (both reserve rules, the boundary before the summary in 48 of 48 recordings); official (breakers,
hooks); article-2 (four parts, results cleared first); ctxlab (how the kept exchange is capped).

>>> from ctxlab.sources.scenarios import acted
>>> step = acted("autocompact")
>>> step.reason
'size 1,296 ≥ 1,270: 7 blocks of 904 tokens became a summary of 106 + 2 files read again 482; 2 blocks kept'
>>> cover = step.edits[0]
>>> [block.kind for block in (*cover.put, *cover.append)]
['compact_boundary', 'summary', 'restored', 'restored']
"""

from __future__ import annotations

from typing import NamedTuple

from ..asking import UP_TO, Answer, ask
from ..breakers import BY_HAND, TRANSPORT, tripped
from ..edit import Cover, Outcome, failure, plural
from ..measure import measured
from ..memory_files import compact_instructions, reread
from ..message import Block
from ..restore import restored, with_hook
from ..services import Services
from ..settings import Settings
from ..summary_text import SummaryError, TransportError, opened
from ..tail import Cut, from_notes, partial_cut, whole_cut
from ..view import View


class Order(NamedTuple):
    """Why a compaction is made, who asks for it, with what focus, and of which part: "", "from" or "up to" a block."""

    why: str
    trigger: str = "auto"
    focus: str = ""
    span: str = ""
    block: str = ""


def autocompact(view: View, settings: Settings, services: Services) -> Outcome:
    """Compact when the line is crossed, unless collapse, a breaker or a hook forbids."""
    rule, line = settings.autocompact, settings.thresholds.autocompact
    if view.purpose != "main":
        return Outcome(f"a helper's call ({view.purpose}) never compacts itself")
    size, name = measured(view, settings)
    if size < line:
        return Outcome(f"{name} {size:,} < {line:,}")
    why = f"{name} {size:,} ≥ {line:,}"
    collapse = settings.collapse
    way_out = round(collapse.block_at * settings.thresholds.effective_window)
    if collapse.enabled and collapse.suppresses_autocompact and size < way_out:
        return Outcome(f"{why}, left to context collapse below {way_out:,}")
    if stopped := tripped(view, rule):
        return Outcome(stopped, failed=True)
    return compact(view, settings, services, Order(why))


def compact(view: View, settings: Settings, services: Services, order: Order) -> Outcome:
    """Summarise what the order names; also what recovery and the user call."""
    last, by_hand = view.last("autocompact", Cover), BY_HAND if order.trigger == BY_HAND else None
    if last and last.request == view.request:
        return Outcome("compacted in this request already")
    cut = cut_for(view, settings, order)
    if not any(block.role == "assistant" or block.kind == "unrecorded" for blocks in cut.head for block in blocks):
        why = f"{order.why}, but there are not enough messages to compact"
        return failure("autocompact", view.request, why, by_hand)
    answer = Answer(cut.notes)
    if not cut.notes:
        hook = services.hooks.pre_compact(order.trigger, order.focus)
        if hook.blocked:
            return Outcome(f"{order.why}, but a hook forbids it: {hook.blocked}", failed=True)
        asked = (order.focus, hook.printed, compact_instructions(view))
        try:
            answer = ask(view, cut, settings, services, "\n".join(text for text in asked if text), order.span)
        except SummaryError as error:
            kind = TRANSPORT if isinstance(error, TransportError) else None
            return failure("autocompact", view.request, f"{order.why}, but {error}", by_hand or kind)
    cover = boundary(view, cut, answer.text, order, settings, services)
    if cover.after < cover.before:
        services.hooks.post_compact(order.trigger, answer.text)
        cover = with_hook(view, cover, services)
    return Outcome(f"{order.why}: {said(cover, cut, answer)}", (cover, *reread(view, services)))


def cut_for(view: View, settings: Settings, order: Order) -> Cut:
    """Where to cut; notes are tried first, unless a person told what the summary must do."""
    rounds = list(view.rounds())
    if order.span:
        return partial_cut(view, rounds, order.block, up_to=order.span == UP_TO)
    noted = None if order.focus else from_notes(view, rounds, settings)
    return noted or whole_cut(view, rounds, settings)


def boundary(view: View, cut: Cut, summary: str, order: Order, settings: Settings, services: Services) -> Cover:
    """The Edit: boundary, then summary, where the conversation was; what is put back from disk at its end."""
    name = f"autocompact@{view.request}"
    text = opened(summary, automatic=order.trigger != BY_HAND, tail_kept=bool(cut.tail))
    sides = {"before": cut.lead, "after": cut.tail}
    marks = {side: [b.id for r in rounds for b in r] for side, rounds in sides.items()}
    raw, flag = {"trigger": order.trigger, **marks}, f"{name}.boundary"
    put = (
        Block(flag, "system", "compact_boundary", "Conversation compacted", 0, flag, raw=raw),
        Block(f"{name}.summary", "user", "summary", text, services.count(text), name, raw={"summary": summary}),
    )
    back = restored(view, (*cut.lead, *cut.tail), settings, services)
    ids = tuple(block.id for blocks in cut.head for block in blocks)
    before = sum(view[block_id].tokens for block_id in ids)
    after = sum(block.tokens for block in (*put, *back))
    return Cover("autocompact", view.request, f"{len(ids)} blocks summarised", before, after, name, ids, put, back)


def said(cover: Cover, cut: Cut, answer: Answer) -> str:
    """What became of what, in words and numbers."""
    source = "session notes" if cut.notes else "a summary"
    files = [block for block in cover.append if block.target]
    others = [block for block in cover.append if not block.target]
    again = f" + {plural(len(files), 'file')} read again {sum(b.tokens for b in files):,}" if files else ""
    more = f" + {', '.join(b.tool for b in others)} {sum(b.tokens for b in others):,}" if others else ""
    lost = (
        f"; the oldest {plural(answer.dropped, 'round')} did not fit the request and are not in it"
        if answer.dropped
        else ""
    )
    kept = plural(sum(len(blocks) for blocks in (*cut.lead, *cut.tail)), "block")
    blocks = f"{plural(len(cover.blocks), 'block')} of {cover.before:,} tokens"
    return f"{blocks} became {source} of {cover.put[1].tokens:,}{again}{more}{lost}; {kept} kept"
