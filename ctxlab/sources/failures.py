"""Failure modes that users reported, each a small session with Settings in which it happens: `cl.scenario("F7")`.

A Scenario says in one sentence what goes wrong and what to look at; `replay()` runs it through the real engine, and
`cured()` runs it with what would help, where something does. Evidence: user reports and analyses, named in each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..engine.history import History
from ..engine.pipeline import Acts
from ..engine.replay import Replay, replay
from ..engine.services import Services
from ..engine.settings import Settings


@dataclass(frozen=True)
class Scenario:
    """One failure mode: what goes wrong, what to look at, the session and the Settings in which it does.

    `cure` is a mapping of Settings that helps ({}: none here does). `outside` makes the services, `acts` are what a person
    does; `cure_acts` and `cure_outside` are theirs where the cure is another act or another outside.
    """

    name: str
    sentence: str
    look_at: str
    history: History
    settings: Settings
    reported: str = ""
    cure: Mapping[str, Any] = field(default_factory=dict)
    outside: Callable[[History], Services] = Services.offline
    acts: Acts = field(default_factory=dict)
    cure_acts: Acts | None = None
    cure_outside: Callable[[History], Services] | None = None

    def replay(self) -> Replay:
        """The failure, by the real engine."""
        return replay(self.history, self.settings, self.outside(self.history), acts=self.acts)

    def cured(self) -> Replay:
        """The same session with what helps; raises ValueError where nothing here does."""
        if not self.cure and self.cure_acts is None and self.cure_outside is None:
            raise ValueError(f"nothing in ctxlab cures {self.name}; `replay()` shows it")
        services = (self.cure_outside or self.outside)(self.history)
        acts = self.acts if self.cure_acts is None else self.cure_acts
        return replay(self.history, self.settings.replace(dict(self.cure)), services, acts=acts)

    def __repr__(self) -> str:
        words = ", ".join(f"{path} = {value!r}" for path, value in self.cure.items())
        acts = "another act" if self.cure_acts is not None else "another answer from outside"
        helps = words or (acts if self.cure_acts is not None or self.cure_outside is not None else "nothing here")
        return (
            f"Scenario {self.name}: {self.sentence}\nLook at: {self.look_at}\nReported: {self.reported}\nHelps: {helps}"
        )


def scenario(name: str) -> Scenario:
    """The failure mode of that name; raises ValueError with the names there are.

    >>> scenario("F6").sentence
    'One round holds nearly the whole window, so no round can be dropped to make the summary request fit.'
    """
    from .failures_of_summaries import SUMMARIES
    from .failures_of_survival import SURVIVAL
    from .refills import REFILLS

    known: dict[str, Callable[[], Scenario]] = {**REFILLS, **SUMMARIES, **SURVIVAL}
    if name not in known:
        names = ", ".join(sorted(known, key=lambda each: int(each[1:])))
        raise ValueError(f"unknown scenario {name!r}; there are {names}")
    return known[name]()
