"""Timer: a clock for a task with a limit. It runs in the browser and stops nobody."""

from __future__ import annotations

from functools import partial
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from ..show.notebook import beside

HERE = files("ctxlab.course")
CLOCK, STYLE = (HERE.joinpath(name).read_text(encoding="utf-8") for name in ("clock.js", "drill.css"))


class Timer(anywidget.AnyWidget):
    """Count up to a number of minutes; a press starts and stops it. Raises ValueError for less than a minute."""

    _esm = CLOCK + HERE.joinpath("timer.js").read_text(encoding="utf-8")
    _css = STYLE
    _goal = traitlets.Int().tag(sync=True)

    def __init__(self, minutes: int) -> None:
        if not isinstance(minutes, int) or isinstance(minutes, bool) or minutes < 1:
            raise ValueError(f"a timer needs 1 minute or more, in whole minutes, got {minutes!r}")
        super().__init__(_goal=minutes * 60)

    def __repr__(self) -> str:
        return f"{self._goal // 60} minutes; run this cell to start a clock"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return beside({"text/plain": repr(self)}, partial(super()._repr_mimebundle_, **kwargs))


def timer(minutes: int) -> Timer:
    """Show a clock for a task; raises ValueError for less than a minute."""
    return Timer(minutes)
