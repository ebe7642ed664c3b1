"""Measure: which number is held against a line: the size, or what the harness believes the size is.

Evidence: measured (recorded compactions come where the harness's estimate reaches the line, to within 0.4 %).
"""

from __future__ import annotations

from .settings import Settings
from .view import View


def measured(view: View, settings: Settings) -> tuple[int, str]:
    """The number, and its name in a reason."""
    if settings.autocompact.measure == "harness":
        return view.believed, "harness's estimate"
    return view.tokens, "size"
