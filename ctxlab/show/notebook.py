"""How pictures stand in a notebook: SVG and text always, PNG where the committed form is made.

With `CTXLAB_STATIC=1` nothing live is put out: that is how the refresh command runs the notebooks, because a widget that
is stored without its state is an error message when it is opened again.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from typing import Any

from ..engine.pipeline import Step
from ..engine.replay import Replay
from .picture import picture
from .svg import write_svg
from .table import StepTable
from .text import WORD_WIDTH, write_text


def is_static() -> bool:
    """True while the committed form of a notebook is made."""
    return os.environ.get("CTXLAB_STATIC") == "1"


def static_bundle(svg: str, text: str, width: int = 960, *, english: Callable[[], str] | None = None) -> dict[str, str]:
    """The forms of one picture that need nothing to run; `width` is that of the PNG, in pixels.

    Where the PNG's words need a font that is not here, `english` is drawn instead; without it there is no PNG.
    """
    bundle = {"image/svg+xml": svg, "text/plain": text}
    if is_static():
        from .png import has_every_letter, png_of

        drawn = svg if has_every_letter(svg) else english() if english else ""
        if drawn:
            bundle["image/png"] = base64.b64encode(png_of(drawn, width)).decode("ascii")
    return bundle


def beside(static: dict[str, str], live: Callable[[], Any]) -> Any:
    """The static forms of a widget beside the widget itself; alone while the committed form is made."""
    if is_static():
        return static
    data, metadata = live() or ({}, {})
    return {**data, **static}, metadata


def newest_act(replay: Replay) -> tuple[int, str | None]:
    """The place of the last step in which something happened; it tells more than the end does."""
    for step in reversed(replay.steps):
        if step.state not in ("off", "idle"):
            return step.request, step.layer
    return -1, None


def first_act(replay: Replay) -> Step:
    """The first Step in which something happened, or the last of all: where a reader begins."""
    return next((step for step in replay.steps if step.state not in ("off", "idle")), replay.step())


def replay_text(replay: Replay, step: Step | None = None, *, width: int = WORD_WIDTH, lang: str = "en") -> str:
    """A Replay in a terminal: the picture of its last act and the table of steps; of one Step, its picture."""
    if step is not None:
        return write_text(picture(replay, step.request, step.layer, lang), width)
    if not replay.exchanges:
        return f"{replay.history!r}: no request in it, nothing to replay"
    return f"{write_text(picture(replay, *newest_act(replay)), width)}\n\n{StepTable(replay).text(width)}"


def replay_bundle(replay: Replay, step: Step | None = None) -> dict[str, str]:
    """A Replay in a notebook: the picture of one Step, by default of its last act."""
    if not replay.exchanges:
        return {"text/plain": replay_text(replay)}
    place = (step.request, step.layer) if step else newest_act(replay)
    drawn = picture(replay, *place)
    return static_bundle(write_svg(drawn), write_text(drawn))
