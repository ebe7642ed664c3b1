"""Doctor: what is here, what is missing, and what to do about it, on one screen. Nothing is asked of the network.

It looks at this Python and at the packages that it has, runs the story once, and counts the recordings; none of them is
read in full, no key is looked at.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from .. import __version__
from ..show.chooser import SessionList, folder_words
from ..show.png import chinese_fonts
from ..sources.masks import masked
from ..sources.sessions import recordings_folder
from .setup import SetupReport

NEEDED = ("jupyterlab", "ipywidgets", "anywidget", "plotly", "tiktoken", "anthropic")
WIDTH = 100


class Finding(NamedTuple):
    """One thing that was looked at: `ok`, `MISSING` (something will not work) or `note`, in words, and what to do."""

    state: str
    what: str
    cure: str = ""


class Doctor:
    """All findings; `well` where nothing is missing."""

    def __init__(self) -> None:
        self.findings = [*machine(), *packages(), *own_parts(), recordings(), *optional()]

    @property
    def well(self) -> bool:
        """True where nothing that is needed is missing."""
        return all(each.state != "MISSING" for each in self.findings)

    def __repr__(self) -> str:
        lines = [line for each in self.findings for line in told(each)]
        ending = (
            "All is here: `ctxlab` opens the notebooks." if self.well else "Something is missing: see what to do above."
        )
        return "\n".join([*lines, "", ending])


def told(finding: Finding) -> list[str]:
    """A finding, folded under itself."""
    words = masked(f"{finding.what}{': ' if finding.cure else ''}{finding.cure}")
    return textwrap.wrap(f"{finding.state:<9}{words}", WIDTH, subsequent_indent=" " * 9, break_on_hyphens=False)


def machine() -> Iterator[Finding]:
    """Python and ctxlab."""
    yield Finding("ok", f"Python {'.'.join(map(str, sys.version_info[:3]))}")  # an older one cannot import ctxlab
    yield Finding("ok", f"ctxlab {__version__}, run by {sys.executable}")


def packages() -> Iterator[Finding]:
    """Each package that ctxlab needs, with its version."""
    found, missing = [], []
    for name in NEEDED:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if found:
        yield Finding("ok", ", ".join(found))
    for name in missing:
        yield Finding("MISSING", name, f"{sys.executable} -m pip install {name}")


def own_parts() -> Iterator[Finding]:
    """What the package must bring itself: the checks of the first notebook, but for Python and widgets, named above."""
    try:
        checks = SetupReport().checks[2:]
    except ImportError as error:  # a package that is named above
        yield Finding("MISSING", f"the story cannot be run: {error}", "install what is named above")
        return
    for what, found, cure in checks:
        yield Finding("ok" if found else "MISSING", what, "" if found else cure)


def recordings() -> Finding:
    """How many recordings are on this machine, and how to use one."""
    where = folder_words(recordings_folder())
    try:
        listed = SessionList().files
    except RuntimeError as error:  # a notebook is being made for others
        return Finding("note", str(error))
    if not listed:
        return Finding(
            "note",
            f"no recording in {where}",
            "CLAUDE_CONFIG_DIR names another folder; a file anywhere works too: ctxlab replay FILE",
        )
    newest = listed[0].at[:10] or "of unknown date"
    many = "1 recording" if len(listed) == 1 else f"{len(listed):,} recordings"
    return Finding("ok", f"{many} in {where}, the newest {newest}", "ctxlab replay FILE, or notebook 14")


def optional() -> Iterator[Finding]:
    """What only some need."""
    if not chinese_fonts():
        yield Finding(
            "note", "no Chinese font that is known here", "PNG pictures stay English; SVG and the bench do not need one"
        )
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        yield Finding("note", "no Chromium or Chrome on the path", "only the browser tests need one")
    if not shutil.which("node"):
        yield Finding("note", "no Node", "only the tests of the bench's JavaScript need it")
