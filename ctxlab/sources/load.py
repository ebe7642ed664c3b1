"""Load: find out what a recording is, and read it. Damage is reported in the History, never fatal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from ..engine.history import History
from ..engine.pipeline import Progress
from ..engine.tokens import Counter
from . import exchanges, openai_style, openhands, pi, swe_agent
from .build import MOST_NESTING, nested_too_deeply, scrub
from .claude_code import load_records
from .conversation import Conversation
from .messages_api import load_messages
from .records import BOM, Reading, Record, read_records
from .sessions import SessionFile
from .subagents import files_beside

BLANK = b" \t\r\n\0"


def load(
    source: str | Path | SessionFile | Sequence[Any] | Mapping[str, Any],
    *,
    counter: Counter | None = None,
    progress: Progress | None = None,
    **beside: Any,
) -> History:
    """Read a path, one of `cl.sessions()`, a text, or a list of messages.

    `system`, `tools` and `model` may be given beside a list.

    Known are Claude Code's session files (JSONL, or one object with `loglines`), Messages API and OpenAI style lists and
    request bodies, recorded exchanges, and the files of pi, SWE-agent and OpenHands. Claude Code's are read line by line,
    the others whole; `progress` is told which share is done. Raises FileNotFoundError or ValueError with what was expected.
    """
    source = source.path if isinstance(source, SessionFile) else source
    if isinstance(source, Path) or (isinstance(source, str) and looks_like_path(source)):
        path = Path(source)
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a folder; name one session file in it")
        with path.open("rb") as file:
            return load_file(file, str(source), counter, progress)
    if isinstance(source, str):
        return load_file(BytesIO(source.encode("utf-8", "surrogatepass")), "", counter, progress)
    return load_value(source, "", counter, **beside)


def looks_like_path(text: str) -> bool:
    """A text of one line that does not begin like JSON is a path."""
    return bool(text.strip()) and "\n" not in text.strip() and not text.lstrip("\ufeff \t").startswith(("{", "["))


def load_file(file: BinaryIO, path: str, counter: Counter | None, progress: Progress | None = None) -> History:
    """One JSON value is looked at as a whole; everything else is one object a line."""
    value = whole_json(file, path)
    if isinstance(value, list) or (isinstance(value, dict) and is_whole(value)):
        return load_value(value, path, counter)
    file.seek(0)
    reading = read_records(file, half(progress, 0.0))
    known = lines_of_others(reading.records)
    if known:
        known.skipped, known.records = reading.skipped, reading.count
        return known.history(path, counter)
    return load_records(reading, "claude_code", path, counter, half(progress, 0.5), files_beside(path))


def half(progress: Progress | None, start: float) -> Progress | None:
    """Reading is told as the first half of the way, counting as the second."""
    return (lambda share: progress(start + share / 2)) if progress else None


def is_whole(value: Mapping[str, Any]) -> bool:
    """True for an object that holds a session, not one record of it."""
    return "loglines" in value or swe_agent.is_swe_agent(value) or ("messages" in value and "type" not in value)


def whole_json(file: BinaryIO, path: str) -> Any:
    """The file as one JSON value, or None; one whose first two lines are objects of their own is not tried."""
    file.seek(0)
    lines = [file.readline().removeprefix(BOM).strip(BLANK)]
    while not lines[-1] and (raw := file.readline()):
        lines[-1] = raw.removeprefix(BOM).strip(BLANK)
    if not lines[-1]:
        raise ValueError(f"{path or 'the text'} is empty; expected a session file with one JSON object a line")
    second = file.readline(1 << 16).strip(BLANK)
    if lines[0].startswith(b"{") and second.startswith(b'{"') and not lines[0].endswith(b","):
        return None
    file.seek(0)
    try:
        return json.loads(file.read().removeprefix(BOM))
    except (ValueError, RecursionError):
        return None


def lines_of_others(records: list[Record]) -> Conversation | None:
    """JSONL that is not Claude Code's: pi, one conversation a line (the first is read), or one message a line."""
    if pi.is_pi(records):
        return pi.conversation(records)
    if not records or any(isinstance(record.data.get("type"), str) for record in records):
        return None
    first = records[0].data
    inside = first.get("history") or first.get("messages")
    if isinstance(inside, list):
        out = found(inside) or openai_style.conversation(inside)
        if len(records) > 1:
            out.notices.append(f"{len(records):,} conversations in this file; the first one is read")
        return out
    lines = [record.data for record in records]
    return openai_style.conversation(lines) if all("role" in line for line in lines) else found(lines)


def found(value: Any) -> Conversation | None:
    """JSON of another agent, by its shape."""
    if openhands.is_events(value):
        return openhands.conversation(value)
    if exchanges.is_exchanges(value):
        return exchanges.conversation(value)
    if swe_agent.is_swe_agent(value):
        return swe_agent.conversation(value)
    return openai_style.conversation(value) if openai_style.is_openai_style(value) else None


def load_value(value: Any, path: str, counter: Counter | None, **beside: Any) -> History:
    """Read JSON that is in memory already."""
    if nested_too_deeply(value, MOST_NESTING + 10):
        raise ValueError(f"the session is nested more than {MOST_NESTING} deep; no recording is")
    if isinstance(value, Mapping) and isinstance(value.get("loglines"), list):
        records = [Record(n, scrub(each)) for n, each in enumerate(value["loglines"], 1) if isinstance(each, dict)]
        return load_records(Reading.of(records), "claude_code_web", path, counter)
    if isinstance(value, Mapping) and isinstance(value.get("messages"), list):
        return load_body(value, path, counter, beside)
    known = found(value)
    if known:
        known.system, known.tools = beside.get("system") or known.system, beside.get("tools") or known.tools
        known.model = beside.get("model") or known.model
        return known.history(path, counter)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return load_messages(value, path=path, counter=counter, **beside)
    raise ValueError(f"expected a list of messages or a session, got {type(value).__name__}")


def load_body(body: Mapping[str, Any], path: str, counter: Counter | None, beside: Mapping[str, Any]) -> History:
    """A request body, and the response where one is beside its messages."""
    given = {key: body[key] for key in ("system", "tools", "model") if body.get(key)} | dict(beside)
    reply = openai_style.reply_of(body.get("response"))
    messages = [*body["messages"], *([reply] if reply else [])]
    answered = body["response"].get("model") if reply else ""
    given["model"] = next((name for name in (given.get("model"), answered) if isinstance(name, str) and name), "")
    if openai_style.is_openai_style(messages):
        return openai_style.conversation(messages, **given).history(path, counter)
    return load_messages(messages, path=path, counter=counter, **given)
