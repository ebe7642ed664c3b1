"""Recorded exchanges: a list of {request, response}, as HTTP recorders keep them.

Every request of the Messages API holds the whole conversation, so the last one is taken and the reply to it is put
behind. Earlier replies stand in it as messages, without their usage: that is looked up in the earlier exchanges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..engine.edit import plural
from .build import as_text
from .conversation import Conversation, Json
from .messages_api import conversation as messages_api
from .openai_style import conversation as openai_style
from .openai_style import is_openai_style, reply_of


def is_exchanges(value: Any) -> bool:
    """True for a list of {request, response}."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, Mapping) and "request" in each for each in value)
    )


def conversation(exchanges: Sequence[Json]) -> Conversation:
    """The last request, and the reply to it; raises ValueError where that request has no messages."""
    request = exchanges[-1].get("request")
    if not isinstance(request, Mapping) or not isinstance(request.get("messages"), list):
        raise ValueError("the last exchange must have a request with messages")  # noqa: TRY004 - damage, not misuse
    replies = [reply_of(each.get("response")) for each in exchanges]
    messages = with_usage(request["messages"], [reply for reply in replies[:-1] if reply])
    messages += [replies[-1]] if replies[-1] else []
    read = openai_style if is_openai_style(messages) else messages_api
    model = as_text(request.get("model"))
    out = read(messages, system=request.get("system"), tools=request.get("tools"), model=model)
    out.form, out.records = "exchanges", len(exchanges)
    begins = [essence(messages[0]) for each in exchanges if (messages := messages_in(each))]
    if others := sum(each != begins[-1] for each in begins):
        out.notices.append(f"{plural(others, 'request')} of another conversation left out; the last one is read")
    return out


def messages_in(exchange: Json) -> list[Json]:
    """The messages of a request, or none."""
    request = exchange.get("request")
    found = request.get("messages") if isinstance(request, Mapping) else None
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def with_usage(messages: Sequence[Any], replies: Sequence[Json]) -> list[Any]:
    """The messages, each reply with the usage of the recorded response that said the same."""
    out, left = list(messages), list(replies)
    for number, message in enumerate(out):
        if isinstance(message, Mapping) and message.get("role") == "assistant" and not message.get("usage"):
            found = next((each for each in left if same(each, message)), None)
            if found:  # two replies may say the same: each is used once, in order
                left.remove(found)
            out[number] = {**message, "usage": found["usage"]} if found and found.get("usage") else message
    return out


def same(reply: Json, message: Json) -> bool:
    """True where a message of a request is what a response said, whatever else the client wrote beside it."""
    return essence(reply) == essence(message)


def essence(message: Json) -> list[Any]:
    """Texts, and the calls by their ids."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else [content]
    said = [
        (part.get("id") or part.get("text")) if isinstance(part, Mapping) else part
        for part in blocks
        if not isinstance(part, Mapping) or part.get("type") in ("text", "tool_use")
    ]
    calls = message.get("tool_calls")
    return (
        [*said, *(each.get("id") for each in calls if isinstance(each, Mapping))] if isinstance(calls, list) else said
    )
