"""The request for a summary, and what counts as one.

Whoever summarises (the offline stand-in, a model) gets a `SummaryRequest` and answers with text. Pictures are a short
mark in it, never base64; results stand as the model saw them, or as placeholders where `clears_results_first` asks for
that. A reply may think aloud in `<analysis>`; that is dropped. Nothing usable is a failure, and never replaces history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .message import Block
from .settings import Settings

PICTURE = "[picture]"
CLEARED = "[Old tool result content cleared]"
PREAMBLE = "This session continues an earlier conversation that no longer fits the window. Summary of what came before:"
HEADINGS = {
    4: ("Done", "In progress", "Files", "Tests and errors"),
    9: (
        "What the user asked for",
        "Key concepts",
        "Files and code",
        "Errors and fixes",
        "Problem solving",
        "All user messages",
        "Pending tasks",
        "Current work",
        "Next step",
    ),
}


class TooLongError(ValueError):
    """The summary request itself does not fit the window of the model that was asked."""


class SummaryError(ValueError):
    """What came back cannot be used as a summary; the message says why."""


class Piece(NamedTuple):
    """One block as the summariser gets it."""

    role: str
    kind: str
    tool: str
    target: str
    text: str
    error: bool


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What is to be summarised, within `limit_tokens`; `tokens` is how much of the window it was, as it is given here."""

    pieces: tuple[Piece, ...]
    previous: str
    headings: tuple[str, ...]
    thinking: str
    limit_tokens: int
    tokens: int

    def prompt(self) -> str:
        """The request as text for a model: the conversation, then one instruction."""
        lines = [
            f"{piece.role} ({piece.kind} {piece.tool})".replace(" )", ")") + f": {piece.text}" for piece in self.pieces
        ]
        wanted = "\n".join(f"{number}. {heading}" for number, heading in enumerate(self.headings, 1))
        return "\n\n".join(
            [
                *lines,
                "Summarise the conversation above so that the work can go on from your text alone. Answer in text, call "
                f"no tool. Use these headings:\n{wanted}\nKeep file paths, commands, error messages, numbers and what "
                f"the user asked for word by word. Stay within {self.limit_tokens:,} tokens.",
            ]
        )


Summariser = Callable[[SummaryRequest], str]


def summary_request(rounds: Sequence[Sequence[Block]], settings: Settings, previous: str = "") -> SummaryRequest:
    """Make the request for a summary of these rounds as the model saw them, and of what was summarised before them."""
    rule = settings.autocompact
    blocks = [
        block
        for blocks in rounds
        for block in blocks
        if block.kind not in ("unrecorded", "compact_boundary", "snip_boundary")
    ]
    cleared = settings.microcompact.tools if rule.clears_results_first else ()
    tokens = sum(block.tokens for block in blocks if not is_cleared(block, cleared))
    earlier = [block.text.removeprefix(PREAMBLE).strip() for block in blocks if block.kind == "summary"]
    return SummaryRequest(
        pieces=tuple(piece(block, cleared) for block in blocks if block.kind != "summary"),
        previous="\n".join(text for text in (previous, *earlier) if text),
        headings=HEADINGS[4 if rule.parts < 9 else 9],
        thinking=rule.thinking,
        limit_tokens=max(
            rule.summary_least_tokens, min(settings.window.reserve_tokens or tokens, round(rule.summary_share * tokens))
        ),
        tokens=tokens,
    )


def piece(block: Block, cleared: tuple[str, ...]) -> Piece:
    """One block for the summariser: a picture becomes a mark, a result of the named tools a placeholder."""
    text = CLEARED if is_cleared(block, cleared) else PICTURE if block.kind == "image" else block.text
    return Piece(block.role, block.kind, block.tool, block.target, text, block.error)


def is_cleared(block: Block, cleared: tuple[str, ...]) -> bool:
    """True for results of the tools that are cleared for the summariser."""
    return block.kind == "result" and block.tool in cleared


def usable(reply: str | None) -> str:
    """The summary in a reply; raises SummaryError where there is none.

    >>> usable("<analysis>hm</analysis><summary>Done: all</summary>")
    'Done: all'
    """
    text = reply or ""
    while "<analysis>" in text:
        before, _, rest = text.partition("<analysis>")
        _, closed, after = rest.partition("</analysis>")
        if not closed:
            raise SummaryError("the reply ends inside its analysis")
        text = before + after
    if "<summary>" in text:
        text, closed, _ = text.partition("<summary>")[2].partition("</summary>")
        if not closed:
            raise SummaryError("the reply ends inside its summary")
    if not text.strip():
        raise SummaryError("the summary is empty")
    return text.strip()
