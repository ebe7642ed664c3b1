"""Exercises of 02: at which request an unmanaged window is full, and what all requests together cost to send."""

from __future__ import annotations

from functools import lru_cache

from ...engine.replay import Replay, replay
from ...engine.settings import Settings
from ...sources.story import story
from ..exercise import Function, Mistake, Value
from ..unmanaged import unmanaged


@lru_cache(maxsize=1)
def growing() -> Replay:
    """The story with nothing managed."""
    return replay(story(), unmanaged(Settings.profile("classroom")))


def overflow(window: int) -> int:
    """The first request that does not fit, counted from 1."""
    return 1 + next(each.index for each in growing().exchanges if each.tokens_sent > window)


def straight_on(window: int, seen: int = 10) -> int:
    """Where the first requests would lead to if it went on as it began."""
    return round(seen * window / growing().exchanges[seen - 1].tokens_sent)


def total_input(requests: int, added: int, overhead: int) -> int:
    """The overhead at each request, and request n sends what n requests have added."""
    return requests * overhead + added * requests * (requests + 1) // 2


SMALL = Settings.profile("classroom").window.context_window
TWICE = 2 * SMALL


OVERFLOW = Value(
    reference=overflow(TWICE),
    right="Another search over all files. Twice the window bought 14 requests, not twice the session.",
    mistakes=(
        Mistake(
            overflow(TWICE) - 1,
            "That is the last request that still fits. On screen requests count from 1, in Python from 0; the answer is the "
            "number on screen.",
        ),
        Mistake(
            straight_on(TWICE),
            "That goes on in a straight line from the first ten requests. The curve is not straight: it jumps.",
        ),
        Mistake(overflow(SMALL), f"That is where a window of {SMALL:,} overflows; this one is twice as large."),
    ),
    says="Look at where the curve without layers crosses 40,000, and give the number of the request.",
)

TOTAL_INPUT = Function(
    reference=total_input,
    cases=(
        (1, 2_000, 0),
        (2, 2_000, 0),
        (100, 2_000, 0),
        (3, 500, 20_000),
        (100, 2_000, 20_000),
        (2, 501, 1_000),
        (0, 500, 1_000),
    ),
    right="100 requests that add 2,000 each are 10.1 million, not 200,000; with 20,000 of overhead at each 12.1 million.",
    mistakes=(
        Mistake(
            lambda requests, added, overhead: overhead + requests * added,
            "That is how large the last request is. The question is what all requests send together, and each of them sends "
            "everything before it again.",
        ),
        Mistake(
            lambda requests, added, overhead: overhead + added * requests * (requests + 1) // 2,
            "The growth is right; but the overhead is sent with every request, not once.",
        ),
        Mistake(
            lambda requests, added, overhead: requests * overhead + added * requests * (requests - 1) // 2,
            "Off by one: the first request already carries what it adds, so it is 1 + 2 + ... + n.",
        ),
        Mistake(
            lambda requests, added, overhead: requests * (overhead + added),
            "You counted what each request adds. It carries all that was added before as well.",
        ),
    ),
)

EXERCISES = {"02.overflow": OVERFLOW, "02.total_input": TOTAL_INPUT}
