"""The offline summariser: rules, no model, no network. A stand-in for the model's summary, and it says so.

It keeps what a model is asked to keep word by word: the user's wishes, file paths, commands, error lines and lines
with test results. An earlier summary is merged line by line, so that a wish survives the second compaction as well.
Where there is no room for all, the first wish comes first, then those with words that bind (never, must, a number).
But: it understands nothing; of a reply it keeps the first sentence, and those that speak of errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from .message import CHANGE_TOOLS, READ_TOOLS
from .summary import Piece, SummaryRequest
from .tokens import Counter

WISHES, TESTS, FILES, DONE = "wishes", "tests", "files", "done"
SHARES = {WISHES: 0.40, TESTS: 0.25, FILES: 0.15, DONE: 0.20}  # of the room, in the order in which it is given out
PLACES = {  # what stands under which heading: of four, and of nine
    DONE: ("Done", "Current work"),
    WISHES: ("In progress", "All user messages"),
    FILES: ("Files", "Files and code"),
    TESTS: ("Tests and errors", "Errors and fixes"),
}
NAME = "ctxlab's offline summariser (rules, no model)"
TELLING = re.compile(
    r"\b(?:Error|Exception|FAILED|Traceback|panic|fatal|failed)\b|\b\d+ (?:passed|failed|errors?)\b|Error:"
)
BINDING = re.compile(
    r"\b(?:never|always|must|do not|don't|not|no|only|without|until|unless|prefers?|wants?|should|rule|constraint|goal|fact|"
    r"deadline|cap|limit|approv\w+)\b|[/$@]\w|\d",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
LONGEST_LINE = 300
LONGEST_WISH = 1_200
SCANNED = 40_000  # characters of one result in which telling lines are looked for: its head and its end
NEWEST_LINES = 12  # of one result


class OfflineSummariser:
    """Answers a SummaryRequest under the four headings, within its limit, from texts alone."""

    name = NAME

    def __init__(self, count: Counter) -> None:
        self.count = count

    def __call__(self, request: SummaryRequest) -> str:
        """Write the summary: first the earlier one's lines, then what is new, each part within its share."""
        lines = sections(request.previous)
        for piece in request.pieces:
            for part, line in telling(piece):
                lines[part].setdefault(line)
        if not any(lines.values()):
            return ""
        names = {heading: part for part, both in PLACES.items() for heading in both if heading in request.headings}
        room = request.limit_tokens - self.count("\n".join(names))
        most = {part: int(share * request.limit_tokens) for part, share in SHARES.items()}
        spare = room - sum(min(most[part], sum(map(self.count, lines[part]))) for part in SHARES)
        kept: dict[str, list[str]] = {}
        for part in SHARES:  # what the others leave goes to the wishes first, then to those that follow
            kept[part] = self.fit(list(lines[part]), min(room, most[part] + max(0, spare)), part)
            used = sum(map(self.count, kept[part]))
            room, spare = room - used, spare - max(0, used - most[part])
        shown = [(heading, kept[names[heading]]) for heading in request.headings if heading in names]
        return "\n".join("\n".join([heading, *chosen]) for heading, chosen in shown if chosen)

    def fit(self, lines: list[str], room: int, part: str) -> list[str]:
        """As many of the newest lines as there is room for, in order; of wishes the very first, then those that bind."""
        order = list(range(len(lines) - 1, -1, -1))
        if part == WISHES:
            order.sort(key=lambda number: (number != 0, not BINDING.search(lines[number])))
        chosen = []
        for number in order:
            tokens = self.count(lines[number])
            if tokens <= room:
                room -= tokens
                chosen.append(number)
        return [lines[number] for number in sorted(chosen)]


def sections(summary: str) -> dict[str, dict[str, None]]:
    """The lines of an earlier summary by part; lines under no heading we know count as done."""
    out: dict[str, dict[str, None]] = {part: {} for part in PLACES}
    known = {heading: part for part, both in PLACES.items() for heading in both}
    part = DONE
    for line in summary.splitlines():
        if line in known:
            part = known[line]
        elif line.startswith("  ") and out[part]:
            last = next(reversed(out[part]))
            del out[part][last]
            out[part][f"{last}\n{line}"] = None
        elif line.strip():
            out[part].setdefault(line if line.startswith("- ") else f"- {line}")
    return out


@lru_cache(maxsize=65_536)
def telling(piece: Piece) -> tuple[tuple[str, str], ...]:
    """What is worth keeping of one block, under which heading; worked out once for each text."""
    if piece.kind == "user":
        return ((WISHES, bullet("The user: ", piece.text, LONGEST_WISH)),)
    if piece.kind == "reply":
        first, *others = SENTENCE_END.split(piece.text.strip()[:SCANNED])
        told = [(TESTS, bullet("", each, LONGEST_LINE)) for each in others if TELLING.search(each)]
        return ((DONE, bullet("", first, LONGEST_LINE)), *told) if first else ()
    if piece.kind == "call":
        return tuple(called(piece))
    if piece.kind == "result":
        found = telling_lines(piece.text[:SCANNED] + "\n" + piece.text[SCANNED:][-SCANNED:])
        return tuple((TESTS, bullet("", line, LONGEST_LINE)) for line in found[-NEWEST_LINES:])
    if piece.kind == "digest":
        return ((DONE, bullet("", piece.text, LONGEST_LINE)),)
    return ()


def telling_lines(text: str) -> list[str]:
    """The lines that speak of an error or of how tests went, each once, in order.

    >>> telling_lines("ok\\nKeyError: x\\n3 passed")
    ['KeyError: x', '3 passed']
    """
    out: dict[str, None] = {}
    at = 0
    while found := TELLING.search(text, at):
        start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
        at = len(text) if end < 0 else end
        out.setdefault(text[start:at])
    return list(out)


def called(piece: Piece) -> Iterable[tuple[str, str]]:
    """A change names its file, a command itself, a read the path that was read."""
    if piece.tool in CHANGE_TOOLS:
        yield FILES, bullet("changed ", piece.target, LONGEST_LINE)
    elif piece.tool == "Bash":
        yield DONE, bullet("ran ", piece.target, LONGEST_LINE)
    elif piece.tool in READ_TOOLS and piece.target:
        yield FILES, bullet("read ", piece.target, LONGEST_LINE)


def bullet(label: str, text: str, longest: int) -> str:
    """One line of the list; a text of several lines goes on indented, so that it is read back as one."""
    text = text.strip()
    if len(text) > longest:
        text = text[:longest].rstrip() + " …"
    return f"- {label}" + "\n  ".join(line.rstrip() for line in text.split("\n"))
