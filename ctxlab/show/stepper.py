"""Stepper: a Replay's picture, act by act, with two small buttons.

Live it is a widget; beside it always stand the SVG and the text of the act that is shown, so that an untrusted, static
or reopened notebook has the same picture. What it leaves out: sliders, the timeline, the inspector; those are the
bench's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.pipeline import Step
from ..engine.replay import Replay
from .notebook import is_static, replay_text, static_bundle
from .picture import picture
from .svg import write_svg
from .text import write_text

if TYPE_CHECKING:
    import ipywidgets


class Stepper:
    """The steps of a Replay in which a layer acted, failed or gained nothing, one picture at a time.

    `next()` and `previous()` do what the buttons do; at the ends they stay where they are. A Replay in which nothing
    happened has one step, the last.
    """

    def __init__(self, replay: Replay, *, all_steps: bool = False) -> None:
        self.replay = replay
        steps = [step for step in replay.steps if all_steps or step.state not in ("off", "idle")]
        self.steps: list[Step] = steps or replay.steps[-1:]
        self.place = 0
        self._widget: ipywidgets.VBox | None = None

    @property
    def step(self) -> Step:
        """The Step that is shown."""
        return self.steps[self.place]

    def next(self) -> Stepper:
        """Go on to the next act."""
        return self.go(self.place + 1)

    def previous(self) -> Stepper:
        """Go back to the act before."""
        return self.go(self.place - 1)

    def go(self, place: int) -> Stepper:
        """Show the act with that number, from 0."""
        self.place = max(0, min(place, len(self.steps) - 1))
        if self._widget is not None:
            self._draw()
        return self

    def __repr__(self) -> str:
        return write_text(self._picture()) if self.steps else replay_text(self.replay)

    def _picture(self) -> Any:
        return picture(self.replay, self.step.request, self.step.layer)

    def _repr_mimebundle_(self, **_: Any) -> Any:
        if not self.steps:
            return {"text/plain": repr(self)}
        drawn = self._picture()
        bundle = static_bundle(write_svg(drawn), write_text(drawn))
        if is_static():
            return bundle
        live = self.widget()._repr_mimebundle_()
        data, metadata = live if isinstance(live, tuple) else (live, {})
        return {**(data or {}), **bundle}, metadata

    def widget(self) -> ipywidgets.VBox:
        """The live form; made once."""
        if self._widget is None:
            import ipywidgets

            back = ipywidgets.Button(description="‹ back", tooltip="the act before", layout={"width": "90px"})
            on = ipywidgets.Button(description="next ›", tooltip="the next act", layout={"width": "90px"})
            self._status, self._canvas = ipywidgets.HTML(), ipywidgets.HTML()
            back.on_click(lambda _: self._try(self.previous))
            on.on_click(lambda _: self._try(self.next))
            self._buttons = back, on
            self._widget = ipywidgets.VBox([ipywidgets.HBox([back, on, self._status]), self._canvas])
            self._draw()
        return self._widget

    def _draw(self) -> None:
        drawn = self._picture()
        back, on = self._buttons
        back.disabled, on.disabled = self.place == 0, self.place == len(self.steps) - 1
        self._canvas.value = write_svg(drawn)  # before the words: who reads of an act can see it
        words = f"act {self.place + 1} of {len(self.steps)}, request {drawn.request + 1} of {drawn.requests}"
        self._status.value = f'<span role="status" data-step="{self.place}" style="margin-left:8px">{words}</span>'

    def _try(self, act: Any) -> None:
        """Do what a button asks; an error is shown in the widget, never swallowed."""
        try:
            act()
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader must see it
            import html

            self._status.value = f'<span role="alert">{html.escape(f"{type(error).__name__}: {error}")}</span>'
