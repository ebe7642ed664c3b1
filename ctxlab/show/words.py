"""Words: every word that a picture shows, in one table, and how texts of a session are made harmless before it.

A recorded session is hostile input for a terminal too: control characters, and those that turn the direction of text,
are shown as what they are.
"""

from __future__ import annotations

import re

from ..sources.masks import masked

LAYERS = {
    "arrive": "Arrival",
    "user": "The user",
    "budget": "Tool-result budget",
    "snip": "Snip",
    "microcompact": "Microcompact",
    "collapse": "Context collapse",
    "session_memory": "Session memory",
    "autocompact": "Autocompact",
    "recovery": "Recovery",
}
STATES = {
    "off": "is off",
    "idle": "checked, nothing to do",
    "acted": "acted",
    "no_gain": "would have gained nothing",
    "failed": "failed or was blocked",
}
VERBS = {  # what became of a block
    "budget": "shrunk to a card",
    "snip": "cut",
    "microcompact": "blanked out",
    "collapse": "folded",
    "autocompact": "summarised",
    "recovery": "left out after a refusal",
}
ACTED = {  # what a layer did
    "budget": "shrank {} to a card",
    "snip": "cut {}",
    "microcompact": "blanked out {}",
    "collapse": "folded {}",
    "autocompact": "summarised {} and moved the boundary",
    "recovery": "made room by changing {}",
}
PREPARED = {  # an act that changed no block
    "collapse": "made digests ready",
    "session_memory": "took notes",
    "recovery": "gave a cut reply more room",
}
COSTS = {
    "budget": "a file",
    "snip": "the cached prefix",
    "microcompact": "the prefix, if still warm",
    "collapse": "the cached prefix",
    "session_memory": "model calls on the side",
    "autocompact": "a model call",
    "recovery": "a model call",
}
OUTCOMES = {  # behind the last step of a request
    "sent": "",
    "blocked": "; the request is blocked",
    "refused": "; the model refuses the request",
    "recovered": "; sent after recovery",
}
LINES = {
    "warning": "warning",
    "autocompact": "autocompact",
    "blocking": "blocking",
    "effective_window": "effective window",
    "window": "window",
}
PICTURE = {  # sentences of the pictures that need nothing to run
    "place": "Request {request} of {requests}, {step}.",
    "acted": "ACTED",
    "tokens": "{} tokens.",
    "history_row": "HISTORY {size}, nothing deleted; the model sees {seen} of it whole.{more}",
    "left": " {} more to the left.",
    "view_row": "VIEW {size} of {window}: {parts}.",
    "lines": "Lines   {}",
    "hidden": "Hidden  {}",
    "layers": "Layers  {}",
    "key": "Key     {key}; one column {tokens} tokens; CAPITAL + █ whole; small + ░ kept, not seen whole; · free; / held back",
    "sizes": "Sizes   {rests_on}: {counter}. Summaries: {summariser}.",
    "note": "Note    {}",
    "none_yet": "none has looked yet",
    "nothing": "nothing",
    "read_back": "; every original can be read back",
    "empty_row": "(nothing yet)",
    "view": "View",
    "history": "History",
    "only_added_to": "History, only added to: {} →",
    "unchanged": "History unchanged",
    "scroll_back": "all the user can scroll back to, nothing deleted; request {request} of {requests}",
    "model_gets": "what the model gets: {size}, {room}",
    "sizes_rest_on": "sizes {rests_on}: {counter}",
    "summaries": "summaries: {}",
    "not_yet": "not yet",
    "costs": "costs {}",
}
RESTS_ON = {"counted": "counted", "recorded": "recorded", "mixed": "mixed"}
CHARTS = {
    "sizes": "Size of each request",
    "total_input": "Input tokens so far, all requests together",
    "autocompact_lines": "Where autocompact begins",
    "request": "request",
    "tokens": "tokens",
    "head": "{y}, over {x}",
    "several": "*  several at one place",
    "points": "{name}: {count} points, {low} to {high}",
}
TABLE = {
    "columns": ["request", "layer", "state", "before", "after", "reason"],
    "acted": "acted",
    "shown": "{} shown",
    "no_act": "no layer acted",
    "outcome": "request {request} {outcome}",
    "all_sent": "every request was sent",
    "more": " and {} more",
    "footer": "{requests}, {shown}; {outcomes}; sizes in tokens, {rests_on}",
    "recorded_and_counted": "recorded and counted: {}",
    "counted": "counted: {}",
}
HARMFUL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


BEHIND = 400  # characters behind a cut that still tell a secret


def harmless(text: str) -> str:
    """A text with its control characters shown as code points.

    >>> harmless("\\x1b[31mred")
    '<1B>[31mred'
    """
    return HARMFUL.sub(lambda found: f"<{ord(found.group()):02X}>", text)


def one_line(text: str, longest: int) -> str:
    """A harmless text on one line, cut to a length; what looks like a secret is covered.

    >>> one_line("one\\ntwo three", 9)
    'one two…'
    """
    flat = " ".join(harmless(masked(text[: 4 * longest + BEHIND])[: 4 * longest]).split())
    return flat if len(flat) <= longest else flat[: longest - 1].rstrip() + "…"


def thousands(tokens: int) -> str:
    """A number of tokens in a few characters.

    >>> thousands(845), thousands(12_420), thousands(200_000), thousands(1_160_000)
    ('845', '12.4K', '200.0K', '1.16M')
    """
    if tokens < 1_000:
        return f"{tokens:,}"
    if tokens < 1_000_000:  # in whole numbers, so that the browser rounds the same way
        tenths = (tokens + 50) // 100
        return f"{tenths // 10:,}.{tenths % 10}K"
    hundredths = (tokens + 5_000) // 10_000
    return f"{hundredths // 100:,}.{hundredths % 100:02}M"
