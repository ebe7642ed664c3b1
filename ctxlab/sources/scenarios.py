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
