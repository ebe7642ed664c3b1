"""Exercise of 06: which rounds are finished, so that they may be folded."""

from __future__ import annotations

from typing import Any

from ..exercise import Function, Mistake
from ..outcome import outcome
from .clearing import older

Rounds = list[dict[str, Any]]


def work(calls: int = 1, results: int | None = None) -> dict[str, Any]:
    """A round of tool work: a reply with its calls, and how many results have come."""
    return {"kind": "work", "calls": calls, "results": calls if results is None else results}


PROMPT = {"kind": "prompt", "calls": 0, "results": 0}
DIGEST = {"kind": "digest", "calls": 0, "results": 0}


def finished(rounds: Rounds, left_open: int) -> list[int]:
    """Places of work rounds that have all their results, without the newest few rounds."""
    return [
        at
        for at, each in enumerate(older(rounds, left_open))
        if each["kind"] == "work" and each["results"] == each["calls"]
    ]


def forgets_the_open_ones(rounds: Rounds, left_open: int) -> list[int]:  # noqa: ARG001 - that is the mistake
    """Folds up to the newest."""
    return finished(rounds, 0)


def takes_what_is_not_done(rounds: Rounds, left_open: int) -> list[int]:
    """Does not ask whether the results are there."""
    return [at for at, each in enumerate(older(rounds, left_open)) if each["kind"] == "work"]


def folds_everything(rounds: Rounds, left_open: int) -> list[int]:
    """Prompts and digests as well."""
    return [at for at, each in enumerate(older(rounds, left_open)) if each["results"] == each["calls"]]


def folded(rounds: Rounds, places: list[int]) -> Rounds:
    """The rounds with one digest for each run of places; what a learner's answer is folded with."""
    out: Rounds = []
    for at, each in enumerate(rounds):
        if at not in places:
            out.append(each)
        elif at - 1 not in places:
            out.append(dict(DIGEST))
    return out


def again_finds_nothing(function: Any) -> bool:
    """A rule: after folding, there is nothing left to fold."""
    for rounds, left_open in ((DAY, 2), (DAY, 0), (SECOND, 1)):
        places = outcome(function, (rounds, left_open)).result
        if not isinstance(places, list):
            return True  # the cases themselves report it
        again = outcome(function, (folded(rounds, places), left_open)).result
        if again != [] and isinstance(again, list):
            return False
    return True


def told(each: dict[str, Any]) -> str:
    """An entry in few words: its kind, and of work how many results of how many calls."""
    return f"work {each['results']}/{each['calls']}" if each["kind"] == "work" else str(each["kind"])


def is_rounds(value: Any) -> bool:
    """True for a list of entries."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) and "kind" in each for each in value)


DAY = [PROMPT, work(2), work(), work(3), PROMPT, work(2, 1), work(), work()]
ASKED = [work(), work(), PROMPT, work()]
ODD = [PROMPT, work(3, 2), work(1, 0), {"kind": "digest", "calls": 3, "results": 3}, work(2), PROMPT]
SECOND = [PROMPT, DIGEST, work(), PROMPT, work(), work()]

FINISHED = Function(
    reference=finished,
    cases=((DAY, 2), (DAY, 0), (DAY, 20), (DAY, 10), (SECOND, 1), (SECOND, 2), (ASKED, 2), (ODD, 1), ([], 2)),
    right="And folding a second time finds nothing: a digest is not a round of work.",
    mistakes=(
        Mistake(
            forgets_the_open_ones,
            "The newest rounds are folded too: the model loses what it is working on. The last `left_open` rounds stay.",
        ),
        Mistake(
            takes_what_is_not_done,
            "A round with two calls and one result is not finished: folding it hides a call whose result is still to come.",
        ),
        Mistake(
            folds_everything,
            "Prompts and digests are folded as well: the user's words disappear, and each pass folds the digest of the last "
            "one, so that it never ends. Only rounds of work.",
        ),
    ),
    spoiled="The rounds that you were given have changed.",
    tells=lambda value: str(list(map(told, value))) if is_rounds(value) else repr(value),
    rules={
        "Folded once, your function finds something to fold again: it must be idempotent.": again_finds_nothing,
    },
)

EXERCISES = {"06.finished": FINISHED}
