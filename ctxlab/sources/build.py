"""Builder: content in the Messages API's form becomes Messages and counted Blocks with unique ids.

Every reader ends here, the story too, so that one kind of content always becomes one kind of block. What is kept of the
content is a copy: nothing that was handed in can be changed through a History.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..engine.message import NESTED, Block, Message, Role
from ..engine.pictures import picture_tokens
from ..engine.tokens import Counter

TARGETS = ("file_path", "notebook_path", "command", "pattern", "path", "url", "query", "description")
ENCODER = json.JSONEncoder(ensure_ascii=False, default=repr)
MOST_NESTING = 100  # no real session comes near it, and every step behind the reader is safe with it
LINES, MOST_LINES = ("offset", "limit"), 1_000_000_000
PICTURES = ("image", "document")
THINKING = ("thinking", "redacted_thinking")
Json = Mapping[str, Any]


class Call(NamedTuple):
    """A tool call: its id in this History, its tool, and the file or command that it is about."""

    id: str
    tool: str
    target: str


class Builder:
    """Collects the messages of one session, oldest first."""

    def __init__(self, count: Counter) -> None:
        self.count = count
        self.messages: list[Message] = []
        self.calls: dict[str, Call] = {}  # by the id in the source; the newest one of that id
        self.renamed = 0
        self._used: set[str] = set()
        self._again: dict[str, int] = {}

    def user(
        self, content: Any, at: float | None = None, timestamp: str | None = None, kind: str = "user", nested: str = ""
    ) -> bool:
        """Add what came from outside the tools; False where there is nothing in it. `nested`: the path of a CLAUDE.md."""
        name = f"m{len(self.messages)}"
        blocks = [self._outside(part, f"{name}.{n}", name, at, kind) for n, part in enumerate(parts(content))]
        if nested:
            blocks = [replace(block, tool=NESTED, target=nested) if block else None for block in blocks]
        return self._add(name, "user", blocks, at, timestamp)

    def reply(
        self,
        content: Any,
        at: float | None = None,
        timestamp: str | None = None,
        usage: int = 0,
        output: int = 0,
        version: str = "",
        stop: str = "",
    ) -> bool:
        """Add one reply with all its blocks."""
        name = f"m{len(self.messages)}"
        blocks = [self._said(part, f"{name}.{n}", name, at) for n, part in enumerate(parts(content))]
        return self._add(name, "assistant", blocks, at, timestamp, usage, output, version, stop)

    def results(self, content: Iterable[Json], at: Sequence[float | None] = (), timestamp: str | None = None) -> bool:
        """Add the results of the newest reply; each must have its call in it."""
        name = f"m{len(self.messages)}"
        content = list(content)
        times = [*at, *[None] * (len(content) - len(at))]
        blocks = [self._result(part, name, time) for part, time in zip(content, times, strict=True)]
        known = [time for time in times if time is not None]
        return self._add(name, "user", blocks, max(known, default=None), timestamp)

    def _add(
        self,
        name: str,
        role: Role,
        blocks: Sequence[Block | None],
        at: float | None,
        timestamp: str | None,
        usage: int = 0,
        output: int = 0,
        version: str = "",
        stop: str = "",
    ) -> bool:
        found = tuple(block for block in blocks if block is not None)
        if found:
            counted = sum(block.tokens for block in found)
            self.messages.append(Message(name, role, found, at, timestamp, usage, output, counted, stop, version))
        return bool(found)

    def _outside(self, part: Json, name: str, message: str, at: float | None, kind: str) -> Block | None:
        if part.get("type") == "text":
            text = as_text(part.get("text"))
            return Block(name, "user", kind, text, self.count(text), message, at=at) if text.strip() else None
        if part.get("type") in PICTURES:
            return Block(name, "user", "image", "", picture_tokens(part), message, at=at, raw=scrub(part))
        text = as_text(part)
        return Block(name, "user", kind, text, self.count(text), message, at=at, raw=scrub(part))

    def _said(self, part: Json, name: str, message: str, at: float | None) -> Block | None:
        kind = part.get("type")
        if kind == "text":
            text = as_text(part.get("text"))
            return Block(name, "assistant", "reply", text, self.count(text), message, at=at) if text.strip() else None
        if kind in THINKING:
            text = as_text(part.get("thinking"))
            return Block(name, "assistant", "thinking", text, self.count(text), message, at=at, raw=scrub(part))
        if kind == "tool_use":
            return self._call(part, name, message, at)
        text = as_text(
            part
        )  # tools that run on the server, and kinds that are not known here: back whole or not at all
        return Block(name, "assistant", "reply", text, self.count(text), message, at=at, raw=scrub(part))

    def _call(self, part: Json, name: str, message: str, at: float | None) -> Block:
        given = scrub(part["input"]) if isinstance(part.get("input"), dict) else {}
        source = scrub(usable_id(part.get("id"))) or name
        unique = self._unique(source)
        self.renamed += unique != source
        call = self.calls[source] = Call(unique, as_text(part.get("name") or "unknown"), target_of(given))
        text = f"{call.tool} {as_text(given)}"
        return Block(
            f"{unique}/use",
            "assistant",
            "call",
            text,
            self.count(text),
            message,
            unique,
            call.tool,
            call.target,
            at=at,
            raw=given,
        )

    def _unique(self, source: str) -> str:
        """An id that no call has yet: the one it came with, or that with a number."""
        unique = source
        while unique in self._used:
            self._again[source] = self._again.get(source, 1) + 1
            unique = f"{source}~{self._again[source]}"
        self._used.add(unique)
        return unique

    def _result(self, part: Json, message: str, at: float | None) -> Block:
        call = self.calls[scrub(usable_id(part.get("tool_use_id")))]
        inside = list(parts(part.get("content")))
        text = "\n".join(as_text(each.get("text")) for each in inside if each.get("type") == "text")
        others = tuple(scrub(each) for each in inside if each.get("type") != "text")
        weight = sum(
            picture_tokens(each) if each.get("type") in PICTURES else self.count(as_text(each)) for each in others
        )
        return Block(
            f"{call.id}/result",
            "user",
            "result",
            text,
            self.count(text) + weight,
            message,
            call.id,
            call.tool,
            call.target,
            error=bool(part.get("is_error")),
            at=at,
            raw=others or None,
        )


def parts(content: Any) -> Iterable[Json]:
    """The blocks of a content, whatever form it has: a text, a list of texts and blocks, or nothing.

    >>> list(parts(["hi", {"type": "image"}, 7]))
    [{'type': 'text', 'text': 'hi'}, {'type': 'image'}]
    """
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            yield {"type": "text", "text": part}
        elif isinstance(part, dict):
            yield part


def usable_id(value: Any) -> str:
    """The id of a call, or an empty string where it is none."""
    return value if isinstance(value, str) else ""


def nested_too_deeply(value: Any, most: int = MOST_NESTING) -> bool:
    """True where lists and objects stand inside each other more than so many times.

    >>> nested_too_deeply([[1]], 1), nested_too_deeply({"a": [1]}, 2)
    (True, False)
    """
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(most):
        inside = (part for each in level for part in (each.values() if isinstance(each, dict) else each))
        level = [part for part in inside if isinstance(part, (dict, list))]
        if not level:
            return False
    return bool(level)


def as_text(value: Any) -> str:
    """Any value as text: a text as it is, nothing as nothing, the rest as JSON."""
    if not isinstance(value, str):
        value = "" if value is None else ENCODER.encode(value)
    return value if value.isascii() else str(scrub(value))


def target_of(given: Mapping[str, Any]) -> str:
    """The file, with the lines that were asked for, or the command that a call is about.

    >>> target_of({"file_path": "a.py", "offset": 10, "limit": 20}), target_of({"command": "ls"})
    ('a.py:10-29', 'ls')
    """
    target = next((given[name] for name in TARGETS if isinstance(given.get(name), str)), "")
    start, count = (
        given.get(name) if -MOST_LINES < line_number(given.get(name)) < MOST_LINES else None for name in LINES
    )
    if isinstance(start, int) or isinstance(count, int):
        first = start if isinstance(start, int) else 1
        last = first + count - 1 if isinstance(count, int) else ""
        return f"{target}:{first}-{last}"
    return target


def line_number(value: Any) -> int:
    """A number as it is, everything else as one that is no line."""
    return value if isinstance(value, int) else MOST_LINES


def scrub(value: Any) -> Any:
    """A copy that shares nothing, with lone surrogates replaced: they cannot be encoded, counted or sent.

    >>> scrub({"a": ["b\\ud800"]}) == {"a": ["b\\ufffd"]}
    True
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {scrub(key): scrub(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [scrub(each) for each in value]
    return value
