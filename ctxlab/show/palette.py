"""Palette: one letter, one colour and one pattern for each kind of block, so that colour is never the only carrier.

Colours are those of Okabe and Ito. Two are kept for one meaning each: vermillion is what changed at this step, and blue
is the user's.
"""

from __future__ import annotations

from typing import NamedTuple

from ..engine.message import Block

NOW = "#D55E00"  # vermillion: changed at this step, and nothing else
INK, FAINT, PAPER, LINE = "#1b1f24", "#57606a", "#ffffff", "#d0d7de"


class Look(NamedTuple):
    """How a kind is drawn: its letter, fill, pattern ("" for plain), the colour of words on it, and its name."""

    letter: str
    fill: str
    pattern: str
    ink: str
    name: str


BLUE, SKY, GREEN, ORANGE, YELLOW, PURPLE = "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#F0E442", "#CC79A7"
GREY, DARK = "#6e7781", "#24292f"
NIGHT = {  # on a dark page: fill -> fill and the colour of words on it
    PAPER: ("#111418", "#e8ebee"),
    DARK: ("#e8ebee", "#111418"),
    "#444c56": ("#aab2bb", "#111418"),
    "#c8ccd1": ("#59636e", "#e8ebee"),
    "#fff8e6": ("#33301f", "#e8ebee"),
}

LOOKS: dict[str, Look] = {
    "system": Look("S", GREY, "", PAPER, "system prompt"),
    "system:sum": Look("W", GREY, "frame", PAPER, "overhead (one sum)"),
    "tools": Look("T", GREY, "dots", PAPER, "tools"),
    "mcp": Look("P", GREY, "rising", PAPER, "MCP tools"),
    "memory": Look("Y", GREY, "falling", PAPER, "memory"),
    "skills": Look("L", GREY, "lines", PAPER, "skills"),
    "claude_md": Look("M", PURPLE, "", INK, "CLAUDE.md"),
    "user": Look("U", BLUE, "", PAPER, "user"),
    "reply": Look("A", SKY, "", INK, "reply"),
    "thinking": Look("K", SKY, "rising", INK, "thinking"),
    "call": Look("C", SKY, "lines", INK, "call"),
    "result:Read": Look("R", GREEN, "", PAPER, "Read result"),
    "result:Edit": Look("E", GREEN, "dots", PAPER, "Edit/Write"),
    "result:Bash": Look("B", ORANGE, "", INK, "Bash result"),
    "result:Grep": Look("G", YELLOW, "", INK, "Grep result"),
    "result:other": Look("O", ORANGE, "falling", INK, "other result"),
    "image": Look("I", PURPLE, "dots", INK, "picture"),
    "attachment": Look("H", PURPLE, "lines", INK, "attachment"),
    "unrecorded": Look("N", "#c8ccd1", "falling", INK, "not in the recording"),
    "preview": Look("V", "#fff8e6", "frame", INK, "preview of a saved result"),
    "placeholder": Look("X", PAPER, "dashed", INK, "cleared result"),
    "snip_boundary": Look("<", DARK, "falling", PAPER, "snip boundary"),
    "digest": Look("D", "#444c56", "pleats", PAPER, "digest of folded rounds"),
    "compact_boundary": Look("|", DARK, "", PAPER, "compact boundary"),
    "summary": Look("Σ", DARK, "lines", PAPER, "summary"),
    "restored": Look("F", GREEN, "falling", PAPER, "file read again"),
    "notice": Look("J", "#c8ccd1", "dots", INK, "notice"),
}
TOOLS = {
    "Read": "Read",
    "NotebookRead": "Read",
    "Edit": "Edit",
    "MultiEdit": "Edit",
    "Write": "Edit",
    "NotebookEdit": "Edit",
    "Bash": "Bash",
    "Grep": "Grep",
    "Glob": "Grep",
}


def look_key(block: Block) -> str:
    """The row of the palette for a block: its kind, and for a whole result its tool."""
    kind = block.drawn_kind
    if kind == "system" and block.target == "overhead":
        return "system:sum"  # a recording knows no parts of it
    return f"result:{TOOLS.get(block.tool, 'other')}" if kind == "result" else kind
