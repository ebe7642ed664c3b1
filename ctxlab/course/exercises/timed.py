"""Exercises of 13: three code tasks as an interviewer sets them, ten minutes each, with hidden cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..exercise import Function, Mistake
from .clearing import LISTED, older

Messages = list[dict[str, Any]]


def in_words(value: Any, words: Callable[[dict[str, Any]], str]) -> str:
    """A list of dicts as the words for each of them."""
    is_list = isinstance(value, list) and value and all(isinstance(each, dict) for each in value)
    return str([words(each) for each in value]) if is_list else repr(value)


def message_words(each: dict[str, Any]) -> str:
    """A message: who, and what it calls or answers."""
    parts = [f"{part} {' '.join(each[part])}" for part in ("calls", "results") if part in each]
    return ", ".join(parts) or str(each.get("role"))


def result_words(each: dict[str, Any]) -> str:
    """A result: its id, its tool, and whether it was seen."""
    return f"{each.get('id')} {each.get('tool')}{'' if each.get('seen') else ' unseen'}"


def trigger(window: int, reserve: int, buffer: int, percent: int | None) -> int:
    """The line; a percentage of the effective window can lower it and never raise it."""
    effective = window - reserve
    line = effective - buffer
    return line if percent is None else min(line, effective * percent // 100)


def may_raise(window: int, reserve: int, buffer: int, percent: int | None) -> int:
    """The percentage wins, whatever it is."""
    return trigger(window, reserve, buffer, None) if percent is None else (window - reserve) * percent // 100


def of_the_window(window: int, reserve: int, buffer: int, percent: int | None) -> int:
    """Percent of the whole window."""
    line = trigger(window, reserve, buffer, None)
    return line if percent is None else min(line, window * percent // 100)


def no_buffer(window: int, reserve: int, buffer: int, percent: int | None) -> int:  # noqa: ARG001 - the mistake
    """Forgets the margin."""
    return trigger(window, reserve, 0, percent)


TRIGGER = Function(
    reference=trigger,
    cases=(
        (200_000, 20_000, 13_000, None),
        (200_000, 20_000, 13_000, 50),
        (200_000, 20_000, 13_000, 99),
        (1_000_000, 20_000, 13_000, None),
        (1_000_000, 20_000, 13_000, 80),
        (100_001, 8_192, 3_000, 33),
        (200_000, 20_000, 13_000, 91),
        (200_000, 20_000, 13_000, 1),
    ),
    right="167,000, 90,000, and with 99 % still 167,000: the override can only lower the line.",
    mistakes=(
        Mistake(may_raise, "99 % must still give 167,000: an override may lower the line, never raise it."),
        Mistake(of_the_window, "Here the percentage is of the effective window, after the reserve: 50 % give 90,000."),
        Mistake(no_buffer, "The buffer is missing: between the line and the effective window lies a margin."),
    ),
)


def safe_cut(messages: Messages, keep: int) -> int:
    """The newest place from which at least `keep` messages stay and no result stands without its call."""
    cut = max(0, len(messages) - keep)
    while cut > 0 and any(lost(messages, cut)):
        cut -= 1
    return cut


def lost(messages: Messages, cut: int) -> set[str]:
    """Results behind a cut whose call is in front of it."""
    called = {call for each in messages[cut:] for call in each.get("calls", ())}
    return {call for each in messages[cut:] for call in each.get("results", ()) if call not in called}


def by_number(messages: Messages, keep: int) -> int:
    """Counts, and looks at nothing."""
    return max(0, len(messages) - keep)


def forward(messages: Messages, keep: int) -> int:
    """Moves the cut to the newer side."""
    cut = max(0, len(messages) - keep)
    while cut < len(messages) and any(lost(messages, cut)):
        cut += 1
    return cut


def one_back(messages: Messages, keep: int) -> int:
    """Looks at the first kept message only."""
    cut = max(0, len(messages) - keep)
    return cut - 1 if cut and cut < len(messages) and messages[cut].get("results") else cut


SESSION: Messages = [
    {"role": "user"},
    {"role": "assistant", "calls": ["t1", "t2"]},
    {"role": "user", "results": ["t1", "t2"]},
    {"role": "assistant", "calls": ["t3"]},
    {"role": "user", "results": ["t3"]},
    {"role": "assistant"},
    {"role": "user"},
]
LATE: Messages = [
    {"role": "user"},
    {"role": "assistant", "calls": ["t1"]},
    {"role": "user", "results": ["t1"]},
    {"role": "assistant", "calls": ["t2", "t3"]},
    {"role": "user", "results": ["t2"]},
    {"role": "user", "results": ["t3"]},
    {"role": "assistant"},
]

SPLIT: Messages = [
    {"role": "user"},
    {"role": "assistant", "calls": ["t1"]},
    {"role": "assistant", "calls": ["t2"]},
    {"role": "user", "results": ["t1"]},
    {"role": "user", "results": ["t2"]},
]

TWO_CALLS: Messages = [{"role": "assistant", "calls": ["t1"]}, {"role": "assistant", "calls": ["t2"]}]
CROSSED = [*TWO_CALLS, {"role": "user", "results": ["t2", "t1"]}]
PARALLEL = [*TWO_CALLS, {"role": "user", "results": ["t1", "t2"]}]
LATER: Messages = [TWO_CALLS[0], {"role": "user", "results": ["t1"]}, TWO_CALLS[1]]

SAFE_CUT = Function(
    reference=safe_cut,
    cases=(
        (SESSION, 2),
        (SESSION, 3),
        (SESSION, 4),
        (SESSION, 5),
        (SESSION, 0),
        (SESSION, 50),
        (LATE, 2),
        (LATE, 3),
        (SPLIT, 1),
        (CROSSED, 2),
        (PARALLEL, 2),
        (LATER, 2),
        ([], 3),
    ),
    right="The cut goes back to the call, never forward over the result: pairs win over the number that was asked for.",
    mistakes=(
        Mistake(
            by_number, "A result stays whose call is cut away: the API answers 400, for every request from then on."
        ),
        Mistake(
            forward,
            "You drop the result that has lost its call, so fewer messages stay than were asked for. Go back to the call.",
        ),
        Mistake(
            one_back,
            "Results of one reply may come in two messages: one step back is not always enough. Go back until all pairs are whole.",
        ),
    ),
    spoiled="The messages that you were given have changed.",
    tells=lambda value: in_words(value, message_words),
)


def may_clear(results: Messages, keep: int) -> list[str]:
    """Listed tools, read by a reply, not an error, without the newest few."""
    known = [each for each in results if each["tool"] in LISTED]
    return [each["id"] for each in older(known, keep) if each["seen"]]


def unread_too(results: Messages, keep: int) -> list[str]:
    """Does not ask whether a reply has read it."""
    known = [each["id"] for each in results if each["tool"] in LISTED]
    return older(known, keep)


def any_tool(results: Messages, keep: int) -> list[str]:
    """Whatever tool."""
    return [each["id"] for each in older(results, keep) if each["seen"]]


def slice_quirk(results: Messages, keep: int) -> list[str]:
    """Keeps by a negative slice: with 0 nothing is cleared."""
    return [each["id"] for each in [each for each in results if each["tool"] in LISTED][:-keep] if each["seen"]]


def result(name: str, tool: str, *, seen: bool = True) -> dict[str, Any]:
    """One result of the task."""
    return {"id": name, "tool": tool, "seen": seen}


STANDING = [
    result("r1", "Read"),
    result("r2", "mcp__memory__recall"),
    result("r3", "Bash"),
    result("r4", "Grep"),
    result("r5", "Read", seen=False),
    result("r6", "Bash", seen=False),
]

MORE = [
    result("r1", "Read"),
    result("r2", "Bash", seen=False),
    result("r3", "WebFetch"),
    result("r4", "Agent"),
    result("r5", "Write"),
    result("r6", "Task"),
]

MAY_CLEAR = Function(
    reference=may_clear,
    cases=(
        (STANDING, 1),
        (STANDING, 3),
        (STANDING, 5),
        (STANDING, 7),
        (STANDING, 0),
        (STANDING[:4], 0),
        (MORE, 0),
        (MORE, 1),
        ([], 1),
    ),
    right="Can be had again, was read, is not among the newest: all three.",
    mistakes=(
        Mistake(
            unread_too,
            "A result that no reply has seen yet is cleared: the model would never learn what its call brought.",
        ),
        Mistake(
            any_tool,
            "What a memory server recalled is cleared: the same call may not bring it again. Only listed tools.",
        ),
        Mistake(
            slice_quirk,
            "With keep 0 nothing is kept, and you clear nothing: a negative slice with 0 takes the whole list.",
        ),
    ),
    spoiled="The list that you were given has changed.",
    tells=lambda value: in_words(value, result_words),
)

EXERCISES = {"13.trigger": TRIGGER, "13.safe_cut": SAFE_CUT, "13.may_clear": MAY_CLEAR}
