"""A second, independent count of other agents' files: plain passes over plain JSON, nothing of ctxlab's readers.

A message is a user text, one reply, or all results of one reply; results that no reply in front asked for do not count.
"""

import json
from pathlib import Path
from typing import Any

from tests.sources.counting import Counts


def count_other(path: Path) -> Counts:
    """Count one file, by the name of its format."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        records = [json.loads(line) for line in text.splitlines()]
        events = pi_events(records)
    else:
        value = json.loads(text)
        if path.suffix == ".traj":
            records, events = value["history"], role_events(value["history"])
        elif isinstance(value, dict):
            records = [*value["messages"], value["response"]["choices"][0]["message"]]
            events = role_events(records)
        elif "request" in value[0]:
            records, events = value, exchange_events(value)
        else:
            records, events = value, hands_events(value)
    order = grouped(events)
    replies = sum(kind == "reply" and number > 0 for number, kind in enumerate(order))
    compactions = text.count('"type": "compaction"') if "request" in text[:200] else 0
    return Counts(len(records), len(order), replies + (order[-1] != "reply"), 0, compactions)


def grouped(events: list[tuple[str, Any]]) -> list[str]:
    """Results that follow each other are one message, where their calls were made."""
    asked: set[str] = set()
    order: list[str] = []
    for kind, calls in events:
        if kind == "reply":
            asked |= set(calls)
            order.append(kind)
        elif kind != "results" or (set(calls) & asked and order[-1] != "results"):
            order.append(kind)
    return order


def pi_events(records: list[dict]) -> list[tuple[str, Any]]:
    out: list[tuple[str, Any]] = []
    for record in records:
        said = record.get("message") or {}
        content = [b for b in said.get("content") or [] if b["type"] != "text" or b["text"].strip()]
        if said.get("role") == "toolResult":
            out.append(("results", [said["toolCallId"]]))
        elif content and said.get("role") == "assistant":
            out.append(("reply", [b["id"] for b in content if b["type"] == "toolCall"]))
        elif content:
            out.append(("user", []))
    return out


def role_events(messages: list[dict]) -> list[tuple[str, Any]]:
    out: list[tuple[str, Any]] = []
    for message in messages:
        if message["role"] == "assistant":
            out.append(("reply", [call["id"] for call in message.get("tool_calls") or []]))
        elif message["role"] == "tool":
            out.append(("results", message.get("tool_call_ids") or [message["tool_call_id"]]))
        elif message["role"] == "user":
            out.append(("user", []))
    return out


def exchange_events(exchanges: list[dict]) -> list[tuple[str, Any]]:
    last = exchanges[-1]
    out: list[tuple[str, Any]] = []
    said = [last["response"]] if last["response"] else []
    for message in [*last["request"]["messages"], *said]:
        blocks = message["content"] if isinstance(message["content"], list) else []
        answered = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        if message["role"] == "assistant":
            out.append(("reply", [b["id"] for b in blocks if b["type"] == "tool_use"]))
        else:
            out += [("results", answered)] if answered else []
            out += [("user", [])] if len(blocks) != len(answered) or not blocks else []
    return out


def hands_events(events: list[dict]) -> list[tuple[str, Any]]:
    out: list[tuple[str, Any]] = []
    for event in events:
        call = (event.get("tool_call_metadata") or {}).get("tool_call_id")
        if "observation" in event:
            out.append(("results", [call]))
        else:
            out.append(("user", []) if event["source"] == "user" else ("reply", [call]))
    return out
