"""Request: the Messages API body made from a View.

Boundaries fall out, neighbours of one role merge, and what the API would refuse is repaired and reported: the repairs
belong to the Request, never to the log. A deletion of cached microcompact is added beside the messages, whose bytes
stay as they were; context editing of the public API is asked for by its rule.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from .breakpoints import breakpoints, marked
from .edit import Delete, plural
from .media import limited
from .message import OVERHEAD_KINDS, Block
from .settings import Settings
from .summary import CLEARED, SummaryRequest
from .view import View

NOT_SENT = frozenset({"compact_boundary", "snip_boundary", "unrecorded", *OVERHEAD_KINDS})
REMINDER = "<system-reminder>\nThe project's instructions (CLAUDE.md):\n{}\n</system-reminder>"
INTERRUPTED = "[Interrupted before the tool answered]"
GO_ON = "(continue)"
NO_OUTPUT = "(the tool completed with no output)"
USER_PARTS = ("image", "document", "search_result")  # anything else of the user's goes as text
NOT_A_TOOL = object()
Json = dict[str, Any]


@dataclass(frozen=True)
class Request:
    """The body to send, and what had to be repaired to make the API take it."""

    body: Json
    repairs: tuple[str, ...]
    cache_minutes: int = 60

    @property
    def breakpoints(self) -> list[tuple[str | int, ...]]:
        """Paths of the blocks that end a prefix which is to be cached."""
        return breakpoints(self.body)

    def to_send(self) -> Json:
        """The body with its cache breakpoints, as it goes out."""
        return marked(self.body, self.cache_minutes)


def make_request(view: View, settings: Settings, without: Collection[str] = ()) -> Request:
    """The body for a View; shares nothing that can be changed with the History. `without` leaves blocks out."""
    repairs: list[str] = []
    sides = sides_of(block for block in view if block.id not in without)
    if sides and sides[0][0] == "assistant":
        sides.insert(0, ("user", []))
        repairs.append("a user message was put first")
    messages: list[Json] = []
    for number, (role, blocks) in enumerate(sides):
        asked = sides[number - 1][1] if number else []
        content = reply_content(blocks, repairs) if role == "assistant" else user_content(blocks, asked, repairs)
        messages.append({"role": role, "content": content})
    if messages and messages[-1]["role"] == "assistant":
        if not any(block.kind == "call" for block in sides[-1][1]):
            repairs.append("a user message was put last")
        messages.append({"role": "user", "content": user_content([], sides[-1][1], repairs)})
    if left_out := view.history.media and limited(messages, settings.window.most_pictures):
        repairs.append(f"{plural(left_out, 'picture')} left out: more than {settings.window.most_pictures} are refused")
    body = {**overhead_body(view), "messages": messages, **deletions(view, settings, without)}
    return Request(body, tuple(repairs), settings.window.cache_minutes)


def fork(view: View, settings: Settings, asked: SummaryRequest, without: Collection[str] = ()) -> Request:
    """The request of a helper: the same prefix, byte for byte, and one instruction as the last thing the user says.

    `without` names what stands behind the part that is summarised, and the rounds that a retry has dropped. Pictures
    become marks, and old results placeholders, where the profile says so.
    """
    made = make_request(view, settings, without)
    if settings.autocompact.clears_results_first:
        clear_results(view, made.body["messages"], settings.microcompact.tools)
    if not settings.autocompact.keeps_pictures:
        limited(made.body["messages"], 0)
    instruction = text_part(asked.instruction())
    messages = made.body["messages"] or [{"role": "user", "content": []}]
    said = [part for part in messages[-1]["content"] if part != text_part(GO_ON)]
    messages[-1]["content"] = [*said, instruction]
    thinking = {"thinking": {"type": "disabled"}} if asked.thinking == "off" else {}
    body = {
        **made.body,
        "messages": messages,
        "max_tokens": settings.window.reserve_tokens or asked.limit_tokens,
        **thinking,
    }
    return Request(body, made.repairs, made.cache_minutes)


def clear_results(view: View, messages: list[Json], tools: Collection[str]) -> None:
    """Put the placeholder in the place of the results of some tools, in a list of messages that nobody else has."""
    for message in messages:
        for each in message["content"]:
            call = view.get(f"{each.get('tool_use_id')}/use") if each.get("type") == "tool_result" else None
            if call is not None and call.tool in tools:
                each["content"] = CLEARED


def sides_of(shown: Iterable[Block]) -> list[tuple[str, list[Block]]]:
    """What is sent, with neighbours of one role together; CLAUDE.md stands first, as the user's."""
    sides: list[tuple[str, list[Block]]] = []
    for block in shown:
        if block.kind in NOT_SENT and block.kind != "claude_md":
            continue
        if block.kind not in ("result", "call", "image") and not block.text.strip() and block.raw is None:
            continue
        if not sides or sides[-1][0] != block.role:
            sides.append((block.role, []))
        sides[-1][1].append(block)
    return sides


def reply_content(blocks: list[Block], repairs: list[str]) -> list[Json]:
    """A reply without what the API would refuse: broken thinking, half a server tool, thinking at the end."""
    kept = []
    for block in blocks:
        if complaint := unsound(block, blocks):
            repairs.append(complaint)
        else:
            kept.append(block)
    while kept and kept[-1].kind == "thinking":
        kept.pop()
        repairs.append("thinking at the end of a reply was left out")
    return [part(block) for block in kept] or [text_part("(no content)")]


def unsound(block: Block, reply: list[Block]) -> str:
    """Why a block of a reply cannot be sent, or an empty string."""
    typed = [other.raw for other in reply if other.bound and isinstance(other.raw.get("type"), str)]
    raw = block.raw if block.bound and isinstance(block.raw.get("type"), str) else {}
    if raw.get("type") == "tool_result":
        return "a tool result inside a reply was left out"
    if raw.get("type") == "thinking" and not ("thinking" in raw and raw.get("signature")):
        return "thinking without its signature was left out"
    uses = [other.get("id") for other in typed if str(other.get("type")).endswith("_tool_use")]
    answers = [each["tool_use_id"] for each in typed if "tool_use_id" in each and each["type"] != "tool_result"]
    name = raw.get("id") if str(raw.get("type")).endswith("_tool_use") else raw.get("tool_use_id", NOT_A_TOOL)
    if name is NOT_A_TOOL:
        return ""
    paired = isinstance(name, str) and uses.count(name) == 1 and answers.count(name) == 1
    return "" if paired else f"half of the server tool {name} was left out"


def user_content(blocks: list[Block], asked: list[Block], repairs: list[str]) -> list[Json]:
    """Results first, one for each call of the reply before; then everything else."""
    calls = [block.call for block in asked if block.kind == "call"]
    results = {block.call: block for block in blocks if block.kind == "result"}
    content = []
    for call in calls:
        if call in results:
            content.append(part(results[call]))
        else:
            content.append({"type": "tool_result", "tool_use_id": call, "content": INTERRUPTED, "is_error": True})
            repairs.append(f"{call} was interrupted: an error result was made up")
    repairs += [f"{call} has no call in front of it: its result was left out" for call in results if call not in calls]
    content += [part(block) for block in blocks if block.kind != "result"]
    return content or [text_part(GO_ON)]


def part(block: Block) -> Json:
    """One block in the API's form."""
    if block.kind == "call":
        return {"type": "tool_use", "id": block.call, "name": block.tool, "input": copy.deepcopy(block.raw or {})}
    if block.kind == "result":
        content: Any = block.text if block.text.strip() else NO_OUTPUT
        if block.raw:
            content = [*([text_part(block.text)] if block.text.strip() else []), *copy.deepcopy(list(block.raw))]
        out = {"type": "tool_result", "tool_use_id": block.call, "content": content}
        return {**out, "is_error": True} if block.error else out
    kind = block.raw.get("type") if isinstance(block.raw, dict) else None
    if kind in USER_PARTS or (block.role == "assistant" and isinstance(kind, str)):
        return dict(copy.deepcopy(block.raw))
    return text_part(REMINDER.format(block.text) if block.kind == "claude_md" else block.text)


def text_part(text: str) -> Json:
    """A text block."""
    return {"type": "text", "text": text}


def overhead_body(view: View) -> Json:
    """`system` and `tools`, where the History knows them as they were sent."""
    known = {block.kind: block.raw for block in view.history.overhead if block.raw is not None}
    return {kind: copy.deepcopy(known[kind]) for kind in ("system", "tools") if kind in known}


def deletions(view: View, settings: Settings, without: Collection[str] = ()) -> Json:
    """What is asked of the server beside the messages; a deletion is listed only while its result is still sent."""
    out: Json = {}
    listed: set[str] = set()
    for edit in reversed(view.past.get("microcompact", [])):
        if isinstance(edit, Delete) and edit.via == "cache_edits":
            gone = [
                block_id
                for block_id in edit.blocks
                if block_id in view.deleted and block_id not in listed and block_id not in without
            ]
            listed |= set(gone)
            if gone:
                edits = [{"type": "delete", "cache_reference": view[block_id].call} for block_id in gone]
                out.setdefault("cache_edits", []).insert(0, {"type": "cache_edits", "edits": edits})
    rule = settings.microcompact
    if rule.enabled and "api" in rule.strategy:
        edit_rule: Json = {
            "type": "clear_tool_uses_20250919",
            "trigger": {"type": "input_tokens", "value": rule.api_trigger_tokens},
            "keep": {"type": "tool_uses", "value": rule.keep_recent},
        }
        if rule.api_clear_at_least_tokens:
            edit_rule["clear_at_least"] = {"type": "input_tokens", "value": rule.api_clear_at_least_tokens}
        if rule.api_exclude_tools:
            edit_rule["exclude_tools"] = list(rule.api_exclude_tools)
        if rule.api_clear_inputs:
            edit_rule["clear_tool_inputs"] = True
        out["context_management"] = {"edits": [edit_rule]}
    return out
