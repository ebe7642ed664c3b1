"""Exercises of 05: which results may be cleared; how many to keep so that it pays and the failing test stays."""

from __future__ import annotations

from typing import Any, TypeVar

from ...engine.replay import replay
from ...engine.settings import Settings
from ...sources.story import story
from ..exercise import Design, Function, Mistake

T = TypeVar("T")
LISTED = Settings.profile().microcompact.tools
LUNCH = 14  # the request, from 0, in front of which lunch was
WANTED_SHARE = 0.40
NEEDLE = "E       AssertionError: assert 40117"
KEEP = "microcompact.keep_recent"


def older(entries: list[T], keep: int) -> list[T]:
    """All but the newest few; safe for every number, also 0 and more than there are.

    >>> older([1, 2, 3], 2), older([1, 2, 3], 0), older([1, 2, 3], 9)
    ([1], [1, 2, 3], [])
    """
    return entries[: max(0, len(entries) - keep)]


def clearable(results: list[tuple[str, str]], keep: int) -> list[str]:
    """Of the listed tools, all but the newest few."""
    known = [name for name, tool in results if tool in LISTED]
    return older(known, keep)


def every_tool(results: list[tuple[str, str]], keep: int) -> list[str]:
    """Whatever tool it came from."""
    return older([name for name, _ in results], keep)


def counts_before_it_chooses(results: list[tuple[str, str]], keep: int) -> list[str]:
    """Keeps the newest of all results, then looks at the tools."""
    return [name for name, tool in older(results, keep) if tool in LISTED]


def clears_the_newest(results: list[tuple[str, str]], keep: int) -> list[str]:
    """The wrong end."""
    return [name for name, tool in results if tool in LISTED][keep:]


RESULTS = [
    ("r1", "Read"),
    ("r2", "mcp__notes__recall"),
    ("r3", "Bash"),
    ("r4", "Grep"),
    ("r5", "Edit"),
    ("r6", "Agent"),
]

OTHERS = [
    ("r1", "Read"),
    ("r2", "Task"),
    ("r3", "WebFetch"),
    ("r4", "Glob"),
    ("r5", "Agent"),
    ("r6", "Write"),
]

CLEARABLE = Function(
    reference=clearable,
    cases=(
        (RESULTS, 1),
        (RESULTS, 2),
        (RESULTS, 3),
        (RESULTS, 4),
        (RESULTS, 5),
        (RESULTS, 9),
        (RESULTS, 0),
        (OTHERS, 1),
        (OTHERS, 2),
        ([], 3),
    ),
    right="Only what can be had again, and never the newest few: they are what the model works on.",
    mistakes=(
        Mistake(
            every_tool,
            "A recalled note and the report of a sub-agent are gone as well: nobody can get those again by the same call. Only "
            "results of the listed tools may go.",
        ),
        Mistake(
            counts_before_it_chooses,
            "You keep the newest of all results and look at the tools afterwards, so an Agent result uses up one of the kept "
            "places. First the listed tools, then the newest of those.",
        ),
        Mistake(
            clears_the_newest,
            "You clear the newest and keep the oldest: results come oldest first, so what is kept stands at the end.",
        ),
    ),
    spoiled="The list that you were given has changed.",
)


def measure(keep: int) -> dict[str, Any]:
    """What microcompact does at lunch with so many kept: the share that it saves, and whether the failing test stays."""
    shown = replay(story(), Settings.profile("classroom").replace(KEEP, keep))
    step = shown.step(LUNCH, "microcompact")
    view = shown.at(LUNCH, "microcompact").view
    needle = next(block for block in shown.history.blocks if NEEDLE in block.text)
    stays = needle.id in view and not view[needle.id].state
    return {
        "kept": keep,
        "saved": f"{1 - step.after / step.before:.0%}",
        "failing test": "stays" if stays else "cleared",
    }


def complaint(numbers: dict[str, Any]) -> str:
    """What is still missing of 40 % saved with the failing test in the View."""
    if numbers["failing test"] == "cleared":
        return "The output of the failing test is gone. Keep more."
    return "" if int(numbers["saved"][:-1]) >= 100 * WANTED_SHARE else "Too little is saved. Keep fewer."


KEEP_RECENT = Design(
    reference=5,
    measure=measure,
    complaint=complaint,
    allowed=lambda keep: isinstance(keep, int) and not isinstance(keep, bool) and 1 <= keep <= 100,
    choices="a whole number from 1 to 100",
    right="It works for this session. In the next one what is needed lies elsewhere: N is a bet on how far back the work reaches.",
    mistakes=(
        Mistake(
            3,
            "Three is the value of the profile, and it saves more than enough; but the failing test of this morning is the fifth newest "
            "result, so it is cleared.",
        ),
        Mistake(
            1,
            "One is the floor. Nearly everything goes, also what the next reply was about to look at.",
        ),
        Mistake(
            17,
            "17 keeps all there are: nothing is lost, and nothing is saved either.",
        ),
    ),
)

EXERCISES = {"05.clearable": CLEARABLE, "05.keep_recent": KEEP_RECENT}
