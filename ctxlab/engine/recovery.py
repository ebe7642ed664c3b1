"""Recovery: what happens when the model refuses a request because it is larger than the window.

One compaction, once. Evidence: analysis (a reactive compaction, tried once). What ctxlab leaves out: draining staged
collapses first, stripping pictures, smaller output limits.
"""

from __future__ import annotations

from .breakers import tripped
from .edit import Outcome
from .layers.autocompact import compact
from .services import Services
from .settings import Settings
from .view import View


def recover(view: View, settings: Settings, services: Services) -> Outcome:
    """Compact because the request was refused; a breaker and a hook may still forbid it."""
    why = f"refused: {view.tokens:,} > window {settings.window.context_window:,}"
    if stopped := tripped(view, settings.autocompact):
        return Outcome(f"{why}, {stopped}", failed=True)
    return compact(view, settings, services, why)
