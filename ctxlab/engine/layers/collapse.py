"""Layer 4, context collapse: finished rounds of tool work become one digest each; the log says which.

The structural engine: no model writes the digest, it names the calls. Folding starts at `commit_at`, goes from the
oldest on until the size is at `fold_until`, and leaves the newest rounds open. No digest is folded again; one that the
user has opened stays open.

But: the analyses speak of a background model that writes span summaries, staged first and committed later. Which spans
it takes is not public.
Evidence: analysis (the two levels); ctxlab (span rules, digest, `fold_until`, the open rounds).

>>> from ctxlab.sources.scenarios import acted
>>> step = acted("collapse")
>>> step.reason
'1,296 tokens ≥ 1,260: folded 2 rounds into 1 digest, 485 freed'
>>> cover = step.edits[0]
>>> len(cover.blocks), cover.put[0].text
(4, '[2 finished rounds folded here. Read a.py; Grep settle]')
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ..edit import Cover, Note, Outcome, plural
from ..message import EARLIER, Block
from ..services import Services
from ..settings import Settings
from ..view import View

WORK = frozenset({"reply", "thinking", "call", "result", "unrecorded"})
NAMED_CALLS = 20


def collapse(view: View, settings: Settings, services: Services) -> Outcome:
    """Fold the oldest finished rounds once the commit level is reached."""
    rule, window = settings.collapse, settings.thresholds.effective_window
    level = round(rule.commit_at * window)
    if view.tokens < level:
        return Outcome(f"{view.tokens:,} tokens < {level:,}")
    tried = view.last("collapse", Note, "exhausted")
    if tried and view.added_tokens - tried.data < rule.look_again * window:
        return Outcome(f"{view.tokens:,} tokens ≥ {level:,}, but a moment ago nothing was left to fold")
    covers: list[Cover] = []
    left = view.tokens
    for span in spans(view, rule.rounds_left_open):
        if left <= rule.fold_until * window:
            break
        cover = fold(view, span, len(covers), services)
        if cover.after < cover.before:
            covers.append(cover)
            left -= cover.before - cover.after
    if not covers:
        why = f"{view.tokens:,} tokens ≥ {level:,}, but no finished round is older than the newest {rule.rounds_left_open}"
        return Outcome(why, (Note("collapse", view.request, why, "exhausted", view.added_tokens),))
    rounds = plural(sum(int(cover.why.split()[0]) for cover in covers), "round")
    freed = f"{plural(len(covers), 'digest')}, {view.tokens - left:,} freed"
    return Outcome(f"{view.tokens:,} tokens ≥ {level:,}: folded {rounds} into {freed}", tuple(covers))


def spans(view: View, left_open: int) -> Iterator[list[list[Block]]]:
    """Runs of finished rounds, oldest first, from the last digest to the open rounds."""
    last = view.last("collapse", Cover)
    run: list[list[Block]] = []
    waiting: deque[list[Block]] = deque()
    unread, opened = view.unread, view.opened
    for newest in view.rounds(after=last.put[0].id if last else ""):
        waiting.append(newest)
        if len(waiting) <= left_open:
            continue
        blocks = waiting.popleft()
        if unread and any(block.id in unread for block in blocks):
            break
        again = opened and any(block.id in opened for block in blocks)
        if foldable(blocks) and not again:
            run.append(blocks)
        elif run:
            yield run
            run = []
    if run:
        yield run


def foldable(blocks: list[Block]) -> bool:
    """A round of tool work: it has a call, and nothing of the user's."""
    called = False
    for block in blocks:
        if block.kind not in WORK or block.target == EARLIER:
            return False
        called = called or block.kind == "call"
    return called


def fold(view: View, span: list[list[Block]], number: int, services: Services) -> Cover:
    """The Edit for one span: a digest that names its calls."""
    blocks = [block for blocks in span for block in blocks]
    calls = [f"{block.tool} {block.target}".strip().replace("\n", " ")[:80] for block in blocks if block.kind == "call"]
    more = f"; {len(calls) - NAMED_CALLS} more calls" if len(calls) > NAMED_CALLS else ""
    name = f"collapse@{view.request}.{number}"
    text = f"[{plural(len(span), 'finished round')} folded here. {'; '.join(calls[:NAMED_CALLS])}{more}]"
    digest = Block(f"{name}.digest", "user", "digest", text, services.count(text), name)
    weight = sum(block.tokens for block in blocks)
    ids = tuple(block.id for block in blocks)
    return Cover(
        "collapse", view.request, plural(len(span), "finished round"), weight, digest.tokens, name, ids, (digest,)
    )
