"""Joined: the bench's JavaScript, several readable modules, as the one module that a widget may have.

No build: imports between the files, comments and indentation are taken out, `export` is dropped,
and the files follow one another. So no two of them may use one name at their top; a test holds them to it.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent / "bench"
ORDER = (
    "columns",
    "words",
    "say",
    "scale",
    "motion",
    "tops",
    "dom",
    "ribbons",
    "paint",
    "signs",
    "rows",
    "tags",
    "stage",
    "score",
    "timeline",
    "lamps",
    "compare",
    "faults",
    "inspector",
    "fields",
    "settings",
    "transport",
    "state",
    "frame",
    "bench",
)
IMPORT = re.compile(r"^import [^;]+;\n", flags=re.MULTILINE)
COMMENT = re.compile(r"^\s*/\*.*?\*/\n+", flags=re.MULTILINE | re.DOTALL)
ASIDE = re.compile(r" // .*$", flags=re.MULTILINE)
INDENT = re.compile(r"^[ ]+", flags=re.MULTILINE)  # with the comments a quarter of what would travel
EXPORT = re.compile(r"^export (?=const|let|function|async|class)", flags=re.MULTILINE)


def joined(names: tuple[str, ...] = ORDER) -> str:
    """The source of the widget."""
    texts = [(FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in names]
    return "\n".join(
        EXPORT.sub("", IMPORT.sub("", INDENT.sub("", ASIDE.sub("", COMMENT.sub("", text))))) for text in texts
    )


SCRIPT = joined()
STYLE = re.sub(
    r"^\s*/\*.*?\*/\n|^ +", "", (FOLDER / "bench.css").read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
)
