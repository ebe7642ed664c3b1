"""Payload: what travels to the browser. All steps at once, as packed columns; texts of messages never, they are asked for.

The bytes are gzip without a time in it, so the same Replay gives the same bytes.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from ..engine.fields import as_text
from ..engine.history import History
from ..engine.message import Block
from ..engine.pipeline import Step
from ..engine.replay import Replay
from ..engine.settings import Settings, split_path
from . import bench_words, words
from .columns import Columns, columns_of
from .languages import ENGLISH, Language
from .notes import compacted, requests_of, what_it_is
from .palette import LOOKS, NIGHT, TOOLS
from .picture import LONG_PAUSE, lines_of, summariser_of

FIRST_CONTROLS = ("microcompact.gap_minutes", "microcompact.keep_recent", "collapse.commit_at")  # lie open at first
OWN_SIZE = "\x01"  # stands in a reason for the size of its own step; no harmless text has this character
DROP = 0.1  # a recorded size that fell by more than this share is told
TWIN = "v2.1"  # the profile that a classroom value is shown beside
COST_BARS = {
    "budget": 1,
    "snip": 2,
    "microcompact": 2,
    "collapse": 3,
    "session_memory": 4,
    "autocompact": 5,
    "recovery": 5,
}  # how dear each layer is beside the others, from 1 to 5
UNITS = ("_tokens", "_chars", "_minutes", "_bytes", "_rounds", "_requests")


def packed(replay: Replay, *, texts: bool = True, tongue: Language = ENGLISH) -> bytes:
    """The columns of a Replay as gzip of JSON; without `texts` no word of the session is among them."""
    columns = plain(replay, tongue) if texts else without_texts(plain(replay, tongue), replay, tongue)
    return gzip.compress(json.dumps(columns, separators=(",", ":")).encode("ascii"), 9, mtime=0)


def without_texts(columns: dict[str, Any], replay: Replay, tongue: Language) -> dict[str, Any]:
    """The same without labels, and with reasons in which what the session named is left out."""
    names = {name for block in replay.history.blocks for name in named(block)}
    hidden = steps(columns_of(replay), partial(without_names, names=sorted(names, key=len, reverse=True)))
    return {
        **columns,
        "branches": [{**branch, "title": ""} for branch in columns["branches"]],
        "blocks": {**columns["blocks"], "label": [""] * len(columns["blocks"]["label"])},
        "steps": hidden,
        "name": tongue.live.PAGE["a_session"],
    }


def named(block: Block) -> Iterator[str]:
    """What a reason may name of a block: a tool that is not one of the harness's own, and the path of a memory file."""
    path = block.target if block.kind in ("attachment", "claude_md") else ""
    for name in (block.tool, path):
        if name and name not in TOOLS:
            yield name
            yield " ".join(name.split())[:80]  # as the engine cuts it


def without_names(reason: str, names: Sequence[str]) -> str:
    """A reason with every name of the session left out, where it stands alone.

    >>> without_names("1 of 1 new results saved: Zq 12,000 characters", ["Zq", "a"])
    '1 of 1 new results saved: … 12,000 characters'
    """
    for name in names:
        if name in reason:
            reason = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "…", reason)
    return reason


def plain(replay: Replay, tongue: Language = ENGLISH) -> dict[str, Any]:
    """The columns of a Replay as lists of numbers and short harmless texts."""
    columns = columns_of(replay)
    kind = {name: number for number, name in enumerate(LOOKS)}
    return {
        "blocks": {
            "kind": [kind[name] for name in columns.kinds],
            "tokens": columns.tokens,
            "label": [tongue.label(*each) for each in zip(columns.labels, columns.kinds, strict=True)],
            "overhead": columns.overhead,
            "put_in": columns.put_in,
        },
        "steps": steps(columns),
        "changes": changes(columns, kind),
        "requests": {
            "first": rises(columns.first),
            "idle": [round(minutes) for minutes in columns.idle_minutes],
            "asked": [int(asked) for asked in columns.asked],
            "outcome": [exchange.outcome for exchange in replay.exchanges],
            "recorded": [exchange.tokens_recorded for exchange in replay.exchanges],
            "leans": [len(exchange.leans) for exchange in replay.exchanges],
            "compacted": compacted(replay),
            "drops": drops(replay),
        },
        "branches": branches(replay.history),
        "lines": lines_of(replay),
        "mixed_from": columns.mixed_from if replay.history.anchored else -1,
        "counter": replay.history.counter.name,
        "summariser": summariser_of(replay),
        "note": what_it_is(replay, tongue),
        "name": name_of(replay),
    }


def drops(replay: Replay) -> list[int]:
    """The requests at which the recorded size fell, and the file tells of no compaction and no clearing there."""
    positions = [clearing.position for clearing in replay.history.clearings]
    known = sorted({*compacted(replay), *requests_of(replay.history, positions)})
    sizes = [(at, each.tokens_recorded) for at, each in enumerate(replay.exchanges) if each.tokens_recorded]
    return [
        at
        for (before, was), (at, now) in pairwise(sizes)
        if now < (1 - DROP) * was and not any(before < compaction <= at for compaction in known)
    ]


def branches(history: History) -> list[dict[str, Any]]:
    """The sub-agents, each with the request (or -1) whose reply called it, and the size of its own window."""
    return [
        {
            "title": words.one_line(branch.title or branch.name, 120),
            "replies": branch.replies,
            "tokens": branch.tokens,
            "request": history.arrived.get(branch.call, 0) - 1,
        }
        for branch in history.branches
    ]


def name_of(replay: Replay) -> str:
    """How the session is called on the bench."""
    source = replay.history.source
    return bench_words.NAMES.get(source.path) or words.one_line(source.path.rpartition("/")[2] or source.format, 80)


def steps(columns: Columns, tell: Callable[[str], str] = str) -> dict[str, Any]:
    """Layer, state, reason and size of each step; a reason, as `tell` has it, that comes again is a number."""
    layers = list(dict.fromkeys(step.layer for step in columns.steps))
    states = list(words.STATES)
    reasons: dict[str, int] = {}
    spent = {number: list(step.cost) for number, step in enumerate(columns.steps) if any(step.cost)}
    return {
        "layers": layers,
        "layer": [layers.index(step.layer) for step in columns.steps],
        "state": [states.index(step.state) for step in columns.steps],
        "reason": [reasons.setdefault(reason_of(step, tell), len(reasons)) for step in columns.steps],
        "reasons": list(reasons),
        "after": rises([step.after for step in columns.steps]),
        "stop": rises(columns.stops),
        "cost": spent,
    }


def reason_of(step: Step, tell: Callable[[str], str] = str) -> str:
    """A reason with its own step's size taken out: then most of them are the same, and travel once.

    >>> reason_of(Step(0, "collapse", "idle", "2,175 tokens < 12,600", (), 2_175, 2_175))
    '\\x01 tokens < 12,600'
    """
    return words.one_line(tell(step.reason), 400).replace(f"{step.before:,}", OWN_SIZE)


def rises(numbers: list[int]) -> list[int]:
    """Each number as what it is more than the one before: numbers that grow slowly travel lightly.

    >>> rises([10, 12, 12, 40])
    [10, 2, 0, 28]
    """
    return [number - before for number, before in zip(numbers, [0, *numbers], strict=False)]


def changes(columns: Columns, kind: dict[str, int]) -> dict[str, list[int]]:
    """All changes, one list for each of their parts; `step` says at which step each happens."""
    verbs = list(words.VERBS)
    flat = [(number, change) for number, many in sorted(columns.changes.items()) for change in many]
    return {
        "step": rises([number for number, _ in flat]),
        "block": rises([change.block for _, change in flat]),
        "kind": [kind[change.kind] if change.kind else -1 for _, change in flat],
        "tokens": [change.tokens for _, change in flat],
        "verb": [verbs.index(change.verb) if change.verb else -1 for _, change in flat],
        "into": rises([change.into for _, change in flat]),
        "before": [change.before for _, change in flat],
    }


def settings_payload(settings: Settings, profiles: list[str]) -> dict[str, Any]:
    """Every field as a control needs it; in the classroom each beside its value in the large window.

    What is empty, or as the profile has it, is left out.
    """
    twins = {knob.path: knob.value for knob in Settings.profile(TWIN).knobs()} if settings.base == "classroom" else {}
    fields = []
    for knob in settings.knobs():
        _, name = split_path(knob.path)
        meta, text, profile = knob.metadata, as_text(knob.value), as_text(knob.profile_value)
        fields.append(
            {
                "path": knob.path,
                "label": label_of(name),
                "kind": meta["kind"],
                "text": text,
                **({"profile": profile} if profile != text else {}),
                "says": meta["says"],
                "evidence": knob.evidence,
                "source": knob.source,
                **{
                    part: meta[part]
                    for part in ("unit", "low", "high", "step", "options", "optional")
                    if meta.get(part)
                },
                **({"twin": as_text(twins[knob.path])} if knob.path in twins else {}),
            }
        )
    return {"profile": settings.base, "profiles": profiles, "fields": fields}


def label_of(name: str) -> str:
    """How a field is called beside its control; its unit stands elsewhere.

    >>> label_of("gap_minutes"), label_of("keep_recent")
    ('gap', 'keep recent')
    """
    for unit in UNITS:
        name = name.removesuffix(unit)
    return name.replace("_", " ")


def fixed(tongue: Language = ENGLISH) -> dict[str, Any]:
    """What never changes: the palette, and every word."""
    table, live = tongue.static, tongue.live
    return {
        "looks": [[key, *look[:-1], tongue.looks[key]] for key, look in LOOKS.items()],
        "night": NIGHT,
        "long_pause": LONG_PAUSE,
        "layers": table.LAYERS,
        "states": list(words.STATES),
        "state_words": table.STATES,
        "verbs": list(words.VERBS),
        "verb_words": table.VERBS,
        "acted": table.ACTED,
        "prepared": table.PREPARED,
        "outcomes": table.OUTCOMES,
        "costs": table.COSTS,
        "lines": table.LINES,
        "rests_on": table.RESTS_ON,
        "short": live.SHORT,
        "lanes": live.LANES,
        "does": live.DOES,
        "cost_bars": COST_BARS,
        "lamps": live.LAMPS,
        "lines_short": live.LINES_SHORT,
        "evidence": live.EVIDENCE,
        "keys": live.KEYS,
        "nouns": live.NOUNS,
        "groups": live.GROUPS,
        "faults": live.FAULTS,
        "bench": live.BENCH,
    }
