"""Events: what was measured in public recordings: compactions, microcompactions, results saved and left inline.

One row for each event that can be recomputed from its file; counts in the notebooks are counts of this table. Sizes are
tokens for compactions and microcompactions, characters for results. Evidence: measured.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple


class Event(NamedTuple):
    """One event; `after` is the size after a compaction, what a microcompaction saved, or the length of a preview.

    `version` is "" where the file does not say; `cleared` counts the results that a microcompaction cleared.
    """

    kind: str
    version: str
    model: str
    trigger: str
    before: int | None
    after: int | None
    tool: str
    cleared: int | None
    repository: str


@lru_cache(maxsize=1)
def all_events() -> tuple[Event, ...]:
    """Every row of `data/events.tsv`."""
    text = (files("ctxlab") / "data" / "events.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return tuple(
        Event(
            row["kind"],
            row["version"],
            row["model"],
            row["trigger"],
            whole(row["before"]),
            whole(row["after_or_saved"]),
            row["tool"],
            whole(row["cleared"]),
            row["repository"],
        )
        for row in rows
    )


def events(kind: str, **wanted: str) -> list[Event]:
    """The events of one kind: compaction, microcompact, saved or inline; `wanted` fields must be equal.

    >>> len(events("compaction", trigger="auto")), min(event.before for event in events("microcompact"))
    (40, 50745)
    """
    known = sorted({event.kind for event in all_events()})
    if kind not in known:
        raise ValueError(f"unknown kind of event {kind!r}; expected one of {', '.join(known)}")
    return [
        event
        for event in all_events()
        if event.kind == kind and all(getattr(event, name) == value for name, value in wanted.items())
    ]


def version_key(version: str) -> tuple[int, ...]:
    """A version as numbers, so that 2.1.9 sorts before 2.1.20.

    >>> sorted(["2.1.20", "2.1.9"], key=version_key)
    ['2.1.9', '2.1.20']
    """
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def whole(text: str) -> int | None:
    """A number, or None for an empty cell."""
    return int(text) if text else None
