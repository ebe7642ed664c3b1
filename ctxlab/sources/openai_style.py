"""OpenAI style: `tool_calls` on the assistant's message with their arguments as a JSON text, results in the role `tool`.

Read: a list of such messages, a body with `messages` and `tools`, and beside it a `response` with `choices` (agents that
log one call a file). `prompt_tokens` is the context of a reply; what was cached is part of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .build import as_text, parts
from .conversation import Conversation, Json
from .masks import masked

ROLES = ("user", "assistant", "system", "developer", "tool", "function")
FORM = "openai_style"
DATA_URL = "data:"


def is_openai_style(messages: Any) -> bool:
    """True where a message has what only this form has."""
    return isinstance(messages, list) and any(
        isinstance(message, Mapping)
        and (
            message.get("role") in ("tool", "function", "developer")
            or bool(message.get("tool_calls") or message.get("function_call"))
            or any(part.get("type") == "image_url" for part in parts(message.get("content")))
        )
        for message in messages
    )


def conversation(
    messages: Sequence[Any], *, system: Any = None, tools: Any = None, model: str = "", form: str = FORM
) -> Conversation:
    """Translate the messages; raises ValueError that names the first one that is none."""
    out = Conversation(form, len(messages), system=system, tools=tools_of(tools), model=model.rpartition("/")[2])
    above: list[Json] = []
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping) or message.get("role") not in ROLES:
            raise ValueError(
                f"message {number} must have a role of {', '.join(ROLES)}, got {masked(as_text(message)[:500])[:80]}"
            )
        if message["role"] in ("system", "developer"):
            above += content_of(message.get("content"))
        else:
            add(out, message)
    out.system = out.system or above or None
    return out


def add(out: Conversation, message: Json) -> None:
    """One message of the user, the model or a tool."""
    at, content = message.get("timestamp"), content_of(message.get("content"))
    if message["role"] == "assistant":
        out.reply([*content, *calls_of(out, message)], at, usage_in(message.get("usage")), message.get("finish_reason"))
    elif message["role"] == "user":
        out.user(content, at)
    else:
        out.result(call_id(message), content, at)


def call_id(message: Json) -> Any:
    """Which call a result answers; SWE-agent lists it, the oldest form has only the function's name."""
    listed = message.get("tool_call_ids")
    return message.get("tool_call_id") or (listed[0] if isinstance(listed, list) and listed else message.get("name"))


def calls_of(out: Conversation, message: Json) -> list[Json]:
    """The calls of a reply, their arguments as an object."""
    calls = message.get("tool_calls")
    found = [each for each in calls if isinstance(each, Mapping)] if isinstance(calls, list) else []
    blocks = []
    for each in found:
        inside = each.get("function")
        function: Json = inside if isinstance(inside, Mapping) else each
        blocks.append(out.call(function.get("name"), each.get("id"), arguments_of(function.get("arguments"))))
    oldest = message.get("function_call")
    if isinstance(oldest, Mapping):
        blocks.append(out.call(oldest.get("name"), oldest.get("name"), arguments_of(oldest.get("arguments"))))
    return blocks


def arguments_of(text: Any) -> Any:
    """The arguments of a call; what is no JSON object is kept as one text.

    >>> arguments_of('{"path": "a.py"}'), arguments_of("a.py")
    ({'path': 'a.py'}, {'arguments': 'a.py'})
    """
    if isinstance(text, str):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = text
        return value if isinstance(value, dict) else {"arguments": text}
    return text


def content_of(content: Any) -> list[Json]:
    """Texts as they are, pictures as the Messages API has them."""
    return [picture(part) if part.get("type") == "image_url" else part for part in parts(content) if part]


def picture(part: Json) -> Json:
    """A picture by its address, or with its bytes in it."""
    given = part.get("image_url")
    url = as_text(given.get("url") if isinstance(given, Mapping) else given)
    head, _, data = url.partition(",")
    if url.startswith(DATA_URL) and head.endswith(";base64"):
        kind = head.removeprefix(DATA_URL).removesuffix(";base64")
        return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}
    return {"type": "image", "source": {"type": "url", "url": url}}


def tools_of(tools: Any) -> Any:
    """The schemas of the tools under the Messages API's names."""
    if not isinstance(tools, list):
        return None
    out = []
    for each in tools:
        function = each.get("function") if isinstance(each, Mapping) else None
        if isinstance(function, Mapping):
            named = {key: function[key] for key in ("name", "description") if key in function}
            out.append({**named, "input_schema": function.get("parameters") or {}})
        else:
            out.append(each)
    return out


def usage_in(usage: Any) -> Json | None:
    """Usage under the Messages API's names; the prompt's tokens include what was cached."""
    if not isinstance(usage, Mapping) or "prompt_tokens" not in usage:
        return usage if isinstance(usage, Mapping) else None
    return {"input_tokens": usage["prompt_tokens"], "output_tokens": usage.get("completion_tokens")}


def reply_of(response: Any) -> dict[str, Any] | None:
    """The message in a response, of either form; None where it holds none."""
    if not isinstance(response, Mapping):
        return None
    if response.get("role") == "assistant":
        return {"role": "assistant", "content": response.get("content"), "usage": response.get("usage")}
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return {**message, "role": "assistant", "usage": response.get("usage")} if isinstance(message, Mapping) else None
