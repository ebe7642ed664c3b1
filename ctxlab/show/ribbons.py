"""Ribbons: the threads between the History and the View. Five verbs, each with one shape.

    budget        shrink to a card    a solid wedge
    snip          cut                 a stub with a torn edge, a dotted thread goes on
    microcompact  blank out           empty, dashed
    collapse      fold                pleats
    autocompact   summarise           a funnel with curved sides

What changed at this step is vermillion; everything older is grey and faint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .palette import FAINT, NOW
from .picture import Mark

MOST_THREADS = 12
FOLDING = ("collapse",)
SUMMING = ("autocompact",)
LOWEST, HIGHEST = -200.0, 1_160.0  # pixels: what lies further out is cut off


class Scale(NamedTuple):
    """Where a token is drawn: `left` pixels in, from the token `start` on."""

    left: float
    per_token: float
    start: int

    def x(self, token: float) -> float:
        """The place of a token, in pixels; far outside the picture it stays near its edge."""
        return min(HIGHEST, max(LOWEST, self.left + (token - self.start) * self.per_token))


class Thread(NamedTuple):
    """A run of neighbours with one fate: where it is above, and what stands for it below."""

    verb: str
    now: bool
    above: tuple[float, float]
    below: tuple[float, float]


def ribbons(
    history: Sequence[Mark], view: Sequence[Mark], above: Scale, below: Scale, top: float, bottom: float
) -> Iterator[str]:
    """All ribbons between the two rows: the old ones first, so that what happened now lies on top."""
    threads = gathered(list(threads_of(history, view, above, below)))
    threads.sort(key=lambda thread: (thread.now, bool(thread.verb)))
    yield '<g clip-path="url(#rows)">'
    for thread in threads:
        yield shape(thread, top, bottom)
    yield "</g>"


def threads_of(history: Sequence[Mark], view: Sequence[Mark], above: Scale, below: Scale) -> Iterable[Thread]:
    """Runs of blocks with one fate; whole ones run on while they stay neighbours in the View."""
    places = {mark.id: mark for mark in view}
    run: Thread | None = None
    key: tuple[object, ...] = ()
    for mark in history:
        target = places.get(mark.into)
        if target is None or not mark.tokens:
            continue
        x0, x1 = above.x(mark.start), above.x(mark.start + mark.tokens)
        y0, y1 = below.x(target.start), below.x(target.start + target.tokens)
        together = (mark.verb, mark.now, "" if mark.verb in ("", "microcompact") else mark.into)
        joins = (
            run is not None
            and together == key
            and (mark.verb not in ("", "microcompact") or abs(run.below[1] - y0) < 0.5)
        )
        if run is not None and joins and abs(run.above[1] - x0) < 2.0:
            run = run._replace(above=(run.above[0], x1), below=(run.below[0], max(run.below[1], y1)))
            continue
        if run is not None:
            yield run
        run, key = Thread(mark.verb, mark.now, (x0, x1), (y0, y1)), together
    if run is not None:
        yield run


def gathered(threads: list[Thread]) -> list[Thread]:
    """Many blanked places become one envelope around them all, or they would be a thicket."""
    out = [thread for thread in threads if thread.verb != "microcompact"]
    for now in (False, True):
        blanked = [thread for thread in threads if thread.verb == "microcompact" and thread.now == now]
        if len(blanked) > MOST_THREADS:
            ends = [(*thread.above, *thread.below) for thread in blanked]
            above = min(end[0] for end in ends), max(end[1] for end in ends)
            below = min(end[2] for end in ends), max(end[3] for end in ends)
            blanked = [Thread("microcompact", now, above, below)]
        out += blanked
    return out


def shape(thread: Thread, top: float, bottom: float) -> str:
    """The ribbon of one thread, in the shape of its verb."""
    colour = NOW if thread.now else FAINT
    fill, line = (0.25, 0.9) if thread.now else (0.10, 0.25)
    if thread.verb == "snip":
        return torn(thread, top, bottom, colour, line)
    if thread.verb == "microcompact":
        style = f'fill="{colour}" fill-opacity="{fill / 4:.3f}" stroke="{colour}" stroke-opacity="{line}"'
        return f'<path d="{band(thread, top, bottom)}" {style} stroke-dasharray="4 3"/>'
    if thread.verb in FOLDING:
        return pleats(thread, top, bottom, colour, fill)
    if thread.verb in SUMMING:
        return f'<path d="{funnel(thread, top, bottom)}" fill="{colour}" fill-opacity="{fill}" stroke="{colour}" stroke-opacity="{line}"/>'
    if thread.verb:
        return f'<path d="{band(thread, top, bottom)}" fill="{colour}" fill-opacity="{fill}" stroke="{colour}" stroke-opacity="{line}"/>'
    return f'<path d="{band(thread, top, bottom)}" fill="{FAINT}" fill-opacity="0.07"/>'


def band(thread: Thread, top: float, bottom: float) -> str:
    """Straight sides from a place above to a place below."""
    (x0, x1), (y0, y1) = thread.above, thread.below
    return f"M{x0:.1f} {top}L{x1:.1f} {top}L{max(y1, y0 + 1):.1f} {bottom}L{y0:.1f} {bottom}Z"


def funnel(thread: Thread, top: float, bottom: float) -> str:
    """Curved sides: much goes in, little comes out."""
    (x0, x1), (y0, y1) = thread.above, thread.below
    middle = (top + bottom) / 2
    return (
        f"M{x0:.1f} {top}L{x1:.1f} {top}C{x1:.1f} {middle} {y1:.1f} {middle} {max(y1, y0 + 1):.1f} {bottom}"
        f"L{y0:.1f} {bottom}C{y0:.1f} {middle} {x0:.1f} {middle} {x0:.1f} {top}Z"
    )


def pleats(thread: Thread, top: float, bottom: float, colour: str, fill: float) -> str:
    """Folds: stripes that run together, every second one darker."""
    (x0, x1), (y0, y1) = thread.above, thread.below
    count = int(max(3, min(24, (x1 - x0) / 12)))
    out = []
    for number in range(count):
        a, b = x0 + (x1 - x0) * number / count, x0 + (x1 - x0) * (number + 1) / count
        c, d = y0 + (y1 - y0) * number / count, y0 + (y1 - y0) * (number + 1) / count
        opacity = fill * (1.2 if number % 2 else 0.5)
        out.append(
            f'<path d="M{a:.1f} {top}L{b:.1f} {top}L{max(d, c + 0.4):.1f} {bottom}L{c:.1f} {bottom}Z" fill="{colour}" fill-opacity="{opacity:.2f}"/>'
        )
    return "".join(out)


def torn(thread: Thread, top: float, bottom: float, colour: str, line: float) -> str:
    """A stub with a torn edge; a dotted thread leads on to the notice."""
    (x0, x1), (y0, y1) = thread.above, thread.below
    teeth = int(max(2, min(12, (x1 - x0) / 7)))
    step = (x1 - x0) / teeth
    edge = "".join(
        f"l{-step / 2:.2f} {4 if number % 2 else -4}l{-step / 2:.2f} {-4 if number % 2 else 4}"
        for number in range(teeth)
    )
    stub = f'<path d="M{x0:.1f} {top}H{x1:.1f}V{top + 16}{edge}Z" fill="{colour}" fill-opacity="{line / 4:.2f}" stroke="{colour}" stroke-opacity="{line}"/>'
    middle = (x0 + x1) / 2
    return (
        stub
        + f'<path d="M{middle:.1f} {top + 18}L{(y0 + y1) / 2:.1f} {bottom}" stroke="{colour}" stroke-opacity="{line}" stroke-dasharray="1 4" fill="none"/>'
    )
