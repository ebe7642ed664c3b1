"""Microcompact: when it is due, what it clears, and what it never touches."""

import pytest

from ctxlab.engine.history import History
from ctxlab.engine.replay import Replay, replay
from ctxlab.engine.request import make_request
from ctxlab.engine.settings import Settings
from ctxlab.sources.build import Builder

GAP = Settings.profile("v2.1").set("budget.enabled=off")


def session(build: Builder, times: list[float | None], tools: list[str], size: int = 800) -> History:
    """One result a round at the given times, and a last text at the last of them."""
    build.user("go", times[0])
    for number, tool in enumerate(tools):
        build.reply([{"type": "tool_use", "id": f"t{number}", "name": tool, "input": {}}], times[number])
        build.results([{"tool_use_id": f"t{number}", "content": "r" * size}], [times[number]])
    build.reply("so far", times[len(tools) - 1])
    build.user("and now?", times[-1])
    return History(tuple(build.messages))


def cleared(result: Replay) -> list[str]:
    return [edit.block.removesuffix("/result") for edit in result.log if edit.layer == "microcompact"]


def test_nothing_is_cleared_before_the_gap_and_then_once(build: Builder) -> None:
    times = [10.0 * n for n in range(40)]
    result = replay(session(build, [*times, times[-1] + 61 * 60], ["Bash"] * 40), GAP)

    assert cleared(result) == [f"t{n}" for n in range(35)]
    assert {edit.request for edit in result.log} == {41}


@pytest.mark.parametrize("times", [[None] * 41, [100_000.0 - 5_000 * n for n in range(41)]])
def test_missing_and_backward_times_are_no_gap(build: Builder, times: list[float | None]) -> None:
    assert cleared(replay(session(build, times, ["Bash"] * 40), GAP)) == []


def test_only_the_named_tools_are_cleared(build: Builder) -> None:
    tools = ["Read", "Bash", "Grep", "mcp__memory__search", "Task", "Unheard", "read"] * 2
    result = replay(session(build, [*[0.0] * 14, 4_000.0], tools), GAP.set("microcompact.keep_recent=1"))

    assert {result.history.by_id[f"{name}/result"].tool for name in cleared(result)} == {"Read", "Bash", "Grep"}


def test_results_no_longer_than_the_placeholder_stay(build: Builder) -> None:
    result = replay(session(build, [*[0.0] * 20, 4_000.0], ["Bash"] * 20, size=30), GAP)

    assert cleared(result) == []
    assert (
        result.exchanges[-1].step("microcompact").reason
        == "gap 67 min ≥ 60: cleared 0 of 20 results, kept 20, 15 of them no longer than the placeholder"
    )


def test_pressure_clears_the_oldest_until_the_weight_remains(build: Builder) -> None:
    """The rule that predicts every recorded id: at the warning line, down to 40,000, if that saves 20,000."""
    settings = Settings.profile("v2.0")
    result = replay(session(build, [None] * 21, ["Bash"] * 20, size=24_000), settings)
    steps = [step for step in result.steps if step.layer == "microcompact" and step.state == "acted"]

    assert steps[0].reason == "warning 135,000 reached, saves 84,000: cleared 14 of 20 results, kept 6"
    assert cleared(result) == [f"t{n}" for n in range(14)]


def test_a_cold_cache_brings_back_what_the_server_had_deleted(build: Builder) -> None:
    settings = Settings.profile("restored").set("microcompact.cached_trigger=6", "microcompact.gap_minutes=90")
    result = replay(session(build, [*[0.0] * 8, 4_000.0], ["Bash"] * 8), settings)
    arrive = result.exchanges[-1].steps[0]

    assert arrive.reason.endswith("after 67 min the cache is cold, 3 deletions lapse")
    view = result.at(-1, "arrive").view
    assert view["t0/result"].state == ""
    assert list(view.results) == [f"t{n}/result" for n in range(8)]  # oldest first again


def test_age_counts_requests(build: Builder) -> None:
    settings = Settings.profile("article").set(
        "microcompact.age_rounds=4", "microcompact.strategy=age", "microcompact.keep_recent=1"
    )
    result = replay(session(build, [None] * 13, ["Bash"] * 12), settings)

    assert {edit.request - result.history.arrived[edit.block] for edit in result.log} == {4}


def test_the_api_clears_results_of_any_tool(build: Builder) -> None:
    """The documented default excludes none; the Request says nothing of tools, so the simulation must not either."""
    result = replay(session(build, [None] * 9, ["mcp__memory__search"] * 8, size=60_000), Settings.profile("docs"))

    assert next(edit.blocks[0] for edit in result.log) == "t0/result"
    assert "exclude_tools" not in str(make_request(result.at().view, result.settings).body["context_management"])
