"""Refresh: make the committed form of every notebook.

`python -m ctxlab.course.refresh` writes, `--check` only compares.
Each notebook is run from the top in a fresh kernel, with static pictures. Kept are the sources and their outputs; what
changes from run to run or machine to machine is taken out: times, kernel and language versions, widget state. PNG bytes
are compared only where the fonts that made them are; elsewhere the SVG beside them is.
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..show.png import has_fonts

FOLDER = Path(__file__).parent.parent.parent / "notebooks"
NO_RECORDINGS = str(Path(os.devnull) / "none")  # a folder that nobody can make, so nothing is in it
WIDGET = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def refreshed(path: Path) -> str:
    """The text of a notebook in its committed form, after running it."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    env = {**os.environ, "CTXLAB_STATIC": "1", "PYTHONPATH": str(FOLDER.parent)}  # the code beside these notebooks
    env["CLAUDE_CONFIG_DIR"] = NO_RECORDINGS  # a committed notebook shows nobody's recordings
    options: dict[str, Any] = {"store_widget_state": False, "coalesce_streams": True, "timeout": 120}
    options["extra_arguments"] = ["--Application.log_level=40"]  # a local kernel warns that it is one
    client = NotebookClient(notebook, kernel_name="python3", **options)
    client.execute(cwd=str(path.parent), env=env)
    return normal_form(notebook)


def normal_form(notebook: Any) -> str:
    """A notebook without what differs from run to run."""
    import nbformat

    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({key: value for key, value in cell.metadata.items() if key == "tags"})
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
            output.pop("metadata", None)
            if output.output_type in ("display_data", "execute_result"):
                output["metadata"] = {}
    return str(nbformat.writes(notebook, indent=1)) + "\n"


def without_pictures(text: str) -> str:
    """A notebook's text without the bytes of its PNGs."""
    return "\n".join(line for line in text.split("\n") if '"image/png"' not in line)


def main(arguments: Sequence[str] | None = None) -> int:
    """Refresh all notebooks; with `--check`, say what would change and exit 1."""
    parser = argparse.ArgumentParser(prog="python -m ctxlab.course.refresh", description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 where something would change")
    options = parser.parse_args(arguments)
    paths = sorted(FOLDER.glob("*.ipynb"))
    if not paths:
        print(f"no notebooks in {FOLDER}")
        return 2
    stale = 0
    for path in paths:
        try:
            new = refreshed(path)
        except Exception as error:  # noqa: BLE001 - the others are still to be made, and this one to be named
            print(f"{path.name}: cannot be made: {type(error).__name__}: {str(error)[-1_000:]}")
            stale += 1
            continue
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        same = old == new if has_fonts() else without_pictures(old) == without_pictures(new)
        print(f"{path.name}: {'as it should be' if same else 'would change' if options.check else 'refreshed'}")
        if not same and options.check:
            stale += 1
            lines = difflib.unified_diff(
                without_pictures(old).split("\n"), without_pictures(new).split("\n"), lineterm="", n=1
            )
            print("\n".join(line[:200] for line in list(lines)[:40]))
        elif not same:
            path.write_text(new, encoding="utf-8")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
