"""Block and Message: what a conversation is made of.

A Block is one thing in the window: a text, a call, a result, a picture. It is the unit that Edits address, that is
counted, and that the pictures draw. A Message is a run of blocks by one side, as `Words` in the documentation has it:
a user text, one reply, or all results of one reply.

What ctxlab leaves out: streaming, citations, and everything a recording keeps for itself (`toolUseResult`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]

OVERHEAD_KINDS = ("system", "tools", "mcp", "memory", "skills", "claude_md")
MESSAGE_KINDS = ("user", "reply", "thinking", "call", "result", "image", "attachment", "unrecorded")
PUT_IN_KINDS = ("snip_boundary", "digest", "compact_boundary", "summary", "restored", "notice")
STATE_KINDS = {
    "preview": "preview",
    "cleared": "placeholder",
    "deleted": "placeholder",
}  # how a changed result is drawn
KINDS = (*OVERHEAD_KINDS, *MESSAGE_KINDS, "preview", "placeholder", *PUT_IN_KINDS)

EARLIER = "earlier"  # the target of what happened before a file begins: only a compaction may cover it
NESTED = "nested_memory"  # the tool of an attachment that is a CLAUDE.md below the root; its target is the path
READ_TOOLS = ("Read", "NotebookRead")
CHANGE_TOOLS = ("Edit", "MultiEdit", "Write", "NotebookEdit")
MEMORY_FILES = ("CLAUDE.md", "CLAUDE.local.md")  # come back by themselves
OVERWRITE_TOOLS = ("Write",)
COMMAND_TOOLS = ("Bash",)


@dataclass(frozen=True, slots=True)
class Block:
    """One thing in the window.

    `state` says in what form the model gets it: "" whole, "preview" (saved, a head is left), "cleared" (a placeholder
    is left) or "deleted" (the text is sent unchanged, the server leaves it out). `raw` is what the API needs beyond
    the text: the input of a call, the pictures of a result, a thinking block as it was.
    """

    id: str
    role: Role
    kind: str
    text: str
    tokens: int
    message: str
    call: str = ""
    tool: str = ""
    target: str = ""
    state: str = ""
    error: bool = False
    at: float | None = None
    raw: Any = field(default=None, compare=False, repr=False)

    @property
    def drawn_kind(self) -> str:
        """The kind it is drawn as: a saved result is a preview, a cleared one a placeholder."""
        return STATE_KINDS.get(self.state, self.kind)

    @property
    def bound(self) -> bool:
        """True where the API takes its reply back only whole: thinking, and tools that run on the server."""
        return self.kind == "thinking" or (self.kind == "reply" and self.raw is not None)

    def shown(self, state: str, tokens: int, text: str | None = None, raw: Any = None) -> Block:
        """Give the same block in another form; without a text it keeps its own text and parts.

        >>> Block("m1.0", "user", "result", "a long log", 3, "m1").shown("cleared", 1, "gone").state
        'cleared'
        """
        if text is None:
            text, raw = self.text, self.raw
        return Block(
            self.id,
            self.role,
            self.kind,
            text,
            tokens,
            self.message,
            self.call,
            self.tool,
            self.target,
            state,
            self.error,
            self.at,
            raw,
        )

    def __repr__(self) -> str:
        name = " ".join(part for part in (self.drawn_kind, self.tool, self.state) if part)
        told = f"Block({self.id}: {name}, {self.tokens:,} tokens)"
        return "".join(letter if letter.isprintable() else "?" for letter in told)


@dataclass(frozen=True, slots=True)
class Message:
    """A run of blocks by one side; `usage` is the recorded context size when this reply was made (0: none).

    `counted` is what its blocks weigh by the count alone, before they were fitted to recorded usage; `stop` says
    why it ended, `version` is the build that wrote it down.
    """

    id: str
    role: Role
    blocks: tuple[Block, ...]
    at: float | None = None
    timestamp: str | None = None
    usage: int = 0
    output: int = 0
    counted: int = 0
    stop: str = ""
    version: str = ""

    @property
    def tokens(self) -> int:
        """The sum over its blocks."""
        return sum(block.tokens for block in self.blocks)

    def __repr__(self) -> str:
        kinds = ", ".join(dict.fromkeys(block.kind for block in self.blocks))
        return f"Message({self.id}: {kinds}, {self.tokens:,} tokens)"


@lru_cache(maxsize=65_536)
def path_of(target: str) -> str:
    """Drop the range from the target of a Read: 'a.py:10-20' -> 'a.py'.

    >>> path_of("a.py:10-20"), path_of("a.py")
    ('a.py', 'a.py')
    """
    path, colon, lines = target.rpartition(":")
    return path if colon and lines.replace("-", "").isdigit() else target
