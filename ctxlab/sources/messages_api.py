"""Messages API: a list of messages, with `system` and `tools` beside it.

A `compaction` block is the server's own summary: the API drops everything in front of it, so it is read as a recorded
compaction, which a what-if leaves out. One without content is a compaction that failed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..engine.history import History
from ..engine.tokens import Counter
from .build import as_text, parts
from .conversation import Conversation, Json, Shortened
from .masks import masked

ROLES = ("user", "assistant", "system")
FORM = "messages_api"


def load_messages(
    messages: Sequence[Json],
    *,
    system: Any = None,
    tools: Any = None,
    model: str = "",
    path: str = "",
    counter: Counter | None = None,
) -> History:
    """Read a list of messages; raises ValueError that names the first one that is none."""
    return conversation(messages, system=system, tools=tools, model=model).history(path, counter)


def conversation(messages: Sequence[Json], *, system: Any = None, tools: Any = None, model: str = "") -> Conversation:
    """The messages as they are, the server's compactions apart."""
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping) or message.get("role") not in ROLES:
            raise ValueError(
                f"message {number} must have a role of user or assistant, got {masked(as_text(message)[:500])[:80]}"
            )
    inside = [part for message in messages if message["role"] == "system" for part in parts(message.get("content"))]
    out = Conversation(FORM, len(messages), list(map(dict, messages)), system or inside or None, tools, model)
    for number, message in enumerate(messages):
        if message["role"] == "assistant":
            out.shortened += server_compactions(message, number)
    failed = sum(not each.summary for each in out.shortened)
    out.shortened = [each for each in out.shortened if each.summary]
    if failed:
        out.notices.append(f"{failed} compaction by the server without a summary: it failed")
    return out


def server_compactions(message: Json, number: int) -> list[Shortened]:
    """The `compaction` blocks of a reply, with what its usage says that they read."""
    usage = message.get("usage")
    iterations = usage.get("iterations") if isinstance(usage, Mapping) else None
    before = [
        each.get("input_tokens")
        for each in (iterations if isinstance(iterations, list) else [])
        if isinstance(each, Mapping) and each.get("type") == "compaction"
    ]
    found = [part for part in parts(message.get("content")) if part.get("type") == "compaction"]
    return [
        Shortened(number, as_text(part.get("content")), "server", size if isinstance(size, int) else None)
        for part, size in zip(found, [*before, *[None] * len(found)], strict=False)
    ]
