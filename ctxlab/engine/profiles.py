"""Profiles: named sets of values. Each says only where it differs from `v2.1`, and how well that is known.

article    the three articles, taken literally
restored   the restored source tree of article-1: snip is an empty slot, collapse's file is missing
v2.0       recordings and analyses up to 2.1.20
v2.1       recordings and analyses from 2.1.21 on; the default, and the defaults of the fields
docs       only what is officially documented
classroom  sizes about a tenth, every layer on, so that every layer acts within one short session
"""

from __future__ import annotations

from typing import Any, NamedTuple

DEFAULT = "v2.1"


class Stated(NamedTuple):
    """A value, how well it is known, and where it comes from."""

    value: Any
    evidence: str
    source: str


def _stated(evidence: str, source: str, values: dict[str, Any]) -> dict[str, Stated]:
    return {path: Stated(value, evidence, source) for path, value in values.items()}


_ARTICLE_OVERHEAD = {
    "overhead.system": 4_000,
    "overhead.tools": 16_000,
    "overhead.mcp": 0,
    "overhead.memory": 0,
    "overhead.skills": 0,
}
_ARTICLE_WINDOW = {"window.max_output_tokens": 8_192, "window.reserve_rule": "max"}
_ARTICLE_COMPACT = {
    "autocompact.thinking": "off",
    "autocompact.parts": 4,
    "autocompact.refills": None,
    "autocompact.keeps_pictures": False,
    "restore.oversize": "cut",
}

_MEASURES_SIZE = _stated(
    "ctxlab",
    "ctxlab: no article says it; so that an earlier layer can prevent a compaction",
    {"autocompact.measure": "size"},
)

ARTICLE = {
    **_MEASURES_SIZE,
    **_stated("article", "article-2: 20,000 before the first word; the split is ours", _ARTICLE_OVERHEAD),
    **_stated("article", "article-2: with the 8,192 output tokens of the model that it names", _ARTICLE_WINDOW),
    **_stated("article", "article-2", _ARTICLE_COMPACT),
    **_stated(
        "article",
        "article-2",
        {
            "budget.per_tool": (),
            "budget.per_message_chars": None,
            "snip.enabled": True,
            "microcompact.strategy": ("age", "cached"),
            "collapse.enabled": True,
            "autocompact.clears_results_first": True,
        },
    ),
    **_stated(
        "article",
        "article-2: the last line before the model is called, no thresholds; autocompact follows it",
        {"collapse.suppresses_autocompact": False},
    ),
}

RESTORED = {
    **_stated("article", "article-2: 20,000 before the first word; the split is ours", _ARTICLE_OVERHEAD),
    **_stated("article", "article-2: with the 8,192 output tokens of the model that it names", _ARTICLE_WINDOW),
    **_stated("article", "article-2", _ARTICLE_COMPACT),
    **_stated("article", "article-1: lists four layers, without a budget", {"budget.enabled": False}),
    **_stated("article", "article-1: the slot is there, and empty", {"snip.enabled": True, "snip.policy": "none"}),
    **_stated("article", "article-1", {"microcompact.strategy": ("gap", "cached")}),
    **_MEASURES_SIZE,
    **_stated("article", "article-1, article-2: no breaker in either", {"autocompact.failures": None}),
}

V2_0 = {
    **_stated(
        "article",
        "article-2; it explains that no automatic compaction is below 155,030 in 47 recordings",
        {"window.reserve_rule": "max"},
    ),
    **_stated("measured", "recordings: nothing saved by size before 2.1.2", {"budget.enabled": False}),
    **_stated("measured", "recordings: four events, 82 ids", {"microcompact.strategy": ("pressure",)}),
    **_stated("analysis", "build 2.1.88: off; it inherits from 2.1.198 on", {"autocompact.thinking": "off"}),
    **_stated("official", "changelog 2.1.89: the refill breaker came with it", {"autocompact.refills": None}),
    **_stated(
        "official", "changelog 2.1.47: short marks; pictures stay from 2.1.70 on", {"autocompact.keeps_pictures": False}
    ),
    **_stated("article", "article-2", {"restore.oversize": "cut"}),
}

DOCS = {
    **_stated(
        "official",
        "docs: model configuration: most models compact on reaching the model's limit",
        {"window.reserve_rule": "limit", "window.buffer_tokens": 0},
    ),
    **_stated(
        "official",
        "docs: context window (7,850 in all; memory and both CLAUDE.md are one number here)",
        {"overhead.system": 4_480, "overhead.tools": 0, "overhead.mcp": 120, "overhead.memory": 2_800},
    ),
    **_stated(
        "official",
        "docs: tools reference",
        {"budget.per_result_chars": None, "budget.per_tool": (("Bash", 30_000),), "budget.per_message_chars": None},
    ),
    **_stated(
        "official",
        "docs: context editing",
        {"microcompact.strategy": ("api",), "microcompact.keep_recent": 3},
    ),
    **_stated(
        "official",
        "docs: how Claude Code works: older tool outputs are cleared first, then the conversation is summarised",
        {"autocompact.clears_results_first": True, "autocompact.measure": "size"},
    ),
    **_stated("official", "docs: sessions", {"autocompact.keeps_recent": "last exchange"}),
    **_stated("official", "docs: environment variables", {"autocompact.percent_of": "window"}),
}

CLASSROOM = _stated(
    "ctxlab",
    "ctxlab: sizes about a tenth of the real ones, every layer on",
    {
        "window.context_window": 20_000,
        "window.max_output_tokens": 3_200,
        "window.reserve_tokens": 2_000,
        "window.buffer_tokens": 1_300,
        "window.warning_tokens": 2_000,
        "window.blocking_tokens": 300,
        "overhead.system": 420,
        "overhead.tools": 1_447,
        "overhead.mcp": 12,
        "overhead.memory": 76,
        "overhead.skills": 45,
        "budget.per_result_chars": 5_000,
        "budget.per_tool": (),
        "budget.per_message_chars": 20_000,
        "budget.preview_bytes": 200,
        "snip.enabled": True,
        "snip.minimum_tokens": 300,
        "snip.spares_dependents": False,
        "microcompact.keep_recent": 3,
        "collapse.enabled": True,
        "collapse.stage_ahead": 0.0,
        "collapse.commit_at": 0.70,
        "collapse.fold_until": 0.60,
        "collapse.rounds_left_open": 10,
        "collapse.suppresses_autocompact": False,
        "autocompact.thinking": "off",
        "autocompact.keeps_pictures": False,
        "autocompact.counts_transport": True,
        "autocompact.parts": 4,
        "autocompact.keeps_recent": "last exchange",
        "autocompact.measure": "size",
        "restore.file_tokens": 500,
        "restore.total_tokens": 5_000,
        "restore.skill_tokens": 500,
        "restore.skills_tokens": 2_500,
        "restore.oversize": "cut",
        "session_memory.min_tokens": 1_000,
        "session_memory.max_tokens": 4_000,
        "session_memory.first_tokens": 1_000,
        "session_memory.every_tokens": 500,
    },
)

PROFILES: dict[str, dict[str, Stated]] = {
    "article": ARTICLE,
    "restored": RESTORED,
    "v2.0": V2_0,
    "v2.1": {},
    "docs": DOCS,
    "classroom": CLASSROOM,
}
