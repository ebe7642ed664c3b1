"""Citations: which source a number rests on, looked up in `data/sources.toml`.

A citation begins with the name of its source and may go on in words: "docs: context window (illustration)",
"recordings: six compactions". Several stand behind each other with ";" or ",".
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

IN_NOTEBOOKS = re.compile(r"\[(official|measured|analysis|article|ctxlab) · ([^\]]+)\]")


class Source(NamedTuple):
    """A text, or a set of recordings, that something is known from; `date` is ISO, or "not known"."""

    name: str
    title: str
    address: str
    date: str


@lru_cache(maxsize=1)
def sources() -> dict[str, Source]:
    """All sources by name."""
    text = (files("ctxlab") / "data" / "sources.toml").read_text(encoding="utf-8")
    rows = [
        Source(row["name"], row["title"], row["address"], str(row["date"])) for row in tomllib.loads(text)["source"]
    ]
    return {row.name: row for row in rows}


def source_of(citation: str) -> Source:
    """The source that a citation begins with; raises KeyError that shows the citation where there is none.

    >>> source_of("docs: context windows").title, source_of("changelog 2.1.89").name
    ('Context windows', 'changelog')
    """
    fitting = [name for name in sources() if re.match(re.escape(name) + r"(?!\w)", citation)]
    if not fitting:
        raise KeyError(f"{citation!r} begins with no source of data/sources.toml; add it there")
    return sources()[max(fitting, key=len)]


def cited_in(text: str) -> list[tuple[str, str]]:
    """Evidence word and citation of each mark such as `[official · docs: sessions]` in a text of a notebook.

    >>> cited_in("saved [official · changelog 2.1.2], as counted [measured · recordings]")
    [('official', 'changelog 2.1.2'), ('measured', 'recordings')]
    """
    return IN_NOTEBOOKS.findall(text)
