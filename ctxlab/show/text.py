"""The picture as text: several lines for a terminal, a screen reader, and for nbval to compare.

Words come first, so that the two rows of blocks can be skipped. One column stands for the same number of tokens in both
rows. A capital letter with full blocks behind it is seen whole by the model; a small one with light shade is kept in
the History and not seen whole.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from functools import partial

from ..engine.replay import Replay
from .palette import LOOKS
from .picture import Mark, Picture, picture, size_words
from .words import LINES, STATES, VERBS, layer_word, thousands

WINDOW_COLUMNS = 72
WIDTH = 80
WORD_WIDTH = 100
LETTERS = {"warning": "1", "autocompact": "2", "blocking": "3", "effective_window": "4", "window": "5"}


def text_picture(replay: Replay, request: int = -1, layer: str | None = None, *, width: int = WORD_WIDTH) -> str:
    """Draw one Step of a Replay (by default the last) as text, its words folded to a width in characters."""
    return write_text(picture(replay, request, layer), width)


def write_text(drawn: Picture, width: int = WORD_WIDTH) -> str:
    """Write a Picture as text."""
    per_column = max(1, drawn.lines["window"] / WINDOW_COLUMNS)
    visible, left = newest(drawn.history, round(WIDTH * per_column))
    more = f" {thousands(left)} more to the left." if left else ""
    step = drawn.step
    place = f"Request {drawn.request + 1} of {drawn.requests}, {layer_word(step.layer).lower()}."
    parts = ", ".join(f"{name} {thousands(tokens)}" for name, tokens in composition(drawn.view)[:7])
    view_row, overflow = row(drawn.view, 0, per_column, seen=True), drawn.view_tokens > WIDTH * per_column
    reserved = round(drawn.lines["effective_window"] / per_column)
    view_row += "".join("·" if column < reserved else "/" for column in range(len(view_row), WINDOW_COLUMNS))
    states = [
        f"{layer_word(each.layer).lower()} {'ACTED' if each.state == 'acted' else STATES[each.state]}"
        for each in drawn.steps[1:]
    ]
    legend = (
        f"{key(drawn, visible)}; one column {per_column:,.0f} tokens; CAPITAL + █ whole; small + ░ kept, not seen whole"
    )
    names = ", ".join(f"{LETTERS[name]} {LINES[name]} {thousands(at)}" for name, at in drawn.lines.items())
    fold = partial(folded, width=width)
    lines = [
        *fold(f"{place} {drawn.title}."),
        *fold(f"{drawn.reason}. {size_words(step.before, step.after)} tokens."),
        *fold(
            f"HISTORY {size_words(drawn.history_before, drawn.history_tokens)}, nothing deleted; the model sees {thousands(drawn.seen_whole)} "
            f"of it whole.{more}"
        ),
        row(visible, left, per_column, seen=False),
        *fold(f"VIEW {thousands(drawn.view_tokens)} of {thousands(drawn.lines['window'])}: {parts}."),
        view_row[: WIDTH - 1] + ">" if overflow else view_row,
        ruler(drawn.lines, per_column),
        *fold(f"Lines   {names}"),
        *fold(f"Hidden  {hidden(drawn.history)}"),
        *fold("Layers  " + " | ".join(states or ["none has looked yet"])),
        *fold(f"Key     {legend}; · free; / held back"),
        *fold(f"Sizes   {drawn.rests_on}: {drawn.counter}. Summaries: {drawn.summariser}."),
        *fold("Note    " + "; ".join(drawn.notes)),
    ]
    return "\n".join(line.rstrip() for line in lines)


def folded(line: str, width: int) -> list[str]:
    """A line of words in the width of a terminal."""
    return textwrap.wrap(line, width, subsequent_indent=" " * 8, break_on_hyphens=False)


def newest(marks: Sequence[Mark], room: int) -> tuple[list[Mark], int]:
    """The marks that fit into so many tokens, from the newest back, unless what is touched lies further left."""
    total = marks[-1].start + marks[-1].tokens if marks else 0
    start = max(0, total - room)
    touched = [mark for mark in marks if mark.now]
    if touched and touched[-1].start + touched[-1].tokens <= start:
        start = max(0, touched[-1].start + touched[-1].tokens + room // 20 - room)
    shown = [mark for mark in marks if mark.start + mark.tokens > start and mark.start < start + room]
    return shown, start


def row(marks: Sequence[Mark], start: int, per_column: float, *, seen: bool) -> str:
    """One row of columns; each shows the block that has most tokens in it, its letter where it begins."""
    if not marks:
        return "(nothing yet)"
    stop = marks[-1].start + marks[-1].tokens
    columns = min(WIDTH, max(1, round((stop - start) / per_column)))
    weights: list[dict[int, float]] = [{} for _ in range(columns)]
    for number, mark in enumerate(marks):
        first = int((mark.start - start) / per_column)
        last = int((mark.start + mark.tokens - start) / per_column)
        for column in range(max(0, first), min(columns - 1, last) + 1):
            low, high = start + column * per_column, start + (column + 1) * per_column
            weights[column][number] = min(high, mark.start + mark.tokens) - max(low, mark.start)
    out, shown = [], -1
    for weight in weights:
        number = max(weight, key=lambda each: (weight[each], -each), default=shown)
        out.append(cell(marks[number], begins=number != shown, seen=seen))
        shown = number
    return "".join(out)


def cell(mark: Mark, *, begins: bool, seen: bool) -> str:
    """One column: a letter where a block begins, and behind it how much of it the model sees."""
    letter = LOOKS[mark.kind].letter
    whole = seen or mark.whole
    if begins:
        return letter if whole else letter.lower()
    return "█" if whole else "░"


def ruler(lines: dict[str, int], per_column: float) -> str:
    """The letters of the lines, each in its column."""
    out = [" "] * WIDTH
    for name, at in lines.items():
        column = min(WIDTH - 1, max(0, round(at / per_column) - 1))
        while column < WIDTH - 1 and out[column] != " ":
            column += 1
        out[column] = LETTERS[name]
    return "".join(out)


def composition(marks: Sequence[Mark]) -> list[tuple[str, int]]:
    """Tokens of each kind in a row, the heaviest first."""
    tokens: Counter[str] = Counter()
    for mark in marks:
        tokens[LOOKS[mark.kind].name] += mark.tokens
    return sorted(((name, count) for name, count in tokens.items() if count), key=lambda each: (-each[1], each[0]))


def hidden(marks: Sequence[Mark]) -> str:
    """How many blocks of the History the model does not get as they were, by what became of them."""
    verbs = Counter(VERBS[mark.verb] for mark in marks if mark.verb)
    if not verbs:
        return "nothing"
    return ", ".join(f"{count} {verb}" for verb, count in verbs.items()) + "; every original can be read back"


def key(drawn: Picture, visible: Sequence[Mark]) -> str:
    """The letters that stand in the two rows."""
    kinds = dict.fromkeys(mark.kind for mark in (*drawn.view, *visible) if mark.tokens)
    return ", ".join(f"{LOOKS[kind].letter} {LOOKS[kind].name}" for kind in LOOKS if kind in kinds)
