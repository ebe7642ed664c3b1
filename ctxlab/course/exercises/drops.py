"""Exercise of 14: the places where a recorded context shrank, and nothing says why."""

from __future__ import annotations

from collections.abc import Sequence

from ..exercise import Function, Mistake

Sizes = Sequence[int | None]


def unexplained(sizes: Sizes, compactions: set[int], *, share: float = 0.9) -> list[int]:
    """Requests that are more than a tenth smaller than the last known size, with no compaction in between."""
    out, last = [], None
    for request, size in enumerate(sizes):
        if request in compactions:
            last = None
        if size is None:
            continue
        if last is not None and size < share * last:
            out.append(request)
        last = size
    return out


def forgets_what_explains(sizes: Sizes, compactions: set[int]) -> list[int]:  # noqa: ARG001 - that is the mistake
    """Every drop."""
    return unexplained(sizes, set())


def any_decrease(sizes: Sizes, compactions: set[int]) -> list[int]:
    """Takes the jitter of an estimate for a drop."""
    return unexplained(sizes, compactions, share=1.0)


def missing_is_zero(sizes: Sizes, compactions: set[int]) -> list[int]:
    """A request without usage counts as empty."""
    return unexplained([size or 0 for size in sizes], compactions)


def only_at_its_own_request(sizes: Sizes, compactions: set[int]) -> list[int]:
    """A compaction explains only a drop at the very request in front of which it stands."""
    return [request for request in unexplained(sizes, set()) if request not in compactions]


EXERCISES = {
    "14.drops": Function(
        reference=unexplained,
        cases=(
            ([50_000, 52_000, 30_000, 31_000], set()),
            ([160_000, 165_000, 30_000, 20_000], {2}),
            ([50_000, None, 51_000, None, 20_000], set()),
            ([160_000, None, 30_000], {1}),
            ([100_000, 99_000, 98_500, 91_000], set()),
            ([100_000, 90_000, 80_000], set()),
            ([40_000, 20_000, 10_000], {0}),
            ([None, None, 40_000], {1}),
            ([], set()),
        ),
        right="So the recording itself tells where something was cleared without a trace; the bench draws each as ▽.",
        mistakes=(
            Mistake(
                forgets_what_explains,
                "A request in front of which a compaction stands is small for a known reason: leave it out.",
            ),
            Mistake(
                any_decrease,
                "A size that falls by a percent is an estimate that was corrected. More than a tenth is asked for.",
            ),
            Mistake(
                missing_is_zero,
                "None is not nothing: that request has no usage in the file. Hold the next size against the last known one.",
            ),
            Mistake(
                only_at_its_own_request,
                "A compaction also explains the first known size behind it, where the request right after it has no usage.",
            ),
        ),
        spoiled="The sizes that you were given have changed.",
    )
}
