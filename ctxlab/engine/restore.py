"""What a compaction reads again: the files read last, because a summary says what changed and the work needs the text.

Newest read first; those still visible in the kept tail are left out, then the first few are taken, each within its
limit, while all of them fit together. Evidence: article-2 for the numbers, analysis of build 2.1.88 for the choice.
What ctxlab leaves out: skills, todos, the plan file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .edit import Cover
from .history import path_of
from .message import READ_TOOLS, Block
from .services import Services
from .settings import Settings
from .view import View

MEMORY_FILES = ("CLAUDE.md", "CLAUDE.local.md")  # come back by themselves
Rounds = Sequence[Sequence[Block]]


def restored_files(view: View, tail: Rounds, settings: Settings, services: Services) -> tuple[Block, ...]:
    """Blocks of kind `restored` for the files read last, with their text at this request."""
    rule = settings.restore
    out: list[Block] = []
    total = 0
    for path in newest_read(
        view, {path_of(block.target) for blocks in tail for block in blocks if is_read(block) and is_whole(block)}
    ):
        if len(out) == rule.files:
            break
        text = services.workspace.file(path, view.request)
        if text is None:
            continue
        shown = fitted(path, text, settings, services)
        tokens = services.count(shown)
        if total + tokens <= rule.total_tokens:
            total += tokens
            name = f"autocompact@{view.request}.file{len(out)}"
            out.append(Block(name, "user", "restored", shown, tokens, f"autocompact@{view.request}.files", target=path))
    return tuple(out)


def is_read(block: Block) -> bool:
    """A read of a file that worked, or a file that an earlier compaction read again."""
    return block.kind == "restored" or (block.kind == "result" and block.tool in READ_TOOLS and not block.error)


def is_whole(block: Block) -> bool:
    """True where a read, or a restored file, shows text of the file and not only where it is."""
    return not block.state if block.kind == "result" else block.text.startswith(f"{block.target}:\n")


def newest_read(view: View, visible: set[str]) -> Iterator[str]:
    """Paths by their last read since the last compaction, whatever a layer did to it, without those in `visible`."""
    last = view.last("autocompact", Cover)
    start = view.history.turns[last.request].start if last else 0
    since = view.history.blocks[start : view.history.turns[view.request].stop]
    seen = set(visible)
    for block in (*reversed(since), *(last.append if last else ())):
        path = path_of(block.target)
        if is_read(block) and path and path not in seen and not path.endswith(MEMORY_FILES):
            seen.add(path)
            yield path


def fitted(path: str, text: str, settings: Settings, services: Services) -> str:
    """The file as it goes back: whole, or over the limit its head or only its path."""
    most = settings.restore.file_tokens
    whole = f"{path}:\n{text}"
    tokens = services.count(whole)
    if tokens <= most:
        return whole
    note = f"{path}: over {most:,} tokens, read it again where it is needed"
    if settings.restore.oversize == "path":
        return note
    head = whole[: len(whole) * most // tokens]
    while head and services.count(f"{head}\n[cut: {note}]") > most:
        head = head[: len(head) * 9 // 10]
    return f"{head}\n[cut: {note}]"
