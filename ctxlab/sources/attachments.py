"""Attachments: text that the harness put in for the model, from thirty kinds of records that keep it in many fields.

What ctxlab leaves out: hook output that only the person saw (success, warnings, system messages), and bookkeeping.
"""

from __future__ import annotations

from typing import Any

from ..engine.message import MEMORY_FILES, NESTED

TEXT_FIELDS = (
    "content",
    "text",
    "snippet",
    "prompt",
    "banner",
    "blockingError",
    "addedLines",
    "addedBlocks",
    "newDate",
)
NOT_SEEN = frozenset(
    {"command_permissions", "hook_non_blocking_error", "hook_system_message", "hook_cancelled", "auto_mode"}
)
SEEN_HOOKS = frozenset({"SessionStart", "UserPromptSubmit"})  # the only ones whose plain output is context (official)
RESTORED_KINDS = frozenset(
    {
        "file",
        "compact_file_reference",
        "skill_listing",
        "deferred_tools_delta",
        "agent_listing_delta",
        "mcp_instructions_delta",
        "invoked_skills",
        "plan_file_reference",
        "todo_reminder",
        "task_reminder",
    }
)


def attachment_text(attachment: Any) -> str:
    """What the model saw of an attachment; empty where that is nothing.

    >>> attachment_text({"type": "date_change", "newDate": "2026-01-02"})
    '2026-01-02'
    """
    if not isinstance(attachment, dict) or word(attachment, "type") in NOT_SEEN:
        return ""
    if attachment.get("type") == "hook_success":
        seen = word(attachment, "hookEvent") in SEEN_HOOKS
        return flat(attachment.get("content") or attachment.get("stdout")) if seen else ""
    return next((text for field in TEXT_FIELDS if (text := flat(attachment.get(field)))), "")


def flat(value: Any) -> str:
    """All texts inside a value, one below the other."""
    if isinstance(value, str):
        return value.strip()
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return "\n".join(text for each in inside if (text := flat(each)))


def is_restored(attachment: Any) -> bool:
    """True for what a compaction puts back: files, listings, and what a hook says at its start."""
    if not isinstance(attachment, dict):
        return False
    return word(attachment, "type") in RESTORED_KINDS or attachment.get("hookEvent") == "SessionStart"


def nested_path(attachment: Any) -> str:
    """The path of a CLAUDE.md below the root that came in because a file beside it was read; empty for all others."""
    nested = isinstance(attachment, dict) and attachment.get("type") == NESTED
    path = attachment.get("path") if nested else None
    return path if isinstance(path, str) and path.endswith(MEMORY_FILES) else ""


def word(attachment: dict[str, Any], field: str) -> str:
    """A field that should be a word."""
    value = attachment.get(field)
    return value if isinstance(value, str) else ""
