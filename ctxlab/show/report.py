"""A Replay as JSON, for tests and other tools: the same facts as the pictures, nothing else, and secrets covered too."""

from __future__ import annotations

from typing import Any

from ..engine import pipeline
from ..engine.edit import Cover
from ..engine.pipeline import Exchange
from ..engine.replay import Replay
from ..sources.masks import masked

LAYERS = tuple(name for name, _ in pipeline.LAYERS)


def to_json(replay: Replay, version: str) -> dict[str, Any]:
    """Everything as plain values; indexes count from 0, tokens include the overhead."""
    history, settings = replay.history, replay.settings
    return {
        "ctxlab": version,
        "source": {
            "format": history.source.format,
            "path": masked(history.source.path),
            "records": history.source.records,
            "messages": len(history.messages),
            "requests": len(history.turns),
            "recorded_compactions": len(history.compactions),
            "skipped": [{"line": line, "reason": masked(reason)} for line, reason in history.source.skipped],
            "notices": [masked(notice) for notice in history.notices],
        },
        "settings": {
            "profile": settings.base,
            "changed": settings.changed,
            "thresholds": settings.thresholds._asdict(),
        },
        "requests": [request_json(exchange) for exchange in replay.exchanges],
        "totals": totals(replay),
    }


def request_json(exchange: Exchange) -> dict[str, Any]:
    """One request: what each layer did, and what was sent."""
    return {
        "index": exchange.index,
        "message_index": exchange.answer,
        "timestamp": exchange.timestamp,
        "outcome": exchange.outcome,
        "layers": [
            {
                "layer": step.layer,
                "state": step.state,
                "reason": masked(step.reason),
                "edits": len(step.edits),
                "tokens_before": step.before,
                "tokens_after": step.after,
            }
            for step in exchange.steps
            if step.layer in LAYERS
        ],
        "tokens_sent": exchange.tokens_sent,
        "tokens_recorded": exchange.tokens_recorded,
    }


def totals(replay: Replay) -> dict[str, Any]:
    """What the whole session came to; `cost_usd` is null until prices are known here."""
    saved = {layer: 0 for layer in LAYERS if layer != "session_memory" or replay.settings.session_memory.enabled}
    for step in replay.steps:
        if step.layer in saved:
            saved[step.layer] += step.before - step.after
    covers = [edit for edit in replay.log if isinstance(edit, Cover) and edit.layer == "autocompact"]
    calls = sum(step.cost.model_calls for step in replay.steps)
    return {"tokens_saved": saved, "compactions": len(covers), "model_calls": calls, "cost_usd": None}
