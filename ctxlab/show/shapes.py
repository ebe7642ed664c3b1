"""Shapes: the few elements that the SVG is made of: words, a block, the patterns."""

from __future__ import annotations

import html

from .palette import FAINT, PAPER, Look
from .words import harmless

LEFT, RIGHT = 16, 944  # the drawing lies between these pixels


def text_width(text: str, size: float) -> float:
    """About how many pixels a text takes at a font size; a little more than most fonts need."""
    narrow, wide = (
        sum(text.count(letter) for letter in "iIljtfr.,:;'|! ()"),
        sum(text.count(letter) for letter in "mwMW@%→"),
    )
    square = sum(letter >= "\u2e80" for letter in text)  # Chinese characters
    return size * (0.62 * (len(text) - narrow - wide - square) + 0.36 * narrow + 0.95 * wide + square)


def escape(text: str) -> str:
    """Text for XML."""
    return html.escape(harmless(text), quote=True)


def words(x: float, y: float, text: str, style: str = "") -> str:
    """A text element."""
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'


def cell(x: float, width: float, top: float, height: float, look: Look, *, faded: bool) -> str:
    """One block: its colour, its pattern, a thin gap to the next."""
    gap = 0.6 if width > 3 else 0
    shape = f'x="{x:.1f}" y="{top}" width="{max(0.3, width - gap):.1f}" height="{height}"'
    opacity = ' fill-opacity="0.22"' if faded else ""
    edge = ""
    if look.pattern in ("frame", "dashed"):
        edge = f' stroke="{FAINT}" stroke-width="0.8"'
    elif faded:
        edge = f' stroke="{look.fill}" stroke-opacity="0.7"'
    if look.pattern == "dashed":
        edge += ' stroke-dasharray="3 2"'
    out = f'<rect {shape} fill="{look.fill}"{opacity}{edge}/>'
    if look.pattern and look.pattern not in ("frame", "dashed") and not faded:
        out += f'<rect {shape} fill="url(#{look.pattern})"/>'
    return out


def pattern(name: str, size: int, path: str, colour: str = PAPER) -> str:
    """One pattern, drawn over the colour."""
    return (
        f'<pattern id="{name}" width="{size}" height="{size}" patternUnits="userSpaceOnUse">'
        f'<path d="{path}" stroke="{colour}" stroke-width="1" fill="none" opacity="0.75"/></pattern>'
    )


PATTERNS = "<defs>{}</defs>".format(
    "".join(
        [
            pattern("dots", 5, "M1 1.5h1.4"),
            pattern("rising", 5, "M0 5L5 0"),
            pattern("falling", 5, "M0 0L5 5"),
            pattern("lines", 4, "M0 1H4"),
            pattern("pleats", 6, "M1 0V6M4 0V6"),
            pattern("reserve", 6, "M0 6L6 0", FAINT),
        ]
    )
)
