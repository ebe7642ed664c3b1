"""CLAUDE.md: read from disk again at a compaction, because it never was part of the conversation.

It stands in front of the first message, as user blocks: it is not in the system prompt (official). The tiers are the
project's root, the user's own and the auto memory; those are read again. A nested file comes in only when something
below its folder is read; a compaction loses it until that happens again (official). Present is not obeyed: users report
rules that were reloaded and ignored. What ctxlab leaves out: rules with `paths:` patterns.
"""

from __future__ import annotations

from .edit import Cover, Replace
from .message import MEMORY_FILES, NESTED, READ_TOOLS, Block
from .services import Services
from .view import View

TIERS = ("claude_md", "claude_md.user", "claude_md.memory")
LONGEST_PATH = 4_096
HEADING = "compact instructions"


def reread(view: View, services: Services) -> tuple[Replace, ...]:
    """A Replace for each tier whose text on disk is no longer the one in the window."""
    out = []
    for tier in TIERS:
        old = view.get(tier)
        text = services.workspace.memory(tier, view.request) if old else None
        if old is not None and text is not None and text != old.text:
            new = old.shown("", services.count(text), text)
            why = f"{old.target or 'CLAUDE.md'} was read from disk again"
            out.append(
                Replace("autocompact", view.request, why, old.tokens, new.tokens, tier, new, view.history.address(tier))
            )
    return tuple(out)


def compact_instructions(view: View) -> str:
    """The section of CLAUDE.md that says what a summary must keep, where it has one."""
    found = [section(block.text) for tier in TIERS if (block := view.get(tier)) is not None]
    return "\n".join(text for text in found if text)


def section(text: str) -> str:
    """The lines under the heading, up to the next one.

    >>> section("# Rules\\nBe kind.\\n## Compact instructions\\nKeep the ids.\\n## More\\nx")
    'Keep the ids.'
    """
    inside, out = False, []
    for line in text.splitlines():
        if line.startswith("#"):
            inside = line.lstrip("# ").strip().lower() == HEADING
        elif inside:
            out.append(line)
    return "\n".join(out).strip()


def nested_again(view: View, services: Services) -> tuple[Cover, ...]:
    """A nested CLAUDE.md that a compaction took away comes back from disk when a file below its folder is read."""
    out: list[Cover] = []
    for path in nested_above(view):
        came = [b for b in view.history.nested[path] if view.history.arrived.get(b.id, view.request) < view.request]
        if not came or stands(view, path):
            continue
        name = f"nested@{view.request}.{len(out)}"
        on_disk = services.workspace.file(path, view.request)
        text = came[-1].text if on_disk is None else on_disk
        tokens = came[-1].tokens if text == came[-1].text else services.count(text)
        again = Block(f"{name}.rules", "user", "attachment", text, tokens, name, tool=NESTED, target=path)
        why = f"{path} comes back: a file below it was read"
        out.append(Cover("arrive", view.request, why, 0, tokens, name, (), (), (again,)))
    return tuple(out)


def nested_above(view: View) -> list[str]:
    """The nested files above what was just read, each once, by walking up its folders."""
    out: dict[str, None] = {}
    for block in view.unread.values():
        if block.kind == "result" and block.tool in READ_TOOLS and not block.error:
            folder = block.target.rpartition("/")[0]
            while folder and len(folder) < LONGEST_PATH:
                out.update({path: None for name in MEMORY_FILES if (path := f"{folder}/{name}") in view.history.nested})
                folder = folder.rpartition("/")[0]
    return list(out)


def stands(view: View, path: str) -> bool:
    """True where this nested file is in the View, as it came or as it came back."""
    came = [block.id for block in view.history.nested[path]]
    again = [edit.append[0] for edit in view.past.get("arrive", ()) if isinstance(edit, Cover)]
    return any(name in view for name in (*came, *(block.id for block in again if block.target == path)))
