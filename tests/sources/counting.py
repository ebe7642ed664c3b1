"""A second, independent count of a session file: plain passes over plain records, nothing of ctxlab's readers.

It follows the words of the documentation: a message is a user text, one reply, or all results of one reply, or an
attachment the model saw; a request is one for each reply with something in front of it, and an open one at the end.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

# what the model does not see of attachments
UNSEEN = {"command_permissions", "hook_non_blocking_error", "hook_system_message", "hook_cancelled", "auto_mode"}
RESTORED = {
    "file",
    "compact_file_reference",
    "skill_listing",
    "deferred_tools_delta",
    "agent_listing_delta",
    "mcp_instructions_delta",
    "invoked_skills",
    "plan_file_reference",
    "todo_reminder",
    "task_reminder",
}
FIELDS = ["content", "text", "snippet", "prompt", "banner", "blockingError", "addedLines", "addedBlocks", "newDate"]


class Counts(NamedTuple):
    records: int
    messages: int
    requests: int
    skipped: int
    compactions: int


def count(path: Path) -> Counts:
    """Count one file."""
    records, skipped = read(path)
    chained = [r for r in records if r.get("type") in ("user", "assistant")]
    main = (
        [r for r in records if r.get("isSidechain") is not True]
        if not all(r.get("isSidechain") is True for r in chained)
        else records
    )
    main = unique(main)
    main = on_the_live_branch(main)
    order, compactions = messages(main)
    requests = 0
    for number, kind in enumerate(order):
        if kind == "reply" and number > 0:
            requests += 1
    if order and order[-1] != "reply":
        requests += 1
    return Counts(len(records), len(order), requests, skipped, compactions)


def read(path: Path) -> tuple[list[dict], int]:
    """Every object of the file, and how many lines are damaged."""
    data = path.read_bytes()
    if path.suffix == ".json":
        return [r for r in json.loads(data)["loglines"] if isinstance(r, dict)], 0
    out, bad = [], 0
    for line in data.split(b"\n"):
        text = line.decode("utf-8", "replace").strip("\r\0 \t\ufeff")
        while text:
            try:
                value, end = json.JSONDecoder(strict=False).raw_decode(text)
            except ValueError:
                bad += 1
                break
            out.append(value)
            text = text[end:].lstrip()
    return [r for r in out if isinstance(r, dict)], bad + sum(not isinstance(r, dict) for r in out)


def unique(records: list[dict]) -> list[dict]:
    """Without exact copies of a uuid."""
    seen: dict[str, list[str]] = {}
    out = []
    for record in records:
        essence = json.dumps(
            {
                k: v
                for k, v in record.items()
                if k not in ("sessionId", "session_id", "forkedFrom", "version", "cwd", "gitBranch")
            },
            sort_keys=True,
        )
        uuid = record.get("uuid")
        if not isinstance(uuid, str):
            out.append(record)
        elif essence not in seen.setdefault(uuid, []):
            seen[uuid].append(essence)
            out.append(record)
    return out


def typed_by_the_user(record: dict) -> bool:
    if record.get("type") != "user" or record.get("isMeta") or record.get("isCompactSummary"):
        return False
    parts = blocks(record)
    return len(parts) > 0 and "tool_result" not in [p.get("type") for p in parts]


def on_the_live_branch(records: list[dict]) -> list[dict]:
    """Walk up from every record; drop those that pass through the loser of a fork."""
    by_uuid = {r["uuid"]: (n, r) for n, r in enumerate(records) if isinstance(r.get("uuid"), str)}

    def line_up(n: int) -> list[int]:
        path, here = [n], records[n].get("parentUuid")
        while isinstance(here, str) and here in by_uuid and by_uuid[here][0] not in path:
            path.append(by_uuid[here][0])
            here = records[path[-1]].get("parentUuid")
        return path

    ways = [line_up(n) for n in range(len(records))]
    last: dict[int, int] = {}
    for n, way in enumerate(ways):
        for place in way:
            last[place] = max(n, last.get(place, -1))
    groups: dict[str, list[int]] = {}
    for n, record in enumerate(records):
        if isinstance(record.get("parentUuid"), str):
            groups.setdefault(record["parentUuid"], []).append(n)
    losers = set()
    for members in groups.values():
        heads = [n for n in members if typed_by_the_user(records[n])]
        if not heads:
            continue
        replies: dict[Any, int] = {}
        for n in members:
            message = records[n].get("message")
            if records[n].get("type") == "assistant" and isinstance(message, dict):
                replies.setdefault(message.get("id") or n, n)
        heads += replies.values()
        winner = max(heads, key=lambda n: last[n])
        losers |= {n for n in heads if n != winner}
    return [record for n, record in enumerate(records) if not losers & set(ways[n])]


def blocks(record: dict) -> list[dict]:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else message
    if isinstance(content, str):
        content = [content]
    return [
        {"type": "text", "text": b} if isinstance(b, str) else b for b in content or [] if isinstance(b, (str, dict))
    ]


def spoken(value: Any) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, dict):
        return any(spoken(v) for v in value.values())
    return isinstance(value, list) and any(spoken(v) for v in value)


def messages(records: list[dict]) -> tuple[list[str], int]:
    """The kinds of the messages in order, and how many compactions there were."""
    order: list[tuple[str, Any]] = []
    owner: dict[str, Any] = {}
    answered: set[str] = set()
    results: list[str] = []
    compactions, fresh, summarised = 0, False, False
    for n, record in enumerate(records):
        kind = record.get("type")
        if kind == "system" and record.get("subtype") == "compact_boundary":
            compactions, fresh, summarised = compactions + 1, True, False
        elif kind == "assistant":
            message = record.get("message") or {}
            if message.get("model") == "<synthetic>" or record.get("isApiErrorMessage"):
                continue
            fresh = False
            key = message.get("id") or f"line {n}"
            real = [b for b in blocks(record) if b.get("type") != "text" or (b.get("text") or "").strip()]
            if real and ("reply", key) not in order:
                order.append(("reply", key))
            for b in real:
                if b.get("type") == "tool_use":
                    owner.setdefault(b.get("id"), key)
        elif kind == "user":
            if record.get("isCompactSummary"):
                if not fresh or summarised or not compactions:
                    compactions += 1
                fresh, summarised = True, True
                continue
            parts = blocks(record)
            results += [b.get("tool_use_id") for b in parts if b.get("type") == "tool_result"]
            if any(
                b.get("type") not in ("text", "tool_result") or (b.get("text") or "").strip()
                for b in parts
                if b.get("type") != "tool_result"
            ):
                order.append(("user", n))
        elif kind == "attachment":
            attachment = record.get("attachment")
            if not isinstance(attachment, dict) or attachment.get("type") in UNSEEN:
                continue
            if attachment.get("type") == "hook_success":
                seen = attachment.get("hookEvent") in ("SessionStart", "UserPromptSubmit") and spoken(
                    attachment.get("content") or attachment.get("stdout")
                )
            else:
                seen = any(spoken(attachment.get(field)) for field in FIELDS)
            if seen and not (
                fresh and (attachment.get("type") in RESTORED or attachment.get("hookEvent") == "SessionStart")
            ):
                order.append(("attachment", n))
    answered = {owner[call] for call in results if call in owner}
    out = []
    for kind, key in order:
        out.append(kind)
        if kind == "reply" and key in answered:
            out.append("results")
    return out, compactions
