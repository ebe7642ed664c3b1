"""Exercise: what may be answered, and what is said to an answer. Three kinds: a value, a function, a design.

Every exercise knows its reference and the wrong answers that many give, each with words of its own. A function is judged
by what it returns in hidden cases; one that returns what a known mistake returns gets that mistake's words. An ellipsis, or
a function that returns nothing yet, is "not attempted yet", so that a notebook runs through before anything is solved.
"""

from __future__ import annotations

import copy
import html
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

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
    """A wrong answer that many give, and what is said to it."""

    answer: Any
    says: str


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
        found = next((each.says for each in self.mistakes if plain(each.answer) == given), "")
        return NOT_YET, found or f"Got {short(answer)}. {self.says}"


@dataclass(frozen=True)
class Function:
    """A function, run on hidden cases; `rules` say what must hold beside the results, each with its complaint.

    A case is the tuple of arguments. `near` is the share by which a number may be off.
    """

    reference: Callable[..., Any]
    cases: tuple[tuple[Any, ...], ...]
    right: str
    mistakes: tuple[Mistake, ...]
    rules: Mapping[str, Callable[[Callable[..., Any]], bool]]
    near: float = 0.0

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
        at = wrong[0]
        tried = f"{getattr(answer, '__name__', 'function')}({', '.join(map(short, self.cases[at]))})"
        return NOT_YET, f"Tried {tried}: expected {short(wanted[at])}, got {short(results[at])}."

    def known(self, answer: Callable[..., Any], results: list[Any]) -> str:
        """The words for a mistake that returns the same and breaks the same rules, or an empty string."""
        breaks = [holds(answer) for holds in self.rules.values()]
        for mistake in self.mistakes:
            same = [outcome(mistake.answer, case) for case in self.cases] == results
            if same and [holds(mistake.answer) for holds in self.rules.values()] == breaks:
                return mistake.says
        return ""

    def alike(self, result: Any, wanted: Any) -> bool:
        """Equal, or a number that is near enough."""
        if self.near and isinstance(result, int | float) and isinstance(wanted, int | float):
            return abs(result - wanted) <= self.near * wanted
        return bool(result == wanted) and not isinstance(result, Raised)


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


def outcome(function: Callable[..., Any], case: tuple[Any, ...]) -> Any:
    """What a function does with a copy of one case: its result, or what it raised."""
    try:
        return function(*copy.deepcopy(case))
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


def short(value: Any) -> str:
    """A value as it is shown, cut where it is long.

    >>> short("x" * 500)[-3:]
    "x…'"
    """
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 2]}…{text[-1]}"
