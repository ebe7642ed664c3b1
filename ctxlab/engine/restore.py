"""What a compaction reads again: the files read last, because a summary says what changed and the work needs the text.

Newest read first; those still visible in the kept tail are left out, then the first few are taken, each within its
limit, while all of them fit together. Evidence: article-2 for the numbers, analysis of build 2.1.88 for the choice.
Plan, todos, background agents and invoked skills (official: 5,000 tokens each, 25,000 in all, heads only) are announced
again. What ctxlab leaves out: deferred tools, lists of agents and skills, MCP instructions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .edit import Cover
from .message import MEMORY_FILES, READ_TOOLS, Block, path_of
from .services import Services
from .settings import Settings
from .view import View

Rounds = Sequence[Sequence[Block]]


def restored(view: View, seen: Rounds, settings: Settings, services: Services) -> tuple[Block, ...]:
    """What a compaction puts back: files that are not in `seen`, then plan, todos and agents, and skills."""
    texts = [*services.workspace.state(view.request), *skills(view, settings, services)]
    back = [put_back(view, f"back{n}", label, text, services) for n, (label, text) in enumerate(texts)]
    return (*restored_files(view, seen, settings, services), *back)


def put_back(view: View, name: str, label: str, text: str, services: Services) -> Block:
    """One thing that is not a file, under its label."""
    told, group = f"{label}:\n{text}", f"autocompact@{view.request}"
    return Block(f"{group}.{name}", "user", "restored", told, services.count(told), f"{group}.files", tool=label)


def with_hook(view: View, cover: Cover, services: Services) -> Cover:
    """The compaction with what a hook says at the start that follows, as the last thing."""
    said = services.hooks.session_start("compact").printed
    if not said:
        return cover
    block = put_back(view, "start", "SessionStart hook", said, services)
    return replace(cover, append=(*cover.append, block), after=cover.after + block.tokens)


def skills(view: View, settings: Settings, services: Services) -> list[tuple[str, str]]:
    """The skills that were invoked, each cut to its head, the newest first while all of them fit."""
    rule = settings.restore
    out: list[tuple[str, str]] = []
    total = 0
    for name, text in reversed(services.workspace.skills(view.request)):
        shown = head_of(f"skill {name}", text, rule.skill_tokens, services)
        total += services.count(shown)
        if total > rule.skills_tokens:
            break
        out.append((f"skill {name}", shown))
    return out


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
    return head_of(path, whole, most, services)


def head_of(name: str, text: str, most: int, services: Services) -> str:
    """A text, or its head with a mark that it was cut, within a number of tokens."""
    tokens = services.count(text)
    if tokens <= most:
        return text
    cut = f"[cut: {name}: over {most:,} tokens, read it again where it is needed]"
    head = text[: len(text) * most // tokens]
    while head and services.count(f"{head}\n{cut}") > most:
        head = head[: len(head) * 9 // 10]
    return f"{head}\n{cut}"
