"""Exercises of 07: where autocompact begins, by both published formulas, and which of them fits the recordings."""

from __future__ import annotations

from ..exercise import Function, Mistake, Value


def threshold(window: int, output: int, reserve: int, buffer: int, rule: str) -> int:
    """Window, less what is held back, less the buffer."""
    held_back = min(output, reserve) if rule == "min" else max(output, reserve)
    return window - held_back - buffer


OTHER = {"min": "max", "max": "min"}
CASES = (
    (200_000, 32_000, 20_000, 13_000, "min"),
    (200_000, 32_000, 20_000, 13_000, "max"),
    (200_000, 8_192, 20_000, 13_000, "max"),
    (200_000, 8_192, 20_000, 13_000, "min"),
    (1_000_000, 64_000, 20_000, 13_000, "min"),
    (200_000, 64_000, 20_000, 13_000, "max"),
    (20_000, 3_200, 2_000, 1_300, "min"),
)

THRESHOLD = Function(
    reference=threshold,
    cases=CASES,
    right="167,000 and 155,000 for 32,000 output, 967,000 for a million: name the rule and the output limit with the number.",
    mistakes=(
        Mistake(
            lambda window, output, reserve, buffer, rule: window - max(output, reserve) - buffer,  # noqa: ARG005 - the mistake
            "That is the rule `max` for every build: the article's. It gives 155,000 where newer recordings begin at 167,000. "
            "Look at `rule`.",
        ),
        Mistake(
            lambda window, output, reserve, buffer, rule: window - min(output, reserve) - buffer,  # noqa: ARG005 - the mistake
            "That is the rule `min` for every build. It gives 167,000 where recordings up to 2.1.20 begin at 155,000. Look at "
            "`rule`.",
        ),
        Mistake(
            lambda window, output, reserve, buffer, rule: window - output - reserve - buffer,  # noqa: ARG005 - the mistake
            "Output and reserve are not both held back: `rule` chooses one of them, the smaller or the larger.",
        ),
        Mistake(
            lambda window, output, reserve, buffer, rule: threshold(window, output, reserve, buffer, OTHER[rule]),
            "The two rules are exchanged: `min` holds back the smaller of output and reserve, `max` the larger.",
        ),
        Mistake(
            lambda window, output, reserve, buffer, rule: threshold(window, output, reserve, 0, rule),  # noqa: ARG005
            "That is the effective window. The buffer has to be taken off as well.",
        ),
        Mistake(
            lambda window, output, reserve, buffer, rule: window * 8 // 10,  # noqa: ARG005 - the mistake
            "80 % of the window is none of the published lines. Two subtractions, no percentage.",
        ),
    ),
)

WHICH_RULE = Value(
    reference="max",
    right="200,000 - 64,000 - 13,000 = 123,000: an older build. That is what users of a 64,000 limit complained of.",
    mistakes=(
        Mistake(
            "min", "`min` holds back 20,000 at most and gives 167,000, whatever the output limit: far above 123,900."
        ),
        Mistake("both", "They differ as soon as the output limit is over 20,000: 123,000 and 167,000."),
        Mistake("80%", "80 % of 200,000 are 160,000. A compaction comes a little above its line, never so far below."),
    ),
    says='Answer with "max" or "min".',
)

EXERCISES = {"07.threshold": THRESHOLD, "07.which_rule": WHICH_RULE}
