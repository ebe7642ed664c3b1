"""What counts as a summary, how it is opened for the model, and the three ways in which asking for one fails.

A reply may think aloud in `<analysis>`; that is dropped. Nothing, blanks, an unclosed part, or the text of an error
instead of a summary is a failure, and never replaces history. Evidence: analysis (the scratchpad, the opening and its
parts); user reports (empty summaries that replaced a session).
"""

from __future__ import annotations

PREAMBLE = "This session continues an earlier conversation that no longer fits the window. Summary of what came before:"
GO_ON = "Go on with the work where it was left, without asking whether to."
TAIL_KEPT = "The newest messages stand below, word for word."
READ_BACK = "Details that are missing here are in the full transcript; read them there before you guess."
ERROR_TEXTS = ("api error", "request timed out", "connection error", "overloaded", "internal server error")
TOO_LONG_TEXTS = ("prompt is too long", "input is too long")  # the words differ by provider
LONGEST_ERROR = 300  # characters; a summary that only begins like an error is longer


class SummaryError(ValueError):
    """What came back cannot be used as a summary; the message says why."""


class TooLongError(SummaryError):
    """The summary request itself does not fit the window of the model that was asked; `over` tokens, where that is known."""

    def __init__(self, words: str, over: int | None = None) -> None:
        super().__init__(words)
        self.over = over


class TransportError(SummaryError):
    """The model could not be reached; not a failure of the summary itself."""


def opened(summary: str, *, automatic: bool, tail_kept: bool) -> str:
    """The summary as the model gets it: our opening, the text, and what it should know beside it.

    >>> opened("Done: all", automatic=False, tail_kept=False).splitlines()[1]
    'Done: all'
    """
    more = [READ_BACK, *([TAIL_KEPT] if tail_kept else []), *([GO_ON] if automatic else [])]
    return f"{PREAMBLE}\n{summary}\n\n{' '.join(more)}"


def usable(reply: str | None) -> str:
    """The summary in a reply; raises SummaryError where there is none, TooLongError where it says that it had no room.

    >>> usable("<analysis>hm</analysis><summary>Done: all</summary>")
    'Done: all'
    """
    text = between_tags(without_analysis(reply or "")).strip()
    if not text:
        raise SummaryError("the summary is empty")
    start = text.lower() if len(text) <= LONGEST_ERROR else ""
    if start.startswith(TOO_LONG_TEXTS):
        raise TooLongError(f"the model says: {text}")
    if start.startswith(ERROR_TEXTS):
        raise SummaryError(f"an error came back instead of a summary: {text}")
    return text


def without_analysis(text: str) -> str:
    """Drop what was thought aloud first; the same words further on are quoted from the session."""
    while text.lstrip().startswith("<analysis>"):
        _, closed, text = text.partition("</analysis>")
        if not closed:
            raise SummaryError("the reply ends inside its analysis")
    return text


def between_tags(text: str) -> str:
    """What stands in `<summary>`, where the text begins with one; it ends at the last closing mark."""
    if not text.lstrip().startswith("<summary>"):
        return text
    inside, closed, _ = text.partition("<summary>")[2].rpartition("</summary>")
    if not closed:
        raise SummaryError("the reply ends inside its summary")
    return inside
