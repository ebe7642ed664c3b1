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
from .words import thousands

WINDOW_COLUMNS = 72
WIDTH = 80
WORD_WIDTH = 100
LETTERS = {"warning": "1", "autocompact": "2", "blocking": "3", "effective_window": "4", "window": "5"}


def text_picture(
    replay: Replay, request: int = -1, layer: str | None = None, *, width: int = WORD_WIDTH, lang: str = "en"
) -> str:
    """Draw one Step of a Replay (by default the last) as text, its words folded to a width in characters.

    `lang` is `en` or `zh`; what the engine says, the reason of a step, stays English. ValueError for another language.
    """
    return write_text(picture(replay, request, layer, lang), width)


def write_text(drawn: Picture, width: int = WORD_WIDTH) -> str:
    """Write a Picture as text."""
    per_column = max(1, drawn.lines["window"] / WINDOW_COLUMNS)
    visible, left = newest(drawn.history, round(WIDTH * per_column))
    view_row, overflow = row(drawn.view, 0, per_column, drawn, seen=True), drawn.view_tokens > WIDTH * per_column
    reserved = round(drawn.lines["effective_window"] / per_column)
    view_row += "".join("·" if column < reserved else "/" for column in range(len(view_row), WINDOW_COLUMNS))
    said, fold = sentences(drawn, visible, left, per_column), partial(folded, width=width)
    lines = [
        *fold(said["place"]),
        *fold(said["reason"]),
        *fold(said["history_row"]),
        row(visible, left, per_column, drawn, seen=False),
        *fold(said["view_row"]),
        view_row[: WIDTH - 1] + ">" if overflow else view_row,
        ruler(drawn.lines, per_column),
        *(part for name in ("lines", "hidden", "layers", "key", "sizes", "note") for part in fold(said[name])),
    ]
    return "\n".join(line.rstrip() for line in lines)


def sentences(drawn: Picture, visible: Sequence[Mark], left: int, per_column: float) -> dict[str, str]:
    """Everything that is said in words, by the names of the table."""
    tongue, step = drawn.language, drawn.step
    table, words = tongue.static, tongue.static.PICTURE
    states = [
        f"{tongue.layer(each.layer).lower()} {words['acted'] if each.state == 'acted' else table.STATES[each.state]}"
        for each in drawn.steps[1:]
    ]
    place = {"request": drawn.request + 1, "requests": drawn.requests, "step": tongue.layer(step.layer).lower()}
    size = size_words(drawn.history_before, drawn.history_tokens)
    more = words["left"].format(thousands(left)) if left else ""
    parts = ", ".join(f"{name} {thousands(tokens)}" for name, tokens in composition(drawn)[:7])
    view = {"size": thousands(drawn.view_tokens), "window": thousands(drawn.lines["window"]), "parts": parts}
    names = ", ".join(f"{LETTERS[name]} {table.LINES[name]} {thousands(at)}" for name, at in drawn.lines.items())
    sizes = {"rests_on": table.RESTS_ON[drawn.rests_on], "counter": drawn.counter, "summariser": drawn.summariser}
    return {
        "place": f"{words['place'].format(**place)} {drawn.title}.",
        "reason": f"{drawn.reason}. {words['tokens'].format(size_words(step.before, step.after))}",
        "history_row": words["history_row"].format(size=size, seen=thousands(drawn.seen_whole), more=more),
        "view_row": words["view_row"].format(**view),
        "lines": words["lines"].format(names),
        "hidden": words["hidden"].format(hidden(drawn)),
        "layers": words["layers"].format(" | ".join(states or [words["none_yet"]])),
        "key": words["key"].format(key=key(drawn, visible), tokens=f"{per_column:,.0f}"),
        "sizes": words["sizes"].format(**sizes),
        "note": words["note"].format("; ".join(drawn.notes)),
    }


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


def row(marks: Sequence[Mark], start: int, per_column: float, drawn: Picture, *, seen: bool) -> str:
    """One row of columns; each shows the block that has most tokens in it, its letter where it begins."""
    if not marks:
        return str(drawn.language.static.PICTURE["empty_row"])
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


def composition(drawn: Picture) -> list[tuple[str, int]]:
    """Tokens of each kind in the View, the heaviest first."""
    tokens: Counter[str] = Counter()
    for mark in drawn.view:
        tokens[drawn.language.looks[mark.kind]] += mark.tokens
    return sorted(((name, count) for name, count in tokens.items() if count), key=lambda each: (-each[1], each[0]))


def hidden(drawn: Picture) -> str:
    """How many blocks of the History the model does not get as they were, by what became of them."""
    table = drawn.language.static
    verbs = Counter(table.VERBS[mark.verb] for mark in drawn.history if mark.verb)
    if not verbs:
        return str(table.PICTURE["nothing"])
    return ", ".join(f"{count} {verb}" for verb, count in verbs.items()) + str(table.PICTURE["read_back"])


def key(drawn: Picture, visible: Sequence[Mark]) -> str:
    """The letters that stand in the two rows."""
    kinds = dict.fromkeys(mark.kind for mark in (*drawn.view, *visible) if mark.tokens)
    return ", ".join(f"{LOOKS[kind].letter} {drawn.language.looks[kind]}" for kind in LOOKS if kind in kinds)
