"""Layer 4, context collapse: finished rounds of tool work become one digest each; the log says which.

Two levels: somewhat below `commit_at` digests are made ready, at `commit_at` they take the place of their rounds, the oldest
first, until the size is at `fold_until`. Two engines: `structural` names the calls, `summarised` asks a model. The newest
rounds stay open; no digest is folded again; one that the user has opened stays open. A refusal drains what is ready.

But: which spans the real one takes is not public; analyses speak of a background model, article-2 of none.
Evidence: analysis (commit and block, staging, the drain); ctxlab (span rules, digest, `stage_ahead`, `fold_until`).

>>> from ctxlab.sources.scenarios import acted
>>> step = acted("collapse")
>>> step.reason
'1,296 tokens ≥ 1,260: folded 2 rounds into 1 digest, 485 freed'
>>> cover = step.edits[0]
>>> len(cover.blocks), cover.put[0].text
(4, '[2 finished rounds folded here. Read a.py; Grep settle]')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ..digests import fold, spans
from ..edit import Cover, Note, Outcome, Staged, plural
from ..measure import measured
from ..services import Services
from ..settings import Settings
from ..summary_text import SummaryError
from ..view import View


def collapse(view: View, settings: Settings, services: Services) -> Outcome:
    """Make digests ready at the first level, put them in at the second."""
    rule, window = settings.collapse, settings.thresholds.effective_window
    level, until = round(rule.commit_at * window), rule.fold_until * window
    size, _ = measured(view, settings)
    if size < (first := round((rule.commit_at - rule.stage_ahead) * window)):
        return Outcome(f"{size:,} tokens < {first:,}")
    last = view.last("collapse", Cover)
    if last and last.request == view.request and size != view.tokens:
        return Outcome("has folded in this request already; the harness's estimate does not know it yet")
    reached = size >= level
    why = f"{size:,} tokens {'≥' if reached else '<'} {level:,}"
    if not reached and (count := waiting(view, rule.look_again * window)):
        return Outcome(f"{why}; {plural(count, 'digest')} ready")
    drafts = ready(view)
    need = max(size, level) - until
    more = folded(view, drafts, need - gain(drafts), settings, services)
    both = (*drafts, *more.drafts)
    staged = None if reached else Staged(both, view.added_tokens, gain(both) >= need)
    notes = remembered(view, staged, more)
    if reached and both:
        outcome = committed(both, why, size - until)
        return outcome._replace(edits=(*notes, *outcome.edits))
    told = f"{why}; {plural(len(both), 'digest')} ready, to free {gain(both):,}" if both else why
    but = f", but {more.problem}" if more.problem else ""
    return Outcome(f"{told}{but}", notes, failed=more.failed and not more.drafts)


class Folded(NamedTuple):
    """New digests, and why there are no more: `again` says that this was known a moment ago."""

    drafts: tuple[Cover, ...] = ()
    problem: str = ""
    failed: bool = False
    again: bool = False


def remembered(view: View, staged: Staged | None, more: Folded) -> tuple[Note, ...]:
    """What the log must keep: digests made ready for later, and that there is nothing more to fold for now."""
    out = []
    if staged and more.drafts:
        why = f"{plural(len(staged.drafts), 'digest')} ready"
        out.append(Note("collapse", view.request, why, "stage", staged))
    if more.problem and not more.again:
        out.append(Note("collapse", view.request, more.problem, "exhausted", view.added_tokens))
    return tuple(out)


def waiting(view: View, least_new: float) -> int:
    """How many digests wait, where there is no need to look for more: they free enough, or little is new since."""
    made, tried = view.last("collapse", Note, "stage"), view.last("collapse", Note, "exhausted")
    if made is None:
        return 0
    looked = max(made.data.tokens, tried.data if tried else 0)
    return len(made.data.drafts) if made.data.enough or view.added_tokens - looked < least_new else 0


def ready(view: View) -> tuple[Cover, ...]:
    """The digests that were made ready and can still take the place of their rounds, weighed as these are now."""
    note = view.last("collapse", Note, "stage")
    drafts: tuple[Cover, ...] = note.data.drafts if note else ()
    out = []
    for draft in drafts:
        if draft.blocks[0] in view and all(
            block_id in view and block_id not in view.opened for block_id in draft.blocks
        ):
            before = sum(view[block_id].tokens for block_id in draft.blocks)
            out.append(replace(draft, request=view.request, before=before))
    return tuple(out)


def gain(drafts: Sequence[Cover]) -> int:
    """Tokens that some digests would free."""
    return sum(draft.before - draft.after for draft in drafts)


def committed(drafts: Sequence[Cover], why: str, need: float) -> Outcome:
    """Put digests in, the oldest first, until they free enough."""
    chosen: list[Cover] = []
    freed = 0
    for draft in drafts:
        if freed >= need:
            break
        if draft.after < draft.before:
            chosen.append(draft)
            freed += draft.before - draft.after
    rounds = plural(sum(int(cover.why.split()[0]) for cover in chosen), "round")
    digests = plural(len(chosen), "digest")
    return Outcome(f"{why}: folded {rounds} into {digests}, {freed:,} freed", tuple(chosen))


def folded(view: View, drafts: Sequence[Cover], need: float, settings: Settings, services: Services) -> Folded:
    """New digests behind those that are ready, until they free enough."""
    rule = settings.collapse
    tried = view.last("collapse", Note, "exhausted")
    if need <= 0:
        return Folded()
    if tried and view.added_tokens - tried.data < rule.look_again * settings.thresholds.effective_window:
        return Folded(problem="a moment ago nothing was left to fold", again=True)
    out: list[Cover] = []
    freed = 0
    after = drafts[-1].blocks[-1] if drafts else ""
    for span in spans(view, rule.rounds_left_open, after):
        if freed >= need:
            break
        try:
            cover = fold(view, span, len(drafts) + len(out), settings, services)
        except SummaryError as error:
            return Folded(tuple(out), f"no digest: {error}", failed=True)
        if cover.after < cover.before:
            out.append(cover)
            freed += cover.before - cover.after
    return Folded(tuple(out), "" if out else f"no finished round is older than the newest {rule.rounds_left_open}")
