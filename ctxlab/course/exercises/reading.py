"""Exercises of 00 and 01: read the window bar; estimate tokens without a tokenizer."""

from __future__ import annotations

from ...engine.tokens import ClaudeEstimate
from ...sources.story import MODEL
from ..exercise import Function, Mistake, Value
from ..samples import samples

NEAR = 0.2
counted = ClaudeEstimate(MODEL)


def estimate(text: str) -> float:
    """Letters and blanks, four a token; digits and signs, three for two tokens; any other letter a little over one."""
    words = sum(letter.isascii() and (letter.isalpha() or letter.isspace()) for letter in text)
    other = sum(not letter.isascii() for letter in text)
    signs = len(text) - words - other
    return words / 4 + signs / 1.5 + other * 1.1


LARGEST = Value(
    reference="Read result",
    same=("R", "Read", "read results", "R Read result"),
    right="Half of the View are files that the agent asked to see. Results of tools fill a window, not the conversation.",
    mistakes=(
        Mistake(
            "T",
            same=("tools",),
            says="T are the schemas of the tools, a block at the left end. Compare it with all the R together.",
        ),
        Mistake(
            "U",
            same=("user",),
            says="U is what the user wrote: too thin for a column. A wish is short; what it sets off is not.",
        ),
        Mistake(
            "C",
            same=("call", "calls"),
            says="C are the calls: many, but narrow. What they brought back is beside them.",
        ),
    ),
    says="Answer with the letter of the kind that takes most columns, all its blocks together.",
)

ESTIMATE = Function(
    reference=counted,
    cases=(*((text,) for text in samples().values()), ("",)),
    right="All six within 20 %. Letters, signs and Chinese differ so much that one divisor cannot do it.",
    mistakes=(
        Mistake(
            lambda text: len(text) // 4,
            "Characters / 4 fits English prose and nothing else here: the log comes out at 0.6 of its tokens, Chinese at 0.2. "
            "Signs and Chinese letters need a price of their own.",
        ),
        Mistake(
            lambda text: len(text.encode()) // 4,
            "Bytes / 4 helps with Chinese, three bytes a letter, but still gives two thirds of it, and the log is as far off "
            "as before. Digits and signs cost more than letters do.",
        ),
        Mistake(
            lambda text: len(text.split()),
            "A word is not a token: a log line has few blanks and many signs, and Chinese has no blanks at all.",
        ),
    ),
    near=NEAR,
    labels=(*samples(), "no text"),
)

EXERCISES = {"00.largest": LARGEST, "01.estimate": ESTIMATE}
