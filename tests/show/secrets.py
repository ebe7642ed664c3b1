"""Secrets to plant, and a session with one in each of its fields."""

import copy
import json
from collections.abc import Iterator
from typing import Any

NAME = "janewinter"
SECRETS = {  # put together here, so that no scanner takes this file for a leak
    "key": "AKIA" + "IOSFODNN7EXAMPLE",
    "token": "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "web token": "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    "e-mail": "jane.winter@example.org",
}
WRAPPED = {  # known by the words around them
    "password": ("password: ", "Tr0ub4dor&3x"),
    "address": ("postgres://app:", "s3cr3tpass9", "@db.example/main"),
    "home": ("/home/", NAME, "/notes.txt"),
    "mac": ("/Users/", NAME, "/notes.txt"),
    "windows": ("C:\\Users\\", NAME, "\\notes.txt"),
    "project": ("/projects/-home-", NAME, "/x.jsonl"),
}
PLANTED = {**{name: ("", text, "") for name, text in SECRETS.items()}, **{n: (*w, "")[:3] for n, w in WRAPPED.items()}}


def session() -> list[dict[str, Any]]:
    """Records of every kind that a reader looks at."""
    call = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/srv/app.py", "limit": 10}}
    odd = {"type": "tool_use", "id": "t2", "name": "mcp__db__query", "input": {"sql": "select", "deep": {"note": "n"}}}
    shell = {"type": "tool_use", "id": "t3", "name": "Bash", "input": {"command": "make", "description": "build"}}
    results = [
        {"type": "tool_result", "tool_use_id": name, "content": "line of the result\n" * 600}
        for name in ("t1", "t2", "t3")
    ]
    usage = {"input_tokens": 10, "output_tokens": 20, "cache_read_input_tokens": 3_000}
    records: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": "please look at the file"}},
        {
            "type": "assistant",
            "message": {
                "id": "m1",
                "model": "claude-sonnet-4-5",
                "usage": usage,
                "content": [
                    {"type": "thinking", "thinking": "think", "signature": "s"},
                    {"type": "text", "text": "I look"},
                    call,
                    odd,
                    shell,
                ],
            },
        },
        {"type": "user", "message": {"role": "user", "content": results}, "toolUseResult": {"stdout": "own"}},
        {"type": "attachment", "attachment": {"type": "nested_memory", "path": "/srv/CLAUDE.md", "content": "rules"}},
        {"type": "assistant", "message": {"id": "m2", "content": [{"type": "text", "text": "seen"}]}},
        {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto", "preTokens": 9_000}},
        {"type": "user", "isCompactSummary": True, "message": {"role": "user", "content": "the summary"}},
        {"type": "user", "message": {"role": "user", "content": "go on"}},
        {"type": "assistant", "message": {"id": "m3", "content": [{"type": "text", "text": "done"}]}},
    ]
    envelope = {"sessionId": "s", "cwd": "/srv", "gitBranch": "main", "version": "2.1.40"}
    for number, record in enumerate(records):
        at = {"timestamp": f"2026-01-12T09:00:{number:02}Z", "uuid": f"u{number}"}
        record |= {**envelope, **at, "parentUuid": f"u{number - 1}" if number else None}
    return records


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a text stands in a value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        if isinstance(part, str):
            yield (*path, key)
        else:
            yield from places(part, (*path, key))


def planted(path: tuple[Any, ...], text: str) -> str:
    """The session with a text behind the one that stands at a place."""
    records: Any = copy.deepcopy(session())
    part = records
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] += f" {text} "
    return "\n".join(json.dumps(record) for record in records)
