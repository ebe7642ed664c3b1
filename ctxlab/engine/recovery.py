"""Recovery: what the harness does when the model refuses a request, or a reply hits its output limit, one try a Step.

Too long: digests that are ready are put in and the request goes again; then one compaction; then the refusal is shown.
Pictures too large: the request goes again without them. Output limit: the limit is raised once, then up to three hidden
messages ask the reply to go on. The error of a recoverable refusal is kept from the screen until all tries failed.
Evidence: analysis (the order, once each, the limits); official (pictures are stripped, changelog 2.1.229).
"""

from __future__ import annotations

from collections.abc import Iterator

from .breakers import tripped
from .edit import Note, Outcome, Replace, plural
from .layers.autocompact import Order, compact
from .layers.collapse import committed, ready
from .media import LEFT_OUT, media_of, too_large, without
from .pictures import picture_tokens
from .services import Services
from .settings import Settings
from .view import View


def refusal(view: View, settings: Settings) -> str:
    """Why the model would refuse this View, or an empty string."""
    if view.tokens > settings.window.context_window:
        return f"too long: {view.tokens:,} > window {settings.window.context_window:,}"
    return too_large(view, settings) if view.history.media else ""


def tries(view: View, settings: Settings) -> Iterator[str]:
    """What is tried after a refusal, in order, each only while the request is still refused."""
    if refusal(view, settings).startswith("pictures"):
        yield "strip"
        return
    if settings.collapse.enabled and ready(view):
        yield "drain"
    if settings.autocompact.enabled and view.purpose == "main":
        yield "compact"
    if refusal(view, settings).startswith("pictures"):
        yield "strip"


def drain(view: View, settings: Settings, services: Services) -> Outcome:  # noqa: ARG001 - one signature
    """Put in every digest that is ready, whatever the level."""
    return committed(ready(view), f"refused, {refusal(view, settings)}; drained", view.tokens)


def strip(view: View, settings: Settings, services: Services) -> Outcome:
    """Leave every picture out, with a mark in its place."""
    why = f"refused, {refusal(view, settings)}"
    tokens = services.count(LEFT_OUT)
    edits = []
    for name in view.history.media:
        block = view.get(name)
        if block is None or block.state == "deleted" or not media_of(block):
            continue
        weight = min(block.tokens, sum(map(picture_tokens, media_of(block))))
        by = without(block, block.tokens - weight + min(tokens, weight))
        address = view.history.address(name)
        edits.append(Replace("recovery", view.request, why, block.tokens, by.tokens, name, by, address))
    return Outcome(f"{why}: {plural(len(edits), 'block')} sent again without pictures", tuple(edits))


def reactive(view: View, settings: Settings, services: Services) -> Outcome:
    """Compact because the request was refused; a breaker and a hook may still forbid it, then the refusal is shown."""
    why = f"refused: {view.tokens:,} > window {settings.window.context_window:,}"
    failed = view.last("autocompact", Note, "failed")
    if failed and failed.request == view.request:
        return Outcome(f"{why}, and it failed in this request already; the error is shown", failed=True)
    if stopped := tripped(view, settings.autocompact):
        return Outcome(f"{why}, {stopped}; the error is shown", failed=True)
    outcome = compact(view, settings, services, Order(why))
    return outcome._replace(reason=f"{outcome.reason}; the error is shown") if outcome.failed else outcome


def output_limit(view: View, settings: Settings, services: Services) -> Outcome:  # noqa: ARG001 - one signature
    """A reply was cut off: raise the limit once, then ask it to go on, a few times for each prompt of the user's."""
    rule = settings.window
    before = [
        edit for edit in view.past.get("recovery", ()) if isinstance(edit, Note) and edit.request >= asked_at(view)
    ]
    if not before:
        why = f"the reply hit the output limit: raised from {rule.first_output_tokens:,} to {rule.raised_output_tokens:,} tokens"
    elif len(before) <= rule.resumes:
        why = f"the reply was cut again: hidden message {len(before)} of {rule.resumes} asks it to go on"
    else:
        return Outcome(
            f"the reply was cut again after {plural(rule.resumes, 'hidden message')}: it is shown as it is", failed=True
        )
    return Outcome(why, (Note("recovery", view.request, why, "retry"),))


def asked_at(view: View) -> int:
    """The request that the user's newest prompt belongs to."""
    seen = view.history.blocks[: view.history.turns[view.request].stop]
    prompt = next((block.id for block in reversed(seen) if block.kind == "user"), "")
    return view.history.arrived.get(prompt, 0)


TRIES = {"drain": drain, "strip": strip, "compact": reactive}
