"""Two breakers that stop autocompact: one counts calls that failed, the other those that succeeded and did not help.

Both are read from the log of Edits; nothing else remembers them. What a person asks for neither trips nor resets them,
so one that holds holds for the session. Evidence: official (changelog 2.1.76 and 2.1.89).
"""

from __future__ import annotations

import itertools

from .edit import Cover, Note
from .groups import Autocompact
from .view import View

BY_HAND, TRANSPORT = "manual", "transport"  # what a Note of a failure says of itself


def tripped(view: View, rule: Autocompact) -> str:
    """Why autocompact must not try, or an empty string."""
    covers: list[int] = []
    failed: list[Note] = []
    enough = max(rule.failures or 0, (rule.refills or 0) + 1)
    for edit in reversed(view.past.get("autocompact", ())):  # newest first, no further than the rules look
        if is_automatic(edit):
            covers.append(edit.request)
        elif not covers and isinstance(edit, Note) and counts(edit, rule):
            failed.append(edit)
        if rule.failures is not None and len(failed) >= rule.failures:
            return f"breaker: {rule.failures} failures in a row, the last: {failed[0].why}"
        if len(covers) >= enough:
            break
    return refilled(covers[::-1], rule)


def is_automatic(edit: object) -> bool:
    """A compaction that nobody asked for: the breakers do not hear of the others."""
    return isinstance(edit, Cover) and isinstance(edit.put[0].raw, dict) and edit.put[0].raw.get("trigger") != BY_HAND


def counts(edit: object, rule: Autocompact) -> bool:
    """A try that came to nothing: it failed, or would have gained nothing; a model out of reach counts by setting."""
    if not isinstance(edit, Note) or edit.kind not in ("failed", "no_gain") or edit.data == BY_HAND:
        return False
    return rule.counts_transport or edit.data != TRANSPORT


def refilled(compacted_at: list[int], rule: Autocompact) -> str:
    """Why the refill breaker holds: compactions followed each other too quickly, several times running.

    >>> refilled([10, 12, 14, 16], Autocompact())
    'breaker: refilled within 3 requests, 3 times in a row'
    """
    if rule.refills is None or len(compacted_at) <= rule.refills:
        return ""
    newest = compacted_at[-rule.refills - 1 :]
    if all(later - earlier <= rule.refill_requests for earlier, later in itertools.pairwise(newest)):
        return f"breaker: refilled within {rule.refill_requests} requests, {rule.refills} times in a row"
    return ""
