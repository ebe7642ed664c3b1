"""Picture: what is to be drawn of a Replay at one Step, as plain data. Text and SVG are two writers of it.

Two rows of marks. Above, the History: everything the user can scroll back to, in order of arrival; nothing ever leaves
it. Below, the View: what the model gets. Each mark of the History knows what became of it and, where it is hidden,
which mark of the View stands for it. The live bench makes the same marks from the same columns, in JavaScript.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.pipeline import Step
from ..engine.replay import Replay
from .columns import END, STAYS, Change, Columns, columns_of
from .languages import ENGLISH, Language, language
from .notes import what_it_is
from .words import one_line, thousands

LONG_PAUSE = 30  # minutes from which on a pause is told


@dataclass(frozen=True, slots=True)
class Mark:
    """One block in a row: where it begins and how wide it is, in tokens.

    `verb` is the layer that changed it last ("" for none; a block whose digest was summarised is summarised), `now` tells
    that this happened at this step, `into` is the id of
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
    language: Language = ENGLISH


def picture(replay: Replay, request: int = -1, layer: str | None = None, lang: str = "en") -> Picture:
    """The picture of one Step; by default the last one."""
    tongue = language(lang)
    columns = columns_of(replay)
    number = step_number(replay, request, layer)
    step = columns.steps[number]
    exchange = replay.exchanges[step.request]
    history, view = rows(columns, number, tongue)
    came = sum(columns.tokens[block] for block in columns.came(number))
    history_tokens = sum(mark.tokens for mark in history)
    return Picture(
        title=title_of(columns, number, exchange.outcome if step is exchange.steps[-1] else "", tongue),
        reason=one_line(step.reason, 400),
        step=step,
        request=step.request,
        requests=len(replay.exchanges),
        history=history,
        view=view,
        history_tokens=history_tokens,
        history_before=history_tokens - came,
        view_tokens=sum(mark.tokens for mark in view),
        seen_whole=sum(mark.tokens for mark in history if mark.whole),
        lines=lines_of(replay),
        steps=tuple(columns.steps[columns.first[step.request] : number + 1]),
        rests_on=rests_on(replay, columns, number),
        counter=replay.history.counter.name,
        summariser=summariser_of(replay),
        notes=notes_of(replay, step.request, tongue),
        language=tongue,
    )


def step_number(replay: Replay, request: int = -1, layer: str | None = None) -> int:
    """The number of a step among all; raises IndexError and ValueError as `Replay.at` does."""
    step = replay.step(request, layer)
    return columns_of(replay).first[step.request] + replay.exchanges[request].steps.index(step)


def rows(columns: Columns, step: int, tongue: Language = ENGLISH) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """The two rows at a step: what the user scrolls, and what the model gets."""
    forms, order = fold(columns, step)
    now = {change.block for change in columns.changes.get(step, ())} | set(columns.came(step))
    seen = set(order)
    history, view = [], []
    start = 0
    for block in range(columns.overhead, columns.stops[step]):
        hops = thread(block, forms, seen)
        into = columns.ids[hops[-1]] if hops[-1] in seen else ""
        verb = forms[hops[-2] if len(hops) > 1 else block].verb
        tokens, label = columns.tokens[block], tongue.label(columns.labels[block], columns.kinds[block])
        fresh = not now.isdisjoint(hops[:-1] or hops)
        history.append(Mark(columns.ids[block], columns.kinds[block], start, tokens, label, verb, fresh, into))
        start += tokens
    start = 0
    for block in order:
        form, block_id = forms[block], columns.ids[block]
        label = tongue.label(columns.labels[block], columns.kinds[block])
        view.append(Mark(block_id, form.kind, start, form.tokens, label, "", block in now, block_id))
        start += form.tokens
    return tuple(history), tuple(view)


def fold(columns: Columns, step: int) -> tuple[list[Change], list[int]]:
    """The newest change of every block, and the blocks of the View in order.

    The View is a ring of blocks: taking one out or putting one in moves no other.
    """
    size = len(columns.ids)
    forms = [Change(block, columns.kinds[block], columns.tokens[block], "", block) for block in range(size)]
    following, preceding = list(range(size + 1)), list(range(size + 1))

    def put(block: int, before: int) -> None:
        behind = preceding[before]
        following[behind] = preceding[before] = block
        preceding[block], following[block] = behind, before

    def take_out(block: int) -> None:
        behind, before = preceding[block], following[block]
        following[behind], preceding[before] = before, behind
        preceding[block] = following[block] = block

    for block in range(columns.overhead):
        put(block, size)
    for number in range(step + 1):
        changes = columns.changes.get(number, ())
        put_by_edit = {change.block for change in changes if change.before != STAYS}
        for block in columns.came(number):
            if block not in put_by_edit:
                put(block, size)
        for change in changes:
            forms[change.block] = change
            if change.before != STAYS:
                put(change.block, size if change.before == END else change.before)
            if not change.kind:
                take_out(change.block)
    order = []
    block = following[size]
    while block != size:
        order.append(block)
        block = following[block]
    return forms, order


def thread(block: int, forms: list[Change], seen: set[int]) -> list[int]:
    """A block, and from one stand-in to the next the one that is in the View, if any is."""
    hops = [block]
    while hops[-1] not in seen and forms[hops[-1]].into not in (hops[-1], -1):
        hops.append(forms[hops[-1]].into)
    return hops


def title_of(columns: Columns, number: int, outcome: str, tongue: Language) -> str:
    """What happened, in one sentence."""
    step = columns.steps[number]
    name, base, table = tongue.layer(step.layer), step.layer.partition(" ")[0], tongue.static
    touched = {change.block for change in columns.changes.get(number, ()) if change.before == STAYS}
    if step.layer == "arrive":
        words = arrival(columns, number, tongue)
    elif base == "user":
        words = tongue.live.BENCH["by_hand"].format(one_line(step.reason, 80))
    elif step.state == "acted" and not touched and base in table.PREPARED:
        words = f"{name} {table.PREPARED[base]}"
    elif step.state == "acted":
        words = f"{name} {table.ACTED[base].format(tongue.count('blocks', len(touched)))}"
    else:
        words = f"{name} {table.STATES[step.state]}"
    return str(words + table.OUTCOMES.get(outcome, ""))


def arrival(columns: Columns, number: int, tongue: Language) -> str:
    """What came in: a user's text, how long after the last reply, or results."""
    bench: dict[str, str] = tongue.live.BENCH
    request = columns.steps[number].request
    results = sum(columns.kinds[block].startswith("result:") for block in columns.came(number))
    if columns.asked[request]:
        idle = round(columns.idle_minutes[request])
        return bench["came_user"].format(request + 1) + (
            bench["after_minutes"].format(f"{idle:,}") if idle >= LONG_PAUSE else ""
        )
    if results:
        return bench["came_results"].format(request + 1, tongue.count("results", results))
    return bench["came"].format(request + 1)


def rests_on(replay: Replay, columns: Columns, number: int) -> str:
    """What the size at a step rests on: `recorded`, `counted`, or `mixed`."""
    if not replay.history.anchored:
        return "counted"
    return "mixed" if number >= columns.mixed_from else "recorded"


def summariser_of(replay: Replay) -> str:
    """Who writes the summaries of this replay."""
    return getattr(replay.services.summarise, "name", "a summariser without a name")


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


def notes_of(replay: Replay, request: int, tongue: Language) -> tuple[str, ...]:
    """What a what-if cannot know, and what leans on hidden text, in words."""
    leaning = sum(len(exchange.leans) for exchange in replay.exchanges[: request + 1])
    return (what_it_is(replay, tongue), *([tongue.live.BENCH["leaning"].format(leaning)] if leaning else []))


def size_words(before: int, after: int) -> str:
    """Tokens before and after, in a few characters."""
    return f"{thousands(before)} → {thousands(after)}" if before != after else thousands(after)
