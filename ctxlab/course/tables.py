"""Tables of the lessons: thresholds beside each other, counters beside each other, windows in characters."""

from __future__ import annotations

from ..engine.fields import as_text
from ..engine.settings import Knob, Settings, field_index, suggest
from ..engine.tokens import FACTORS, ClaudeEstimate, Quarter, encoding
from ..show.table import Table
from ..sources.story import MODEL
from .samples import samples

LATER = "claude-opus-4-7"
WINDOWS = (200_000, 1_000_000)


def numbers(*paths: str, profiles: tuple[str, ...] = ("classroom", "v2.1")) -> Table:
    """Settings in several profiles, with the evidence and the source of the last one; unknown paths raise ValueError."""
    if not profiles:
        raise ValueError("numbers needs one profile or more, got none")
    known = field_index()
    for path in paths:
        if path not in known:
            raise ValueError(f"unknown setting {path!r}; {suggest(path, known)}")
    knobs = {name: {knob.path: knob for knob in Settings.profile(name).knobs()} for name in profiles}
    rows = []
    for path in paths:
        last = knobs[profiles[-1]][path]
        rows.append([path, *(value_of(knobs[name][path]) for name in profiles), last.evidence, last.source])
    return Table(("setting", *profiles, "evidence", "source"), rows)


def value_of(knob: Knob) -> str:
    """A value with its unit; long numbers grouped, lists with room to break."""
    plain = knob.metadata["kind"] != "number" or knob.value is None
    text = as_text(knob.value).replace(",", ", ") if plain else f"{knob.value:,}"
    return text if plain else f"{text} {knob.metadata['unit']}".strip()


def counters() -> Table:
    """The six samples by four counters: characters / 4, bytes / 4, cl100k_base, and that times a family factor."""
    older, later = ClaudeEstimate(MODEL), ClaudeEstimate(LATER)
    rows = []
    for name, text in samples().items():
        plain = len(encoding().encode_ordinary(text))
        size = (len(text), Quarter()(text), len(text.encode()) // 4, plain, older(text), later(text))
        rows.append([name, *(f"{number:,}" for number in size)])
    factors = [f"x {factor}" for factor in FACTORS.values()]
    columns = ("text", "characters", "characters / 4", "bytes / 4", "cl100k_base", *factors)
    return Table(columns, rows, f"x 1.18: Claude {older.family}; x 1.46: Claude {later.family}; both are estimates")


def windows() -> Table:
    """How many characters of each sample's kind fill a window, by the estimate for the older models."""
    count = ClaudeEstimate(MODEL)
    rows = []
    for name, text in samples().items():
        each = len(text) / count(text)
        rows.append([name, f"{each:.2f}", *(f"{round(each * window, -3):,.0f}" for window in WINDOWS)])
    columns = ("text", "characters a token", *(f"in {window:,} tokens" for window in WINDOWS))
    return Table(columns, rows, f"counted: {count.name}")
