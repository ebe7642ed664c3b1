"""Chooser: the recordings on this machine as a list, and a widget in which one of them, or any file, is chosen.

Titles are prompts, so they are covered like everything that is shown; a list is made without reading the recordings.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from ..engine.edit import plural
from ..engine.history import History
from ..sources.load import load
from ..sources.sessions import SessionFile, recordings_folder, session_files
from ..sources.story import story
from .notebook import beside
from .table import Table, escaped
from .words import one_line

COLUMNS = ("number", "newest record", "size", "compactions", "project", "title")
MOST_LISTED, MOST_CHOICES = 30, 1_000
NO_TITLE = "(no prompt at its beginning)"
OTHER_FILES = (
    "A file from elsewhere: drop it into JupyterLab's file browser, which sends it in parts, and give its path. "
    "(A widget could not take it: one message to the kernel ends at 10 MB.)"
)


class SessionList:
    """The recordings below a folder, the newest first; `sessions()[0].path` is what `load` takes."""

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = Path(folder) if folder else recordings_folder()
        self.files = session_files(self.folder)

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, number: int) -> SessionFile:
        return self.files[number]

    @property
    def table(self) -> Table:
        """What is listed of each."""
        rows = [(f"{number}", *row_of(each)) for number, each in enumerate(self.files[:MOST_LISTED])]
        return Table(COLUMNS, rows, self._footer())

    def _footer(self) -> str:
        where = folder_words(self.folder)
        if not self.files:
            return (
                f"No recording is in {where}. Give the path of a session file, or go on with the story. {OTHER_FILES}"
            )
        more = f", the newest {MOST_LISTED} listed" if len(self.files) > MOST_LISTED else ""
        return f"{plural(len(self.files), 'recording')} in {where}{more}; from head and tail of each file only (?: not told there)."

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def sessions(folder: str | Path | None = None) -> SessionList:
    """The recordings of Claude Code on this machine, or below a folder; raises as `session_files` does."""
    return SessionList(folder)


class SessionChooser:
    """A list of the recordings and a field for a path; `load()` reads what is chosen, or tells the story where nothing is.

    What was chosen is remembered while Python runs, so that a cell that is run again does not lose it.
    """

    remembered: ClassVar[dict[Path, Path | None]] = {}

    def __init__(self, folder: str | Path | None = None) -> None:
        self.sessions = SessionList(folder)
        last = self.remembered.get(self.sessions.folder)
        self.path = last if last and last.is_file() else None

    def choose(self, path: str | Path) -> None:
        """Choose a file by its path ("" for none); raises FileNotFoundError where there is none."""
        given = str(path).strip().strip("'\"")
        wanted = Path(os.path.expanduser(given)) if given else None  # noqa: PTH111 - Path's raises for ~nobody
        if wanted and not wanted.is_file():
            what = "a folder" if wanted.is_dir() else "no file"
            place = f"{what} is at {one_line(str(wanted), 200)}; paths begin at {Path.cwd().name}/"
            raise FileNotFoundError(f"{place}. {self.chosen}")
        self.path = self.remembered[self.sessions.folder] = wanted

    def load(self, **options: Any) -> History:
        """The chosen session, read now; the story where none is chosen."""
        return load(self.path, **options) if self.path else story("classroom")

    @property
    def chosen(self) -> str:
        """What `load()` would read, in words."""
        return f"Chosen: {one_line(self.path.name, 100)}" if self.path else "Nothing is chosen: the story is shown."

    def widget(self) -> Any:
        """The list, the field, and what is chosen."""
        import ipywidgets

        files = self.sessions.files[:MOST_CHOICES]
        rows = [("(the story)", -1), *((line_of(each), number) for number, each in enumerate(files))]
        now = next((number for number, each in enumerate(files) if each.path == self.path), -1)
        wide = {"width": "calc(100% - 16px)"}
        listed = ipywidgets.Select(options=rows, value=now, rows=min(12, len(rows)), layout=wide)
        typed = ipywidgets.Text(placeholder="or the path of a session file", continuous_update=False, layout=wide)
        said = ipywidgets.Label(self.chosen)

        def take(path: str | Path) -> None:
            try:
                self.choose(path)
                said.value = f"{self.chosen} Run all cells again (menu Run, Run All Cells)."
            except OSError as error:
                said.value = one_line(str(error), 300)

        def pick(change: Mapping[str, Any]) -> None:
            take(files[change["new"]].path if change["new"] >= 0 else "")

        listed.observe(pick, "value")
        typed.observe(lambda change: take(change["new"]), "value")
        about = ipywidgets.Label(self.sessions._footer(), layout=wide)
        return ipywidgets.VBox([listed, typed, said, about])

    def __repr__(self) -> str:
        return f"{self.sessions!r}\n{self.chosen}"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        page = f"{self.sessions._repr_html_()}<p>{escaped(self.chosen)}</p>"
        return beside(
            {"text/plain": repr(self), "text/html": page}, lambda: (self.widget()._repr_mimebundle_(**kwargs), {})
        )


def row_of(each: SessionFile) -> tuple[str, ...]:
    """What is listed of one recording."""
    many = f"{each.compactions}" if each.all_read else f"at least {each.compactions}" if each.compactions else "?"
    return (
        each.at[:16].replace("T", " "),
        f"{each.bytes / 1_000:,.0f} KB",
        many,
        one_line(each.project, 30),
        one_line(each.title, 100) or NO_TITLE,
    )


def line_of(each: SessionFile) -> str:
    """The same on one line."""
    at, size, compactions, project, title = row_of(each)
    compacted = f" · {compactions} compactions" if each.compactions else ""
    return f"{at or '(no time)'} · {size}{compacted} · {project} · {title}"


def folder_words(folder: Path) -> str:
    """A folder as it may be shown: the user's own name is not in it."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    if named and folder == Path(named) / "projects":
        return "$CLAUDE_CONFIG_DIR/projects"
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else one_line(str(folder), 200)
