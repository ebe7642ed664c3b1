"""Pipeline: runs the layers in order, applies their Edits, and records one Step for each.

The order is known here and nowhere else. For each request: what came in (`arrive`), the acts of the user, the layers,
then whether it may be sent. An answer that would not make the View smaller is not carried out; the Step says "no gain".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .breakers import BY_HAND
from .edit import Cover, Edit, Expand, Note, Outcome, changes
from .history import History
from .layers.autocompact import autocompact
from .layers.budget import budget
from .layers.collapse import collapse
from .layers.microcompact import microcompact
from .layers.session_memory import session_memory
from .layers.snip import snip
from .measure import measured
from .memory_files import nested_again
from .message import CHANGE_TOOLS, Block
from .recovery import TRIES, output_limit, refusal, tries
from .restore import is_whole
from .services import FREE, Cost, Meter, Services
from .session_log import SessionLog
from .settings import Settings
from .view import View

Layer = Callable[[View, Settings, Services], Outcome]
LAYERS: tuple[tuple[str, Layer], ...] = (
    ("budget", budget),
    ("snip", snip),
    ("microcompact", microcompact),
    ("collapse", collapse),
    ("session_memory", session_memory),
    ("autocompact", autocompact),
)


class Step(NamedTuple):
    """One layer's look at one request. `state`: off, idle, acted, no_gain or failed; `before` and `after` are sizes."""

    request: int
    layer: str
    state: str
    reason: str
    edits: tuple[Edit, ...]
    before: int
    after: int
    cost: Cost = FREE


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request with all its Steps. `outcome`: sent, blocked, refused or recovered.

    `answer` is the index of the message that answers it; `leans` names calls that change a file of which the model sees
    no text under these Settings.
    """

    index: int
    answer: int
    steps: tuple[Step, ...]
    outcome: str
    tokens_sent: int
    tokens_recorded: int | None
    timestamp: str | None
    leans: tuple[str, ...] = ()

    def step(self, layer: str) -> Step | None:
        """The Step of that layer, if it is shown."""
        return next((step for step in self.steps if step.layer == layer), None)


Acts = Mapping[int, Sequence[Layer]]
Progress = Callable[[float], None]  # is told which share of the work is done
TELL_EVERY = 250  # requests
ACTS = ("notes", "stage", "retry")  # Notes by which a Step counts as an act although the View stays as it was
CUT_OFF = "max_tokens"
EDITS = 4  # their place in a Step


def run(
    history: History,
    settings: Settings,
    services: Services,
    acts: Acts | None = None,
    progress: Progress | None = None,
    purpose: str = "main",
    log: SessionLog | None = None,
) -> list[Exchange]:
    """Send the whole session through the layers, request by request; `purpose` names a helper whose call it is, `log` keeps it."""
    meter = Meter(services)
    layers = shown_layers(settings)
    off = {name: why_off(name, settings) for name, layer in layers if layer is None}
    view = View(history, settings, purpose)
    exchanges = []
    if log:
        log.start(repr(settings), history.overhead)
    for number, turn in enumerate(history.turns):
        if progress and number % TELL_EVERY == 0:
            progress(number / len(history.turns))
        leans = leaning(view, history.blocks[turn.start : turn.stop])
        if log:
            log.messages(history, history.turns[number - 1].answer if number else 0, turn.answer)
        steps = [arrive(view, number, settings, services)]
        for act in (acts or {}).get(number, ()):
            steps.append(take(view, numbered("user", steps), act, settings, meter, log))
        for name, layer in layers:
            if layer is None:
                steps.append(Step(number, name, "off", off[name], (), view.tokens, view.tokens))
            else:
                steps.append(take(view, name, layer, settings, meter, log))
        outcome = sendable(view, settings, steps[-1])
        if outcome == "refused":
            outcome = recover(view, settings, meter, steps, log)
        if turn.answer < len(history.messages) and history.messages[turn.answer].stop == CUT_OFF:
            steps.append(take(view, numbered("recovery", steps), output_limit, settings, meter, log))
        exchanges.append(exchange(view, number, tuple(steps), outcome, leans))
    if log:
        log.messages(history, 0, len(history.messages))
    return exchanges


def recover(view: View, settings: Settings, meter: Meter, steps: list[Step], log: SessionLog | None) -> str:
    """Try what may help after a refusal, one Step a try, until the request fits; the outcome."""
    for name in tries(view, settings):
        steps.append(take(view, numbered("recovery", steps), TRIES[name], settings, meter, log))
        if not refusal(view, settings):
            return "recovered"
    return "refused"


def numbered(name: str, steps: Sequence[Step]) -> str:
    """A name that no Step of this request has yet: "user", then "user 2"."""
    count = sum(step.layer.split()[0] == name for step in steps)
    return f"{name} {count + 1}" if count else name


def shown_layers(settings: Settings) -> list[tuple[str, Layer | None]]:
    """The layers in order, None where one is off; session memory is shown only when it is on."""
    out: list[tuple[str, Layer | None]] = []
    for name, layer in LAYERS:
        enabled = getattr(settings, name).enabled
        if enabled or name != "session_memory":
            out.append((name, layer if enabled else None))
    return out


def why_off(name: str, settings: Settings) -> str:
    """Off in the profile, or switched off by hand."""
    by_hand = f"{name}.enabled" in settings.changed
    return "switched off by hand" if by_hand else f"off in profile {settings.base}"


def arrive(view: View, number: int, settings: Settings, services: Services) -> Step:
    """Move on to a request: what came in since the last one, and what time did to the cache."""
    before = view.tokens
    start, stop, _ = view.history.turns[number]
    view._arrive(number, settings)
    edits: tuple[Edit, ...] = nested_again(view, services) if view.history.nested else ()
    reason = f"{stop - start} new blocks, {view.tokens - before:,} tokens"
    for edit in edits:
        reason += f"; {edit.why}"
    if view.deleted and view.idle_minutes >= settings.window.cache_minutes:
        lapsed = tuple(block_id for block_id, (_, via) in view.deleted.items() if via == "cache_edits")
        if lapsed:
            reason += f"; after {view.idle_minutes:.0f} min the cache is cold, {len(lapsed)} deletions lapse"
            edits = (*edits, Note("arrive", number, "the cache is cold", "lapse", lapsed))
    if edits:
        view._apply(edits)
    return Step(number, "arrive", "acted" if edits else "idle", reason, edits, before, view.tokens)


def take(view: View, name: str, layer: Layer, settings: Settings, meter: Meter, log: SessionLog | None = None) -> Step:
    """Ask one layer, carry out what it answers if that makes the View smaller, and record it."""
    before = view.tokens
    if log and (fields := log.known(view.request, name)):
        view._apply(fields[EDITS])  # an earlier process took this Step
        return Step(*fields)
    reason, edits, failed = layer(view, settings, meter.services)
    state = "failed" if failed else "idle"
    if edits:
        change = changes(edits)
        opens = any(isinstance(edit, Expand) for edit in change)  # the one Edit that is meant to make it larger
        by_hand = BY_HAND if name.startswith("user") else None
        if change and not opens and sum(edit.after - edit.before for edit in change) >= 0:
            state, reason = "no_gain", f"no gain: {reason}"
            edits = (
                *(e for e in edits if isinstance(e, Note)),
                Note(change[0].layer, view.request, reason, "no_gain", by_hand),
            )
        elif change or any(isinstance(edit, Note) and edit.kind in ACTS for edit in edits):
            state = "acted"
        view._apply(edits)
    step = Step(view.request, name, state, reason, edits, before, view.tokens, meter.read() if meter.asked else FREE)
    if log and edits:
        log.step(view.request, name, tuple(step))
    return step


def sendable(view: View, settings: Settings, auto: Step) -> str:
    """Whether it may go: blocked by the harness, refused by the model, or sent."""
    held = auto.state == "off" or (auto.state == "failed" and not auto.edits)
    if held and measured(view, settings)[0] >= settings.thresholds.blocking:
        return "blocked"
    return "refused" if refusal(view, settings) else "sent"


def leaning(view: View, new: Sequence[Block]) -> tuple[str, ...]:
    """Calls among what comes in that change a file which was read before, and of which the model sees no text now."""
    return tuple(
        block.id
        for block in new
        if block.kind == "call" and block.tool in CHANGE_TOOLS and not visible(view, block.target)
    )


def visible(view: View, path: str) -> bool:
    """True where a read of the file is whole in the View, was restored, or never was in the record."""
    reads = view.history.reads.get(path)
    never = not reads or view.history.arrived.get(reads[0], view.request + 1) > view.request
    if never or view.standing.whole_reads[path]:
        return True
    cover = view.last("autocompact", Cover)
    return cover is not None and any(block.target == path and is_whole(block) for block in cover.append)


def exchange(view: View, number: int, steps: tuple[Step, ...], outcome: str, leans: tuple[str, ...]) -> Exchange:
    """Put one request's record together."""
    history = view.history
    start, stop, answer = history.turns[number]
    reply = history.messages[answer] if answer < len(history.messages) else None
    seen = [block for block in history.blocks[start:stop] if block.at is not None]
    newest = history.message_of[max(seen, key=lambda block: block.at or 0.0).message] if seen else None
    recorded = reply.usage or None if reply else None
    return Exchange(number, answer, steps, outcome, view.tokens, recorded, newest.timestamp if newest else None, leans)
