"""The rules that a list of messages must keep for the Messages API to take it, written apart from what makes one.

Evidence: official (Messages API, tool use, extended thinking) and the refusals that users reported. Neighbours of one
role are legal: the API merges them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]


def check_request(messages: Sequence[Json]) -> list[str]:
    """Every broken rule, as a sentence with the number of the message; an empty list where the API would take it.

    >>> check_request([{"role": "user", "content": [{"type": "text", "text": " "}]}])
    ['message 0: a text block is empty or blank']
    """
    out: list[str] = []
    if not messages or messages[0].get("role") != "user":
        out.append("message 0: the first message must be the user's")
    if messages and messages[-1].get("role") != "user":
        out.append(f"message {len(messages) - 1}: the last message must be the user's")
    seen: set[str] = set()
    for number, message in enumerate(messages):
        content = content_of(message)
        before = content_of(messages[number - 1]) if number else []
        after = content_of(messages[number + 1]) if number + 1 < len(messages) else []
        found = [
            *pairs(str(message.get("role")), content, before, after, seen),
            *shapes(str(message.get("role")), content),
        ]
        out += [f"message {number}: {complaint}" for complaint in found]
    return out


def content_of(message: Json) -> list[Json]:
    """The blocks of a message, whatever form its content has; what is no block is an empty one."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block if isinstance(block, dict) else {} for block in content] if isinstance(content, list) else []


def ids(content: list[Json], kind: str, key: str) -> list[str]:
    """The ids of all blocks of one type in a message, as text."""
    return [str(block.get(key)) for block in content if block.get("type") == kind]


def pairs(role: str, content: list[Json], before: list[Json], after: list[Json], seen: set[str]) -> list[str]:
    """Calls and results: on the right side, in neighbouring messages, each exactly once, results first."""
    out = []
    calls, results = ids(content, "tool_use", "id"), ids(content, "tool_result", "tool_use_id")
    if (calls and role != "assistant") or (results and role != "user"):
        out.append("a call or a result stands on the wrong side")
    if len(set(calls)) != len(calls) or seen & set(calls):
        out.append("a call has an id that was used before")
    seen |= set(calls)
    if calls and sorted(ids(after, "tool_result", "tool_use_id")) != sorted(calls):
        out.append("its calls and the results in the next message do not match")
    if results and sorted(ids(before, "tool_use", "id")) != sorted(results):
        out.append("its results and the calls in the message before do not match")
    if any(block.get("type") == "tool_result" for block in content[len(results) :]):
        out.append("something stands in front of a result")
    return out


def shapes(role: str, content: list[Json]) -> list[str]:
    """No empty message or text, thinking whole and not at the end, server tools beside their results."""
    out = []
    if not content:
        out.append("the message is empty")
    if any(not isinstance(block.get("type"), str) for block in content):
        out.append("a block has no type")
    if any(block.get("type") == "text" and not str(block.get("text") or "").strip() for block in content):
        out.append("a text block is empty or blank")
    if role == "assistant" and content and content[-1].get("type") in ("thinking", "redacted_thinking"):
        out.append("the reply ends with thinking")
    if any(b.get("type") == "thinking" and not ("thinking" in b and "signature" in b) for b in content):
        out.append("a thinking block is not whole")
    server = sorted(str(b.get("id")) for b in content if str(b.get("type")).endswith("_tool_use"))
    answered = sorted(str(b["tool_use_id"]) for b in content if "tool_use_id" in b and b.get("type") != "tool_result")
    if server != answered:
        out.append("a server tool and its result are not together")
    return out
