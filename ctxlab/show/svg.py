"""The picture as SVG: two rows on one scale, and between them what became of each block.

No script, no link, system fonts, and every text of the session escaped. Notebooks turn an SVG into an image without a
name, so the text picture stands beside it wherever one is shown.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from ..engine.replay import Replay
from .palette import FAINT, INK, LINE, LOOKS, NOW, PAPER
from .panels import lamps, legend
from .picture import Mark, Picture, picture
from .ribbons import Scale, ribbons
from .shapes import LEFT, PATTERNS, RIGHT, cell, escape, text_width, words
from .text import newest
from .words import one_line, thousands

WIDTH, HEIGHT = 960, 494
WINDOW_WIDTH = 800  # of the vessel; what is behind it has no room in the window
HISTORY_TOP, VIEW_TOP, ROW = 102, 224, 42
STRIP_TOP, TITLE_BOTTOM = 88, 82
LONG_BLOCK = 120.0  # wide enough for the beginning of a label
NARROW_FRAME = 6.0
NARROWEST = 2.0  # narrower blocks are gathered, never dropped
FONT = "font-family=\"system-ui, 'DejaVu Sans', sans-serif\""


def svg_picture(replay: Replay, request: int = -1, layer: str | None = None, *, lang: str = "en") -> str:
    """Draw one Step of a Replay (by default the last) as SVG.

    `lang` is `en` or `zh`; what the engine says, the reason of a step, stays English. ValueError for another language.
    """
    return write_svg(picture(replay, request, layer, lang))


def write_svg(drawn: Picture) -> str:
    """Write a Picture as SVG."""
    scale = WINDOW_WIDTH / drawn.lines["window"]
    visible, start = newest(drawn.history, round((RIGHT - LEFT) / scale))
    above, below = Scale(LEFT, scale, start), Scale(LEFT, scale, 0)
    body = [
        *header(drawn),
        *strip(drawn, start, round((RIGHT - LEFT) / scale)),
        *ribbons(visible, drawn.view, above, below, HISTORY_TOP + ROW, VIEW_TOP),
        *row(visible, above, HISTORY_TOP, history=True, clear=LEFT + 120 if start else LEFT),
        *earlier(start, drawn),
        *vessel(drawn, below),
        *row(drawn.view, below, VIEW_TOP, history=False),
        *thresholds(drawn, below),
        *freed(drawn, below),
        *legend([mark.kind for mark in (*drawn.view, *visible) if mark.tokens], drawn.language),
        *lamps(drawn),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="100%" style="max-width:{WIDTH}px" '
        f'role="img" {FONT} font-size="12" fill="{INK}"><title>{escape(drawn.title)}</title><desc>{escape(drawn.reason)}</desc>'
        f'{PATTERNS}<clipPath id="rows"><rect x="{LEFT}" y="0" width="{RIGHT - LEFT}" height="{HEIGHT}"/></clipPath>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{PAPER}"/>{"".join(body)}</svg>'
    )


def header(drawn: Picture) -> list[str]:
    """What happened, why in numbers, and the two totals: the View's before and after, the History's unchanged."""
    step, said = drawn.step, drawn.language.static.PICTURE
    lines = textwrap.wrap(drawn.reason, 105, max_lines=2, placeholder=" …") or [""]
    changed = step.before != step.after
    view = f"{said['view']} {thousands(step.before)} → " if changed else f"{said['view']} "
    grew = drawn.history_tokens > drawn.history_before
    history = said["only_added_to"].format(thousands(drawn.history_before)) if grew else said["unchanged"]
    place = {"request": drawn.request + 1, "requests": drawn.requests}
    out = [
        words(LEFT, 24, drawn.title, 'font-size="17" font-weight="600"'),
        *(words(LEFT, 42 + 15 * number, line, f'fill="{FAINT}"') for number, line in enumerate(lines)),
        f'<text x="{RIGHT}" y="24" text-anchor="end" fill="{FAINT}">{escape(view)}<tspan font-size="17" font-weight="700" '
        f'fill="{NOW if changed else INK}">{thousands(step.after)}</tspan></text>',
        f'<text x="{RIGHT}" y="44" text-anchor="end" fill="{FAINT}">{escape(history)} <tspan font-size="15" font-weight="700" '
        f'fill="{INK}">{thousands(drawn.history_tokens)}</tspan></text>',
        words(LEFT, TITLE_BOTTOM, said["history"], 'font-weight="700"'),
        words(LEFT + 54, TITLE_BOTTOM, said["scroll_back"].format(**place), f'fill="{FAINT}"'),
    ]
    per_thousand = WINDOW_WIDTH / drawn.lines["window"] * (1_000 if drawn.lines["window"] < 60_000 else 10_000)
    unit = drawn.language.live.BENCH["scale"].format("1K" if drawn.lines["window"] < 60_000 else "10K")
    out.append(words(RIGHT - per_thousand - 6, TITLE_BOTTOM, unit, f'text-anchor="end" fill="{FAINT}"'))
    out.append(
        f'<path d="M{RIGHT - per_thousand:.1f} {TITLE_BOTTOM - 6}v5h{per_thousand:.1f}v-5" fill="none" stroke="{FAINT}"/>'
    )
    return out


def strip(drawn: Picture, start: int, room: int) -> list[str]:
    """The whole History, thin, with a frame around the part that is shown below."""
    total = max(1, drawn.history_tokens)
    whole = Scale(LEFT, (RIGHT - LEFT) / max(total, room), 0)
    out = [f'<rect x="{LEFT}" y="{STRIP_TOP}" width="{RIGHT - LEFT}" height="7" fill="#eaeef2"/>']
    out += [
        cell(x, width, STRIP_TOP, 7, LOOKS[mark.kind], faded=not mark.whole)
        for mark, x, width in columns(drawn.history, whole)
    ]
    out.append(
        f'<rect x="{whole.x(start):.1f}" y="{STRIP_TOP - 1}" width="{min(total, room) * whole.per_token:.1f}" height="9" '
        f'fill="none" stroke="{INK}" stroke-width="1.5"/>'
    )
    return out


def row(marks: Sequence[Mark], scale: Scale, top: float, *, history: bool, clear: float = LEFT) -> list[str]:
    """One row of blocks; what is touched at this step has a frame. Words begin right of `clear`."""
    out = ['<g clip-path="url(#rows)">']
    for mark, x, width in columns(marks, scale):
        out.append(cell(x, width, top, ROW, LOOKS[mark.kind], faded=history and not mark.whole))
        out += named(mark, max(x, clear), x + width - max(x, clear), top, faded=history and not mark.whole)
    for x, width in frames(marks, scale):
        if width < NARROW_FRAME:  # a frame would cover it: a bar over it instead
            out.append(f'<rect x="{x:.1f}" y="{top - 5}" width="{max(1.5, width):.1f}" height="4" fill="{NOW}"/>')
        else:
            frame = f'x="{x:.1f}" y="{top}" width="{width:.1f}" height="{ROW}"'
            out.append(f'<rect {frame} fill="none" stroke="{NOW}" stroke-width="2"/>')
    out += [anchor(scale.x(mark.start), top) for mark in marks if mark.kind == "compact_boundary"]
    return [*out, "</g>"]


def columns(marks: Iterable[Mark], scale: Scale) -> Iterable[tuple[Mark, float, float]]:
    """Blocks with place and width in pixels; several that are too narrow share a column, drawn as the heaviest."""
    waiting: list[Mark] = []
    for mark in marks:
        if not mark.tokens:
            continue
        waiting.append(mark)
        x = scale.x(waiting[0].start)
        width = scale.x(mark.start + mark.tokens) - x
        if width >= NARROWEST:
            yield max(waiting, key=lambda each: each.tokens), x, width
            waiting = []
    if waiting:
        x = scale.x(waiting[0].start)
        yield max(waiting, key=lambda each: each.tokens), x, scale.x(waiting[-1].start + waiting[-1].tokens) - x


def frames(marks: Sequence[Mark], scale: Scale) -> Iterable[tuple[float, float]]:
    """Place and width of each run of blocks that are touched at this step."""
    start: float | None = None
    stop = 0.0
    for mark in marks:
        if mark.now:
            start = scale.x(mark.start) if start is None else start
            stop = scale.x(mark.start + mark.tokens)
        elif start is not None and mark.tokens:
            yield start, stop - start
            start = None
    if start is not None:
        yield start, stop - start


def named(mark: Mark, x: float, width: float, top: float, *, faded: bool) -> list[str]:
    """The letter of a block, or its label where there is room."""
    look = LOOKS[mark.kind]
    ink = INK if faded else look.ink
    for text in (mark.label, mark.label.partition(" ")[2]):
        if text and text_width(text, 11) + 10 <= width:
            return [words(x + 5, top + ROW / 2 + 4, text, f'font-size="11" fill="{ink}"')]
    if width >= LONG_BLOCK:
        text = one_line(mark.label, int((width - 10) / 7))
        return [words(x + 5, top + ROW / 2 + 4, text, f'font-size="11" fill="{ink}"')]
    if width >= 9:
        return [
            words(
                x + width / 2,
                top + ROW / 2 + 4,
                look.letter,
                f'font-size="11" font-weight="700" text-anchor="middle" fill="{ink}"',
            )
        ]
    return []


def anchor(x: float, top: float) -> str:
    """The boundary: a mark for code, no tokens, drawn as a flag."""
    return f'<path d="M{x:.1f} {top - 7}v{ROW + 9}" stroke="{INK}" stroke-width="2.5"/><path d="M{x:.1f} {top - 7}l9 4l-9 4z" fill="{INK}"/>'


def earlier(start: int, drawn: Picture) -> list[str]:
    """What of the History lies further left."""
    if not start:
        return []
    text = drawn.language.live.BENCH["earlier"].format(thousands(start))
    box = f'<rect x="{LEFT + 3}" y="{HISTORY_TOP + 12}" width="{9 + 6.6 * len(text):.0f}" height="18" rx="3" fill="{PAPER}" stroke="{LINE}"/>'
    return [box, words(LEFT + 8, HISTORY_TOP + 25, text, 'font-size="11"')]


def vessel(drawn: Picture, scale: Scale) -> list[str]:
    """The window: a vessel of fixed size, with its reserve hatched."""
    lines, said, bench = drawn.lines, drawn.language.static.PICTURE, drawn.language.live.BENCH
    end, effective = scale.x(lines["window"]), scale.x(lines["effective_window"])
    out = [
        f'<rect x="{LEFT}" y="{VIEW_TOP}" width="{end - LEFT:.1f}" height="{ROW}" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/>',
        f'<rect x="{effective:.1f}" y="{VIEW_TOP}" width="{max(0, end - effective):.1f}" height="{ROW}" fill="url(#reserve)"/>',
    ]
    over = drawn.view_tokens - lines["window"]
    under = lines["autocompact"] - drawn.view_tokens
    room = (
        bench["over_window"].format(thousands(over))
        if over > 0
        else bench["below_line" if under >= 0 else "above_line"].format(thousands(abs(under)))
    )
    gets = said["model_gets"].format(size=thousands(drawn.view_tokens), room=room)
    sizes = {"rests_on": drawn.language.static.RESTS_ON[drawn.rests_on], "counter": drawn.counter}
    out.append(words(LEFT, VIEW_TOP + ROW + 17, said["view"], 'font-weight="700"'))
    out.append(words(LEFT + 38, VIEW_TOP + ROW + 17, gets, f'fill="{FAINT}"'))
    small = f'font-size="10" fill="{FAINT}"'
    out.append(words(LEFT, VIEW_TOP + ROW + 32, said["sizes_rest_on"].format(**sizes), small))
    out.append(words(LEFT, VIEW_TOP + ROW + 46, said["summaries"].format(drawn.summariser), small))
    return out


def freed(drawn: Picture, scale: Scale) -> list[str]:
    """What was freed at this step: an empty dashed place behind what is left."""
    step = drawn.step
    if step.after >= step.before:
        return []
    low, high = scale.x(step.after), min(RIGHT, scale.x(step.before))
    out = [
        f'<rect x="{low + 1:.1f}" y="{VIEW_TOP + 3}" width="{max(0, high - low - 2):.1f}" height="{ROW - 6}" fill="none" '
        f'stroke="{NOW}" stroke-dasharray="4 3"/>'
    ]
    words_freed = drawn.language.live.BENCH["freed"].format(thousands(step.before - step.after))
    if high - low > 88:
        style = f'text-anchor="middle" font-weight="700" fill="{NOW}" stroke="{PAPER}" stroke-width="5" paint-order="stroke"'
        out.append(words((low + high) / 2, VIEW_TOP + 26, words_freed, style))
    return out


def thresholds(drawn: Picture, scale: Scale) -> list[str]:
    """The lines in the window, each with its name; names never overlap and no leader runs through one."""
    at: dict[int, list[str]] = {}
    for name, tokens in drawn.lines.items():
        at.setdefault(tokens, []).append(name)
    called = drawn.language.static.LINES
    places = sorted(at.items())
    middle = (len(places) + 1) // 2
    out = []
    for number, (tokens, names) in enumerate(places):
        x = scale.x(tokens)
        text = f"{' = '.join(called[name] for name in names)} {thousands(tokens)}"
        right_side = number >= middle and x + 8 + text_width(text, 11) < WIDTH
        depth = len(places) - 1 - number if right_side else number
        y = VIEW_TOP + ROW + 16 + 14 * depth
        strong = "autocompact" in names
        dash = "" if strong else ' stroke-dasharray="3 2"'
        out.append(
            f'<path d="M{x:.1f} {VIEW_TOP - 4}V{y - 3:.1f}" stroke="{INK}" stroke-width="{2.4 if strong else 1.1}"{dash} opacity="0.85"/>'
        )
        style = f'font-size="11" text-anchor="{"start" if right_side else "end"}"' + (
            ' font-weight="700"' if strong else ""
        )
        out.append(words(x + (4 if right_side else -4), y, text, style))
    return out
