"""ctxlab: see how a coding agent manages its context window.

    import ctxlab as cl

    history = cl.load("session.jsonl")                  # or cl.story("classroom")
    replay = cl.replay(history, cl.Settings.profile("v2.1"))
    replay.at(request=12, layer="microcompact").view

Importing it loads nothing of Jupyter, plotly, anthropic or tiktoken; each is imported where it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .engine import replay as _replay
from .engine.check import check_request
from .engine.history import History
from .engine.replay import Replay, replay
from .engine.request import make_request
from .engine.services import Services
from .engine.settings import Settings
from .engine.tokens import register_tiktoken
from .engine.view import View

if TYPE_CHECKING:
    from .course.setup import SetupReport
    from .engine.pipeline import Step
    from .show.audit_report import audit
    from .show.chooser import SessionChooser, sessions
    from .show.live import Bench
    from .show.svg import svg_picture
    from .show.table import StepTable
    from .show.text import text_picture
    from .sources.failures import scenario
    from .sources.load import load
    from .sources.story import story

__version__ = "0.1.0"
__all__ = [
    "Bench",
    "History",
    "Replay",
    "Services",
    "SessionChooser",
    "Settings",
    "SetupReport",
    "StepTable",
    "View",
    "audit",
    "check_request",
    "load",
    "make_request",
    "register_tiktoken",
    "replay",
    "scenario",
    "sessions",
    "story",
    "svg_picture",
    "text_picture",
]
LAZY = {
    "audit": "show.audit_report",
    "SessionChooser": "show.chooser",
    "sessions": "show.chooser",
    "SetupReport": "course.setup",
    "StepTable": "show.table",
    "Bench": "show.live",
    "load": "sources.load",
    "scenario": "sources.failures",
    "story": "sources.story",
    "svg_picture": "show.svg",
    "text_picture": "show.text",
}


def __getattr__(name: str) -> Any:
    """Import what is lazy when it is first asked for."""
    if name not in LAZY:
        raise AttributeError(f"module 'ctxlab' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{LAZY[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *LAZY])


def _draw_text(shown: Replay, step: Step | None) -> str:
    from .show.notebook import replay_text

    return replay_text(shown, step)


def _draw_bundle(shown: Replay, step: Step | None) -> dict[str, str]:
    from .show.notebook import replay_bundle

    return replay_bundle(shown, step)


_replay.DRAW = _replay.Draw(_draw_text, _draw_bundle)  # the engine knows nothing of pictures
