"""SWE-agent: a trajectory (`.traj`), one object with `history`, what the model saw, and `trajectory`, what was done.

`history` is OpenAI style where tools were called, and plain texts where commands stood in the text. Where it is missing
the steps of `trajectory` are told as calls of one tool.

What ctxlab leaves out: demonstrations of other tasks keep their place, as the model saw them; `info` and replay settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..engine.edit import plural
from .build import Json, as_text
from .conversation import Conversation
from .drafts import as_dict, whole
from .openai_style import ROLES
from .openai_style import conversation as openai_style

FORM = "swe_agent"


def is_swe_agent(value: Any) -> bool:
    """True for an object with a `history` of messages, or a `trajectory` of steps."""
    if not isinstance(value, Mapping):
        return False
    history, steps = value.get("history"), value.get("trajectory")
    spoken = isinstance(history, list) and bool(history) and all("role" in as_dict(each) for each in history)
    return spoken or (isinstance(steps, list) and any("action" in as_dict(each) for each in steps))


def conversation(value: Json) -> Conversation:
    """Translate a trajectory."""
    history = value.get("history")
    if isinstance(history, list) and history:
        known = [each for each in history if as_dict(each).get("role") in ROLES]
        out = openai_style(known, form=FORM)
        out.records = len(history)
        if lost := len(history) - len(known):
            out.notices.append(f"{plural(lost, 'message')} with a role that is not known left out")
    else:
        out = from_steps(value["trajectory"])
    info = as_dict(as_dict(value.get("info")).get("model_stats"))
    if sent := whole(info.get("tokens_sent")):
        out.notices.append(f"{sent:,} tokens sent in all, by its own count; no size of a single request is recorded")
    return out


def from_steps(steps: list[Any]) -> Conversation:
    """What was done, step by step: a thought, an action, what came of it."""
    out = Conversation(FORM, len(steps))
    for number, step in enumerate(as_dict(each) for each in steps):
        call = out.call("bash", f"step{number}", {"command": as_text(step.get("action"))})
        out.reply([{"type": "text", "text": as_text(step.get("thought") or step.get("response"))}, call])
        out.result(f"step{number}", as_text(step.get("observation")))
    return out
