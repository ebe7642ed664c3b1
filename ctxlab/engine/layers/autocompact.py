"""Layer 5, autocompact: the conversation becomes a boundary, a summary, a kept tail and files read again.

The line is window - reserve - buffer. What is held against it is either the size, or what the harness believes the
size is (`autocompact.measure`): then an earlier layer cannot prevent a compaction in the same request, snip apart. What
no reply has read stays whole in the kept tail; cuts fall only between rounds, so no call loses its result.

But: it does not fork a real model call (a summariser is given to it), and partial compaction is not here yet.
Evidence: measured (both reserve rules, the boundary before the summary in 48 of 48 recordings); official (breakers);
article-2 (four parts, results cleared first); ctxlab (how the kept exchange is capped).

>>> from ctxlab.sources.scenarios import acted
>>> step = acted("autocompact")
>>> step.reason
'size 1,296 ≥ 1,270: 7 blocks of 904 tokens became a summary of 54 + 2 files read again 482; 2 blocks kept'
>>> cover = step.edits[0]
>>> [block.kind for block in (*cover.put, *cover.append)]
['compact_boundary', 'summary', 'restored', 'restored']
"""

from __future__ import annotations

from collections.abc import Sequence

from ..breakers import tripped
from ..edit import Cover, Note, Outcome, failure, plural
from ..memory_files import reread
from ..message import Block
from ..restore import restored_files
from ..services import Services
from ..settings import Settings
from ..summary import PREAMBLE, SummaryError, SummaryRequest, TooLongError, summary_request, usable
from ..view import View

Rounds = Sequence[Sequence[Block]]


def autocompact(view: View, settings: Settings, services: Services) -> Outcome:
    """Compact when the line is crossed, unless collapse, a breaker or a hook forbids."""
    rule, line = settings.autocompact, settings.thresholds.autocompact
    size, name = view.tokens, "size"
    if rule.measure == "harness":
        size, name = view.believed, "harness's estimate"
    if size < line:
        return Outcome(f"{name} {size:,} < {line:,}")
    why = f"{name} {size:,} ≥ {line:,}"
    collapse = settings.collapse
    way_out = round(collapse.block_at * settings.thresholds.effective_window)
    if collapse.enabled and collapse.suppresses_autocompact and size < way_out:
        return Outcome(f"{why}, left to context collapse below {way_out:,}")
    if stopped := tripped(view, rule):
        return Outcome(stopped, failed=True)
    return compact(view, settings, services, why)


def compact(view: View, settings: Settings, services: Services, why: str, trigger: str = "auto") -> Outcome:
    """Summarise all but the kept tail; also what recovery calls when the model refuses."""
    last = view.last("autocompact", Cover)
    if last and last.request == view.request:
        return Outcome("compacted in this request already")
    if forbidden := services.hooks.pre_compact(trigger):
        return Outcome(f"{why}, but a hook forbids it: {forbidden}", failed=True)
    rounds = list(view.rounds())
    head, tail, summary = from_notes(view, rounds, last, settings)
    if not summary:
        cut = first_kept(view, rounds, settings)
        head, tail = rounds[:cut], rounds[cut:]
    if not any(block.role == "assistant" or block.kind == "unrecorded" for blocks in head for block in blocks):
        return failure("autocompact", view.request, f"{why}, but there are not enough messages to compact")
    try:
        summary = summary or ask(head, view.overhead_tokens, settings, services)
    except (TooLongError, SummaryError) as error:
        return failure("autocompact", view.request, f"{why}, but {error}")
    cover = boundary(view, head, tail, summary, settings, services)
    return Outcome(f"{why}: {said(cover, tail)}", (cover, *reread(view, services)))


def said(cover: Cover, tail: Rounds) -> str:
    """What became of what, in words and numbers."""
    summary, files = cover.put[1].tokens, sum(block.tokens for block in cover.append)
    again = f" + {plural(len(cover.append), 'file')} read again {files:,}" if cover.append else ""
    kept = plural(sum(len(blocks) for blocks in tail), "block")
    return f"{plural(len(cover.blocks), 'block')} of {cover.before:,} tokens became a summary of {summary:,}{again}; {kept} kept"


def first_kept(view: View, rounds: Rounds, settings: Settings) -> int:
    """Which round is the first to stay: the last exchange where the rule says so, and always what is unread."""
    unread = first_unread(view, rounds)
    if settings.autocompact.keeps_recent == "none":
        return unread
    asked = max((n for n, blocks in enumerate(rounds) if any(b.kind == "user" for b in blocks)), default=len(rounds))
    if tokens_of(rounds[min(asked, unread) :]) <= kept_tokens(settings):
        return min(asked, unread)
    return min(len(rounds) - 1, unread)


def first_unread(view: View, rounds: Rounds) -> int:
    """The first round with something that no reply has read."""
    return next((n for n, blocks in enumerate(rounds) if any(b.id in view.unread for b in blocks)), len(rounds))


def kept_tokens(settings: Settings) -> float:
    """Up to this many tokens the last exchange is kept whole."""
    return settings.autocompact.kept_share * settings.thresholds.effective_window


def tokens_of(rounds: Rounds) -> int:
    """The sum over all blocks of some rounds."""
    return sum(block.tokens for blocks in rounds for block in blocks)


def from_notes(view: View, rounds: Rounds, last: Cover | None, settings: Settings) -> tuple[Rounds, Rounds, str]:
    """What session notes cover, what is kept behind them, and their text; no text where they do not help.

    The tail begins behind the notes and grows backwards until both minimums hold or its cap is reached. Notes from
    before the last compaction do not count, nor those with which the result would be over the line again.
    """
    rule, notes = settings.session_memory, view.last("session_memory", Note, "notes")
    if notes is None or (last and notes.request <= last.request):
        return (), rounds, ""
    noted = next((n for n, blocks in enumerate(rounds) if any(b.id == notes.data.upto for b in blocks)), -1)
    cut = min(noted + 1 or len(rounds), first_unread(view, rounds))
    while (
        cut
        and tokens_of(rounds[cut:]) < rule.max_tokens
        and (tokens_of(rounds[cut:]) < rule.min_tokens or texts_of(rounds[cut:]) < rule.min_messages)
    ):
        cut -= 1
    helps = cut and view.tokens - tokens_of(rounds[:cut]) + notes.data.weight < settings.thresholds.autocompact
    return rounds[:cut], rounds[cut:], notes.data.text if helps else ""


def texts_of(rounds: Rounds) -> int:
    """How many texts, of either side, stand in some rounds."""
    return sum(block.kind in ("user", "reply") for blocks in rounds for block in blocks)


def ask(head: Rounds, overhead: int, settings: Settings, services: Services) -> str:
    """Ask for a summary; where the request is too long, drop the oldest rounds and try again, a few times."""
    rule = settings.autocompact
    for _ in range(rule.summary_tries):
        try:
            return usable(services.summarise(fitting(head, overhead, settings)))
        except TooLongError:
            head = head[max(1, round(rule.dropped_share * len(head))) :]
            if not head:
                break
    raise TooLongError(f"the summary request does not fit, tried {rule.summary_tries} times")


def fitting(head: Rounds, overhead: int, settings: Settings) -> SummaryRequest:
    """The request for a summary, if it and its answer fit the window together with what always stands before it."""
    request = summary_request(head, settings)
    needed = request.tokens + request.limit_tokens + overhead
    if needed > settings.window.context_window:
        raise TooLongError(f"the summary request needs {needed:,} of {settings.window.context_window:,} tokens")
    return request


def boundary(view: View, head: Rounds, tail: Rounds, summary: str, settings: Settings, services: Services) -> Cover:
    """The Edit: boundary, then summary, where the conversation was; the files that are read again at its end."""
    name = f"autocompact@{view.request}"
    text = f"{PREAMBLE}\n{summary}"
    put = (
        Block(f"{name}.boundary", "system", "compact_boundary", "Conversation compacted", 0, f"{name}.boundary"),
        Block(f"{name}.summary", "user", "summary", text, services.count(text), name),
    )
    files = restored_files(view, tail, settings, services)
    ids = tuple(block.id for blocks in head for block in blocks)
    before = sum(view[block_id].tokens for block_id in ids)
    after = sum(block.tokens for block in (*put, *files))
    return Cover("autocompact", view.request, f"{len(ids)} blocks summarised", before, after, name, ids, put, files)
