"""The offline summariser: rules, no model, no network. A stand-in for the model's summary, and it says so.

It keeps what a model is asked to keep word by word: the user's wishes, file paths, commands, error lines and lines
with test results. An earlier summary is merged line by line, so that a wish survives the second compaction as well.
But: it understands nothing; what was decided in prose is kept only as the first sentence of a reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from .message import CHANGE_TOOLS
from .summary import HEADINGS, Piece, SummaryRequest
from .tokens import Counter

DONE, IN_PROGRESS, FILES, TESTS = HEADINGS[4]
SHARES = {IN_PROGRESS: 0.40, TESTS: 0.25, FILES: 0.15, DONE: 0.20}  # of the room, in the order in which it is given out
NAME = "ctxlab's offline summariser (rules, no model)"
TELLING_LINE = re.compile(
    r"^.*(?:\b(?:Error|Exception|FAILED|Traceback|panic|fatal)\b|\b\d+ (?:passed|failed|errors?)\b).*$", re.MULTILINE
)
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
        """Write the summary: first the earlier one's lines, then what is new, each heading within its share."""
        lines = sections(request.previous)
        for piece in request.pieces:
            for heading, line in telling(piece):
                lines[heading].setdefault(line)
        if not any(lines.values()):
            return ""
        room = request.limit_tokens - self.count("\n".join(lines))
        kept: dict[str, list[str]] = {}
        for heading, share in SHARES.items():
            most = int(share * request.limit_tokens)
            kept[heading] = self.fit(list(lines[heading]), min(room, most), first=heading == IN_PROGRESS)
            room -= sum(self.count(line) for line in kept[heading])
        return "\n".join("\n".join([heading, *kept[heading]]) for heading in HEADINGS[4] if kept[heading])

    def fit(self, lines: list[str], room: int, *, first: bool) -> list[str]:
        """As many of the newest lines as there is room for, in order; `first` keeps the very first one before them."""
        order = [0, *range(len(lines) - 1, 0, -1)] if first and lines else range(len(lines) - 1, -1, -1)
        chosen = []
        for number in order:
            tokens = self.count(lines[number])
            if tokens <= room:
                room -= tokens
                chosen.append(number)
        return [lines[number] for number in sorted(chosen)]


def sections(summary: str) -> dict[str, dict[str, None]]:
    """The lines of an earlier summary under its headings; lines under no heading we know count as done."""
    out: dict[str, dict[str, None]] = {heading: {} for heading in HEADINGS[4]}
    heading = DONE
    for line in summary.splitlines():
        if line in out:
            heading = line
        elif line.startswith("  ") and out[heading]:
            last = next(reversed(out[heading]))
            del out[heading][last]
            out[heading][f"{last}\n{line}"] = None
        elif line.strip():
            out[heading].setdefault(line if line.startswith("- ") else f"- {line}")
    return out


@lru_cache(maxsize=65_536)
def telling(piece: Piece) -> tuple[tuple[str, str], ...]:
    """What is worth keeping of one block, under which heading; worked out once for each text."""
    if piece.kind == "user":
        return ((IN_PROGRESS, bullet("The user: ", piece.text, LONGEST_WISH)),)
    if piece.kind == "reply":
        first = re.split(r"(?<=[.!?])\s|\n", piece.text.strip(), maxsplit=1)[0]
        return ((DONE, bullet("", first, LONGEST_LINE)),) if first else ()
    if piece.kind == "call":
        return tuple(called(piece))
    if piece.kind == "result":
        found = TELLING_LINE.findall(piece.text[:SCANNED] + "\n" + piece.text[SCANNED:][-SCANNED:])
        return tuple((TESTS, bullet("", line, LONGEST_LINE)) for line in found[-NEWEST_LINES:])
    if piece.kind == "digest":
        return ((DONE, bullet("", piece.text, LONGEST_LINE)),)
    return ()


def called(piece: Piece) -> Iterable[tuple[str, str]]:
    """A change names its file, a command itself, a read the path that was read."""
    if piece.tool in CHANGE_TOOLS:
        yield FILES, bullet("changed ", piece.target, LONGEST_LINE)
    elif piece.tool == "Bash":
        yield DONE, bullet("ran ", piece.target, LONGEST_LINE)
    elif piece.tool == "Read" and piece.target:
        yield FILES, bullet("read ", piece.target, LONGEST_LINE)


def bullet(label: str, text: str, longest: int) -> str:
    """One line of the list; a text of several lines goes on indented, so that it is read back as one."""
    text = text.strip()
    if len(text) > longest:
        text = text[:longest].rstrip() + " …"
    return f"- {label}" + "\n  ".join(line.rstrip() for line in text.split("\n"))
