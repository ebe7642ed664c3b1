"""Conversation: what a reader of any format but Claude Code's files hands over, in the Messages API's form.

Each such reader only translates: its roles, blocks, names of usage and compactions become those of this page, and from
here on there is one way to a History. Nothing that was handed in is changed or shared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..engine.edit import plural
from ..engine.history import Compaction, History, Skipped, Source
from ..engine.message import Block
from ..engine.tokens import ClaudeEstimate, Counter, family_of, is_known
from .assemble import apart, assemble
from .build import Builder, as_text, parts, scrub, usable_id
from .thread import usage_of, when
from .tool_names import known_call

Json = Mapping[str, Any]
LEFT_OUT = ("compaction",)  # blocks that stand for a compaction of the recording


@dataclass
class Shortened:
    """A compaction that the recording tells of: in front of which message it stood, and what the model had after it."""

    position: int
    summary: str = ""
    trigger: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    kept: tuple[int, ...] = ()  # messages from before that stayed


@dataclass
class Conversation:
    """Messages in order, and what was beside them.

    A message has `role` (user or assistant) and `content`, and may have `usage`, `timestamp` and `stop`. `user`, `reply`
    and `result` add one; results that follow each other are one message, as the API has it.
    """

    form: str
    records: int = 0
    messages: list[dict[str, Any]] = field(default_factory=list)
    system: Any = None
    tools: Any = None
    model: str = ""
    shortened: list[Shortened] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    renamed: set[tuple[str, str]] = field(default_factory=set)

    def user(self, content: Any, timestamp: Any = None) -> None:
        """Add what came from outside the tools."""
        self.messages.append({"role": "user", "content": content, "timestamp": timestamp})

    def reply(self, content: list[Json], timestamp: Any = None, usage: Json | None = None, stop: Any = None) -> None:
        """Add a reply with all its blocks."""
        self.messages.append(
            {"role": "assistant", "content": content, "timestamp": timestamp, "usage": usage, "stop": stop}
        )

    def call(self, name: Any, call_id: Any, given: Any) -> Json:
        """A tool call as a block; tools that Claude Code has too get its name, so that its layers know them."""
        tool, given = known_call(as_text(name), given if isinstance(given, dict) else {})
        if tool != name:
            self.renamed.add((as_text(name), tool))
        return {"type": "tool_use", "id": call_id, "name": tool, "input": given}

    def result(self, call_id: Any, content: Any, timestamp: Any = None, *, error: bool = False) -> None:
        """Add a result; behind another one it joins that message."""
        part = {"type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": error}
        last = self.messages[-1] if self.messages else None
        if last and last.get("results"):
            last["content"].append(part)
            last["timestamp"] = timestamp or last["timestamp"]
        else:
            self.messages.append({"role": "user", "content": [part], "timestamp": timestamp, "results": True})

    def history(self, path: str = "", counter: Counter | None = None) -> History:
        """Build the History, fitted to recorded usage where there is any."""
        model = self.model
        counter = counter or ClaudeEstimate(model)
        build = Builder(counter)
        lost, index = take(build, self.messages)
        notices = list(self.notices)
        if lost:
            notices.append(f"{plural(lost, 'result')} without a call in front left out")
        if self.renamed:
            names = ", ".join(f"{old} as {new}" for old, new in sorted(self.renamed))
            notices.append(f"tools under the names that Claude Code has for them: {names}")
        if not is_known(model):
            named = f"unknown model {model!r}" if model else "no model is named"
            notices.append(f"{named}; counted as Claude {family_of(model)}")
        source = Source(self.form, path, self.records, tuple(self.skipped))
        known = known_overhead(self.system, self.tools, counter)
        compactions = tuple(compaction(each, number, build, index) for number, each in enumerate(self.shortened))
        return assemble(build, source, counter, model, notices, compactions, known=known)


def take(build: Builder, messages: Sequence[Json]) -> tuple[int, list[int]]:
    """Add the messages in order; how many results had no call in front, and for each message the index it begins at."""
    lost = 0
    index: list[int] = []
    open_calls: list[str] = []
    for message in messages:
        index.append(len(build.messages))
        content = [part for part in parts(message.get("content")) if part.get("type") not in LEFT_OUT]
        at, timestamp = when(message.get("timestamp"))
        if message["role"] == "assistant":
            usage, output = usage_of(message.get("usage"))
            build.reply(content, at, timestamp, usage, output, stop=as_text(message.get("stop")))
            ids = [usable_id(part.get("id")) for part in content if part.get("type") == "tool_use"]
            open_calls = [call for call in dict.fromkeys(ids) if call]
        elif message["role"] == "user":
            rest = [part for part in content if part.get("type") != "tool_result"]
            found = [part for part in content if part.get("type") == "tool_result"] if len(rest) < len(content) else []
            by_call = {usable_id(part.get("tool_use_id")): part for part in found}
            answers = [by_call[call] for call in open_calls if call in by_call]
            lost += len(found) - len(answers)
            if answers:
                build.results(answers, [at] * len(answers), timestamp)
                open_calls = [call for call in open_calls if call not in by_call]
            if rest:
                build.user(rest, at, timestamp)
    index.append(len(build.messages))
    return lost, index


def compaction(told: Shortened, number: int, build: Builder, index: list[int]) -> Compaction:
    """A recorded compaction, with its summary as a message of its own."""
    aside = Builder(build.count)
    if told.summary:
        aside.user(told.summary)
    summary = apart(aside.messages[0], f"{number}") if aside.messages else None
    kept = tuple(f"m{at}" for place in told.kept for at in range(index[place], index[place + 1]))
    position = index[min(told.position, len(index) - 1)]
    return Compaction(position, told.trigger, told.tokens_before, told.tokens_after, summary, (), kept)


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
