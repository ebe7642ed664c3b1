"""The request for a summary: what whoever summarises (the offline stand-in, a model) gets.

It carries the conversation twice: as `pieces` of text, and as `fork`, the request that a model would get: the same
prefix as the main conversation with one instruction behind it, so that the cached prefix is read and not written.
Pictures are a short mark, never base64; results stand as the model saw them, or as placeholders where
`clears_results_first` asks for that. `purpose` tells a helper's call from the main thread: it must not compact itself.

Evidence: analysis (the fork, the nine parts, pictures as marks); article-2 (four parts).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .message import Block
from .pictures import picture_tokens
from .settings import Settings

PICTURE = "[picture]"
PICTURE_PARTS = ("image", "document")
CLEARED = "[Old tool result content cleared]"
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
UP_TO_HERE = ("Work done", "Context to continue")  # instead of the last two, where the newest messages stay
NOT_SUMMARISED = ("unrecorded", "compact_boundary", "snip_boundary")


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
    """What is to be summarised, within `limit_tokens`; `tokens` is how much of the window it was, as it is given here.

    `instructions` are the user's own: a focus, what a hook printed, a section of CLAUDE.md. `fork` makes the body for a
    model when it is asked for, `sent_tokens` is all that goes with it. `begins` says where the part begins, where the fork
    holds more. `purpose`: compact, session_memory or collapse.
    """

    pieces: tuple[Piece, ...]
    previous: str
    headings: tuple[str, ...]
    thinking: str
    limit_tokens: int
    tokens: int
    instructions: str = ""
    purpose: str = "compact"
    begins: str = ""
    sent_tokens: int = 0
    fork: Callable[[], dict[str, Any]] | None = field(default=None, compare=False, repr=False)

    def prompt(self) -> str:
        """The request as text for a model: the conversation, then one instruction."""
        lines = [
            f"{piece.role} ({piece.kind} {piece.tool})".replace(" )", ")") + f": {piece.text}" for piece in self.pieces
        ]
        earlier = [f"What was summarised before: {self.previous}"] if self.previous else []
        return "\n\n".join([*earlier, *lines, self.instruction()])

    def instruction(self) -> str:
        """The one message that a fork adds."""
        wanted = "\n".join(f"{number}. {heading}" for number, heading in enumerate(self.headings, 1))
        words = (
            "Summarise the conversation above so that the work can go on from your text alone. Answer in text, call "
            f"no tool. Use these headings:\n{wanted}\nKeep file paths, commands, error messages, numbers and what "
            f"the user asked for word by word. Stay within {self.limit_tokens:,} tokens."
        )
        part = f"\nSummarise only from here on: {self.begins}" if self.begins else ""
        return f"{words}{part}\nThe user adds: {self.instructions}" if self.instructions else f"{words}{part}"


Summariser = Callable[[SummaryRequest], str]


def summary_request(
    rounds: Sequence[Sequence[Block]],
    settings: Settings,
    previous: str = "",
    instructions: str = "",
    purpose: str = "compact",
    *,
    up_to_here: bool = False,
) -> SummaryRequest:
    """Make the request for a summary of these rounds as the model saw them, and of what was summarised before them."""
    rule = settings.autocompact
    blocks = [block for blocks in rounds for block in blocks if block.kind not in NOT_SUMMARISED]
    cleared = settings.microcompact.tools if rule.clears_results_first else ()
    tokens = sum(weight(block, rule.keeps_pictures) for block in blocks if not is_cleared(block, cleared))
    headings = HEADINGS[4 if rule.parts < 9 else 9]
    return SummaryRequest(
        pieces=tuple(piece(block, cleared) for block in blocks if block.kind != "summary"),
        previous="\n".join(text for text in (previous, *map(earlier, blocks)) if text),
        headings=(*headings[:-2], *UP_TO_HERE) if up_to_here else headings,
        thinking=rule.thinking,
        limit_tokens=max(
            rule.summary_least_tokens, min(settings.window.reserve_tokens or tokens, round(rule.summary_share * tokens))
        ),
        tokens=tokens,
        instructions=instructions,
        purpose=purpose,
    )


def earlier(block: Block) -> str:
    """The text of an earlier summary, without what opens it; empty for every other block."""
    return str(block.raw["summary"]) if block.kind == "summary" and isinstance(block.raw, dict) else ""


def weight(block: Block, keeps_pictures: bool) -> int:
    """What a block weighs in the request: its pictures count only where they stay in it."""
    if keeps_pictures:
        return block.tokens
    return 0 if block.kind == "image" else max(0, block.tokens - sum(map(picture_tokens, pictures_in(block))))


def pictures_in(block: Block) -> list[dict[str, Any]]:
    """The pictures and documents inside a result."""
    return [part for part in block.raw if part.get("type") in PICTURE_PARTS] if isinstance(block.raw, tuple) else []


def piece(block: Block, cleared: tuple[str, ...]) -> Piece:
    """One block for the summariser: a picture becomes a mark, a result of the named tools a placeholder."""
    marks = [PICTURE] * (1 if block.kind == "image" else len(pictures_in(block)))
    text = CLEARED if is_cleared(block, cleared) else "\n".join(part for part in (block.text, *marks) if part)
    return Piece(block.role, block.kind, block.tool, block.target, text, block.error)


def is_cleared(block: Block, cleared: tuple[str, ...]) -> bool:
    """True for results of the tools that are cleared for the summariser."""
    return block.kind == "result" and block.tool in cleared
