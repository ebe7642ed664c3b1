"""Acts of the user: what a person may do at a request, beside what the layers do. An input of a Replay.

Each makes a function with a layer's signature; the Pipeline records it as a Step of "user". Expanding a digest is the
one act that makes the View larger.
"""

from __future__ import annotations

from .edit import Cover, Expand, Note, Outcome, plural
from .layers.autocompact import Order, compact
from .layers.snip import BY_HAND
from .pipeline import Layer
from .services import Services
from .settings import Settings
from .view import View


def mark(*block_ids: str) -> Layer:
    """Mark blocks for snip."""

    def act(view: View, settings: Settings, services: Services) -> Outcome:  # noqa: ARG001 - one signature
        known = tuple(block_id for block_id in block_ids if block_id in view)
        reason = f"{len(known)} of {plural(len(block_ids), 'block')} marked"
        return Outcome(reason, (Note("snip", view.request, BY_HAND, "mark", known),) if known else ())

    return act


def expand(cover_id: str) -> Layer:
    """Open a digest again, while it is still in the View."""

    def act(view: View, settings: Settings, services: Services) -> Outcome:  # noqa: ARG001 - one signature
        cover = next((e for e in view.past.get("collapse", ()) if isinstance(e, Cover) and e.id == cover_id), None)
        if cover is None or cover_id not in view.covered or cover.put[0].id not in view:
            return Outcome(f"{cover_id} is not a digest in this view", failed=True)
        back = sum(block.tokens for block in view.covered[cover_id])
        why = f"{cover_id} opened again"
        return Outcome(why, (Expand("collapse", view.request, why, cover.after, back, cover_id),))

    return act


def compact_now(focus: str = "") -> Layer:
    """What `/compact` does, with what the summary should dwell on: a compaction that asks no line and no breaker."""
    return _compaction(Order("asked for", "manual", focus))


def compact_from(block_id: str, focus: str = "") -> Layer:
    """Summarise from the round of a block on; what is before it stays, and with it the cached prefix."""
    return _compaction(Order(f"asked for, from {block_id} on", "manual", focus, "from", block_id))


def compact_up_to(block_id: str, focus: str = "") -> Layer:
    """Summarise all before the round of a block; it and what is behind it stay."""
    return _compaction(Order(f"asked for, up to {block_id}", "manual", focus, "up to", block_id))


def _compaction(order: Order) -> Layer:
    def act(view: View, settings: Settings, services: Services) -> Outcome:
        if order.block and order.block not in view:
            return Outcome(f"{order.block} is not in this view", failed=True)
        return compact(view, settings, services, order)

    return act
