"""Layer 1, the tool-result budget: a result that is too long goes to the archive; a preview and its path stay.

Only fresh results are judged. What was replaced before is in the log and is shown again byte for byte; what was sent
whole once stays whole, so that the cached prefix is never rewritten. If the archive cannot take a text, it stays.

But: it does not shorten failed commands to head and tail, nor repeat an identical result by reference.
Evidence: measured (limits of Bash and Grep, Read never saved, the shape of the preview); analysis (the sum over one
message, largest first); article (50,000 characters, 2 KB).

>>> from ctxlab.sources.scenarios import acted
>>> step = acted("budget")
>>> step.reason
'1 of 1 new results saved: Bash 6,299 characters > 5,000'
>>> edit = step.edits[0]
>>> edit.block, edit.by.state, edit.original
('t4/result', 'preview', 'archive:t4')
"""

from __future__ import annotations

from ..edit import Outcome, Replace, plural
from ..message import Block
from ..services import Services
from ..settings import Settings
from ..view import View


def budget(view: View, settings: Settings, services: Services) -> Outcome:
    """Save what is over its limit, then the largest until one message's results fit."""
    rule = settings.budget
    new = view.unread.values()
    fresh = [block for block in new if block.kind == "result" and not block.state]
    if not fresh:
        return NOTHING_NEW
    long = {
        block.id: f"{block.tool} {len(block.text):,} characters > {limit:,}"
        for block in fresh
        if (limit := rule.limit(block.tool)) is not None and len(block.text) > limit
    }
    long.update(largest_over(fresh, long, settings))
    if not long:
        characters = sum(len(block.text) for block in fresh)
        size = f"{plural(len(fresh), 'new result')}, {characters:,} characters"
        return Outcome(f"{size}: within the budget{spared(fresh, settings)}")
    edits, kept = [], []
    for block in fresh:
        if block.id in long:
            try:
                edits.extend(saved(view, block, long[block.id], settings, services))
            except OSError as error:
                kept.append(f"{block.call} stays inline: {error}")
    first = "; ".join(list(long.values())[:3])
    reason = f"{len(edits)} of {len(fresh)} new results saved: {first}"
    failed = bool(kept) and not edits
    return Outcome("; ".join([reason, *kept]), tuple(edits), failed)


def spared(fresh: list[Block], settings: Settings) -> str:
    """Why a result over the common limit stays all the same."""
    rule = settings.budget
    long = [block.tool for block in fresh if len(block.text) > (rule.per_result_chars or len(block.text))]
    exempt = [tool for tool in dict.fromkeys(long) if tool in rule.exempt_tools]
    return f"; {' and '.join(exempt)} is never saved" if exempt else ""


def largest_over(fresh: list[Block], long: dict[str, str], settings: Settings) -> dict[str, str]:
    """The largest of the others, until the results of one message are within their common limit."""
    most = settings.budget.per_message_chars
    total = sum(len(block.text) for block in fresh if block.id not in long)
    out: dict[str, str] = {}
    if most is None:
        return out
    others = [block for block in fresh if block.id not in long and block.tool not in settings.budget.exempt_tools]
    for block in sorted(others, key=lambda block: -len(block.text)):
        if total <= most:
            break
        out[block.id] = f"{block.tool} {len(block.text):,} of {total:,} characters in one message > {most:,}"
        total -= len(block.text)
    return out


def saved(view: View, block: Block, why: str, settings: Settings, services: Services) -> list[Replace]:
    """Put the text into the archive, and show the preview where that is shorter."""
    path = services.archive.put(block.call, block.text)
    text = preview(block.text, path, settings.budget.preview_bytes)
    pictures = block.tokens - services.count(block.text) if block.raw else 0
    seen = block.shown("preview", services.count(text) + max(0, pictures), text, block.raw)
    if seen.tokens >= block.tokens:
        return []
    return [Replace("budget", view.request, why, block.tokens, seen.tokens, block.id, seen, f"archive:{block.call}")]


def preview(text: str, path: str, limit_bytes: int) -> str:
    """The head of a text with its size and path; cut at a line end in its second half, else between two characters.

    >>> preview("ab\\u4e2d\\u6587", "tool-results/t.txt", 4).splitlines()[4]
    'ab'
    """
    head = text.encode("utf-8", "replace")[:limit_bytes].decode("utf-8", "ignore")
    line_end = head.rfind("\n")
    if line_end > len(head) // 2:
        head = head[:line_end]
    return (
        f"<persisted-output>\nOutput too large ({len(text):,} characters). Full output saved to: {path}\n\n"
        f"Preview (first {limit_bytes:,} bytes):\n{head}\n...\n</persisted-output>"
    )


NOTHING_NEW = Outcome("no new results")
