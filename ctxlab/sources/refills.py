"""Failures in which the window fills up again as soon as it was compacted, or is compacted although it is not full."""

from __future__ import annotations

from ..engine.history import History, Source
from ..engine.message import Block
from ..engine.settings import Settings
from ..engine.tokens import Quarter
from .build import Builder
from .failures import Scenario

V21 = Settings.profile("v2.1")
MINUTE = 60.0


def told(build: Builder, name: str, overhead: tuple[Block, ...] = ()) -> History:
    """The messages of a scenario as a History."""
    return History(tuple(build.messages), overhead, source=Source("scenario", name, len(build.messages)))


def works(build: Builder, rounds: int, tokens: int, tool: str = "Bash") -> None:
    """Some rounds of work, each with one result of so many tokens."""
    for _ in range(rounds):
        number = len(build.messages)
        field = {"Read": "file_path", "Grep": "pattern"}.get(tool, "command")
        call = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": {field: f"part_{number}.py"}}
        build.reply([call], number * MINUTE)
        build.results([{"tool_use_id": f"t{number}", "content": "output \n" * (tokens // 2)}], [number * MINUTE + 5])


def returning_rules() -> Scenario:
    """F1."""
    build = Builder(Quarter())
    build.user("Fix the flaky test.", 0.0)
    works(build, 24, 6_500)
    text = "Never do this, always do that.\n" * 15_750
    rules = Block("claude_md", "user", "claude_md", text, Quarter()(text), "overhead", target="CLAUDE.md")
    return Scenario(
        "F1",
        "122,000 tokens of rules come back after every compaction, so each one leaves room for a few requests only.",
        "the breaker after three quick refills, and what stands in the window behind a compaction: CLAUDE.md, not a file",
        told(build, "F1", (rules,)),
        V21.replace({"microcompact.enabled": False}),
        "claude-code issue 85489",
        {"window.context_window": 1_000_000},
    )


def large_outputs() -> Scenario:
    """F2."""
    build = Builder(Quarter())
    build.user("Which of the logs names the lost order?", 0.0)
    works(build, 14, 60_000)
    return Scenario(
        "F2",
        "Every call brings 60,000 tokens that nothing shortens; the window is full again after two of them.",
        "compactions that follow each other within three requests until the breaker holds; with the budget on there is none",
        told(build, "F2"),
        V21.replace({"budget.enabled": False, "microcompact.enabled": False}),
        "claude-code issues 60600, 60485, 82131",
        {"budget.enabled": True},
    )


def rules_read_first() -> Scenario:
    """F4."""
    build = Builder(Quarter())
    build.user("First read all rules, then go on. Do so whenever you have lost them.", 0.0)
    for _ in range(10):
        number = len(build.messages)
        names = [f"t{number}.{at}" for at in range(3)]
        calls = [
            {"type": "tool_use", "id": name, "name": "Read", "input": {"file_path": f"rules/{at}.md"}}
            for at, name in enumerate(names)
        ]
        build.reply(calls, number * MINUTE)
        texts = [{"tool_use_id": name, "content": "A rule of the house.\n" * 10_000} for name in names]
        build.results(texts, [number * MINUTE + 5] * 3)
    return Scenario(
        "F4",
        "The first act after every compaction reads the same rules again, and they alone reach the line.",
        "three quick refills in a row; Read is never saved by the budget, so the budget does not help here",
        told(build, "F4"),
        V21.replace({"microcompact.enabled": False}),
        "claude-code issue 22195",
        {"window.context_window": 1_000_000},
    )


def too_early() -> Scenario:
    """F14."""
    build = Builder(Quarter())
    build.user("Go through the repository.", 0.0)
    works(build, 30, 7_000, "Grep")
    return Scenario(
        "F14",
        "The model has a window of 1,000,000 and the harness believes it has 200,000: it compacts at 17 %.",
        "the share of the true window at which autocompact acts; with the right window it does not",
        told(build, "F14"),
        V21.replace({"budget.enabled": False, "microcompact.enabled": False}),
        "claude-code issues 52981, 53687, 36381, 63186",
        {"window.context_window": 1_000_000},
    )


def heavy_overhead() -> Scenario:
    """F17."""
    build = Builder(Quarter())
    build.user("Fix the flaky test.", 0.0)
    works(build, 12, 6_500)
    return Scenario(
        "F17",
        "Memory files stand there twice: more than half of the window is overhead, and no compaction touches it.",
        "the size behind the compaction, as a share of the window: still over 60 %",
        told(build, "F17"),
        V21.replace({"overhead.memory": 104_000, "microcompact.enabled": False}),
        "claude-code issue 22654",
        {"overhead.memory": 760},
    )


REFILLS = {
    "F1": returning_rules,
    "F2": large_outputs,
    "F4": rules_read_first,
    "F14": too_early,
    "F17": heavy_overhead,
}
