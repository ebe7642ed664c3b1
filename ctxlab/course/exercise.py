"""Exercise: what may be answered, and what is said to an answer. Three kinds: a value, a function, a design.

Every exercise knows its reference and the wrong answers that many give, each with words of its own. A function is judged
by what it returns in hidden cases; one that returns what a known mistake returns gets that mistake's words. An ellipsis, or
a function that returns nothing yet, is "not attempted yet", so that a notebook runs through before anything is solved.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .outcome import Outcome, Raised, equal, is_number, name_of, outcome, short

PASSED, NOT_YET, NOT_ATTEMPTED = "right", "not yet", "not attempted yet"
STUB = "Put your answer in the place of the three dots and run this cell again; the hints are below it."
NOTHING = "It returns nothing, although it {}. Use `return`."
GROUPED = re.compile(r"-?\d{1,3}(?:[,_]\d{3})+|-?\d{1,30}")


def silent(outcomes: list[Outcome]) -> tuple[str, str]:
    """What is said to a function that returns nothing: a stub, or one that prints, or changes what it is given."""
    if any(each.printed for each in outcomes):
        return NOT_YET, NOTHING.format("prints something")
    if any(each.changed for each in outcomes):
        return NOT_YET, NOTHING.format("changes what it is given")
    return NOT_ATTEMPTED, STUB


def is_blank(answer: Any) -> bool:
    """True for the three dots of a stub, and for what a function returns that has none but them."""
    return answer is None or answer is ...


@dataclass(frozen=True)
class Feedback:
    """What is said to an answer: the exercise, one of three statuses, and words."""

    exercise: str
    status: str
    text: str

    @property
    def passed(self) -> bool:
        """True for a right answer."""
        return self.status == PASSED

    def __repr__(self) -> str:
        return "\n".join(textwrap.wrap(f"{self.exercise}: {self.status}. {self.text}", 100, break_long_words=False))

    def _repr_html_(self) -> str:
        mark = {PASSED: "✓", NOT_YET: "✗", NOT_ATTEMPTED: "○"}[self.status]
        return f"<p>{mark} <strong>{self.exercise}: {self.status}.</strong> {html.escape(self.text)}</p>"


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that many give, other ways to write it, and what is said to it."""

    answer: Any
    says: str
    same: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Value:
    """One value; `same` are other ways to write the reference."""

    reference: Any
    right: str
    mistakes: tuple[Mistake, ...]
    says: str
    same: tuple[Any, ...] = ()

    def judge(self, answer: Any) -> tuple[str, str]:
        """Status and words for an answer."""
        if is_blank(answer):
            return NOT_ATTEMPTED, STUB
        given = plain(answer)
        if any(equal(given, plain(each)) for each in (self.reference, *self.same)):
            return PASSED, self.right
        said = [(plain(way), each.says) for each in self.mistakes for way in (each.answer, *each.same)]
        found = next((says for way, says in said if equal(given, way)), "")
        return NOT_YET, found or f"Got {short(answer)}. {self.says}"


@dataclass(frozen=True)
class Function:
    """A function, run on hidden cases; `spoiled` is said where it changes what it is given.

    `rules` say what else must hold, each with its complaint.
    A case is the tuple of arguments. `near` is the share by which a number may be off; `labels` name the cases where all
    of them are to be told; `tells` puts what is passed in and out into words.
    """

    reference: Callable[..., Any]
    cases: tuple[tuple[Any, ...], ...]
    right: str
    mistakes: tuple[Mistake, ...]
    spoiled: str = ""
    rules: Mapping[str, Callable[[Callable[..., Any]], bool]] = field(default_factory=dict)
    near: float = 0.0
    labels: tuple[str, ...] = ()
    tells: Callable[[Any], str] = repr

    def judge(self, answer: Any) -> tuple[str, str]:
        """Status and words for a function: the first case that is wrong, or what it is known to be."""
        if is_blank(answer):
            return NOT_ATTEMPTED, STUB
        if not callable(answer):
            return NOT_YET, f"Pass the function itself, without calling it; got {short(answer)}."
        outcomes: list[Outcome] = []
        for case in self.cases:
            outcomes.append(outcome(answer, case))
            if isinstance(raised := outcomes[-1].result, Raised) and raised.stopped:
                return NOT_YET, self.tried(answer, len(outcomes) - 1, raised)
        if all(is_blank(each.result) for each in outcomes):
            return silent(outcomes)
        return self.verdict(answer, outcomes)

    def verdict(self, answer: Callable[..., Any], outcomes: list[Outcome]) -> tuple[str, str]:
        """Status and words for the outcomes of all cases."""
        results = [each.result for each in outcomes]
        wanted = [outcome(self.reference, case).result for case in self.cases]
        broken = self.broken(answer, outcomes)
        wrong = [at for at, result in enumerate(results) if not self.alike(result, wanted[at])]
        if not wrong and not broken:
            return PASSED, self.right
        known = self.known(results, broken)
        if known or not wrong:
            return NOT_YET, known or broken
        if self.labels and not any(isinstance(result, Raised) for result in results):
            return NOT_YET, self.all_cases(results, wanted)
        return NOT_YET, f"{self.tried(answer, wrong[0], results[wrong[0]])} {broken}".strip()

    def broken(self, answer: Callable[..., Any], outcomes: list[Outcome]) -> str:
        """The complaint of the first rule that does not hold, or an empty string."""
        if any(each.changed for each in outcomes):
            return self.spoiled
        return next((says for says, holds in self.rules.items() if not holds(answer)), "")

    def tried(self, answer: Any, at: int, result: Any) -> str:
        """What was tried, what should have come, and what came."""
        call = f"{name_of(answer)}({', '.join(self.told(each) for each in self.cases[at])})"
        wanted = outcome(self.reference, self.cases[at]).result
        return f"Tried {call}: expected {self.told(wanted)}, got {self.told(result)}."

    def told(self, value: Any) -> str:
        """A value in words, cut where it is long."""
        return short(value, self.tells)

    def known(self, results: list[Any], broken: str) -> str:
        """The words for a mistake that returns the same and breaks the same rule, or an empty string."""
        for mistake in self.mistakes:
            theirs = [outcome(mistake.answer, case) for case in self.cases]
            same = all(self.same(one, other.result) for one, other in zip(results, theirs, strict=True))
            if same and self.broken(mistake.answer, theirs) == broken:
                return mistake.says
        return ""

    def same(self, one: Any, other: Any) -> bool:
        """Whether two wrong results are the same mistake: of numbers that may be off a little, roughly; of lists, in any order."""
        if self.near and is_number(one) and is_number(other):
            return bool(abs(one - other) <= 1)
        if isinstance(one, list) and isinstance(other, list):
            return sorted(map(repr, one)) == sorted(map(repr, other))
        return equal(one, other)

    def alike(self, result: Any, wanted: Any) -> bool:
        """Equal, or a number that is near enough."""
        if self.near and is_number(result):
            return bool(abs(result - wanted) <= self.near * wanted)
        return equal(result, wanted)

    def all_cases(self, results: list[Any], wanted: list[Any]) -> str:
        """Every case with both numbers, for an answer that is to be tuned."""
        told = [
            f"{label} {short(result)} for {right}{'' if self.alike(result, right) else ' (off)'}"
            for label, result, right in zip(self.labels, results, wanted, strict=True)
        ]
        return f"Yours for what is counted: {', '.join(told)}. Within {self.near:.0%} is enough."


@dataclass(frozen=True)
class Design:
    """A choice, judged by what it does to a session: `measure` gives numbers, `complaint` what is still missing.

    `choices` says what may be chosen; anything else is refused in these words.
    """

    reference: Any
    measure: Callable[[Any], dict[str, Any]]
    complaint: Callable[[dict[str, Any]], str]
    allowed: Callable[[Any], bool]
    choices: str
    right: str
    mistakes: tuple[Mistake, ...]

    def judge(self, answer: Any) -> tuple[str, str]:
        """Status and words for a choice, with its numbers."""
        if is_blank(answer):
            return NOT_ATTEMPTED, STUB
        if not self.allowed(answer):
            return NOT_YET, f"Got {short(answer)}; choose {self.choices}."
        numbers = self.measure(answer)
        told = ", ".join(f"{name} {value}" for name, value in numbers.items())
        missing = self.complaint(numbers)
        known = next((each.says for each in self.mistakes if equal(each.answer, answer)), "")
        if not missing:
            return PASSED, f"{told}. {self.right}"
        return NOT_YET, f"{told}. {known or missing}"


Exercise = Value | Function | Design


def plain(value: Any) -> Any:
    """A value without what does not matter: case, blanks, quotes, a full stop, separators of thousands.

    >>> plain(" 167_000 "), plain("'Read'."), plain(167_000.0), plain("2,6")
    (167000, 'read', 167000.0, '2,6')
    """
    if not isinstance(value, str):
        return value
    text = value.strip(" \t\n.'\"").lower()
    return int(re.sub("[,_]", "", text)) if GROUPED.fullmatch(text) else text
