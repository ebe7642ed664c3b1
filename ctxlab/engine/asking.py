"""Asking for a summary: the request is a fork of the conversation; where it is too long, the oldest rounds are dropped.

They go until the reported gap is covered, else a fifth of them, in at most three tries. Where one round holds nearly
everything there is nothing to drop, and that is said. Evidence: analysis of build 2.1.88; user reports (one turn dominates).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from .message import Block
from .request import fork
from .services import Services
from .settings import Settings
from .summary import SummaryRequest, summary_request
from .summary_text import TooLongError, usable
from .tail import Cut, Rounds, tokens_of
from .view import View

FROM, UP_TO = "from", "up to"


class Answer(NamedTuple):
    """A summary, and how many of the oldest rounds had to be left out of the request for it."""

    text: str
    dropped: int = 0


def ask(view: View, cut: Cut, settings: Settings, services: Services, instructions: str, span: str) -> Answer:
    """The summary of a cut's head; raises TooLongError where no try fits, SummaryError where nothing usable comes back."""
    head = cut.head
    tries = settings.autocompact.summary_tries
    for _ in range(tries):
        try:
            request = summary_request(head, settings, instructions=instructions, up_to_here=span == UP_TO)
            request = fitting(
                view, replace(request, begins=beginning(head) if span == FROM else ""), cut, head, settings
            )
            return Answer(usable(services.summarise(request)), len(cut.head) - len(head))
        except TooLongError as error:
            head = head[dropping(head, error.over, settings.autocompact.dropped_share) :]
            if not head:
                raise TooLongError(dominated(cut.head, error)) from error
    raise TooLongError(f"the summary request does not fit, tried {tries} times")


def fitting(view: View, request: SummaryRequest, cut: Cut, head: Rounds, settings: Settings) -> SummaryRequest:
    """The request with its fork, if it and its answer fit the window together with all that stands before it."""
    sent = view.overhead_tokens + tokens_of(cut.lead) + request.tokens
    window = settings.window.context_window
    needed = sent + request.limit_tokens
    if needed > window:
        raise TooLongError(f"the summary request needs {needed:,} of {window:,} tokens", needed - window)
    without = dropped(cut.head, head) | {block.id for blocks in cut.tail for block in blocks}
    return replace(request, sent_tokens=sent, fork=lambda: fork(view, settings, request, without).body)


def beginning(head: Rounds) -> str:
    """How the part that is summarised begins, for a model that also sees what is before it."""
    return next((" ".join(block.text.split())[:80] for blocks in head for block in blocks if block.text.strip()), "")


def dropped(all_rounds: Rounds, left: Rounds) -> frozenset[str]:
    """The blocks of the rounds that were dropped so far."""
    gone: Sequence[Sequence[Block]] = all_rounds[: len(all_rounds) - len(left)]
    return frozenset(block.id for blocks in gone for block in blocks)


def dropping(head: Rounds, over: int | None, share: float) -> int:
    """How many of the oldest rounds go: enough to cover the gap, where it is known, else a share of them."""
    if over is None:
        return max(1, round(share * len(head)))
    covered = 0
    for number, blocks in enumerate(head, 1):
        covered += sum(block.tokens for block in blocks)
        if covered >= over:
            return number
    return len(head)


def dominated(head: Rounds, error: TooLongError) -> str:
    """Why no round is left to drop."""
    largest = max(tokens_of([blocks]) for blocks in head)
    total = tokens_of(head)
    if 2 * largest > total:
        return f"too few rounds to drop: one of them holds {largest:,} of {total:,} tokens"
    return f"no round is left to drop: {error}"
