"""Exercise of 04: from the record of everything to what the model gets."""

from __future__ import annotations

from typing import Any

from ..exercise import Function, Mistake

Record = list[dict[str, Any]]


def message(name: str, kind: str, call: str = "") -> dict[str, Any]:
    """One entry of the record of the exercise."""
    return {"id": name, "kind": kind, "call": call}


def model_view(record: Record, removed: set[str]) -> Record:
    """From behind the last boundary on, without what is removed, and without the other half of a removed pair."""
    boundaries = [at for at, each in enumerate(record) if each["kind"] == "boundary"]
    live = record[boundaries[-1] + 1 :] if boundaries else record
    gone = {each["call"] for each in live if each["id"] in removed and each["call"]}
    return [each for each in live if each["id"] not in removed and each["call"] not in gone]


def from_the_first_boundary(record: Record, removed: set[str]) -> Record:
    """Only the first boundary counts."""
    first = next((at for at, each in enumerate(record) if each["kind"] == "boundary"), -1)
    return model_view([each for each in record[first + 1 :] if each["kind"] != "boundary"], removed)


def half_pairs(record: Record, removed: set[str]) -> Record:
    """Takes away exactly what is marked."""
    return [each for each in model_view(record, set()) if each["id"] not in removed]


def deletes(record: Record, removed: set[str]) -> Record:
    """Right, but in the record itself."""
    record[:] = model_view(record, removed)
    return record


def is_record(value: Any) -> bool:
    """True for a list of entries, which are told by their ids."""
    return isinstance(value, list) and all(isinstance(each, dict) and "id" in each for each in value)


def keeps_the_boundary(record: Record, removed: set[str]) -> Record:
    """Starts at the boundary instead of behind it."""
    boundaries = [each for each in record if each["kind"] == "boundary"]
    return [*boundaries[-1:], *model_view(record, removed)]


ONE = [
    message("u1", "user"),
    message("a1", "call", "t1"),
    message("r1", "result", "t1"),
    message("b1", "boundary"),
    message("s1", "summary"),
    message("a2", "call", "t2"),
    message("r2", "result", "t2"),
    message("a3", "reply"),
]
TWO = [*ONE, message("b2", "boundary"), message("s2", "summary"), message("u2", "user")]

PARALLEL = [
    message("u1", "user"),
    message("a1", "call", "t1"),
    message("a2", "call", "t2"),
    message("r1", "result", "t1"),
    message("r2", "result", "t2"),
]
THRICE = [message("u1", "user"), message("b1", "boundary"), message("s1", "summary"), message("u2", "user")]
ODD: tuple[tuple[Record, set[str]], ...] = (
    (PARALLEL, {"r1"}),
    (PARALLEL, {"u1"}),
    ([message("u1", "user"), message("a1", "reply"), message("b1", "boundary")], set()),
    ([*THRICE, message("b2", "boundary"), message("u3", "user")], set()),
)

MODEL_VIEW = Function(
    reference=model_view,
    cases=(
        (ONE, set()),
        (TWO, set()),
        (ONE, {"a2"}),
        (ONE, {"r2"}),
        (ONE, {"a3"}),
        (ONE, {"b1"}),
        *ODD,
        (ONE[:3], {"r1"}),
        ([], set()),
    ),
    right="Two views of one record: the record is as it was, the model gets the part behind the last boundary, in whole pairs.",
    mistakes=(
        Mistake(
            from_the_first_boundary,
            "With two boundaries you start behind the first one, so the model gets a summary and what it summarises. The last "
            "boundary counts; it moves to the right as the session goes on.",
        ),
        Mistake(
            half_pairs,
            "A call stays without its result, or a result without its call: the API refuses such a request. If one half is "
            "removed, the other goes too; `call` names the pair.",
        ),
        Mistake(
            deletes,
            "What the model gets is right, but the record has shrunk: the user can no longer scroll back. Make a new list.",
        ),
        Mistake(
            keeps_the_boundary,
            "You start at the boundary instead of behind it: it is a marker for code and is never sent.",
        ),
    ),
    tells=lambda value: repr([each["id"] for each in value]) if is_record(value) else repr(value),
    spoiled="The record that you were given has changed.",
)

EXERCISES = {"04.model_view": MODEL_VIEW}
