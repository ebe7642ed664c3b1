"""CLAUDE.md: read from disk again at a compaction, because it never was part of the conversation.

It stands in front of the first message, as a user block: it is not in the system prompt (official). Present is not
obeyed: users report rules that were reloaded and ignored. What ctxlab leaves out: nested files and rules with paths.
"""

from __future__ import annotations

from .edit import Replace
from .services import Services
from .view import View

BLOCK = "claude_md"


def reread(view: View, services: Services) -> tuple[Replace, ...]:
    """A Replace for CLAUDE.md where its text on disk is no longer the one in the window."""
    old = view.get(BLOCK)
    text = services.workspace.memory(view.request) if old else None
    if old is None or text is None or text == old.text:
        return ()
    new = old.shown("", services.count(text), text)
    why = "CLAUDE.md was read from disk again"
    return (Replace("autocompact", view.request, why, old.tokens, new.tokens, BLOCK, new, view.history.address(BLOCK)),)
