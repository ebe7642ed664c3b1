"""Exercises of 07: where autocompact begins, by both published formulas, and which of them fits the recordings."""

from __future__ import annotations

from ..exercise import Function, Mistake, Value


def threshold(window: int, output: int, reserve: int, buffer: int, rule: str) -> int:
    """Window, less what is held back, less the buffer."""
    held_back = min(output, reserve) if rule == "min" else max(output, reserve)
    return window - held_back - buffer


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
    ),
    rules={},
)

WHICH_RULE = Value(
    reference="min",
    right="167,000 = 200,000 - 20,000 - 13,000: the smaller of 32,000 and 20,000. `max` would have given 155,000.",
    mistakes=(
        Mistake("max", "With 32,000 output, `max` gives 155,000: that fits the older group, up to 2.1.20."),
        Mistake(
            "limit", "`limit` holds nothing back: compaction would come at 200,000. No event of this group is near it."
        ),
        Mistake("80%", "80 % of 200,000 are 160,000: between the groups, and the smallest event of none of them."),
    ),
    says='Answer with "max", "min" or "limit".',
)

EXERCISES = {"07.threshold": THRESHOLD, "07.which_rule": WHICH_RULE}
