"""Assemble: what a reader has built becomes a History, its sizes fitted to the recorded usage where there is any."""

from __future__ import annotations

from dataclasses import replace

from ..engine.edit import plural
from ..engine.history import Clearing, Compaction, History, Source
from ..engine.message import Block, Message
from ..engine.tokens import Counter
from .build import Builder
from .calibrate import calibrate

SUM = "overhead"  # the target of a block that stands for all that was sent before the first message


def assemble(
    build: Builder,
    source: Source,
    counter: Counter,
    model: str,
    notices: list[str],
    compactions: tuple[Compaction, ...] = (),
    clearings: tuple[Clearing, ...] = (),
    known: tuple[Block, ...] = (),
) -> History:
    """Fit the sizes and put everything together; `known` are parts of the overhead whose text is known."""
    fitted = calibrate(build.messages, {each.position for each in compactions})
    overhead = known if fitted.overhead is None else measured(known, fitted.overhead, assumed=fitted.assumed)
    found = [*notices, *fitted.notices]
    if build.renamed:
        found.append(f"{plural(build.renamed, 'call')} renamed: the id was used before")
    history = History(
        tuple(fitted.messages), overhead, tuple(found), source, compactions, clearings, model, fitted.anchored, counter
    )
    if not history.messages:
        return replace(history, notices=(*found, "there is no message in it"))
    if not history.turns:
        return replace(
            history, notices=(*found, "there is no request in it: nothing stands in front of the first reply")
        )
    return history


def measured(known: tuple[Block, ...], total: int, *, assumed: bool) -> tuple[Block, ...]:
    """The overhead as usage knows it: only its sum, spread over the parts whose text is known."""
    counted = sum(block.tokens for block in known)
    if not counted:
        words = "assumed, as the recording starts in the middle" if assumed else "measured as one sum"
        text = f"system prompt, tools and memory ({words})"
        return (Block("system", "system", "system", text, total, "overhead", target=SUM),)
    done = given = 0
    out = []
    for block in known:
        done += block.tokens
        share = total * done // counted - given
        given += share
        out.append(replace(block, tokens=share))
    return tuple(out)


def apart(message: Message, place: str) -> Message:
    """A message that is not part of the History, under a name that cannot be one there."""
    name = f"recorded{place}.{message.id}"
    blocks = tuple(replace(block, id=f"recorded{place}.{block.id}", message=name) for block in message.blocks)
    return replace(message, id=name, blocks=blocks)
