"""Digests: which rounds may be folded, and what stands in their place.

A span is a run of finished rounds of tool work: it closes its calls, skips the newest rounds, never overlaps another, and
has nothing of the user's. Evidence: ctxlab (the real rules are not public).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from .edit import Cover, plural
from .message import EARLIER, Block
from .services import Services
from .settings import Settings
from .summary import summary_request
from .summary_text import usable
from .view import View

WORK = frozenset({"reply", "thinking", "call", "result", "unrecorded"})
NAMED_CALLS = 20


def spans(view: View, left_open: int, after: str = "") -> Iterator[list[list[Block]]]:
    """Runs of finished rounds, oldest first, behind the last digest (or a block)."""
    last = view.last("collapse", Cover)
    run: list[list[Block]] = []
    waiting: deque[list[Block]] = deque()
    unread, opened = view.unread, view.opened
    for newest in view.rounds(after=after or (last.put[0].id if last else "")):
        waiting.append(newest)
        if len(waiting) <= left_open:
            continue
        blocks = waiting.popleft()
        if unread and any(block.id in unread for block in blocks):
            break
        again = opened and any(block.id in opened for block in blocks)
        if foldable(blocks) and not again:
            run.append(blocks)
        elif run:
            yield run
            run = []
    if run:
        yield run


def foldable(blocks: list[Block]) -> bool:
    """A round of tool work: it has a call, and nothing of the user's."""
    called = False
    for block in blocks:
        if block.kind not in WORK or block.target == EARLIER:
            return False
        called = called or block.kind == "call"
    return called


def fold(view: View, span: list[list[Block]], number: int, settings: Settings, services: Services) -> Cover:
    """The Edit for one span: a digest that names its calls, or one that a model wrote."""
    blocks = [block for blocks in span for block in blocks]
    rounds = plural(len(span), "finished round")
    name = f"collapse@{view.request}.{number}"
    if settings.collapse.engine == "summarised":
        text = f"[{rounds} summarised here]\n{written(span, settings, services)}"
    else:
        text = f"[{rounds} folded here. {called(blocks)}]"
    digest = Block(f"{name}.digest", "user", "digest", text, services.count(text), name)
    ids = tuple(block.id for block in blocks)
    before = sum(block.tokens for block in blocks)
    return Cover("collapse", view.request, rounds, before, digest.tokens, name, ids, (digest,))


def called(blocks: list[Block]) -> str:
    """The calls of a span, by tool and target."""
    calls = [f"{block.tool} {block.target}".strip().replace("\n", " ")[:80] for block in blocks if block.kind == "call"]
    more = f"; {len(calls) - NAMED_CALLS} more calls" if len(calls) > NAMED_CALLS else ""
    return "; ".join(calls[:NAMED_CALLS]) + more


def written(span: list[list[Block]], settings: Settings, services: Services) -> str:
    """The digest of a span by the summariser; raises SummaryError where none comes back."""
    return usable(services.summarise(summary_request(span, settings, purpose="collapse")))
