"""Failures of what should survive: rules below the root, the end of a skill, and a reader that counts twice."""

from __future__ import annotations

import json
from typing import Any

from ..engine.message import Block
from ..engine.settings import Settings
from ..engine.tokens import Quarter
from .build import Builder
from .failures import Scenario
from .load import load
from .refills import MINUTE, told, works

SMALL = Settings.profile("classroom").replace(
    {
        **dict.fromkeys(("budget.enabled", "snip.enabled", "collapse.enabled", "microcompact.enabled"), False),
        "autocompact.keeps_recent": "none",
    }
)
NESTED_RULE = "Amounts are integers of cents. Never use floats in payments/."
LAST_LINE = "Above all: never push to main."


def nested_rules_lost() -> Scenario:
    """F8."""
    build = Builder(Quarter())
    build.user("Move payments to async.", 0.0)
    works(build, 1, 300, "Read")
    build.reply([read("in_payments", "payments/pool.py")], MINUTE)
    build.results([{"tool_use_id": "in_payments", "content": "class Pool: ...\n" * 40}], [MINUTE + 5])
    build.user(NESTED_RULE, MINUTE + 6, kind="attachment", nested="payments/CLAUDE.md")
    works(build, 9, 1_800)
    build.reply([read("again", "payments/fees.py")], 40 * MINUTE)
    build.results([{"tool_use_id": "again", "content": "def fee(amount): ...\n" * 40}], [40 * MINUTE + 5])
    root = "Answer in short sentences."
    rules = Block("claude_md", "user", "claude_md", root, Quarter()(root), "overhead", target="CLAUDE.md")
    return Scenario(
        "F8",
        "The rules of the root come back after a compaction, those of payments/CLAUDE.md only when a file below is read.",
        "is payments/CLAUDE.md in the View: before the compaction, right behind it, and in the last request",
        told(build, "F8", (rules,)),
        SMALL,
        "claude-code issues 4017, 19471, 19736",
    )


def read(name: str, path: str) -> dict[str, object]:
    """A call that reads a file."""
    return {"type": "tool_use", "id": name, "name": "Read", "input": {"file_path": path}}


def skill_cut() -> Scenario:
    """F16."""
    build = Builder(Quarter())
    build.user("Use the release skill.", 0.0)
    build.reply([{"type": "tool_use", "id": "s1", "name": "Skill", "input": {"skill": "release"}}], MINUTE)
    text = "A step of the release, told at length.\n" * 80 + LAST_LINE
    build.results([{"tool_use_id": "s1", "content": text}], [MINUTE + 5])
    works(build, 9, 1_800)
    return Scenario(
        "F16",
        "An invoked skill comes back after a compaction with its head only, and the rule on its last line is gone.",
        "the restored skill in the View: the last line is not in it; with a larger limit it is",
        told(build, "F16"),
        SMALL,
        "claude-code issues 13919, 74990",
        {"restore.skill_tokens": 2_000},
    )


def counted_twice() -> Scenario:
    """F20."""
    records = [recorded("user", "u1", "", content="Run both.")]
    for at, parent in enumerate(("u1", "a0")):
        usage = {"input_tokens": 10, "cache_read_input_tokens": 30_000, "output_tokens": (1, 40)[at]}
        call = {"type": "tool_use", "id": f"t{at}", "name": "Bash", "input": {"command": f"run {at}"}}
        records.append(recorded("assistant", f"a{at}", parent, id="one", usage=usage, content=[call]))
    for at in range(2):
        result = {"type": "tool_result", "tool_use_id": f"t{at}", "content": "ok"}
        records.append(recorded("user", f"r{at}", f"a{at}", content=[result]))
    again = [{**record, "sessionId": "resumed"} for record in records]
    text = "\n".join(json.dumps(record) for record in (*records, *again))
    return Scenario(
        "F20",
        "One reply is written as two records with a usage each, and the whole history a second time when it is resumed.",
        "messages, and the recorded size: counted once; a walk along the parents would lose the result of the first call",
        load(text, counter=Quarter()),
        Settings.profile("v2.1"),
        "hidden problem analysis 03; claude-code issues 92089, 46603",
    )


def recorded(role: str, uuid: str, parent: str, **message: Any) -> dict[str, Any]:
    """One record of a session file."""
    return {"type": role, "uuid": uuid, "parentUuid": parent or None, "message": {"role": role, **message}}


SURVIVAL = {"F8": nested_rules_lost, "F16": skill_cut, "F20": counted_twice}
