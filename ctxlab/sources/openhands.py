"""OpenHands: a list of events, each an `action` of the user or the agent, or the `observation` that an action caused.

Actions of one model response (`tool_call_metadata`) are one reply; an observation is the result of the call that its
`cause` names. A condensation is a recorded compaction: what it forgets goes, its summary stays.

What ctxlab leaves out: changes of state, recalls of micro-agents and everything else that no model saw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .build import Json, as_text, parts, usable_id
from .conversation import Conversation, Shortened
from .drafts import as_dict
from .openai_style import arguments_of, calls_of, content_of, reply_of, usage_in

FORM = "openhands"
UNSEEN = ("change_agent_state", "agent_state_changed", "recall", "null", "condensation_request", "start", "pause")


def is_events(value: Any) -> bool:
    """True for a list of events."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, Mapping) and ("action" in each or "observation" in each) for each in value)
    )


def conversation(events: Sequence[Json]) -> Conversation:
    """Translate the events in their order."""
    out = Conversation(FORM, len(events))
    reader = Reader(out)
    for event in events:
        reader.take(event)
    return out


class Reader:
    """Takes events, and remembers which call each action was and to which response it belongs."""

    def __init__(self, out: Conversation) -> None:
        self.out = out
        self.calls: dict[str, str] = {}  # id of the action -> its call
        self.places: dict[str, int] = {}  # id of an event -> its message
        self.gone: set[int] = set()  # messages that condensations have forgotten so far
        self.responses: set[str] = set()  # model responses that are replies already

    def take(self, event: Json) -> None:
        """One event."""
        kind = as_text(event.get("action") or event.get("observation"))
        if kind in UNSEEN:
            return
        if kind == "condensation":
            self._condensation(as_dict(event.get("args")))
        elif kind == "system":
            given = as_dict(event.get("args"))
            self.out.system, self.out.tools = as_text(given.get("content")), given.get("tools") or self.out.tools
        elif "observation" in event:
            self._observation(event)
        elif event.get("source") == "user":
            given = as_dict(event.get("args"))
            self.out.user(as_text(given.get("content") or event.get("message")), event.get("timestamp"))
        else:
            self._action(event, kind)
        self.places.setdefault(name_of(event.get("id")), len(self.out.messages) - 1)

    def _action(self, event: Json, kind: str) -> None:
        """An action of the agent: the whole reply that it came from, once."""
        meta, given, at = as_dict(event.get("tool_call_metadata")), as_dict(event.get("args")), event.get("timestamp")
        call = usable_id(meta.get("tool_call_id"))
        response = as_dict(meta.get("model_response"))
        said = reply_of(response)
        if said and call:
            self.calls[name_of(event.get("id"))] = call
            name = as_text(response.get("id") or call)
            if name in self.responses:
                return
            self.responses.add(name)
            self.out.model = as_text(response.get("model")).rpartition("/")[2] or self.out.model
            content = [*content_of(said.get("content")), *calls_of(self.out, said)]
            self.out.reply(content, at, usage_in(response.get("usage")))
        elif kind in ("message", "finish", "think"):
            self.out.reply([{"type": "text", "text": as_text(given.get("content") or event.get("message"))}], at)
        else:
            call = self.calls[name_of(event.get("id"))] = f"event{as_text(event.get('id'))}"
            thought = [{"type": "text", "text": as_text(given.get("thought"))}]
            inputs = {key: each for key, each in given.items() if key != "thought"}
            self.out.reply([*thought, self.out.call(kind, call, arguments_of(inputs))], at)

    def _observation(self, event: Json) -> None:
        """What an action caused: a result where it was a call, else a text from outside."""
        text, at = as_text(event.get("content") or event.get("message")), event.get("timestamp")
        call = usable_id(as_dict(event.get("tool_call_metadata")).get("tool_call_id"))
        call = call or self.calls.get(name_of(event.get("cause")), "")
        if call:
            self.out.result(call, text, at, error=event.get("observation") == "error")
        elif text:
            self.out.user(text, at)

    def _condensation(self, told: Json) -> None:
        """A compaction: forgotten events by their ids, or from one to another."""
        ids = told.get("forgotten_event_ids")
        gone = {
            self.places[name_of(each)]
            for each in (ids if isinstance(ids, list) else ())
            if name_of(each) in self.places
        }
        first, last = told.get("forgotten_events_start_id"), told.get("forgotten_events_end_id")
        if isinstance(first, int) and isinstance(last, int):  # a file may say any number: those that are here are asked
            gone = {place for name, place in self.places.items() if name.isdecimal() and first <= int(name) <= last}
        self.gone |= gone
        kept = tuple(place for place in range(len(self.out.messages)) if place not in self.gone)
        summary = "\n".join(as_text(part.get("text")) for part in parts(told.get("summary")))
        self.out.shortened.append(Shortened(len(self.out.messages), summary, "", kept=kept))


def name_of(event_id: Any) -> str:
    """An id of an event as a name; it is a number in old files and a text in new ones."""
    return as_text(event_id)
