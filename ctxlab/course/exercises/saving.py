"""Exercise of 03: which results of one message go to disk so that the rest is within the message's budget."""

from __future__ import annotations

from ..exercise import Function, Mistake


def to_disk(sizes: dict[str, int], limit: int) -> list[str]:
    """The largest first, until the rest is within the limit."""
    total, out = sum(sizes.values()), []
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if total <= limit:
            break
        out.append(name)
        total -= sizes[name]
    return out


def oldest_first(sizes: dict[str, int], limit: int) -> list[str]:
    """In the order in which they came."""
    total, out = sum(sizes.values()), []
    for name, size in sizes.items():
        if total <= limit:
            break
        out.append(name)
        total -= size
    return out


def all_that_is_long(sizes: dict[str, int], limit: int) -> list[str]:
    """Each result alone against the limit of all together."""
    return sorted((name for name, size in sizes.items() if size > limit), key=lambda name: -sizes[name])


def one_too_many(sizes: dict[str, int], limit: int) -> list[str]:
    """Goes on at exactly the limit."""
    total, out = sum(sizes.values()), []
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if total < limit:
            break
        out.append(name)
        total -= sizes[name]
    return out


FIVE = {"grep 1": 45_200, "grep 2": 44_900, "grep 3": 45_400, "grep 4": 44_800, "grep 5": 44_700}
MIXED = {"grep": 12_000, "log": 90_000, "diff": 3_000, "list": 40_000}

TO_DISK = Function(
    reference=to_disk,
    cases=(
        (FIVE, 200_000),
        (MIXED, 60_000),
        (MIXED, 145_000),
        (MIXED, 55_000),
        (MIXED, 10_000),
        (MIXED, 0),
        ({}, 10),
    ),
    right="Five results of about 45,000 characters: one goes, 179,600 stay. The largest first, so that as few as possible are hidden.",
    mistakes=(
        Mistake(
            oldest_first,
            "In the order in which they came: a short result is hidden although one long one would have been enough. "
            "Take the largest first.",
        ),
        Mistake(
            all_that_is_long,
            "Each result is held against the limit by itself; five of about 45,000 then all stay. This limit is for all results of "
            "one message together.",
        ),
        Mistake(
            one_too_many,
            "At exactly the limit nothing more has to go: until the rest is at most the limit.",
        ),
    ),
    spoiled="The sizes that you were given have changed: nothing may be lost from the archive, so take away from a copy or "
    "from a sum.",
)

EXERCISES = {"03.to_disk": TO_DISK}
