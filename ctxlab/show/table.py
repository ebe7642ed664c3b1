"""Tables: rows that show themselves as text and as HTML; and the table of steps, one line for each act with its reason."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from ..engine.pipeline import Step
from ..engine.replay import Replay
from ..sources.masks import masked
from .languages import Language, language
from .text import WORD_WIDTH
from .words import harmless, one_line, thousands

NUMBER = re.compile(r"[~]?[\d,.]+[KM]?( ?%)?")


def escaped(text: str) -> str:
    """Text for HTML; a dollar stands alone, so that a notebook does not take what is between two of them for a formula."""
    return html.escape(text).replace("$", "<span>$</span>")


def rests_on(replay: Replay, tongue: Language) -> str:
    """What the sizes of a whole replay rest on, and who counted."""
    words = tongue.static.TABLE["recorded_and_counted" if replay.history.anchored else "counted"]
    return str(words.format(replay.history.counter.name))


NARROWEST = 12  # characters of a column that gives way


class Table:
    """Rows under names of columns; in text the last column goes on under itself. `footer` is a line below.

    Raises ValueError for a row that has not as many cells as there are columns.
    """

    def __init__(self, columns: Sequence[str], rows: Iterable[Sequence[str]], footer: str = "") -> None:
        self.columns = tuple(columns)
        self.rows = [tuple(harmless(masked(str(cell))) for cell in row) for row in rows]
        self.footer = footer
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row needs {len(self.columns)} cells, {', '.join(columns)}; got {row!r}")

    def text(self, width: int) -> str:
        """The table in a width in characters; a long cell goes on under itself, a column of numbers stands to the right."""
        widths = [max(1, *(len(row[at]) for row in (self.columns, *self.rows))) for at in range(len(self.columns))]
        while sum(widths) + 2 * (len(widths) - 1) > width and max(widths) > NARROWEST:
            widths[widths.index(max(widths))] -= 1  # the widest gives way
        right = [is_numbers(row[at] for row in self.rows) for at in range(len(self.columns) - 1)] + [False]
        lines = []
        for row in (self.columns, *self.rows) if self.rows else ():
            cells = [
                textwrap.wrap(cell, size, break_on_hyphens=False) or [""]
                for cell, size in zip(row, widths, strict=True)
            ]
            for parts in zip_longest(*cells, fillvalue=""):
                placed = zip(parts, widths, right, strict=True)
                lines.append(
                    "  ".join(part.rjust(size) if far else part.ljust(size) for part, size, far in placed).rstrip()
                )
        return "\n".join([*lines, *textwrap.wrap(self.footer, width, break_on_hyphens=False)])

    def __repr__(self) -> str:
        return self.text(WORD_WIDTH)

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col" style="text-align:left">{html.escape(name)}</th>' for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f'<td style="text-align:left">{escaped(cell)}</td>' for cell in row) + "</tr>"
            for row in self.rows
        )
        footer = f"<p>{html.escape(self.footer)}</p>" if self.footer else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{footer}"


def is_numbers(cells: Iterable[str]) -> bool:
    """True where every cell is a number, or a number in a few characters.

    >>> is_numbers(["5.5K", "12"]), is_numbers(["Bash"]), is_numbers([])
    (True, False, False)
    """
    found = [cell for cell in cells if cell]
    return bool(found) and all(NUMBER.fullmatch(cell) for cell in found)


class StepTable(Table):
    """The Steps of a Replay as a table; by default without those that only checked. `lang` is `en` or `zh`."""

    def __init__(self, replay: Replay, *, all_steps: bool = False, lang: str = "en") -> None:
        tongue = language(lang)
        said = tongue.static.TABLE
        self.replay = replay
        self.steps = [step for step in replay.steps if all_steps or step.state not in ("off", "idle")]
        marked = [each for each in replay.exchanges if each.outcome != "sent"]
        more = said["more"].format(f"{len(marked) - 5:,}") if len(marked) > 5 else ""
        named = (said["outcome"].format(request=each.index + 1, outcome=each.outcome) for each in marked[:5])
        footer = {
            "requests": tongue.count("requests", len(replay.exchanges)),
            "shown": said["shown"].format(tongue.count("steps", len(self.steps))) if self.steps else said["no_act"],
            "outcomes": ", ".join(named) + more or said["all_sent"],
            "rests_on": rests_on(replay, tongue),
        }
        rows = (row_of(step, tongue) for step in self.steps)
        super().__init__(said["columns"], rows, said["footer"].format(**footer))


def row_of(step: Step, tongue: Language) -> tuple[str, ...]:
    """One Step as a row, its texts harmless."""
    return (
        f"{step.request + 1}",
        tongue.layer(step.layer),
        tongue.static.TABLE["acted"] if step.state == "acted" else tongue.static.STATES[step.state],
        thousands(step.before),
        thousands(step.after),
        one_line(step.reason, 200),
    )
