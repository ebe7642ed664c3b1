"""Cache breakpoints: where a request tells the provider that the prefix up to here will come again.

At most four: behind the tools, behind the system prompt, and at the ends of the last two user messages, so that this
request finds what the one before it has written. They are not part of the bytes that must match, so the body is kept
without them and compared without them. Evidence: official (four at most, two lifetimes, lookback of 20 blocks).
"""

from __future__ import annotations

import copy
from typing import Any

Json = dict[str, Any]
MOST = 4
SHORT_MINUTES = 5  # the shorter of the two lifetimes that can be asked for


def breakpoints(body: Json) -> list[tuple[str | int, ...]]:
    """Paths in the body of the blocks that get a mark, in the order in which they are sent.

    >>> breakpoints({"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]})
    [('messages', 0, 'content', 0)]
    """
    known = [part for part in ("tools", "system") if isinstance(body.get(part), list) and body[part]]
    out: list[tuple[str | int, ...]] = [(part, len(body[part]) - 1) for part in known]
    users = [n for n, message in enumerate(body["messages"]) if message["role"] == "user"]
    out += [("messages", n, "content", len(body["messages"][n]["content"]) - 1) for n in users[-2:]]
    return out[-MOST:]


def marked(body: Json, cache_minutes: int) -> Json:
    """The body as it goes out, with the marks in it."""
    out = copy.deepcopy(body)
    life = {"type": "ephemeral", "ttl": "5m" if cache_minutes <= SHORT_MINUTES else "1h"}
    for path in breakpoints(out):
        place: Any = out
        for step in path:
            place = place[step]
        place["cache_control"] = dict(life)
    return out
