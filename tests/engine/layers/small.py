"""A small window and long runs of tool work: what the tests of autocompact and around it share."""

from ctxlab.engine.replay import Replay
from ctxlab.engine.settings import Settings
from ctxlab.sources.build import Builder

SMALL = Settings.profile("v2.1").replace(
    {
        "window.context_window": 4_000,
        "window.max_output_tokens": 400,
        "window.reserve_tokens": 400,
        "window.buffer_tokens": 300,
        "window.warning_tokens": 300,
        "window.blocking_tokens": 100,
        "overhead.system": 100,
        "overhead.tools": 0,
        "overhead.mcp": 0,
        "overhead.memory": 0,
        "overhead.skills": 0,
        "microcompact.enabled": False,
        "autocompact.measure": "size",
    }
)


def rounds(build: Builder, count: int, size: int = 1_000) -> None:
    for number in range(count):
        name = f"t{len(build.messages)}"
        build.reply([{"type": "tool_use", "id": name, "name": "Bash", "input": {"command": f"step {number}"}}])
        build.results([{"tool_use_id": name, "content": "r" * size}])


def states(result: Replay) -> list[str]:
    return [exchange.step("autocompact").state for exchange in result.exchanges]
