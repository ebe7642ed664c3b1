"""The command `ctxlab`: alone it opens JupyterLab on the notebooks.

`ctxlab replay FILE` sends a recording through the layers, `ctxlab audit PATH` holds one, or a folder of them, against the
simulation, `ctxlab settings` lists every threshold, `ctxlab doctor` says what is missing.
Exit status: 0; 1 for a file that cannot be used at all, with one sentence on standard error; 2 for wrong arguments.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import Replay, Settings, __version__, audit, load, replay
from .engine.edit import plural
from .engine.profiles import DEFAULT, PROFILES
from .show.notebook import replay_text
from .show.report import to_json
from .show.text import WORD_WIDTH
from .show.words import harmless, one_line

WHERE = "Give the path of a recorded session, for example one of ~/.claude/projects/*/*.jsonl"
FIRST = "00_start_here.ipynb"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; what it does not know is handed on to JupyterLab."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or (given[0].startswith("-") and given[0] not in ("-h", "--help", "--version")):
        return open_lab(given)
    options = parser().parse_args(given)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a character still gets the rest
    try:
        return COMMANDS[options.command](options)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    out = argparse.ArgumentParser(
        prog="ctxlab",
        description="See how a coding agent manages its context window. Without a command: open JupyterLab on the notebooks.",
    )
    out.add_argument("--version", action="version", version=f"ctxlab {__version__}")
    commands = out.add_subparsers(dest="command", required=True)
    one = commands.add_parser("replay", help="send a recorded session through the layers")
    one.add_argument(
        "file", help="a recorded session: Claude Code's (.jsonl), or any other kind that ctxlab.load reads"
    )
    one.add_argument(
        "--profile", default=DEFAULT, metavar="NAME", help=f"one of {', '.join(PROFILES)} (default {DEFAULT})"
    )
    one.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="GROUP.FIELD=VALUE",
        dest="assignments",
        help="change one threshold; may be given several times",
    )
    one.add_argument("--json", action="store_true", help="print what each layer did at each request, as JSON")
    one.add_argument("--html", metavar="OUT", help="write one HTML file with all steps, which needs no network")
    one.add_argument("--no-texts", action="store_true", help="with --html: leave out every word of the session")
    held = commands.add_parser("audit", help="hold recordings against the simulation")
    held.add_argument("path", help="a Claude Code session (.jsonl), or a folder: every .jsonl in it and below is taken")
    commands.add_parser("doctor", help="say what is here, what is missing, and what to do")
    two = commands.add_parser("settings", help="list every threshold of a profile")
    two.add_argument(
        "--profile", default=DEFAULT, metavar="NAME", help=f"one of {', '.join(PROFILES)} (default {DEFAULT})"
    )
    return out


def list_settings(options: argparse.Namespace) -> int:
    """Print every field: path, value, unit, how well it is known, and what it is."""
    try:
        knobs = list(Settings.profile(options.profile).knobs())
    except ValueError as error:
        print(f"ctxlab: {error}", file=sys.stderr)
        return 2
    for knob in knobs:
        value = f"{knob.value:,}" if isinstance(knob.value, int) and not isinstance(knob.value, bool) else knob.value
        source = knob.source.removeprefix(f"{knob.evidence}: ")
        print(f"{knob.path} = {value} {knob.metadata['unit']}".rstrip() + f"  [{knob.evidence}: {source}]")
        print(f"    {knob.metadata['says']}{allowed(knob.metadata)}")
    return 0


def allowed(metadata: Mapping[str, Any]) -> str:
    """What `--set` takes for a field: its options, or from where to where."""
    if metadata.get("options"):
        return f" One of: {', '.join(map(str, metadata['options']))}."
    if metadata.get("high"):
        return f" From {metadata.get('low') or 0:,} to {metadata['high']:,}{', or none' if metadata.get('optional') else ''}."
    return ""


def replay_file(options: argparse.Namespace) -> int:
    """Replay one file, and print its picture and steps, or JSON, or write a page."""
    if (options.no_texts and not options.html) or (options.json and options.html):
        print("ctxlab: --no-texts goes with --html, and --json without it", file=sys.stderr)
        return 2
    try:
        settings = Settings.profile(options.profile).set(*options.assignments)
    except ValueError as error:
        print(f"ctxlab: {error}", file=sys.stderr)
        return 2
    try:
        history = load(Path(options.file))
    except (OSError, ValueError) as error:
        return unusable(options.file, error)
    result = replay(history, settings)
    if options.html:
        return write_html(result, options)
    if options.json:
        print(json.dumps(to_json(result, __version__), indent=1))
        return 0
    source = history.source
    print(
        f"{harmless(source.path)}: {plural(source.records, 'record')}, {plural(len(history.messages), 'message')}, {plural(len(history.turns), 'request')}"
    )
    for line, reason in source.skipped[:5]:
        print(f"  line {line} skipped: {one_line(reason, 200)}")
    if len(source.skipped) > 5:
        print(f"  {len(source.skipped) - 5:,} more lines skipped; --json lists them")
    for notice in history.notices:
        print(f"  {one_line(notice, 300)}")
    print(f"  {settings!r}\n\n{replay_text(result, width=terminal_width())}")
    return 0


def write_html(result: Replay, options: argparse.Namespace) -> int:
    """Write the page of a replay, and say what it holds."""
    from .show.page import make_page, write_page

    try:
        page = make_page(result, texts=not options.no_texts)
        path = write_page(page, options.html)
    except (OSError, ValueError) as error:
        print(f"ctxlab: no page was written: {one_line(str(error), 500)}", file=sys.stderr)
        return 1
    print(f"{harmless(str(path))}: {path.stat().st_size / 1_000:,.0f} KB, {plural(len(result.exchanges), 'request')}")
    for line in page.about:
        print(f"  {line}")
    return 0


def audit_path(options: argparse.Namespace) -> int:
    """Audit a file or a folder, and print what was found."""
    try:
        report = audit(Path(options.path))
    except (OSError, ValueError) as error:
        return unusable(options.path, error)
    print(report)
    return 0


def doctor(_: argparse.Namespace) -> int:
    """Say what is here and what is missing; exit 1 where something is."""
    from .course.doctor import Doctor

    found = Doctor()
    print(found)
    return 0 if found.well else 1


COMMANDS = {"settings": list_settings, "replay": replay_file, "audit": audit_path, "doctor": doctor}


def unusable(path: str, error: Exception) -> int:
    """Say in one sentence why a file cannot be used at all."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    print(f"ctxlab: {one_line(path, 300)} cannot be used: {one_line(reason, 500)}. {WHERE}", file=sys.stderr)
    return 1


def terminal_width() -> int:
    """The width of the terminal; where there is none, always the same."""
    return max(60, shutil.get_terminal_size().columns) if sys.stdout.isatty() else WORD_WIDTH


def open_lab(arguments: list[str]) -> int:
    """Start JupyterLab on the first notebook."""
    folder = notebooks_folder()
    command = [sys.executable, "-m", "jupyterlab", *arguments, f"--ServerApp.root_dir={folder}", str(folder / FIRST)]
    os.execv(sys.executable, command)


def notebooks_folder() -> Path:
    """The notebooks of a checkout; of an installed package, a copy in the current folder, made once."""
    checkout = Path(__file__).parent.parent / "notebooks"
    if (checkout / FIRST).is_file():
        return checkout
    copy = Path.cwd() / "ctxlab-notebooks"
    if not copy.exists():
        shutil.copytree(Path(__file__).parent / "notebooks", copy)
        print(f"ctxlab: copied the notebooks to {copy}")
    return copy


if __name__ == "__main__":
    raise SystemExit(main())
