"""Outcome: what a learner's function does with one case, whatever it does, without harm to the case or to the next one.

It gets a copy, and a copy of its result is kept. What it raises or prints belongs to the outcome; an endless iterator is
cut, and a run that was stopped by hand says so. Two results are compared by kind first, so that an object that calls itself
equal to everything is not.
"""

from __future__ import annotations

import contextlib
import copy
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from numbers import Real
from typing import Any

from ..show.words import harmless

LONGEST = 320  # characters of a value in a feedback
MOST = 10_000  # entries that are taken from an iterator
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


@dataclass(frozen=True)
class Raised:
    """What a function raised instead of returning; `stopped` says that somebody stopped it by hand."""

    words: str
    stopped: bool = False

    def __repr__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Outcome:
    """The result of one case, and whether anything was printed or the arguments were changed on the way."""

    result: Any
    printed: bool = False
    changed: bool = False


def outcome(function: Callable[..., Any], case: tuple[Any, ...]) -> Outcome:
    """Run a function on a copy of one case."""
    given, printed = copy.deepcopy(case), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            result = settled(function(*given))
    except KeyboardInterrupt:
        result = Raised("nothing: it was stopped by hand", stopped=True)
    except BaseException as error:  # noqa: BLE001 - whatever a learner's function raises is part of the answer
        result = Raised(f"{type(error).__name__}: {words_of(error)}")
    return Outcome(result, bool(printed.getvalue()), not equal(given, case))


def settled(result: Any) -> Any:
    """A result that no later call can change: a tuple or an iterator as a list."""
    if isinstance(result, Iterator):
        return list(islice(result, MOST))
    return copy.deepcopy(list(result) if isinstance(result, tuple) else result)


def is_number(value: Any) -> bool:
    """True for a number, not for True and False."""
    return isinstance(value, Real) and not isinstance(value, bool)


def equal(one: Any, other: Any) -> bool:
    """Equal and of one kind; what cannot be compared is not equal.

    >>> equal(2, 2.0), equal(1, True), equal([1], (1,)), equal("a", "a")
    (True, False, False, True)
    """
    if type(one) is not type(other) and not (is_number(one) and is_number(other)):
        return False
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - an answer may be an object of any kind
        return False


def words_of(error: BaseException) -> str:
    """The message of an error, if it has one that can be read."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - see above
        return "(no message)"


def short(value: Any, tells: Callable[[Any], str] = repr) -> str:
    """A value as it is shown: harmless, the same each time, cut where it is long.

    >>> short({"b", "a"}), short("x" * 500)[-3:]
    ("{'a', 'b'}", "x…'")
    """
    try:
        text = tells(value)
        if isinstance(value, set | frozenset):
            text = f"{{{', '.join(sorted(map(repr, value)))}}}" if value else text
        text = ADDRESS.sub("", harmless(text))
    except Exception:  # noqa: BLE001 - see above
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 2]}…{text[-1]}"


def name_of(function: Any) -> str:
    """How a function is called in a feedback."""
    try:
        return harmless(str(function.__name__))[:40]
    except Exception:  # noqa: BLE001 - see above
        return "function"
