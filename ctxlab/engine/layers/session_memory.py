"""Beside the ladder, session memory: notes taken on the side, so that a compaction needs no model call of its own.

It changes nothing; its notes are remembered in the log, and autocompact starts from them. "Free" is wrong accounting:
the notes were written by earlier calls.

But: no template, no cap for each section, and the notes are the summariser's, not a background agent's.
Evidence: analysis; all gates were off on the machines seen, so every profile has it off.
"""

from __future__ import annotations

from typing import NamedTuple

from ..edit import Note, Outcome, failure
from ..services import Services
from ..settings import Settings
from ..summary import SummaryError, TooLongError, summary_request, usable
from ..view import View


class Notes(NamedTuple):
    """The text and its tokens, the last block it speaks of, and what had come in by then."""

    text: str
    weight: int
    upto: str
    tokens: int
    calls: int


def session_memory(view: View, settings: Settings, services: Services) -> Outcome:
    """Write notes after the first stretch, then after each further one with enough calls in it."""
    rule = settings.session_memory
    last = view.last("session_memory", Note, "notes")
    before: Notes | None = last.data if last else None
    tokens = view.added_tokens - (before.tokens if before else 0)
    calls = view.added_calls - (before.calls if before else 0)
    need = rule.every_tokens if before else rule.first_tokens
    if tokens < need or (before and calls < rule.every_calls):
        return Outcome(f"{tokens:,} of {need:,} new tokens, {calls} new calls")
    upto = next((block.id for block in reversed(list(view)) if block.id not in view.unread), "")
    if not upto:
        return Outcome("no reply has read anything yet")
    unread = view.unread
    rounds = [
        blocks for blocks in view.rounds(before.upto if before else "") if not any(b.id in unread for b in blocks)
    ]
    try:
        text = usable(services.summarise(summary_request(rounds, settings, before.text if before else "")))
    except (TooLongError, SummaryError) as error:
        return failure("session_memory", view.request, f"no notes: {error}")
    notes = Notes(text, services.count(text), upto, view.added_tokens, view.added_calls)
    why = f"notes written after {tokens:,} new tokens"
    return Outcome(why, (Note("session_memory", view.request, why, "notes", notes),))
