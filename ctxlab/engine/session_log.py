"""The log of a session on disk: its messages in the form that Claude Code writes, and every Step that has Edits.

One JSON object a line, only ever appended to, and on disk before anything goes on. After a kill the next start reads
what is there: a message is not written twice, a Step is not taken twice (its Edits are applied as they stand), and the
line that was torn is passed over by every reader. `ctxlab.load` reads the file as a recording; to it the Steps are
records of a kind that costs nothing.

But: a model call whose answer was not on disk yet is made again, as everywhere.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .codec import decode, encode
from .history import History
from .message import Block, Message
from .request import part
from .services import Cost

START, STEP = "ctxlab-start", "ctxlab-step"
STEP_TYPES = (int, str, str, str, tuple, int, int, Cost)
Json = dict[str, Any]


class SessionLog:
    """The log in one file; what an earlier process has written is known by it.

    Raises ValueError, before anything is written, where the file holds another session or one under other Settings.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.written: dict[str, Json] = {}  # message id -> its record
        self.settings: str | None = None
        self._steps: dict[tuple[int, str], tuple[Any, ...]] = {}
        self._torn = False
        for record in self._records():
            if record.get("type") == STEP:
                self._known_step(record)
            elif record.get("type") == START and isinstance(record.get("settings"), str):
                self.settings = record["settings"]
            elif isinstance(record.get("uuid"), str) and record.get("sessionId") == self.path.stem:
                self._known_message(record)

    def start(self, settings: str, overhead: tuple[Block, ...]) -> None:
        """Begin, with what stands in front of the first message, or go on under the same Settings."""
        if self.settings is None:
            self._append({"type": START, "settings": settings, "overhead": encode(overhead)})
            self.settings = settings
        elif self.settings != settings:
            raise ValueError(
                f"{self.path} was begun under {self.settings}, not {settings}; give each run a log of its own"
            )

    def messages(self, history: History, start: int, stop: int) -> None:
        """Write the messages `start` to `stop` that are not there yet; of one that has grown, what is new."""
        for number in range(start, stop):
            message = history.messages[number]
            said = record_of(message, history.model)
            known = self.written.get(message.id)
            more = said if known is None else grown(said, known)
            if more is None:
                raise ValueError(
                    f"{self.path} holds another session: its message {number} differs; give each a log of its own"
                )
            if more:
                before = history.messages[number - 1].id if number else None
                uuid = message.id if known is None else f"{message.id}+{len(self.written)}"
                self._append({**more, "uuid": uuid, "parentUuid": before, "sessionId": self.path.stem})
                self.written[message.id] = said

    def known(self, request: int, layer: str) -> tuple[Any, ...] | None:
        """The fields of a Step that was written before, or None."""
        return self._steps.get((request, layer))

    def step(self, request: int, layer: str, fields: tuple[Any, ...]) -> None:
        """Write a Step that has Edits."""
        self._append({"type": STEP, "request": request, "layer": layer, "step": encode(fields)})

    def _known_message(self, record: Json) -> None:
        """Take a message in; a later record of it adds the parts that it has grown by."""
        name, plus, _ = record["uuid"].partition("+")
        first = self.written.get(name)
        if plus and first and isinstance(first.get("message"), dict) and isinstance(record.get("message"), dict):
            parts = [*first["message"].get("content", []), *record["message"].get("content", [])]
            self.written[name] = {**first, "message": {**first["message"], "content": parts}}
        elif first is None:
            self.written[name] = record

    def _known_step(self, record: Json) -> None:
        """Take a Step in, unless its record is damaged: then it is taken again."""
        try:
            fields = decode(record["step"])
            whole = len(fields) == len(STEP_TYPES) and all(map(isinstance, fields, STEP_TYPES))
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            return
        if whole and (fields[0], fields[1]) == (record.get("request"), record.get("layer")):
            self._steps.setdefault((fields[0], fields[1]), fields)

    def _append(self, record: Json) -> None:
        data = (json.dumps(record) + "\n").encode("ascii")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if self._torn:
                data, self._torn = b"\n" + data, False
            while data:
                data = data[os.write(handle, data) :]
            os.fsync(handle)
        finally:
            os.close(handle)

    def _records(self) -> Iterator[Json]:
        """Every whole record; a torn line is passed over, and the next write begins a line of its own."""
        data = self.path.read_bytes() if self.path.exists() else b""
        self._torn = bool(data) and not data.endswith(b"\n")
        for line in data.split(b"\n"):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                yield record


def grown(said: Json, known: Json) -> Json | None:
    """What a message has more than its record: nothing ({}), its new parts alone, or None where it is another message."""
    if all(known.get(field) == value for field, value in said.items()):
        return {}
    old, new = known.get("message"), said.get("message")
    if not isinstance(old, dict) or not isinstance(new, dict) or old.get("role") != new["role"]:
        return None
    parts = old.get("content")
    if not isinstance(parts, list) or new["content"][: len(parts)] != parts:
        return None
    return (
        {**said, "message": {**new, "content": new["content"][len(parts) :]}}
        if len(new["content"]) > len(parts)
        else {}
    )


def record_of(message: Message, model: str = "") -> Json:
    """A message as Claude Code writes it: role, content, and for a reply its id and recorded usage."""
    blocks = [block for block in message.blocks if block.kind != "unrecorded"]
    if blocks and all(block.kind == "attachment" for block in blocks):
        return {"type": "attachment", "timestamp": message.timestamp, "attachment": attachment_of(blocks)}
    said: Json = {"role": message.role, "content": [content_of(block) for block in blocks]}
    if message.role == "assistant":
        said["id"] = message.id
        said["model"] = model
        said["stop_reason"] = message.stop or None
        if message.usage:
            said["usage"] = {"input_tokens": message.usage, "output_tokens": message.output}
    version = {"version": message.version} if message.version else {}
    return {"type": message.role, "timestamp": message.timestamp, **version, "message": said}


def attachment_of(blocks: list[Block]) -> Json:
    """The text that the harness put in, under the kind that it had where that matters."""
    first = blocks[0]
    return {"type": first.tool or "text", "path": first.target, "content": "\n".join(block.text for block in blocks)}


def content_of(block: Block) -> Json:
    """A block in the API's form; an empty result stays empty here, the Request alone fills it."""
    out = part(block)
    return {**out, "content": ""} if block.kind == "result" and not block.text and not block.raw else out
