"""Picture: what is to be drawn of a Replay at one Step, as plain data. Text and SVG are two writers of it.

Two rows of marks. Above, the History: everything the user can scroll back to, in order of arrival; nothing ever leaves
it. Below, the View: what the model gets. Each mark of the History knows what became of it and, where it is hidden,
which mark of the View stands for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.edit import Cover, Delete, Edit, Replace, plural
from ..engine.message import Block
from ..engine.pipeline import Step
from ..engine.replay import Replay, said_by
from ..engine.view import View
from .palette import LOOKS, look_key
from .words import ACTED, LAYERS, STATES, one_line, thousands


@dataclass(frozen=True, slots=True)
class Mark:
    """One block in a row: where it begins and how wide it is, in tokens.

    `verb` is the layer that changed it ("" for none), `now` tells that this happened at this step, `into` is the id of
    the block in the View that stands for it ("" where none does).
    """

    id: str
    kind: str
    start: int
    tokens: int
    label: str
    verb: str = ""
    now: bool = False
    into: str = ""

    @property
    def whole(self) -> bool:
        """True where the model gets it as it was."""
        return not self.verb


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything a drawing of one Step needs; all numbers are tokens."""

    title: str
    reason: str
    step: Step
    request: int
    requests: int
    history: tuple[Mark, ...]
    view: tuple[Mark, ...]
    history_tokens: int
    history_before: int
    view_tokens: int
    seen_whole: int
    lines: dict[str, int]
    steps: tuple[Step, ...]
    rests_on: str
    counter: str
    summariser: str
    notes: tuple[str, ...]


def picture(replay: Replay, request: int = -1, layer: str | None = None) -> Picture:
    """The picture of one Step; by default the last one."""
    moment = replay.at(request, layer)
    step, view = moment.step, moment.view
    exchange = replay.exchanges[step.request]
    shown = exchange.steps[: exchange.steps.index(step) + 1]
    fates = fate_of(view)
    now = touched(step.edits)
    history = marks(replay.scroll(step.request, step), fates, now, view)
    rows = marks(list(view), {}, {name for edit in step.edits for name in put_in(edit)} | now, view)
    return Picture(
        title=title_of(step, exchange.outcome if step is exchange.steps[-1] else ""),
        reason=one_line(step.reason, 400),
        step=step,
        request=step.request,
        requests=len(replay.exchanges),
        history=history,
        view=rows,
        history_tokens=sum(mark.tokens for mark in history),
        history_before=sum(mark.tokens for mark in history) - put_in_tokens(step),
        view_tokens=view.tokens,
        seen_whole=sum(mark.tokens for mark in history if mark.whole),
        lines=lines_of(replay),
        steps=shown,
        rests_on=view.rests_on,
        counter=replay.history.counter.name,
        summariser=getattr(replay.services.summarise, "name", "a summariser without a name"),
        notes=notes_of(replay, step.request),
    )


def marks(blocks: list[Block], fates: dict[str, tuple[str, str]], now: set[str], view: View) -> tuple[Mark, ...]:
    """One mark for each block, from left to right."""
    out = []
    start = 0
    for block in blocks:
        verb, into = fates.get(block.id, ("", block.id if block.id in view else ""))
        out.append(Mark(block.id, look_key(block), start, block.tokens, label_of(block), verb, block.id in now, into))
        start += block.tokens
    return tuple(out)


def label_of(block: Block) -> str:
    """What is written on a block: the tool and what it is about, a file by its name."""
    if block.kind == "unrecorded":
        return LOOKS["unrecorded"].name
    target = block.target.rpartition("/")[2] if " " not in block.target else block.target
    return one_line(f"{block.tool} {target}".strip() or LOOKS[look_key(block)].name, 60)


def fate_of(view: View) -> dict[str, tuple[str, str]]:
    """For every block that the model does not get as it was: which layer did it, and what stands for it now."""
    instead: dict[str, tuple[str, str]] = {}
    for edit in view.log:
        if isinstance(edit, Cover) and edit.id in view.covered:
            stands = (edit.put or edit.append)[-1].id
            for block_id in edit.blocks:
                instead[block_id] = edit.layer, stands
        elif isinstance(edit, Replace) and edit.block in view:
            instead[edit.block] = edit.layer, edit.block
    for block_id in view.deleted:
        instead[block_id] = "microcompact", block_id
    return {block_id: (layer, last_of(block_id, instead, view)) for block_id, (layer, _) in instead.items()}


def last_of(block_id: str, instead: dict[str, tuple[str, str]], view: View) -> str:
    """Follow from one stand-in to the next until one is in the View."""
    seen = set()
    while block_id not in view and block_id in instead and block_id not in seen:
        seen.add(block_id)
        block_id = instead[block_id][1]
    return block_id if block_id in view else ""


def touched(edits: tuple[Edit, ...]) -> set[str]:
    """The blocks that these Edits change."""
    out: set[str] = set()
    for edit in edits:
        if isinstance(edit, Replace):
            out.add(edit.block)
        elif isinstance(edit, (Cover, Delete)):
            out |= set(edit.blocks)
    return out


def put_in(edit: Edit) -> list[str]:
    """The blocks that an Edit puts in."""
    return [block.id for block in (*edit.put, *edit.append)] if isinstance(edit, Cover) else []


def put_in_tokens(step: Step) -> int:
    """Tokens that this Step adds to what the user can scroll back to; it never takes any away."""
    return sum(block.tokens for edit in step.edits for block in said_by(edit))


def title_of(step: Step, outcome: str) -> str:
    """What happened, in one sentence."""
    name = LAYERS.get(step.layer, step.layer)
    end = {
        "blocked": "; the request is blocked",
        "refused": "; the model refuses the request",
        "recovered": "; sent after recovery",
    }
    if step.layer == "arrive":
        words = f"Request {step.request + 1}: what came in"
    elif step.layer not in ACTED:
        words = f"The user: {one_line(step.reason, 80)}"
    elif step.state == "acted":
        words = f"{name} {ACTED[step.layer].format(plural(len(touched(step.edits)), 'block'))}"
    else:
        words = f"{name} {STATES[step.state]}"
    return words + end.get(outcome, "")


def lines_of(replay: Replay) -> dict[str, int]:
    """The lines in the window, by name."""
    lines = replay.settings.thresholds
    return {
        "warning": lines.warning,
        "autocompact": lines.autocompact,
        "blocking": lines.blocking,
        "effective_window": lines.effective_window,
        "window": replay.settings.window.context_window,
    }


def notes_of(replay: Replay, request: int) -> tuple[str, ...]:
    """What a what-if cannot know, and what leans on hidden text, in words."""
    out = ["a what-if: recorded compactions are left out, recorded replies are taken as given"]
    leaning = sum(len(exchange.leans) for exchange in replay.exchanges[: request + 1])
    if leaning:
        out.append(f"{leaning} changes so far lean on the text of a file that the model would not see")
    if replay.history.source.format == "story":
        out[0] = "a story made by rule"
    return tuple(out)


def size_words(before: int, after: int) -> str:
    """Tokens before and after, in a few characters."""
    return f"{thousands(before)} → {thousands(after)}" if before != after else thousands(after)
