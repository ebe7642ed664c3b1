"""Series: the measures of every notebook, beside what is allowed. `python -m ctxlab.course.series` prints them.

Budgets come from notebook series that people call great teaching: short cells, many words for each line of code, small
files. The same functions are what the tests hold the notebooks against.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..show.table import Table
from .refresh import FOLDER

PICTURES = ("image/png", "image/svg+xml")
LONG = ("12", "13")  # may take longer than the others


class Measures(NamedTuple):
    """One notebook in numbers: cells, lines of code and their width, words, minutes, bytes without pictures."""

    name: str
    code_cells: int
    median_lines: float
    longest_cell: int
    longest_line: int
    words: int
    words_per_line: float
    minutes: int
    bytes: int


class Budget(NamedTuple):
    """What is allowed."""

    code_cells: int = 20
    median_lines: float = 4
    longest_cell: int = 15
    longest_line: int = 92
    words_per_line: float = 12
    minutes: int = 25
    bytes: int = 60_000


def budget(name: str) -> Budget:
    """What a notebook may have; the long ones take half an hour."""
    return Budget(minutes=30) if name.startswith(LONG) else Budget()


def read(path: Path) -> dict[str, Any]:
    """A notebook as JSON; one that is none raises ValueError with its name."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path.name} is not a notebook: {error}") from None
    return found


def source(cell: dict[str, Any]) -> str:
    """The text of a cell."""
    return "".join(cell["source"])


def measures(path: Path) -> Measures:
    """Measure one notebook; lines of code are those that are not blank."""
    notebook = read(path)
    code = [source(cell) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    prose = "\n".join(source(cell) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    lines = [sum(bool(line.strip()) for line in text.split("\n")) for text in code]
    words = len(prose.split())
    minutes = re.search(r"\*\*Minutes:\*\* (\d+)", prose)
    return Measures(
        path.stem,
        len(code),
        statistics.median(lines or [0]),
        max(lines, default=0),
        max((len(line) for text in (*code, *listings(notebook)) for line in text.split("\n")), default=0),
        words,
        words / max(1, sum(lines)),
        int(minutes[1]) if minutes else 0,
        len(json.dumps(without_pictures(notebook), ensure_ascii=False).encode()),
    )


def listings(notebook: dict[str, Any]) -> list[str]:
    """The code of the package that a notebook prints."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return ["".join(output.get("data", {}).get("text/markdown", "")) for output in outputs]


def without_pictures(notebook: dict[str, Any]) -> dict[str, Any]:
    """A copy of a notebook without PNG and SVG."""
    copy: dict[str, Any] = json.loads(json.dumps(notebook))
    for cell in copy["cells"]:
        for output in cell.get("outputs", []):
            for kind in PICTURES:
                output.get("data", {}).pop(kind, None)
    return copy


def too_much(found: Measures) -> list[str]:
    """What is over its budget, in words; an empty list where nothing is."""
    allowed = budget(found.name)
    out = [
        f"{name} {getattr(found, name)} > {most}"
        for name, most in allowed._asdict().items()
        if name != "words_per_line" and getattr(found, name) > most
    ]
    if found.words_per_line < allowed.words_per_line:
        out.append(f"words_per_line {found.words_per_line:.1f} < {allowed.words_per_line}")
    return out if found.minutes else [*out, "no minutes are given"]


def series_table(paths: Sequence[Path]) -> Table:
    """All notebooks with their measures, and what is over budget."""
    rows = []
    for path in paths:
        found = measures(path)
        numbers = [
            f"{found.code_cells}",
            f"{found.median_lines:g}",
            f"{found.longest_cell}",
            f"{found.longest_line}",
            f"{found.words:,}",
            f"{found.words_per_line:.0f}",
            f"{found.minutes}",
            f"{found.bytes:,}",
        ]
        rows.append([found.name, *numbers, "; ".join(too_much(found)) or "within"])
    allowed = Budget()
    footer = (
        f"Allowed: {allowed.code_cells} code cells, median {allowed.median_lines} lines, longest {allowed.longest_cell}, "
        f"{allowed.longest_line} characters in a line, "
        f"{allowed.words_per_line} words a line of code or more, {allowed.minutes} minutes (12 and 13: "
        f"{budget('13').minutes}), {allowed.bytes:,} bytes without pictures."
    )
    columns = ("notebook", "code cells", "median", "longest", "widest", "words", "a line", "minutes", "bytes", "budget")
    return Table(columns, rows, footer)


def main() -> int:
    """Print the table; exit 1 where a notebook is over its budget."""
    paths = sorted(FOLDER.glob("*.ipynb"))
    if not paths:
        print(f"no notebooks in {FOLDER}")
        return 2
    print(series_table(paths))
    return int(any(too_much(measures(path)) for path in paths))


if __name__ == "__main__":
    sys.exit(main())
