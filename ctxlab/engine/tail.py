"""Where a compaction cuts: what is summarised, what stays behind it, and what session notes already cover.

Cuts fall only between rounds, so no call loses its result; what no reply has read always stays. Evidence: docs (the most
recent exchanges stay); analysis (how the tail behind session notes grows); ctxlab (the cap of the last exchange).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .edit import Cover, Note
from .message import Block
from .settings import Settings
from .view import View

Rounds = Sequence[Sequence[Block]]


class Cut(NamedTuple):
    """The rounds before the part that is summarised, that part, those behind it; and notes that stand for it."""

    lead: Rounds
    head: Rounds
    tail: Rounds
    notes: str = ""


def whole_cut(view: View, rounds: Rounds, settings: Settings) -> Cut:
    """Everything but the kept tail."""
    cut = first_kept(view, rounds, settings)
    return Cut((), rounds[:cut], rounds[cut:])


def partial_cut(view: View, rounds: Rounds, block_id: str, *, up_to: bool) -> Cut:
    """A part chosen by hand: from the round of a block on, or all before it; what is unread stays in any case."""
    here = round_of(rounds, block_id)
    unread = first_unread(view, rounds)
    if up_to:
        return Cut((), rounds[: min(here, unread)], rounds[min(here, unread) :])
    return Cut(rounds[:here], rounds[here:unread], rounds[max(here, unread) :])


def first_kept(view: View, rounds: Rounds, settings: Settings) -> int:
    """Which round is the first to stay: the last exchange where the rule says so, and always what is unread."""
    unread = first_unread(view, rounds)
    if settings.autocompact.keeps_recent == "none":
        return unread
    asked = max((n for n, blocks in enumerate(rounds) if any(b.kind == "user" for b in blocks)), default=len(rounds))
    if tokens_of(rounds[min(asked, unread) :]) <= kept_tokens(settings):
        return min(asked, unread)
    return min(len(rounds) - 1, unread)


def first_unread(view: View, rounds: Rounds) -> int:
    """The first round with something that no reply has read."""
    return next((n for n, blocks in enumerate(rounds) if any(b.id in view.unread for b in blocks)), len(rounds))


def round_of(rounds: Rounds, block_id: str) -> int:
    """The number of the round in which a block stands; behind all of them where it is in none."""
    return next((n for n, blocks in enumerate(rounds) if any(b.id == block_id for b in blocks)), len(rounds))


def kept_tokens(settings: Settings) -> float:
    """Up to this many tokens the last exchange is kept whole."""
    return settings.autocompact.kept_share * settings.thresholds.effective_window


def tokens_of(rounds: Rounds) -> int:
    """The sum over all blocks of some rounds."""
    return sum(block.tokens for blocks in rounds for block in blocks)


def from_notes(view: View, rounds: Rounds, settings: Settings) -> Cut | None:
    """What session notes cover and what is kept behind them, or None where they do not help.

    The tail begins behind the notes and grows backwards until both minimums hold or its cap is reached. Where the block
    up to which they were taken has left the View, the nearest one before it counts. Notes from before the last compaction do not count,
    nor those with which the result would be over the line again.
    """
    rule, last = settings.session_memory, view.last("autocompact", Cover)
    notes = view.last("session_memory", Note, "notes")
    if notes is None or (last and notes.request <= last.request):
        return None
    noted = last_noted(view, rounds, notes.data.upto)
    if noted is None:
        return None
    cut = min(noted + 1, first_unread(view, rounds))
    size = tokens_of(rounds[cut:])
    texts = texts_of(rounds[cut:])
    while cut and size < rule.max_tokens and (size < rule.min_tokens or texts < rule.min_messages):
        cut -= 1
        size, texts = size + tokens_of(rounds[cut : cut + 1]), texts + texts_of(rounds[cut : cut + 1])
    after = view.tokens - tokens_of(rounds[:cut]) + notes.data.weight
    if not cut or after >= settings.thresholds.autocompact:
        return None
    return Cut((), rounds[:cut], rounds[cut:], notes.data.text)


def last_noted(view: View, rounds: Rounds, upto: str) -> int | None:
    """The round up to which notes were taken: of the block itself, or of the nearest before it that still stands."""
    round_at = {block.id: number for number, blocks in enumerate(rounds) for block in blocks}
    if upto in round_at:
        return round_at[upto]
    place = view.history.place_of.get(upto, -1)
    before = (view.history.blocks[at].id for at in range(place, -1, -1))
    return next((round_at[name] for name in before if name in round_at), None)


def texts_of(rounds: Rounds) -> int:
    """How many texts, of either side, stand in some rounds."""
    return sum(block.kind in ("user", "reply") for blocks in rounds for block in blocks)
