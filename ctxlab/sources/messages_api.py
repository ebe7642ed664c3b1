"""Messages API: a list of messages, with `system` and `tools` beside it, becomes a History.

Also read: a recorded exchange, a list of {request, response}. Its last request holds the whole conversation, so that one
is taken, and the reply to it is put behind. Nothing that was handed in is changed or shared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..engine.edit import plural
from ..engine.history import History, Source
from ..engine.message import Block
from ..engine.tokens import ClaudeEstimate, Counter, family_of, is_known
from .assemble import assemble
from .build import Builder, as_text, parts, scrub, usable_id
from .thread import usage_of

Json = Mapping[str, Any]


def load_messages(
    messages: Sequence[Json],
    *,
    system: Any = None,
    tools: Any = None,
    model: str = "",
    path: str = "",
    counter: Counter | None = None,
) -> History:
    """Read a list of messages; raises ValueError that names the first one that is none."""
    for number, message in enumerate(messages):
        if not isinstance(message, Mapping) or message.get("role") not in ("user", "assistant", "system"):
            raise ValueError(f"message {number} must have a role of user or assistant, got {as_text(message)[:80]}")
    counter = counter or ClaudeEstimate(model)
    build = Builder(counter)
    skipped = take(build, messages)
    inside = [part for message in messages if message["role"] == "system" for part in parts(message.get("content"))]
    notices = [f"{plural(skipped, 'result')} without a call in front left out"] if skipped else []
    if not is_known(model):
        named = f"unknown model {model!r}" if model else "no model is named"
        notices.append(f"{named}; counted as Claude {family_of(model)}")
    source = Source("messages_api", path, len(messages))
    known = known_overhead(system or inside or None, tools, counter)
    return assemble(build, source, counter, model, notices, known=known)


def take(build: Builder, messages: Sequence[Json]) -> int:
    """Add the messages in order; how many results had no call in the reply before."""
    orphans = 0
    open_calls: list[str] = []
    for message in messages:
        content = list(parts(message.get("content")))
        if message["role"] == "assistant":
            usage, output = usage_of(message.get("usage"))
            build.reply(content, usage=usage, output=output)
            ids = [usable_id(part.get("id")) for part in content if part.get("type") == "tool_use"]
            open_calls = [call for call in dict.fromkeys(ids) if call]
        elif message["role"] == "user":
            rest = [part for part in content if part.get("type") != "tool_result"]
            found = [part for part in content if part.get("type") == "tool_result"] if len(rest) < len(content) else []
            by_call = {usable_id(part.get("tool_use_id")): part for part in found}
            answers = [by_call[call] for call in open_calls if call in by_call]
            orphans += len(found) - len(answers)
            if answers:
                build.results(answers)
                open_calls = [call for call in open_calls if call not in by_call]
            if rest:
                build.user(rest)
    return orphans


def known_overhead(system: Any, tools: Any, counter: Counter) -> tuple[Block, ...]:
    """`system` and `tools` as blocks; where neither is given, what stands in front comes from the Settings."""
    out = []
    if system is not None:
        text = system if isinstance(system, str) else "\n".join(as_text(part.get("text")) for part in parts(system))
        out.append(Block("system", "system", "system", text, counter(text), "overhead", raw=scrub(system)))
    if tools:
        schema = json.dumps(scrub(tools), ensure_ascii=False)
        out.append(Block("tools", "system", "tools", schema, counter(schema), "overhead", raw=scrub(tools)))
    return tuple(out)


def load_exchanges(exchanges: Sequence[Json], path: str = "", counter: Counter | None = None) -> History:
    """Read a recorded exchange: the last request, and the reply to it."""
    request = exchanges[-1].get("request")
    response = exchanges[-1].get("response")
    if not isinstance(request, Mapping) or not isinstance(request.get("messages"), list):
        raise ValueError("the last exchange must have a request with messages")  # noqa: TRY004 - damage, not misuse
    messages = list(request["messages"])
    if isinstance(response, Mapping) and response.get("role") == "assistant":
        messages.append({"role": "assistant", "content": response.get("content"), "usage": response.get("usage")})
    return load_messages(
        messages,
        system=request.get("system"),
        tools=request.get("tools"),
        model=str(request.get("model") or ""),
        path=path,
        counter=counter,
    )


def is_exchanges(value: Any) -> bool:
    """True for a list of {request, response}."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, Mapping) and "request" in each for each in value)
    )
