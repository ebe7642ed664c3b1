"""Beside the ladder, session memory: notes taken on the side, so that a compaction needs no model call of its own.

It changes nothing; its notes are remembered in the log, and autocompact starts from them. "Free" is wrong accounting:
the notes were written by earlier calls.

But: no template, no cap for each section, and the notes are the summariser's, not a background agent's.
Evidence: analysis; all gates were off on the machines seen, so every profile has it off.
"""

from __future__ import annotations

from ..edit import Note, Notes, Outcome, failure
from ..services import Services
from ..settings import Settings
from ..summary import summary_request
from ..summary_text import SummaryError, usable
from ..view import View


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
    tried = view.last("session_memory", Note, "failed")
    if tried and view.added_tokens - tried.data < rule.every_tokens:
        return Outcome(f"failed {view.added_tokens - tried.data:,} tokens ago, waits for {rule.every_tokens:,}")
    unread = view.unread
    new = view.rounds(before.upto if before else "")
    rounds = [blocks for blocks in new if not any(block.id in unread for block in blocks)]
    if not rounds:
        return Outcome("no reply has read anything new")
    upto = rounds[-1][-1].id
    try:
        asked = summary_request(rounds, settings, before.text if before else "", purpose="session_memory")
        text = usable(services.summarise(asked))
    except SummaryError as error:
        return failure("session_memory", view.request, f"no notes: {error}", view.added_tokens)
    notes = Notes(text, services.count(text), upto, view.added_tokens, view.added_calls)
    why = f"notes written after {tokens:,} new tokens"
    return Outcome(why, (Note("session_memory", view.request, why, "notes", notes),))
