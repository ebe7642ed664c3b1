"""Faults: what goes wrong in real sessions, put into any session on purpose, to see what each layer makes of it.

Two begin at a request: an idle gap and a huge result. Three are there from the start: rules of 61 % of the window, a model
that cannot summarise, a hook that blocks. The session itself stays as it was; what is replayed is a copy. Sizes and words here are ctxlab's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from ..engine.history import History
from ..engine.hooks import BLOCKS, HookAnswer, NoHooks
from ..engine.message import Block, Message
from ..engine.services import Services
from ..engine.settings import Settings, suggest
from ..engine.summary import SummaryRequest
from ..engine.summary_text import SummaryError

RULES_SHARE = 0.61  # of the window
GAP_BEYOND = 10  # minutes more than microcompact waits
HUGE_TIMES = 4  # the limit of one result
HUGE_WITHOUT_LIMIT = 50_000  # characters, taken as the limit where there is none
LOG_LINE = "a line of a log that somebody forgot to cut\n"
RULE = "Rule {}: keep every public name, every file and every test exactly as it was found, and say so.\n"


class Put(NamedTuple):
    """A session, with those who are asked, in which a fault was put."""

    history: History
    services: Services


def idle_gap(put: Put, settings: Settings, request: int) -> Put:
    """A pause in front of a request, longer than microcompact waits; ValueError where the session tells no times."""
    start = first_message(put.history, request)
    seconds = 60 * (settings.microcompact.gap_minutes + GAP_BEYOND)
    if not start or not any(message.at is not None for message in put.history.messages[start:]):
        raise ValueError(
            f"request {request + 1} can have no pause before it: nothing earlier, or no times, in this session"
        )
    later = tuple(moved(message, seconds) for message in put.history.messages[start:])
    return put._replace(history=replace(put.history, messages=(*put.history.messages[:start], *later)))


def moved(message: Message, seconds: float) -> Message:
    """A message that many seconds later."""
    blocks = tuple(replace(b, at=None if b.at is None else b.at + seconds) for b in message.blocks)
    return replace(message, at=None if message.at is None else message.at + seconds, blocks=blocks)


def huge_result(put: Put, settings: Settings, request: int) -> Put:
    """A result from a request on is several times as long as one may be; ValueError where none comes any more.

    It is the first that the budget may save; where it may save none, the first of all.
    """
    history, rule = put.history, settings.budget
    arrived = history.arrived
    come = [b for b in history.blocks if b.kind == "result" and arrived.get(b.id, -1) >= request]
    if not come:
        raise ValueError(f"no result comes in at request {request + 1} or later, so none can be huge")
    found = next((b for b in come if b.tool not in rule.exempt_tools), come[0])
    most = rule.limit(found.tool) or HUGE_WITHOUT_LIMIT
    text = found.text + "\n" + LOG_LINE * (HUGE_TIMES * most // len(LOG_LINE) + 1)
    return put._replace(history=with_block(history, replace(found, text=text, tokens=history.counter(text))))


def with_block(history: History, block: Block) -> History:
    """The History with another block in the place of that of the same id; from there on no size is the recorded one."""
    at, number = history.places[block.id]
    message = history.messages[at]
    blocks = (*message.blocks[:number], block, *message.blocks[number + 1 :])
    messages = (*history.messages[:at], replace(message, blocks=blocks), *history.messages[at + 1 :])
    return replace(history, messages=messages, anchored=min(history.anchored, max(0, at - 1)))


def heavy_rules(put: Put, settings: Settings, request: int) -> Put:  # noqa: ARG001 - rules are there from the start
    """Rules in front of the session that take most of the window."""
    wanted = round(RULES_SHARE * settings.window.context_window)
    each = put.history.counter(RULE.format(100))
    text = "".join(RULE.format(number) for number in range(wanted // each))
    block = Block("fault.rules", "system", "claude_md", text, wanted, "fault.rules", target="CLAUDE.md")
    return put._replace(history=replace(put.history, overhead=(*put.history.overhead, block), anchored=0))


def failing_summariser(put: Put, settings: Settings, request: int) -> Put:  # noqa: ARG001 - it always fails
    """A model that answers a summary request with nothing."""
    return put._replace(services=replace(put.services, summarise=answers_nothing))


def answers_nothing(request: SummaryRequest) -> str:
    """Fail as a model does that was asked for too much."""
    raise SummaryError(f"the summary is empty (a fault, put in by hand; asked with {request.tokens:,} tokens)")


def blocking_hook(put: Put, settings: Settings, request: int) -> Put:  # noqa: ARG001 - it always blocks
    """A hook that lets no compaction be."""
    return put._replace(services=replace(put.services, hooks=Blocking()))


class Blocking(NoHooks):
    """A hook that always says no."""

    def pre_compact(self, trigger: str, instructions: str) -> HookAnswer:  # noqa: ARG002 - one answer to all
        """Block."""
        return HookAnswer(BLOCKS, "", "it blocks every compaction (a fault, put in by hand)")


FROM_A_REQUEST = ("idle_gap", "huge_result")  # the others are there from the start
FAULTS: dict[str, Callable[[Put, Settings, int], Put]] = {
    "idle_gap": idle_gap,
    "huge_result": huge_result,
    "failing_summariser": failing_summariser,
    "blocking_hook": blocking_hook,
    "heavy_rules": heavy_rules,
}


def with_faults(history: History, services: Services | None, settings: Settings, faults: Mapping[str, int]) -> Put:
    """The session with these faults, each from its request (from 0) on; ValueError for an unknown one, or one it cannot have."""
    put = Put(history, services or Services.offline(history))
    for name, request in faults.items():
        if name not in FAULTS:
            raise ValueError(f"unknown fault {name!r}; {suggest(str(name), FAULTS)}")
        if not isinstance(request, int) or not 0 <= request < len(history.turns):
            raise ValueError(f"{name} at request {request!r}: this session has {len(history.turns)}, counted from 0")
    for name, fault in FAULTS.items():  # in one order, whatever the order in which they were asked for
        if name in faults:
            put = fault(put, settings, faults[name])
    if services is None:  # the workspace tells of the session as it is now
        put = put._replace(
            services=replace(Services.offline(put.history), summarise=put.services.summarise, hooks=put.services.hooks)
        )
    return put


def first_message(history: History, request: int) -> int:
    """The index of the first message of the user that a request brings: the reply in front of it came in time."""
    turn = history.turns[request]
    new = history.blocks[turn.start : turn.stop]
    return history.places[next((b for b in new if b.role == "user"), new[0]).id][0]
