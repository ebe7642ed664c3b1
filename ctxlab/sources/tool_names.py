"""Tool names: what other agents call the tools that Claude Code has too, so that its layers and colours know them.

A layer clears or keeps by the name of the tool; under `read` instead of `Read` it would spare everything. A reader says
in a notice which names it gave. Names that are not in this table stay as they are.

Evidence: measured in recordings of pi, SWE-agent and OpenHands.
"""

from __future__ import annotations

from typing import Any

SAME = {
    "read": "Read",
    "open": "Read",
    "write": "Write",
    "create": "Write",
    "edit": "Edit",
    "insert": "Edit",
    "bash": "Bash",
    "terminal": "Bash",
    "execute_bash": "Bash",
    "run": "Bash",
    "grep": "Grep",
    "search_dir": "Grep",
    "search_file": "Grep",
    "find": "Glob",
    "find_file": "Glob",
}
EDITORS = ("str_replace_editor", "str_replace_based_edit_tool", "file_editor")  # one tool, several commands
COMMANDS = {"view": "Read", "create": "Write", "str_replace": "Edit", "insert": "Edit", "undo_edit": "Edit"}
PATHS = ("path", "file_name", "filename")


def known_call(name: str, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The tool's name in Claude Code, and its input with the path where Claude Code has it.

    >>> known_call("read", {"path": "a.py"})
    ('Read', {'file_path': 'a.py', 'path': 'a.py'})
    >>> known_call("weather", {"city": "Graz"})
    ('weather', {'city': 'Graz'})
    """
    tool = COMMANDS.get(str(given.get("command")), name) if name in EDITORS else SAME.get(name, name)
    path = next((given[key] for key in PATHS if isinstance(given.get(key), str)), None)
    if tool == name or path is None or tool in ("Bash", "Grep", "Glob"):
        return tool, given
    return tool, {"file_path": path, **given}
