"""Course: what the notebooks need around the lessons: checks of answers, questions, code from the package, the interview."""

from typing import Any

from .checks import check
from .listing import listing
from .quiz import predict, quiz

__all__ = ["check", "drill", "listing", "predict", "quiz", "timer"]
WIDGETS = {"drill": "interview", "timer": "countdown"}


def __getattr__(name: str) -> Any:
    """Widgets are imported when they are asked for."""
    if name not in WIDGETS:
        raise AttributeError(f"module 'ctxlab.course' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{WIDGETS[name]}", __name__), name)
