"""Scenarios: small sessions made for one purpose. The worked example of each layer: ten messages in, Edits out."""

from __future__ import annotations

from typing import Any

from ..engine.history import History, Source
from ..engine.pipeline import Step
from ..engine.replay import Replay, replay
from ..engine.settings import Settings
from ..engine.tokens import Quarter
from .build import Builder

MINUTE = 60.0
FILE = "\n".join(f"{n:4} value_{n} = compute({n}, cents={n * 25})" for n in range(1, 41))
LOG = "\n".join(f"DEBUG row {n:04} of the journal was written" for n in range(150))

# what each worked example switches on, and the one change to the ten messages that sets it off
EXAMPLES: dict[str, dict[str, Any]] = {
    "budget": {"budget.enabled": True},
    "snip": {"snip.enabled": True},
    "microcompact": {"microcompact.enabled": True},
    "collapse": {"collapse.enabled": True, "collapse.rounds_left_open": 2},
    "autocompact": {"autocompact.enabled": True, "window.context_window": 1_600},
}
SMALL = {
    "window.context_window": 2_000,
    "window.max_output_tokens": 200,
    "window.reserve_tokens": 200,
    "window.buffer_tokens": 130,
    "window.warning_tokens": 200,
    "window.blocking_tokens": 30,
    "restore.file_tokens": 250,
    **{f"overhead.{part}": 0 for part in ("system", "tools", "mcp", "memory", "skills")},
}


def ten_messages(layer: str) -> tuple[History, Settings]:
    """The worked example of a layer: a question, four calls with results, a reply; and Settings with that layer alone."""
    off = {f"{name}.enabled": False for name in EXAMPLES}
    settings = Settings.profile("classroom").replace({**off, **SMALL, **EXAMPLES[layer]})
    build = Builder(Quarter())
    build.user("Why does settle() fail? Do not touch the public API.", 0.0)
    reads = ["a.py", "settle", "b.py", "a.py" if layer == "snip" else "pytest"]
    tools = ["Read", "Grep", "Read", "Read" if layer == "snip" else "Bash"]
    for number, (tool, target) in enumerate(zip(tools, reads, strict=True), 1):
        field = {"Read": "file_path", "Grep": "pattern", "Bash": "command"}[tool]
        call = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": {field: target}}
        build.reply([call], number * MINUTE)
        text = LOG if layer == "budget" and number == 4 else FILE if tool != "Grep" else FILE[:400]
        build.results([{"tool_use_id": f"t{number}", "content": text}], [number * MINUTE + 5])
    late = 70 * MINUTE if layer == "microcompact" else 0.0
    build.user("And now?", 4 * MINUTE + late + 10) if layer == "microcompact" else build.reply(
        "It rounds twice.", 5 * MINUTE
    )
    return History(tuple(build.messages), source=Source("scenario", layer, len(build.messages))), settings


def example(layer: str) -> Replay:
    """The worked example of a layer, replayed."""
    return replay(*ten_messages(layer))


def acted(layer: str) -> Step:
    """The step in which the layer acts in its worked example."""
    return next(step for step in example(layer).steps if step.layer == layer and step.state == "acted")


def five_searches() -> History:
    """One reply that searches five times at once; each result is within its own limit, together they are not."""
    build = Builder(Quarter())
    build.user("Where is store_ called?", 0.0)
    names = [f"t{number}" for number in range(5)]
    build.reply(
        [{"type": "tool_use", "id": n, "name": "Grep", "input": {"pattern": f"store_{n}"}} for n in names], MINUTE
    )
    texts = [
        {"tool_use_id": name, "content": "payments/pool.py:7: store\n" * (170 - at)} for at, name in enumerate(names)
    ]
    build.results(texts, [MINUTE + 5] * 5)
    return History(tuple(build.messages), source=Source("scenario", "five searches", len(build.messages)))


def recalled_note() -> History:
    """A note recalled from a memory server, then five files read: only the files can be had again."""
    build = Builder(Quarter())
    build.user("Go on where we stopped yesterday.", 0.0)
    tools = [("mcp__notes__recall", "yesterday"), *(("Read", f"part_{number}.py") for number in range(5))]
    note = "Agreed yesterday, and written down nowhere else: a refund keeps its key for 24 hours. " * 6
    for at, (tool, target) in enumerate(tools):
        field = "file_path" if tool == "Read" else "key"
        build.reply([{"type": "tool_use", "id": f"t{at}", "name": tool, "input": {field: target}}], at * MINUTE)
        build.results([{"tool_use_id": f"t{at}", "content": FILE if at else note}], [at * MINUTE + 5])
    return History(tuple(build.messages), source=Source("scenario", "a recalled note", len(build.messages)))
