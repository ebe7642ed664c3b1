"""Replay: all Steps of all requests of one session under given Settings.

Any View is a fold of the History and a prefix of the Edits, so time travel needs nothing but the log. A replay is a
*what if*: recorded compactions are left out, and the recorded replies are taken as given; a model under other Settings
would have answered differently, and that nobody can know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .edit import Cover, Edit, Replace
from .history import History
from .message import Block
from .pipeline import Acts, Exchange, Progress, Step, run
from .services import Services
from .session_log import SessionLog
from .settings import Settings, suggest
from .view import View


@dataclass(frozen=True, eq=False)
class Moment:
    """A Replay at one Step: the Step, and the View after it; shows itself as the picture of that Step."""

    step: Step
    view: View
    replay: Replay

    def __repr__(self) -> str:
        return f"Moment({self.step.layer} {self.step.state}: {self.step.reason}; {self.view!r})"

    def __str__(self) -> str:
        return DRAW.text(self.replay, self.step) if DRAW else repr(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return DRAW.bundle(self.replay, self.step) if DRAW else {"text/plain": repr(self)}


@dataclass(frozen=True, eq=False)
class Replay:
    """One session under one set of Settings; `exchanges` has one entry for each request."""

    history: History
    settings: Settings
    services: Services
    exchanges: list[Exchange]
    purpose: str = "main"

    @property
    def steps(self) -> list[Step]:
        """All Steps, in order."""
        return [step for exchange in self.exchanges for step in exchange.steps]

    def step(self, request: int = -1, layer: str | None = None) -> Step:
        """The Step of one layer (by default the last) of one request, from 0.

        Raises IndexError and ValueError that say which requests and layers there are.
        """
        if not -len(self.exchanges) <= request < len(self.exchanges):
            raise IndexError(f"request {request} is not in this replay; it has {len(self.exchanges)}, counted from 0")
        exchange = self.exchanges[request]
        names = [step.layer for step in exchange.steps]
        if layer is not None and layer not in names:
            raise ValueError(f"request {exchange.index} has no step {layer!r}; {suggest(layer, names)}")
        return exchange.steps[-1 if layer is None else names.index(layer)]

    def at(self, request: int = -1, layer: str | None = None) -> Moment:
        """The Step of one layer (by default the last) of one request, from 0, and the View after it; raises as `step`."""
        last = self.step(request, layer)
        view = self._fold(last.request)
        for step in self.exchanges[last.request].steps:
            if step.edits:
                view._apply(step.edits)
            if step is last:
                break
        return Moment(last, view, self)

    def walk(self, before: int | None = None) -> Iterator[tuple[Step, View]]:
        """Every Step that has Edits, and the View after it: one View that goes along, to be read before the next Step."""
        view, done = View(self.history, self.settings, self.purpose), 0
        for step in self._acting:
            if before is not None and step.request >= before:
                break
            stop = self.history.turns[step.request].stop
            view._extend(self.history.blocks[done:stop])  # quiet requests in front of it come in together
            done, view.request = stop, step.request
            view._apply(step.edits)
            yield step, view

    def _fold(self, request: int) -> View:
        """The View when a request's blocks have come in, before any of its Edits."""
        view, done = View(self.history, self.settings, self.purpose), 0
        for step, walked in self.walk(request):
            view, done = walked, self.history.turns[step.request].stop
        view._extend(self.history.blocks[done : self.history.turns[request].start])
        view._arrive(request, self.settings)
        return view

    @cached_property
    def _acting(self) -> list[Step]:
        """The Steps that have Edits: all that a fold needs."""
        return [step for step in self.steps if step.edits]

    @cached_property
    def log(self) -> list[Edit]:
        """Every Edit, in the order in which it was made."""
        return [edit for step in self.steps for edit in step.edits]

    @cached_property
    def _put_in(self) -> dict[str, tuple[int, int, Block]]:
        """Block that an Edit put in -> its line in the log, its number there, and itself."""
        return {
            block.id: (line, number, block)
            for line, edit in enumerate(self.log)
            if isinstance(edit, Cover)
            for number, block in enumerate((*edit.put, *edit.append))
        }

    @cached_property
    def _logged(self) -> dict[str, Block]:
        """Address in the log -> the block that was put in there."""
        return {f"log:{line}:{number}": block for line, number, block in self._put_in.values()}

    def address(self, block_id: str) -> str:
        """Where the original of a block is: in the History, or in the log for what an Edit put in."""
        if block_id in self._put_in:
            line, number, _ = self._put_in[block_id]
            return f"log:{line}:{number}"
        return self.history.address(block_id)

    def read(self, address: str) -> str:
        """Read an original back, byte for byte, from whichever of the three places its address names."""
        place, _, name = address.partition(":")
        if place == "archive":
            return self.services.archive.get(name)
        if place == "log":
            if address not in self._logged:
                raise KeyError(f"{address!r} is not in the log of this replay; addresses look like 'log:3:1'")
            return self._logged[address].text
        return self.history.read(address)

    def original(self, block_id: str) -> tuple[str, list[str]]:
        """The whole text of a block ("" where the record has none), and every address of it, the archive's last."""
        try:
            addresses = [self.address(block_id)]
        except KeyError:
            return "", []  # a part of the overhead that only the Settings know
        text = self.read(addresses[0])
        if not text:
            return "", []  # what only the recorded usage knows of, or a picture
        return text, list(dict.fromkeys([*addresses, *self._archived.get(block_id, ())]))

    @cached_property
    def _archived(self) -> dict[str, list[str]]:
        """Block -> the addresses under which Edits that replaced it have kept it."""
        out: dict[str, list[str]] = {}
        for edit in self.log:
            if isinstance(edit, Replace):
                out.setdefault(edit.block, []).append(edit.original)
        return out

    def scroll(self, request: int = -1, until: Step | None = None) -> list[Block]:
        """What the user scrolls at a request, or after one Step of it: all that was said or put in, as it arrived."""
        out: list[Block] = []
        for exchange in self.exchanges[: range(len(self.exchanges))[request] + 1]:
            start, stop, _ = self.history.turns[exchange.index]
            out += self.history.blocks[start:stop]
            for step in exchange.steps:
                out += [block for edit in step.edits for block in said_by(edit)]
                if step is until:
                    return out
        return out

    def __repr__(self) -> str:
        acted = sum(step.state == "acted" and step.layer != "arrive" for step in self.steps)
        return f"Replay({len(self.exchanges):,} requests, {acted:,} acts, {self.settings!r})"

    def __str__(self) -> str:
        return DRAW.text(self, None) if DRAW else repr(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return DRAW.bundle(self, None) if DRAW else {"text/plain": repr(self)}


def view_before(history: History, settings: Settings, request: int, edits: Sequence[Edit] = ()) -> View:
    """The View when a request's blocks have come in, with these Edits made earlier: for readers who know them."""
    view = View(history, settings)
    view._extend(history.blocks[: history.turns[request].start])
    view._apply(edits)
    view._arrive(request, settings)
    return view


def said_by(edit: Edit) -> tuple[Block, ...]:
    """What an Edit puts in for the user to see as well: boundaries, summaries, restored files, notices."""
    seen = isinstance(edit, Cover) and edit.layer in ("autocompact", "snip", "arrive")
    return (*edit.put, *edit.append) if seen and isinstance(edit, Cover) else ()


@dataclass
class Draw:
    """How a Replay, or one Step of it, shows itself: the engine knows no pictures, so `ctxlab` puts them in here."""

    text: Callable[[Replay, Step | None], str]
    bundle: Callable[[Replay, Step | None], dict[str, str]]


DRAW: Draw | None = None


def replay(
    history: History,
    settings: Settings | None = None,
    services: Services | None = None,
    *,
    acts: Acts | None = None,
    progress: Progress | None = None,
    purpose: str = "main",
    log: SessionLog | None = None,
) -> Replay:
    """Send a History through the layers under these Settings (by default the `v2.1` profile) and keep every Step.

    `acts` are what a person does by hand: request number -> acts from `ctxlab.engine.acts`. `progress`
    is told from time to time which share of the requests is done. `purpose` names a helper (a sub-agent, the summary call
    itself) whose session this is: it never compacts itself. `log` keeps messages and Steps on
    disk, and takes the session up where an earlier process left it.
    """
    if not isinstance(history, History):
        raise TypeError(f"replay takes a History, got {type(history).__name__}; make one with ctxlab.load(...)")
    settings = settings or Settings.profile()
    services = services or Services.offline(history)
    return Replay(history, settings, services, run(history, settings, services, acts, progress, purpose, log), purpose)
