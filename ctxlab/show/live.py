"""The live bench: a Replay with its steps, its blocks and its Settings in the reader's hands.

All steps travel once and are drawn in the browser. The kernel is asked for three things: the texts of a block, the
picture as text, and another run when a setting changes. Whatever goes wrong is said in the bench.

Beside the widget always stand the SVG and the text of the step that is shown, so an untrusted, static or reopened
notebook has the same picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..engine.history import History
from ..engine.pipeline import Acts, Step
from ..engine.profiles import PROFILES
from ..engine.replay import Replay, replay
from ..engine.services import Services
from ..engine.settings import Settings, field_index, suggest
from ..lab.faults import FROM_A_REQUEST, with_faults
from ..sources.load import load
from .answers import Heard, block_answer
from .columns import columns_of
from .joined import SCRIPT, STYLE
from .languages import language
from .notebook import beside, first_act, is_static, replay_text, static_bundle
from .page import Page, make_page, write_page
from .payload import FIRST_CONTROLS, fixed, packed, settings_payload
from .picture import picture
from .svg import svg_picture, write_svg
from .text import write_text
from .words import one_line


class Bench(anywidget.AnyWidget):
    """Show a session in its window, step by step, under Settings that can be changed.

    `session` is a History, or whatever `load` takes: that is read when the bench is shown. `controls` names the settings
    (or whole groups) that lie open; all others are in a folded panel. `request` (from 0) and `layer` say where it opens,
    by default at the first act. `against` are other Settings, whose run stands beside this one. Raises ValueError for
    a control that is no setting. `lang` is `en` or `zh`; what the engine says stays English.
    """

    _esm = SCRIPT
    _css = STYLE
    _fixed = traitlets.Dict().tag(sync=True)
    _columns = traitlets.Bytes().tag(sync=True)
    _settings = traitlets.Dict().tag(sync=True)
    _controls: traitlets.List[str] = traitlets.List().tag(sync=True)
    _place: traitlets.List[Any] = traitlets.List().tag(sync=True)  # request, layer
    _against = traitlets.Bytes().tag(sync=True)  # the columns of the run that this one is compared with
    _extra = traitlets.Dict().tag(sync=True)  # faults with their requests, and the name of that run
    _live = traitlets.Bool(True).tag(sync=True)  # a page without a kernel says no
    _progress = traitlets.Float(-1.0).tag(sync=True)  # the share that is done; below 0 nothing runs

    def __init__(
        self,
        session: History | str | Path | Sequence[Any] | Mapping[str, Any],
        settings: Settings | None = None,
        *,
        controls: Iterable[str] = FIRST_CONTROLS,
        services: Services | None = None,
        acts: Acts | None = None,
        against: Settings | None = None,
        request: int | None = None,
        layer: str | None = None,
        lang: str = "en",
    ) -> None:
        self._session, self._services, self._acts = session, services, acts
        self.settings = settings or Settings.profile()
        self._given, self._other, self._faults = against, against, dict[str, int]()
        self._replay: Replay | None = None
        self._beside: Replay | None = None
        self._asked_place = request, layer
        self._tongue = language(lang)
        super().__init__(_fixed=fixed(self._tongue), _controls=paths_of(controls))
        self._tell_settings()
        self.on_msg(self._heard)
        if isinstance(session, History) or is_static():
            self._run(self.settings)

    @property
    def replay(self) -> Replay:
        """The Replay that is shown; a session that was not read yet is read now."""
        if self._replay is None:
            self._run(self.settings)
        assert self._replay is not None
        return self._replay

    @property
    def step(self) -> Step:
        """The Step that is shown; raises IndexError where the session has no request."""
        return self.replay.step(*self._place)

    def go(self, request: int = -1, layer: str | None = None) -> Bench:
        """Show the Step of a layer (by default the last) of a request, from 0; raises as `Replay.at` does."""
        step = self.replay.step(request, layer)
        self._place = [step.request, step.layer]
        return self

    # The run

    def _run(self, settings: Settings) -> None:
        """Read the session if it was not, send it through the layers, and tell the browser."""
        if not isinstance(self._session, History):
            self._session = load(self._session, progress=self._tell_progress)
        self._replay = self._run_under(settings)
        self.settings = settings
        with self.hold_sync():
            self._columns = packed(self._replay, tongue=self._tongue)
            self._beside = self._run_under(self._other) if self._other else None
            self._against = packed(self._beside, tongue=self._tongue) if self._beside else b""
            own = self._name_of(self._given)
            self._extra = {"faults": self._faults, "against": self._name_of(self._other), "own": own}
            self._tell_settings()
            self._progress = -1.0
            if self._replay.exchanges:
                self._place = self._kept_place(self._replay)

    def _run_under(self, settings: Settings) -> Replay:
        """The session, with its faults, under some Settings."""
        assert isinstance(self._session, History)
        put = with_faults(self._session, self._services, settings, self._faults)
        progress = self._tell_progress if len(put.history.turns) > 2_000 else None
        return replay(put.history, settings, put.services, acts=self._acts, progress=progress)

    def fault(self, name: str, request: int = 0, *, on: bool = True) -> Bench:
        """Put a fault into the session, from a request (from 0) on, or take it out; ValueError as `with_faults` has it."""
        before = self._faults
        start = request if name in FROM_A_REQUEST else 0
        self._faults = {key: at for key, at in before.items() if key != name} | ({name: start} if on else {})
        try:
            self._run(self.settings)
        except Exception:
            self._faults = before
            raise
        return self

    def _name_of(self, settings: Settings | None) -> str:
        """How the other run is called: its profile, and how much of it was changed."""
        changed = len(settings.changed) if settings else 0
        words = self._tongue.live.BENCH["other_changed" if changed else "other"]
        return str(words.format(name=settings.base, changed=changed)) if settings else ""

    def compare(self, other: Settings | None) -> Bench:
        """Show the run of other Settings beside this one, at the same step; None for none."""
        self._other = other
        self._run(self.settings)
        return self

    def _kept_place(self, shown: Replay) -> list[Any]:
        """Where the reader is; at first the asked place, or the first act; where a layer is gone, the request's end."""
        if self._place:
            request, layer = self._place
            known = layer in [step.layer for step in shown.exchanges[request].steps]
            step = shown.step(request, layer if known else None)
        else:
            asked, layer = self._asked_place
            opens = asked is None and layer is None
            step = first_act(shown) if opens else shown.step(-1 if asked is None else asked, layer)
        return [step.request, step.layer]

    def _tell_settings(self) -> None:
        self._settings = settings_payload(self.settings, list(PROFILES))

    def _tell_progress(self, share: float) -> None:
        self._progress = share

    # What the browser asks

    def _heard(self, _: Any, asked: Heard, __: Any) -> None:
        """Answer one question; an error is shown in the bench, never swallowed."""
        try:
            ANSWERS[str(asked.get("type"))](self, asked)
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader must see it
            self._progress = -1.0
            words = one_line(f"{type(error).__name__}: {error}", 500)
            self.send({"type": "error", "text": words, "asked": dict(asked)})

    def _shown(self, _: Heard) -> None:
        """The browser shows the bench: now a session that was only named is read."""
        if self._replay is None:
            self._progress = 0.0
            self._run(self.settings)

    def _change(self, asked: Heard) -> None:
        """Take another value, another profile, or the profile as it is; a bad value is answered beside its control."""
        try:
            settings = self._wanted(asked)
        except ValueError as error:
            self.send({"type": "complaint", "path": asked.get("path", ""), "text": one_line(str(error), 400)})
            return
        self._run(settings)
        self.send({"type": "done", "path": asked.get("path", "")})  # also where the run came out the same

    def _put_fault(self, asked: Heard) -> None:
        """Put a fault in where the reader is, or take it out; one that cannot be is answered."""
        try:
            self.fault(asked["name"], int(asked["request"]), on=bool(asked["on"]))
        except ValueError as error:
            self.send({"type": "complaint", "path": asked["name"], "text": one_line(str(error), 400)})
            return
        self.send({"type": "done", "path": asked["name"]})

    def _compare_with(self, asked: Heard) -> None:
        """Compare with a profile, with the Settings that the bench was given, or with nothing."""
        name = asked["name"]
        given = self._given if name and name == self._name_of(self._given) else None
        self.compare(given or (Settings.profile(name) if name else None))
        self.send({"type": "done", "path": "against"})

    def _wanted(self, asked: Heard) -> Settings:
        if asked["type"] == "profile":
            return Settings.profile(asked["name"])
        return self.settings.set(f"{asked['path']}={asked['text']}")

    def _block(self, asked: Heard) -> None:
        """The texts of a block."""
        self.send({"type": "block", **block_answer(self.replay, asked)})

    def _text(self, asked: Heard) -> None:
        """The picture of a step as text."""
        step = columns_of(self.replay).steps[int(asked["step"])]
        self.send(
            {"type": "text", "step": asked["step"], "text": replay_text(self.replay, step, lang=self._tongue.name)}
        )

    def save(self, path: str | Path, *, texts: bool = True) -> Page:
        """Write the replay as one HTML file with all its steps, for whoever has no kernel and no network.

        Texts are capped and what looks like a secret is covered; without `texts` no word of the session is in it. An
        earlier page is replaced, any other file is not (FileExistsError).
        """
        shown, controls = self.replay, tuple(self._controls)
        at = (self._place[0], self._place[1]) if self._place else None
        extra = dict(self._extra)
        page = make_page(
            shown, texts=texts, place=at, controls=controls, against=self._beside, extra=extra, lang=self._tongue.name
        )
        write_page(page, path)
        return page

    # What needs nothing to run

    def __repr__(self) -> str:
        if self._replay is None:
            return f"Bench({one_line(str(self._session), 80)}: read when it is shown, or by `.replay`)"
        if not self._replay.exchanges:
            return replay_text(self._replay)
        return write_text(picture(self._replay, self._place[0], self._place[1], self._tongue.name))

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        if self._replay is None or not self._replay.exchanges:
            bundle = {"text/plain": repr(self)}
        else:
            drawn = picture(self._replay, self._place[0], self._place[1], self._tongue.name)
            english = partial(svg_picture, self._replay, *self._place)
            bundle = static_bundle(write_svg(drawn), write_text(drawn), english=english)
        return beside(bundle, partial(super()._repr_mimebundle_, **kwargs))


ANSWERS: dict[str, Callable[[Bench, Heard], None]] = {
    "shown": Bench._shown,
    "set": Bench._change,
    "profile": Bench._change,
    "fault": Bench._put_fault,
    "against": Bench._compare_with,
    "block": Bench._block,
    "text": Bench._text,
}


def paths_of(controls: Iterable[str]) -> list[str]:
    """Full paths of settings, from paths and names of groups; raises ValueError with the nearest name."""
    known = field_index()
    groups = {path.partition(".")[0] for path in known}
    out: list[str] = []
    for name in [controls] if isinstance(controls, str) else controls:
        if name not in known and name not in groups:
            raise ValueError(f"unknown setting {name!r} in controls; {suggest(name, [*known, *groups])}")
        out += [path for path in known if path == name or path.startswith(f"{name}.")]
    return list(dict.fromkeys(out))
