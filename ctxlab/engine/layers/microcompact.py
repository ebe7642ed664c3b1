"""Layer 3, microcompact: old results of tools that can be called again are cleared.

Five ways to set it off, tried in the order that `microcompact.strategy` gives; the first that is due ends it.

    gap       the last reply is so long ago that the cache is cold anyway      analysis; measured in few sessions
    age       results older than some requests                                 article ("time decay", no number)
    pressure  at the warning line, the oldest until a set weight remains       measured (all 82 ids of 4 events)
    cached    so many results: the server leaves them out, text unchanged      analysis; remote numbers
    api       the public API's context editing does the same                   official

`gap`, `age` and `pressure` change the text that is sent. `cached` and `api` leave it byte-identical and add the deletion
to the Request; when the cache lapses, what `cached` had deleted comes back.

But: no result that a reply has not read is ever cleared, whatever the strategy.

>>> from ctxlab.sources.scenarios import acted
>>> step = acted("microcompact")
>>> step.reason
'gap 70 min ≥ 60: cleared 1 of 4 results, kept 3'
>>> edit = step.edits[0]
>>> edit.block, edit.by.text, edit.original
('t1/result', '[Old tool result content cleared]', 'history:2:0')
"""

from __future__ import annotations

from collections.abc import Callable

from ..edit import Delete, Outcome, Replace, plural
from ..message import Block
from ..services import Services
from ..settings import Settings
from ..summary import CLEARED
from ..tally import Tally
from ..view import View

Strategy = Callable[[View, Settings, Services], tuple[bool, Outcome]]  # due or not, and the answer


def microcompact(view: View, settings: Settings, services: Services) -> Outcome:
    """Ask each strategy in order; one that is due ends it, whether or not anything was left to clear."""
    past = view.past.get("microcompact")
    if past and past[-1].request == view.request:
        return DONE
    reasons = []
    for name in settings.microcompact.strategy:
        due, outcome = STRATEGIES[name](view, settings, services)
        if due:
            return outcome
        reasons.append(outcome.reason)
    return Outcome("; ".join(reasons) or "no strategy is set")


def gap(view: View, settings: Settings, services: Services) -> tuple[bool, Outcome]:
    """After an idle hour the prefix is forgotten, so rewriting it costs nothing extra."""
    if view.purpose != "main":
        return False, HELPER
    if view.now is None or view.replied_at is None:
        return False, NO_TIMES
    idle, limit = view.idle_minutes, settings.microcompact.gap_minutes
    if idle < limit:
        return False, Outcome(f"gap {idle:.0f} min < {limit}")
    why = f"gap {idle:.0f} min ≥ {limit}"
    return True, cleared(view, old(view, settings), why, settings, services)


def age(view: View, settings: Settings, services: Services) -> tuple[bool, Outcome]:
    """Results that came in many requests ago. But: it slides, and rewrites the prefix at nearly every request."""
    limit = settings.microcompact.age_rounds
    aged = [block for block in old(view, settings) if view.request - view.history.arrived[block.id] >= limit]
    aged = [block for block in aged if block.tokens > services.count(CLEARED)]
    if not aged:
        return False, Outcome(f"no result is {limit} requests old")
    return True, cleared(view, aged, f"{limit} requests old or more", settings, services)


def pressure(view: View, settings: Settings, services: Services) -> tuple[bool, Outcome]:
    """At the warning line: the oldest, until what remains is within its weight, if that saves enough."""
    rule, line = settings.microcompact, settings.thresholds.warning
    if view.believed < line:
        return False, Outcome(f"{view.believed:,} < warning {line:,}")
    weight = sum(tally.characters for tally in named(view, settings)) // settings.autocompact.chars_per_token
    chosen, left = [], weight
    for block in old(view, settings, keep=0):
        if left <= rule.pressure_keep_tokens:
            break
        chosen.append(block)
        left -= len(block.text) // settings.autocompact.chars_per_token
    if not chosen or weight - left < rule.pressure_save_tokens:
        return False, Outcome(f"would save {weight - left:,} < {rule.pressure_save_tokens:,}")
    return True, cleared(view, chosen, f"warning {line:,} reached, saves {weight - left:,}", settings, services)


def cached(view: View, settings: Settings, services: Services) -> tuple[bool, Outcome]:  # noqa: ARG001 - one signature
    """So many results: ask the server to leave the old ones out of what it remembers; nothing stays of them."""
    if view.purpose != "main":
        return False, HELPER
    count, limit = sum(tally.count for tally in named(view, settings)), settings.microcompact.cached_trigger
    if count < limit:
        return False, Outcome(f"{count} results < {limit}")
    return True, deleted(view, old(view, settings), f"{count} results ≥ {limit}", "cache_edits", 0)


def api(view: View, settings: Settings, services: Services) -> tuple[bool, Outcome]:
    """The public API's context editing: over the trigger, all but the newest of any tool, if that clears enough."""
    rule, each = settings.microcompact, services.count(CLEARED)
    if view.tokens < rule.api_trigger_tokens:
        return False, Outcome(f"{view.tokens:,} < {rule.api_trigger_tokens:,}")
    standing = [b for b in old(view, settings, every_tool=True) if b.tool not in rule.api_exclude_tools]
    calls = [view.get(f"{block.call}/use") for block in standing] if rule.api_clear_inputs else []
    chosen = [
        block for block in (*standing, *calls) if block is not None and block.state != "deleted" and block.tokens > each
    ]
    saved = sum(block.tokens - each for block in chosen)
    if saved < rule.api_clear_at_least_tokens:
        return False, Outcome(f"would clear {saved:,} < {rule.api_clear_at_least_tokens:,}")
    return True, deleted(view, chosen, f"{view.tokens:,} ≥ {rule.api_trigger_tokens:,}", "context_management", each)


def named(view: View, settings: Settings) -> list[Tally]:
    """The tallies of the tools whose results may be cleared."""
    tallies = view.standing.by_tool
    return [tallies[tool] for tool in settings.microcompact.tools if tool in tallies]


def old(
    view: View,
    settings: Settings,
    keep: int | None = None,
    *,
    every_tool: bool = False,
) -> list[Block]:
    """May be cleared: results of the named tools, read by a reply, not the newest few."""
    rule, results = settings.microcompact, view.results.values()
    standing = [block for block in results if every_tool or block.tool in rule.tools]
    keep = rule.keep_recent if keep is None else keep
    older = standing[: max(0, len(standing) - keep)]
    return [block for block in older if block.id not in view.unread]


def cleared(view: View, chosen: list[Block], why: str, settings: Settings, services: Services) -> Outcome:
    """Replace results by the placeholder, except where that is no shorter."""
    tokens, address = services.count(CLEARED), view.history.address
    edits = tuple(
        Replace(
            "microcompact",
            view.request,
            why,
            b.tokens,
            tokens,
            b.id,
            b.shown("cleared", tokens, CLEARED),
            address(b.id),
        )
        for b in chosen
        if b.tokens > tokens
    )
    count = sum(tally.count for tally in named(view, settings))
    kept = count - len(edits)
    short = len(chosen) - len(edits)
    also = f", {short} of them no longer than the placeholder" if short else ""
    return Outcome(f"{why}: cleared {len(edits)} of {count} results, kept {kept}{also}", edits)


def deleted(view: View, chosen: list[Block], why: str, via: str, each: int) -> Outcome:
    """One Delete for all of them: the text is sent unchanged, the server leaves it out."""
    ids, before = (
        tuple(block.id for block in chosen if block.tokens > each),
        sum(b.tokens for b in chosen if b.tokens > each),
    )
    if not ids:
        return Outcome(f"{why}: nothing old enough")
    inputs = sum(block_id.endswith("/use") for block_id in ids)
    also = f" and {plural(inputs, 'input')}" if inputs else ""
    edit = Delete("microcompact", view.request, why, before, each * len(ids), ids, via, each)  # type: ignore[arg-type]
    return Outcome(f"{why}: the server leaves out {plural(len(ids) - inputs, 'result')}{also}", (edit,))


DONE = Outcome("has cleared in this request already")
HELPER = Outcome("a helper's call: only the main thread's")
NO_TIMES = Outcome("no earlier reply, or no times recorded")
STRATEGIES: dict[str, Strategy] = {"gap": gap, "age": age, "pressure": pressure, "cached": cached, "api": api}
