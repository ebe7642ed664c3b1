"""Branches: which records of a session file belong to the conversation that went on.

A prompt that was edited or a rewind leaves two records with one parent. The live branch is the one that holds the last
record of the file; order is always that of the file. The parent chain serves for nothing else: a missing parent, a
loop, or links of kinds that are otherwise skipped must lose no message.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ..engine.edit import plural
from .build import parts
from .records import Record

Data = dict[str, Any]


def live_records(records: list[Record]) -> tuple[list[Record], list[str]]:
    """The records without those on dead branches, and a notice that names each branch left out."""
    children: dict[str, list[int]] = defaultdict(list)
    for place, record in enumerate(records):
        parent = record.data.get("parentUuid")
        if isinstance(parent, str):
            children[parent].append(place)
    newest = last_descendants(records)
    dead: set[int] = set()
    notices = []
    for siblings in children.values():
        heads = forks(records, siblings)
        if len(heads) < 2:
            continue
        live = max(heads, key=lambda place: (newest[place], place))
        for head in heads:
            branch = descendants(records, children, head) if head != live and head not in dead else set()
            if branch and live not in branch:  # in a loop everything hangs on everything
                dead |= branch
                notices.append(
                    f"line {records[head].line}: a branch of {plural(len(branch), 'record')} (a prompt taken back or edited) left out; "
                    f"the conversation went on at line {records[live].line}"
                )
    return [record for place, record in enumerate(records) if place not in dead], notices


def forks(records: list[Record], siblings: list[int]) -> list[int]:
    """Of the records behind one parent, the first of each conversation: a prompt, or a reply where there is a prompt."""
    prompts = [place for place in siblings if is_prompt(records[place].data)]
    replies: dict[object, int] = {}
    for place in siblings:
        message = records[place].data.get("message")
        if records[place].data.get("type") == "assistant" and isinstance(message, dict):
            name = message.get("id")
            replies.setdefault(name if isinstance(name, str) and name else place, place)
    return sorted([*prompts, *replies.values()]) if prompts else []


def is_prompt(data: Data) -> bool:
    """A text of the user's: not the harness's, not a result, not a summary, not a side-chain's."""
    if data.get("type") != "user" or data.get("isMeta") or data.get("isCompactSummary") or data.get("isSidechain"):
        return False
    message = data.get("message")
    content = message.get("content") if isinstance(message, dict) else message
    found = list(parts(content))
    return bool(found) and not any(part.get("type") == "tool_result" for part in found)


def last_descendants(records: list[Record]) -> list[int]:
    """For each record the place of the last one that hangs on it, itself included."""
    place_of = {r.data["uuid"]: n for n, r in enumerate(records) if isinstance(r.data.get("uuid"), str)}
    parents = [r.data.get("parentUuid") for r in records]
    above = [place_of.get(parent) if isinstance(parent, str) else None for parent in parents]
    newest = list(range(len(records)))
    for place in range(len(records) - 1, -1, -1):
        seen = {place}
        up = above[place]
        while up is not None and up not in seen and newest[up] < newest[place]:
            newest[up] = newest[place]
            seen.add(up)
            up = above[up]
    return newest


def descendants(records: list[Record], children: dict[str, list[int]], head: int) -> set[int]:
    """A record and everything that hangs on it."""
    out: set[int] = set()
    todo = [head]
    while todo:
        place = todo.pop()
        if place not in out:
            out.add(place)
            uuid = records[place].data.get("uuid")
            todo += children.get(uuid, []) if isinstance(uuid, str) else []
    return out
