"""Drill: the interview cards in the reader's hands: question, clock, the point, the answer, two pushes, a score.

Which card comes next is decided in Python (`deck.py`); the browser shows one card and runs the clock. Where no kernel
runs, the whole deck stands there as a list to unfold. Nothing is stored: `weak_cards()` gives what to take home.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..show.notebook import beside
from .countdown import CLOCK, HERE, STYLE
from .deck import SCALE, Card, Deck, chosen, groups
from .refresh import FOLDER

GOAL_SECONDS = 90
FOLDERS = (FOLDER, Path(__file__).parent.parent / "notebooks")  # in a checkout, and in an installed package
SCRIPT = CLOCK + HERE.joinpath("drill.js").read_text(encoding="utf-8")


class Drill(anywidget.AnyWidget):
    """Ask the cards of a group, or all; `seed` shuffles them, the same way each time.

    Raises ValueError for a group that does not exist.
    """

    _esm = SCRIPT
    _css = STYLE
    _shown = traitlets.Dict().tag(sync=True)

    def __init__(self, group: str = "", *, seed: int | None = None) -> None:
        self.group, self.seed = group, seed
        self.deck = Deck(chosen(group), seed=seed)
        super().__init__()
        self.on_msg(self._heard)
        self._show()

    def rate(self, score: int) -> None:
        """Score the card that is shown, from 0 to 3, and show the next one; raises ValueError as `Deck.rate` does."""
        self.deck.rate(score)
        self._show()

    def choose(self, group: str = "") -> None:
        """Begin again with another group; scores are kept."""
        scores = self.deck.scores
        self.deck = Deck(chosen(group), seed=self.seed)
        self.deck.scores = scores
        self.group = group
        self._show()

    def weak_cards(self) -> str:
        """The cards scored 0 or 1, as Markdown: what to take home."""
        lines = [f"- **{card.question}** ({self.deck.scores[card.number]}) {card.must}" for card in self.deck.weak()]
        return "\n".join(lines) or "No card is weak: none was scored 0 or 1."

    def _show(self) -> None:
        card = self.deck.card
        self._shown = {
            "card": shown(card) if card else None,
            "left": len(self.deck.queue),
            "total": self.deck.total,
            "group": self.group,
            "groups": groups(),
            "scale": list(SCALE),
            "goal": GOAL_SECONDS,
            "weak": [each.question for each in self.deck.weak()],
            "turn": self._shown.get("turn", 0) + 1 if self._shown else 0,  # so that the same card again is a new turn
        }

    def _heard(self, _: Any, asked: Mapping[str, Any], __: Any) -> None:
        """A score or a group from the browser; what goes wrong is said there."""
        try:
            ANSWERS[str(asked.get("type"))](self, asked.get("value"))
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader must see it
            self.send({"type": "error", "text": f"{type(error).__name__}: {error}"})

    def __repr__(self) -> str:
        found = dict.fromkeys(card.group for card in chosen(self.group))
        counts = [f"{sum(card.group == group for card in chosen())} on {group.lower()}" for group in found]
        return f"Drill: {self.deck.total} cards, {', '.join(counts)}. Score each from 0 to {len(SCALE) - 1}."

    def _repr_html_(self) -> str:
        return "".join(folded(card) for card in chosen(self.group))

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        return beside(bundle, partial(super()._repr_mimebundle_, **kwargs))


ANSWERS: dict[str, Callable[[Drill, Any], None]] = {"rate": Drill.rate, "choose": Drill.choose}


def drill(group: str = "", *, seed: int | None = None) -> Drill:
    """Ask the interview cards of one group, or all of them; raises ValueError for a group that does not exist."""
    return Drill(group, seed=seed)


def shown(card: Card) -> dict[str, Any]:
    """A card as the browser needs it."""
    return {**card._asdict(), "terms": list(card.terms), "sources": list(card.sources), "proof": proof(card)}


def proof(card: Card) -> str:
    """Where the demo is that proves it, and what is cited; a notebook that does not exist yet is said to be to come."""
    there = any(True for folder in FOLDERS for _ in folder.glob(f"{card.shown}_*.ipynb"))
    place = card.shown if there else f"{card.shown}, to come"
    return f"{place}; from {', '.join(card.sources)}" if card.sources else place


def folded(card: Card) -> str:
    """One card as a list to unfold: the point, an answer, two pushes, the demo; short, because 37 of them are stored."""
    parts = (card.answer, card.push, card.second_push, f"Demo: {proof(card)}")
    body = "".join(f"<p>{html.escape(part, quote=False)}" for part in parts)
    question = html.escape(card.question, quote=False)
    must = html.escape(card.must, quote=False)
    return f"<details><summary>{card.number}. {question} {card.chinese}</summary><b>{must}</b>{body}</details>"
