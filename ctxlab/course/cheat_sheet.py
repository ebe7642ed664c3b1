"""Cheat sheet: the five layers on one page, every number of it read from the Settings of a profile."""

from __future__ import annotations

from ..engine.settings import Settings
from ..show.table import Table
from ..show.words import LAYERS

NUMBERS = {  # strategy of microcompact -> its numbers
    "gap": "{gap_minutes} idle minutes, the newest {keep_recent} stay",
    "age": "{age_rounds} requests old, the newest {keep_recent} stay",
    "pressure": "at the warning line, until {pressure_keep_tokens:,} are left, if {pressure_save_tokens:,} are saved",
    "cached": "{cached_trigger} results, the newest {keep_recent} stay",
    "api": "{api_trigger_tokens:,} tokens, the newest {keep_recent} stay",
}
COSTS = {  # and what it costs
    "gap": "nothing while the cache is cold",
    "age": "what is cached behind the first",
    "pressure": "what is cached behind the first",
    "cached": "nothing: the bytes stay the same",
    "api": "what is cached behind the first",
}
COLUMNS = ("layer", "trigger", "number", "cost", "way back", "evidence")


def cheat_sheet(profile: str = "v2.1") -> Table:
    """Layer, trigger, number, cost, way back and evidence of each layer; an unknown profile raises ValueError."""
    settings = Settings.profile(profile)
    known = {knob.path: knob.evidence for knob in settings.knobs()}
    rows = []
    for layer, (trigger, number, paths, cost, back) in rows_of(settings).items():
        on = "" if getattr(settings, layer).enabled else " (off in this profile)"
        evidence = ", ".join(dict.fromkeys(known[path] for path in paths))
        rows.append((LAYERS[layer] + on, trigger, number, cost, back, evidence))
    lines = settings.thresholds
    footer = (
        f"Profile {profile}: window {settings.window.context_window:,}, effective {lines.effective_window:,}, autocompact "
        f"{lines.autocompact:,}, warning {lines.warning:,}, blocking {lines.blocking:,}."
    )
    return Table(COLUMNS, rows, footer)


def rows_of(settings: Settings) -> dict[str, tuple[str, str, tuple[str, ...], str, str]]:
    """For each layer: trigger, number in words, the settings behind it, cost, way back."""
    return {
        "budget": (
            "a fresh result over its limit, or all of one message over theirs",
            saving(settings),
            ("budget.per_result_chars", "budget.per_tool", "budget.per_message_chars"),
            "a file",
            "read the file that the preview names",
        ),
        "snip": (
            "marked messages weigh enough",
            f"{settings.snip.minimum_tokens:,} tokens",
            ("snip.enabled", "snip.policy", "snip.minimum_tokens"),
            "what is cached behind the cut",
            "the record",
        ),
        "microcompact": (
            f"first that is due of: {', '.join(settings.microcompact.strategy)}",
            "; ".join(NUMBERS[name].format(**vars(settings.microcompact)) for name in settings.microcompact.strategy),
            ("microcompact.strategy", "microcompact.gap_minutes", "microcompact.keep_recent"),
            "; ".join(dict.fromkeys(COSTS[name] for name in settings.microcompact.strategy)),
            "the record, or the same call again",
        ),
        "collapse": (
            "the size reaches a share of the effective window",
            f"{settings.collapse.commit_at:.0%}, the newest {settings.collapse.rounds_left_open} rounds stay open",
            ("collapse.commit_at", "collapse.rounds_left_open"),
            "what is cached behind the fold",
            "open the digest, or the record",
        ),
        "autocompact": (
            "window less reserve less buffer",
            f"{settings.thresholds.autocompact:,} of {settings.window.context_window:,}",
            ("window.reserve_rule", "window.reserve_tokens", "window.buffer_tokens"),
            "a call of the model, and detail",
            "the record; the summary itself is lossy",
        ),
    }


def saving(settings: Settings) -> str:
    """The limits of the budget in words."""
    rule = settings.budget
    limits = [f"{rule.per_result_chars:,} characters" if rule.per_result_chars else "no common limit"]
    limits += [f"{tool} {limit:,}" for tool, limit in rule.per_tool]
    if rule.per_message_chars:
        limits.append(f"message {rule.per_message_chars:,}")
    return ", ".join(limits)
