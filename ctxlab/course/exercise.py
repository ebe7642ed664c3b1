"""Exercise: what may be answered, and what is said to an answer. Three kinds: a value, a function, a design.

Every exercise knows its reference and the wrong answers that many give, each with words of its own. A function is judged
by what it returns in hidden cases; one that returns what a known mistake returns gets that mistake's words. An ellipsis, or
a function that returns nothing yet, is "not attempted yet", so that a notebook runs through before anything is solved.
"""

from __future__ import annotations

import copy
import html
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..show.words import harmless

PASSED, NOT_YET, NOT_ATTEMPTED = "right", "not yet", "not attempted yet"
LONGEST = 240  # characters of a value in a feedback
STUB = "Put your answer in the place of the three dots and run this cell again; the hints are below it."
BLANK = (None, ...)


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
        if answer in BLANK:
            return NOT_ATTEMPTED, STUB
        given = plain(answer)
        if given in [plain(each) for each in (self.reference, *self.same)]:
            return PASSED, self.right
        said = {plain(way): each.says for each in self.mistakes for way in (each.answer, *each.same)}
        found = said.get(given, "")
        return NOT_YET, found or f"Got {short(answer)}. {self.says}"


@dataclass(frozen=True)
class Function:
    """A function, run on hidden cases; `rules` say what must hold beside the results, each with its complaint.

    A case is the tuple of arguments. `near` is the share by which a number may be off; `labels` name the cases where all
    of them are to be told; `tells` puts what is passed in and out into words.
    """

    reference: Callable[..., Any]
    cases: tuple[tuple[Any, ...], ...]
    right: str
    mistakes: tuple[Mistake, ...]
    rules: Mapping[str, Callable[[Callable[..., Any]], bool]]
    near: float = 0.0
    labels: tuple[str, ...] = ()
    tells: Callable[[Any], str] = repr

    def judge(self, answer: Any) -> tuple[str, str]:
        """Status and words for a function: the first case that is wrong, or what it is known to be."""
        if answer in BLANK:
            return NOT_ATTEMPTED, STUB
        if not callable(answer):
            return NOT_YET, f"Pass the function itself, without calling it; got {short(answer)}."
        results = [outcome(answer, case) for case in self.cases]
        if all(result in BLANK for result in results):
            return NOT_ATTEMPTED, STUB
        wanted = [outcome(self.reference, case) for case in self.cases]
        broken = next((says for says, holds in self.rules.items() if not holds(answer)), "")
        wrong = [at for at, result in enumerate(results) if not self.alike(result, wanted[at])]
        if not wrong and not broken:
            return PASSED, self.right
        known = self.known(answer, results)
        if known or not wrong:
            return NOT_YET, known or broken
        if self.labels and not any(isinstance(result, Raised) for result in results):
            return NOT_YET, self.all_cases(results, wanted)
        at = wrong[0]
        tried = f"{getattr(answer, '__name__', 'function')}({', '.join(self.told(each) for each in self.cases[at])})"
        said = f"Tried {tried}: expected {self.told(wanted[at])}, got {self.told(results[at])}."
        return NOT_YET, f"{said} {broken}".strip()

    def told(self, value: Any) -> str:
        """A value in words, cut where it is long."""
        return short(value, self.tells)

    def known(self, answer: Callable[..., Any], results: list[Any]) -> str:
        """The words for a mistake that returns the same and breaks the same rules, or an empty string."""
        breaks = [holds(answer) for holds in self.rules.values()]
        for mistake in self.mistakes:
            theirs = [outcome(mistake.answer, case) for case in self.cases]
            same = all(self.same(one, other) for one, other in zip(results, theirs, strict=True))
            if same and [holds(mistake.answer) for holds in self.rules.values()] == breaks:
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
        if answer in BLANK:
            return NOT_ATTEMPTED, STUB
        if not self.allowed(answer):
            return NOT_YET, f"Got {short(answer)}; choose {self.choices}."
        numbers = self.measure(answer)
        told = ", ".join(f"{name} {value}" for name, value in numbers.items())
        missing = self.complaint(numbers)
        known = next((each.says for each in self.mistakes if each.answer == answer), "")
        if not missing:
            return PASSED, f"{told}. {self.right}"
        return NOT_YET, f"{told}. {known or missing}"


Exercise = Value | Function | Design


@dataclass(frozen=True)
class Raised:
    """What a function raised instead of returning."""

    words: str

    def __repr__(self) -> str:
        return self.words


def is_number(value: Any) -> bool:
    """True for a whole number or a float, not for True and False."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def equal(one: Any, other: Any) -> bool:
    """Equal and of one kind; an answer that cannot be compared is not equal."""
    if isinstance(one, Raised) or isinstance(one, bool) != isinstance(other, bool):
        return False
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - an answer may be an object of any kind
        return False


def outcome(function: Callable[..., Any], case: tuple[Any, ...]) -> Any:
    """What a function does with a copy of one case: its result, a tuple or an iterator as a list, or what it raised."""
    try:
        result = function(*copy.deepcopy(case))
        return list(result) if isinstance(result, tuple | Iterator) else result
    except Exception as error:  # noqa: BLE001 - whatever a learner's function raises is part of the answer
        return Raised(f"{type(error).__name__}: {error}")


def leaves_alone(*cases: tuple[Any, ...]) -> Callable[[Callable[..., Any]], bool]:
    """A rule: the function does not change what it is given."""

    def holds(function: Callable[..., Any]) -> bool:
        for case in cases:
            given = copy.deepcopy(case)
            try:
                function(*given)
            except Exception:  # noqa: BLE001 - the cases themselves report it
                return True
            if given != case:
                return False
        return True

    return holds


def plain(value: Any) -> Any:
    """A value without what does not matter: case, blanks and separators of thousands.

    >>> plain(" 167_000 "), plain("Read"), plain(167_000.0)
    (167000, 'read', 167000)
    """
    if isinstance(value, str):
        text = value.strip().lower()
        digits = text.replace(",", "").replace("_", "")
        return int(digits) if digits.isdecimal() else text
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def short(value: Any, tells: Callable[[Any], str] = repr) -> str:
    """A value as it is shown, cut where it is long; one that cannot be shown is named by its type.

    >>> short("x" * 500)[-3:]
    "x…'"
    """
    try:
        text = harmless(tells(value))
    except Exception:  # noqa: BLE001 - an answer may be an object of any kind
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 2]}…{text[-1]}"
