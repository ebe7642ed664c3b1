"""Quiz and prediction: one question with options, in the reader's hands where a kernel runs, a list where none does.

Both are radio buttons, so that the keyboard and a screen reader can use them; nothing waits for an answer. A prediction
is noted and not judged: the demo behind it does that. Nothing is stored and nothing is sent anywhere. The questions of the
notebooks stand in `data/questions.toml`, so that the cell that asks does not show the answer.
"""

from __future__ import annotations

import html
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from ..engine.settings import suggest
from ..show.notebook import is_static

WIDTH = 100
NOTED = "Noted: {}. Read on and see; until then you can change your mind."
RIGHT, WRONG = "Right.", "Not quite."


class Question:
    """One question with its options; shows itself as radio buttons, as HTML and as text."""

    def __init__(self, question: str, options: Sequence[str]) -> None:
        if len(options) < 2 or not all(isinstance(option, str) for option in options):
            raise ValueError(f"a question needs two options or more, all of them text, got {list(options)!r}")
        self.question = question
        self.options = list(options)
        self.chosen: str | None = None

    def answer(self, option: str) -> str:
        """What is said when an option is chosen; raises ValueError for one that is not there."""
        if option not in self.options:
            raise ValueError(f"{option!r} is none of the options: {', '.join(self.options)}")
        self.chosen = option
        return self.reply(option)

    def reply(self, option: str) -> str:
        """The words for an option."""
        return NOTED.format(option)

    def folded(self, option: str) -> str:  # noqa: ARG002 - a prediction has none
        """The words that stand folded under an option where no kernel runs; "" for none."""
        return ""

    def widget(self) -> Any:
        """The radio buttons, and under them what is said."""
        import ipywidgets

        buttons = ipywidgets.RadioButtons(options=self.options, value=None, layout={"width": "auto"})
        said = ipywidgets.HTML()
        asked = ipywidgets.HTML(f"<strong>{html.escape(self.question)}</strong>")

        def choose(change: Mapping[str, Any]) -> None:
            if change["new"] is None:  # taken back
                said.value = ""
                return
            said.value = f"<span role='status'>{html.escape(self.answer(change['new']))}</span>"

        buttons.observe(choose, "value")
        return ipywidgets.VBox([asked, buttons, said])

    def __repr__(self) -> str:
        lines = [self.question]
        for option in self.options:
            lines.append(f"( ) {option}")
            lines += textwrap.wrap(self.folded(option), WIDTH, initial_indent="      ", subsequent_indent="      ")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [row(html.escape(option), html.escape(self.folded(option))) for option in self.options]
        return f"<p><strong>{html.escape(self.question)}</strong></p><ul>{''.join(rows)}</ul>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        return bundle if is_static() else {**self.widget()._repr_mimebundle_(**kwargs), **bundle}


class Quiz(Question):
    """A question that knows which option is right, and of each why it is or is not."""

    def __init__(self, question: str, whys: Mapping[str, str], right: str) -> None:
        super().__init__(question, list(whys))
        if right not in whys:
            raise ValueError(f"{right!r} is none of the options: {', '.join(whys)}")
        self.whys, self.right = dict(whys), right

    def reply(self, option: str) -> str:
        """Right or not, and why."""
        return f"{RIGHT if option == self.right else WRONG} {self.whys[option]}"

    def folded(self, option: str) -> str:
        """The same words, to be unfolded."""
        return self.reply(option)


def row(option: str, words: str) -> str:
    """One option as HTML, with its words folded under it."""
    return f"<li><details><summary>{option}</summary>{words}</details></li>" if words else f"<li>{option}</li>"


@lru_cache(maxsize=1)
def questions() -> dict[str, dict[str, Any]]:
    """All questions of the notebooks by name."""
    text = (files("ctxlab") / "data" / "questions.toml").read_text(encoding="utf-8")
    return {row["name"]: row for row in tomllib.loads(text)["question"]}


def asked(name: str, part: str) -> dict[str, Any]:
    """A question that has that part; raises ValueError with the nearest name."""
    fitting = {each: row for each, row in questions().items() if part in row}
    if not isinstance(name, str) or name not in fitting:
        raise ValueError(f"unknown question {name!r}; {suggest(str(name), fitting)}")
    return fitting[name]


def predict(name: str) -> Question:
    """Ask for a prediction: it is noted, and the demo shows what is so. An unknown name raises ValueError.

    >>> predict("06.twice")
    The same layer looks again, right after it has folded. What does it save the second time?
    ( ) about as much again
    ( ) a little, from the digests
    ( ) nothing
    """
    found = asked(name, "options")
    return Question(found["asks"], found["options"])


def quiz(name: str) -> Quiz:
    """Ask one question, and say of each option why it is right or wrong. An unknown name raises ValueError.

    >>> quiz("07.last_limit").answer("When the files are large")
    'Not quite. Each is cut or left out at 5,000 already.'
    """
    found = asked(name, "whys")
    return Quiz(found["asks"], found["whys"], found["right"])
