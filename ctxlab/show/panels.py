"""Panels below the picture: the kinds that are in it, and one lamp for each layer with its reason."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from .languages import Language
from .palette import FAINT, INK, LINE, LOOKS, NOW
from .picture import Picture
from .shapes import LEFT, RIGHT, cell, text_width, words
from .words import one_line


def legend(kinds: Sequence[str], tongue: Language) -> list[str]:
    """The kinds that are in the picture: colour, pattern, letter, name."""
    out, x, y = [], float(LEFT), 348.0
    for kind in (kind for kind in LOOKS if kind in set(kinds)):
        look = LOOKS[kind]
        name = tongue.looks[kind]
        width = 24 + text_width(name, 11)
        if x + width > RIGHT:
            x, y = float(LEFT), y + 18
        out.append(cell(x, 15, y - 11, 14, look, faded=False))
        out.append(
            words(x + 7.2, y, look.letter, f'font-size="10" font-weight="700" text-anchor="middle" fill="{look.ink}"')
        )
        out.append(words(x + 20, y, name, f'font-size="11" fill="{FAINT}"'))
        x += width + 8
    return out


SELDOM = ("session_memory", "recovery")  # shown only where they had a look


def lamps(drawn: Picture) -> list[str]:
    """One lamp for each layer, in order: its state, its reason, and what it costs."""
    table, said = drawn.language.static, drawn.language.static.PICTURE
    done = {step.layer.partition(" ")[0]: step for step in drawn.steps}  # of several tries the newest
    names = [name for name in table.LAYERS if name in table.COSTS and (name in done or name not in SELDOM)]
    width = (RIGHT - LEFT) / len(names)
    top = 390
    out = [f'<path d="M{LEFT} {top}H{RIGHT}" stroke="{LINE}"/>']
    for number, name in enumerate(names):
        step, x = done.get(name), LEFT + number * width
        acted = step is not None and step.state == "acted"
        colour = NOW if step is not None and acted and step is drawn.step else INK if acted else FAINT
        state = table.STATES[step.state] if step else said["not_yet"]
        if number:
            out.append(f'<path d="M{x:.1f} {top + 6}v90" stroke="{LINE}"/>')
        out.append(lamp(x + 12, top + 17, step.state if step else "wait", colour))
        out.append(words(x + 24, top + 21, table.LAYERS[name], 'font-weight="700"'))
        out.append(words(x + 8, top + 38, state, f'font-size="11" fill="{colour}"'))
        reason = step.reason if step else ""
        for line, text in enumerate(
            textwrap.wrap(one_line(reason, 300), int(width / 6.2), max_lines=3, placeholder=" …")
        ):
            out.append(words(x + 8, top + 52 + 13 * line, text, f'font-size="10" fill="{FAINT}"'))
        out.append(
            words(
                x + 8,
                top + 94,
                said["costs"].format(table.COSTS[name]),
                f'font-size="10" font-style="italic" fill="{FAINT}"',
            )
        )
    return out


def lamp(x: float, y: float, state: str, colour: str) -> str:
    """Filled when it acted, a dash when it checked, a cross when it failed, dotted while it waits."""
    ring = ' stroke-dasharray="2 2"' if state == "wait" else ""
    circle = f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{colour if state == "acted" else "none"}" stroke="{colour}" stroke-width="1.5"{ring}/>'
    if state in ("idle", "no_gain"):
        circle += f'<path d="M{x - 3:.1f} {y}h6" stroke="{colour}" stroke-width="1.5"/>'
    if state == "failed":
        circle += f'<path d="M{x - 3:.1f} {y - 3}l6 6m0 -6l-6 6" stroke="{NOW}" stroke-width="1.5"/>'
    return circle
