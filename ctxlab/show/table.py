"""The table of steps: one line for each act, with its reason in words and numbers, and what became of the size."""

from __future__ import annotations

import html
import textwrap

from ..engine.edit import plural
from ..engine.pipeline import Step
from ..engine.replay import Replay
from .text import WORD_WIDTH
from .words import LAYERS, STATES, harmless, one_line, thousands

COLUMNS = ("request", "layer", "state", "before", "after", "reason")


def escaped(text: str) -> str:
    """Text for HTML; a dollar stands alone, so that a notebook does not take what is between two of them for a formula."""
    return html.escape(text).replace("$", "<span>$</span>")


def rests_on(replay: Replay) -> str:
    """What the sizes of a whole replay rest on, and who counted."""
    name = replay.history.counter.name
    return f"recorded and counted: {name}" if replay.history.anchored else f"counted: {name}"


class StepTable:
    """The Steps of a Replay as a table; by default without those that only checked."""

    def __init__(self, replay: Replay, *, all_steps: bool = False) -> None:
        self.replay = replay
        steps = [step for step in replay.steps if all_steps or step.state not in ("off", "idle")]
        self.steps: list[Step] = steps
        marked = [each for each in replay.exchanges if each.outcome != "sent"]
        more = f" and {len(marked) - 5:,} more" if len(marked) > 5 else ""
        shown = plural(len(steps), "step") + " shown" if steps else "no layer acted"
        outcomes = ", ".join(f"request {each.index + 1} {each.outcome}" for each in marked[:5]) + more
        self.footer = (
            f"{plural(len(replay.exchanges), 'request')}, {shown}; "
            f"{outcomes or 'every request was sent'}; sizes in tokens, {rests_on(replay)}"
        )

    def rows(self) -> list[tuple[str, ...]]:
        """One row for each Step, its texts harmless."""
        return [
            (
                f"{step.request + 1}",
                LAYERS.get(step.layer, harmless(step.layer)),
                "acted" if step.state == "acted" else STATES[step.state],
                thousands(step.before),
                thousands(step.after),
                one_line(step.reason, 200),
            )
            for step in self.steps
        ]

    def __str__(self) -> str:
        return self.text(WORD_WIDTH)

    def text(self, width: int) -> str:
        """The table in a width in characters; a long reason goes on under itself."""
        rows = [COLUMNS, *self.rows()]
        widths = [max(len(row[column]) for row in rows) for column in range(5)]
        lines = []
        for row in rows if self.steps else ():
            cells = [row[0].rjust(widths[0]), row[1].ljust(widths[1]), row[2].ljust(widths[2])]
            head = "  ".join([*cells, row[3].rjust(widths[3]), row[4].rjust(widths[4]), ""])
            reason = textwrap.wrap(row[5], max(24, width - len(head)), break_on_hyphens=False)
            lines += [(" " * len(head) if number else head) + part for number, part in enumerate(reason)]
        return "\n".join([*lines, *textwrap.wrap(self.footer, width, break_on_hyphens=False)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col" style="text-align:left">{name}</th>' for name in COLUMNS)
        body = "".join(
            "<tr>" + "".join(f'<td style="text-align:left">{escaped(cell)}</td>' for cell in row) + "</tr>"
            for row in self.rows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{html.escape(self.footer)}</p>"
