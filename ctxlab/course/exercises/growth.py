"""Exercises of 02: at which request an unmanaged window is full, and what all requests together cost to send."""

from __future__ import annotations

from functools import lru_cache

from ...engine.replay import Replay, replay
from ...engine.settings import Settings
from ...sources.story import story
from ..exercise import Function, Mistake, Value

LAYERS = ("budget", "snip", "microcompact", "collapse", "autocompact")


def unmanaged(settings: Settings) -> Settings:
    """The same Settings with every layer switched off.

    >>> unmanaged(Settings.profile("classroom")).autocompact.enabled
    False
    """
    return settings.replace({f"{layer}.enabled": False for layer in LAYERS})


@lru_cache(maxsize=1)
def growing() -> Replay:
    """The story with nothing managed."""
    return replay(story(), unmanaged(Settings.profile("classroom")))


def overflow() -> int:
    """The first request that does not fit, counted from 1."""
    window = Settings.profile("classroom").window.context_window
    return 1 + next(each.index for each in growing().exchanges if each.tokens_sent > window)


def straight_on(seen: int = 10) -> int:
    """Where the first requests would lead to if it went on as it began."""
    window = Settings.profile("classroom").window.context_window
    return round(seen * window / growing().exchanges[seen - 1].tokens_sent)


def total_input(turns: int, per_turn: int, overhead: int) -> int:
    """The overhead at each turn, and turn n sends what n turns have added."""
    return turns * overhead + per_turn * turns * (turns + 1) // 2


OVERFLOW = Value(
    reference=overflow(),
    right="One debug log of one test run. Nothing crept up to the edge: a single result jumped over it.",
    mistakes=(
        Mistake(
            overflow() - 1,
            "That is the last request that still fits. On screen requests count from 1, in Python from 0; the answer is the "
            "number on screen.",
        ),
        Mistake(
            straight_on(),
            "That goes on in a straight line from the first ten requests. The curve is not straight: look for the jump.",
        ),
        Mistake(58, "58 is the whole session. Look at where the curve crosses the line of the window."),
    ),
    says="Look at where the curve without layers crosses the line of the window, and give the number of the request.",
)

TOTAL_INPUT = Function(
    reference=total_input,
    cases=((1, 2_000, 0), (2, 2_000, 0), (100, 2_000, 0), (3, 500, 20_000), (100, 2_000, 20_000)),
    right="100 turns of 2,000 are 10.1 million, not 200,000; with 20,000 of overhead at each turn 12.1 million.",
    mistakes=(
        Mistake(
            lambda turns, per_turn, overhead: overhead + turns * per_turn,
            "That is how large the last request is. The question is what all requests send together, and each of them sends "
            "everything before it again.",
        ),
        Mistake(
            lambda turns, per_turn, overhead: overhead + per_turn * turns * (turns + 1) // 2,
            "The growth is right; but the overhead is sent with every request, not once.",
        ),
        Mistake(
            lambda turns, per_turn, overhead: turns * overhead + per_turn * turns * (turns - 1) // 2,
            "Off by one turn: the first request already carries what the first turn adds, so it is 1 + 2 + ... + n.",
        ),
    ),
    rules={},
)

EXERCISES = {"02.overflow": OVERFLOW, "02.total_input": TOTAL_INPUT}
