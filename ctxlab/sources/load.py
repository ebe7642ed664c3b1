"""Load: find out what a recording is, and read it. Damage is reported in the History, never fatal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..engine.history import History
from ..engine.pipeline import Progress
from ..engine.tokens import Counter
from .build import MOST_NESTING, nested_too_deeply, scrub
from .claude_code import load_jsonl, load_records
from .messages_api import is_exchanges, load_exchanges, load_messages
from .records import Record


def load(
    source: str | Path | Sequence[Any] | Mapping[str, Any],
    *,
    counter: Counter | None = None,
    progress: Progress | None = None,
    **beside: Any,
) -> History:
    """Read a path, a text, or a list of messages; `system`, `tools` and `model` may be given beside a list.

    Known are Claude Code's session files (JSONL, or one object with `loglines`), lists of Messages API messages, request
    bodies with `messages`, and recorded exchanges. `progress` is told which share of a long file is read.
    Raises FileNotFoundError or ValueError with what was expected.
    """
    if isinstance(source, Path) or (isinstance(source, str) and looks_like_path(source)):
        path = Path(source)
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a folder; name one session file in it")
        return load_bytes(path.read_bytes(), str(source), counter, progress)
    if isinstance(source, str):
        return load_bytes(source.encode("utf-8", "surrogatepass"), "", counter, progress)
    return load_value(source, "", counter, **beside)


def looks_like_path(text: str) -> bool:
    """A text of one line that does not begin like JSON is a path."""
    return bool(text.strip()) and "\n" not in text.strip() and not text.lstrip("\ufeff \t").startswith(("{", "["))


def load_bytes(data: bytes, path: str, counter: Counter | None, progress: Progress | None = None) -> History:
    """One JSON value is looked at as a whole; everything else is one object a line."""
    if not data.strip():
        raise ValueError(f"{path or 'the text'} is empty; expected a session file with one JSON object a line")
    value = whole_json(data)
    if isinstance(value, list) or (
        isinstance(value, dict) and ("loglines" in value or ("messages" in value and "type" not in value))
    ):
        return load_value(value, path, counter)
    return load_jsonl(data, path, counter, progress)


def whole_json(data: bytes) -> Any:
    """The file as one JSON value, or None; files of many lines are not tried to the end."""
    try:
        return json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return None


def load_value(value: Any, path: str, counter: Counter | None, **beside: Any) -> History:
    """Read JSON that is in memory already."""
    if nested_too_deeply(value, MOST_NESTING + 10):
        raise ValueError(f"the session is nested more than {MOST_NESTING} deep; no recording is")
    if isinstance(value, Mapping) and isinstance(value.get("loglines"), list):
        records = [Record(n, scrub(each)) for n, each in enumerate(value["loglines"], 1) if isinstance(each, dict)]
        return load_records(records, [], "claude_code_web", path, counter)
    if isinstance(value, Mapping) and isinstance(value.get("messages"), list):
        beside = {key: value[key] for key in ("system", "tools", "model") if value.get(key)} | beside
        beside["model"] = beside["model"] if isinstance(beside.get("model"), str) else ""
        return load_messages(value["messages"], path=path, counter=counter, **beside)
    if is_exchanges(value):
        return load_exchanges(value, path, counter)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return load_messages(value, path=path, counter=counter, **beside)
    raise ValueError(f"expected a list of messages or a session, got {type(value).__name__}")
