"""Checks: `check("07.threshold", answer)` says what an answer is worth, in words that help.

An exercise is named by its notebook and itself. Its reference and its known mistakes stand in `exercises/`, one file for
each notebook's; the tests hold the solutions that the notebooks show against them.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from ..engine.settings import suggest
from .exercise import Exercise, Feedback

FILES = {
    "00": "reading",
    "01": "reading",
    "02": "growth",
    "03": "saving",
    "04": "views",
    "05": "clearing",
    "06": "folding",
    "07": "threshold",
    "13": "timed",
    "14": "drops",
}


@lru_cache(maxsize=1)
def exercises() -> dict[str, Exercise]:
    """All exercises by name, in the order of the notebooks."""
    found: dict[str, Exercise] = {}
    for file in dict.fromkeys(FILES.values()):
        found |= import_module(f".exercises.{file}", __package__).EXERCISES
    return found


def check(name: str, answer: Any) -> Feedback:
    """Say what an answer to an exercise is worth; an unknown name raises ValueError with the nearest one."""
    if not isinstance(name, str) or name not in exercises():
        raise ValueError(f"unknown exercise {name!r}; {suggest(str(name), exercises())}")
    return Feedback(name, *exercises()[name].judge(answer))
