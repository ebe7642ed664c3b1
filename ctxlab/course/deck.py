"""Deck: the 37 interview questions, and in which order they come: weak ones sooner.

A card that is rated 0 comes back after two others, 1 after four, 2 after eight; a 3 is done for today. The scale: 0 a
slogan; 1 the mechanism is named; 2 mechanism, a number and a trade-off; 3 also a failure mode and how it was measured.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from ..engine.settings import suggest

SCALE = (
    "0: a slogan",
    "1: the mechanism is named",
    "2: mechanism, a number, a trade-off",
    "3: also a failure mode, and how it was measured",
)
COMES_BACK_AFTER = (2, 4, 8)  # cards, for a score of 0, 1, 2
WEAK = 1  # up to this score


class Card(NamedTuple):
    """One question; `shown` is the number of the notebook whose demo proves the answer.

    `sources` are cited for what no notebook shows.
    """

    number: int
    group: str
    question: str
    chinese: str
    must: str
    terms: tuple[str, ...]
    answer: str
    push: str
    second_push: str
    shown: str
    sources: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def cards() -> tuple[Card, ...]:
    """All cards of `data/interview.toml`, in order."""
    text = (files("ctxlab") / "data" / "interview.toml").read_text(encoding="utf-8")
    return tuple(
        Card(**{**row, "terms": tuple(row["terms"]), "sources": tuple(row.get("sources", ()))})
        for row in tomllib.loads(text)["card"]
    )


def groups() -> list[str]:
    """The six groups, in order."""
    return list(dict.fromkeys(card.group for card in cards()))


def chosen(group: str = "") -> list[Card]:
    """The cards of one group, or all; an unknown group raises ValueError with the nearest one."""
    if group and group not in groups():
        raise ValueError(f"unknown group {group!r}; {suggest(group, groups())}")
    return [card for card in cards() if not group or card.group == group]


class Deck:
    """Cards in a queue. `seed` shuffles them, the same way each time; without one they come in order.

    >>> deck = Deck(chosen("Numbers"))
    >>> deck.rate(0)
    >>> [card.number for card in deck.queue]
    [17, 18, 16, 19, 20, 21]
    """

    def __init__(self, of: Sequence[Card], *, seed: int | None = None) -> None:
        self.queue = list(of)
        self.total = len(self.queue)
        self.scores: dict[int, int] = {}
        if seed is not None:
            random.Random(seed).shuffle(self.queue)  # noqa: S311 - an order, not a secret

    @property
    def card(self) -> Card | None:
        """The card that is asked now; None at the end."""
        return self.queue[0] if self.queue else None

    def rate(self, score: int) -> None:
        """Score the card from 0 to 3 and go on; raises ValueError for any other score."""
        if type(score) is not int or not 0 <= score < len(SCALE):
            raise ValueError(f"a score is 0, 1, 2 or 3, got {score!r}; {'; '.join(SCALE)}")
        if not self.queue:
            raise ValueError("no card is left; make a new drill to begin again")
        card = self.queue.pop(0)
        self.scores[card.number] = score
        if score < len(COMES_BACK_AFTER):
            self.queue.insert(COMES_BACK_AFTER[score], card)

    def weak(self) -> list[Card]:
        """Cards whose last score was 0 or 1, the weakest first."""
        found = [card for card in cards() if self.scores.get(card.number, len(SCALE)) <= WEAK]
        return sorted(found, key=lambda card: self.scores[card.number])
