"""Projection: what the model gets, made anew from all that was said, as article-0 tells it.

Two parts, and both run for every request: slice at the newest compaction boundary (what it kept is named in it), and
leave out every id that a snip boundary names. A View arrives at the same list by following the Edits; this is the other
way, from the boundaries alone, so that a session can be taken up again from its record. Evidence: article-0 (the slice
and the filter); measured (boundaries name what they keep).

But: it knows what stands in the View, not in what form; folded rounds are not said anywhere, so it does not know them.
"""

from __future__ import annotations

from collections.abc import Sequence

from .message import Block


def project(said: Sequence[Block]) -> list[Block]:
    """What of all that was said or put in the model gets, in order.

    >>> old, new = Block("m0.0", "user", "user", "old", 1, "m0"), Block("m1.0", "user", "user", "new", 1, "m1")
    >>> cut = Block("b", "system", "compact_boundary", "", 0, "b")
    >>> [block.id for block in project([old, cut, new])]
    ['b', 'm1.0']
    """
    return without_snipped(since_boundary(said))


def since_boundary(said: Sequence[Block]) -> list[Block]:
    """From the newest compaction boundary on, with what it kept from before it: around boundary and summary."""
    at = next((n for n in range(len(said) - 1, -1, -1) if said[n].kind == "compact_boundary"), None)
    if at is None:
        return list(said)
    boundary, rest = said[at], list(said[at + 1 :])
    kept = boundary.raw if isinstance(boundary.raw, dict) else {}
    by_id = {block.id: block for block in said[:at]}
    before, after = ([by_id[name] for name in kept.get(side, ()) if name in by_id] for side in ("before", "after"))
    head = rest[:1] if rest and rest[0].kind == "summary" else []
    return [*before, boundary, *head, *after, *rest[len(head) :]]


def without_snipped(said: Sequence[Block]) -> list[Block]:
    """Without the ids that a snip boundary names; the boundaries themselves stay, the Request leaves them out."""
    gone = {
        name
        for block in said
        if block.kind == "snip_boundary" and isinstance(block.raw, dict)
        for name in block.raw["removed"]
    }
    return [block for block in said if block.id not in gone]
