"""What a recording says was cleared, against the rule of its build; and where the context shrank without a word.

The rule is the real layer, asked at that request with the session as it was recorded. A drop is a reply whose context is
more than a tenth below what follows from the reply before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from ..engine import history as record
from ..engine.edit import Replace, plural
from ..engine.history import History
from ..engine.pipeline import LAYERS
from ..engine.replay import replay
from ..engine.services import Services
from .recorded import Segment, segments, settings_of, version_at, view_as_recorded, window_of

DROP_SHARE = 0.10
MOST_LOOKED_INTO = 100  # of one recording: each asks the layer with the session up to there
ONLY_MICROCOMPACT = {f"{name}.enabled": name == "microcompact" for name, _ in LAYERS}
NEXT_TO = 4  # messages: two requests
CLOSE = 0.10  # of the context before: a rule whose saving is within this of a drop fits it


class Clearing(NamedTuple):
    """One recorded microcompaction: results it names, those of them in the file, and what the rule clears there."""

    position: int
    named: tuple[str, ...]
    in_file: tuple[str, ...]
    predicted: tuple[str, ...]
    tokens_saved: int | None

    @property
    def hits(self) -> int:
        """Named results in the file that the rule clears as well."""
        return len(set(self.in_file) & set(self.predicted))


class Drop(NamedTuple):
    """A reply (by message index, and as the nth reply) before which the context shrank, and what explains it, if anything."""

    reply: int
    number: int
    recorded: int
    predicted: int
    explained: bool
    words: str


class Unseen(NamedTuple):
    """An act that a rule of the build would have taken before a reply, and of which the recording shows nothing."""

    layer: str
    reply: int
    words: str


def clearing_of(history: History, found: record.Clearing) -> Clearing:
    """Ask the layer where the recording says that results were cleared."""
    here = set(found.results) & history.by_id.keys()
    in_file = tuple(name for name in found.results if name in here)
    part = next(part for part in segments(history) if part.start <= found.position <= part.stop)
    before = {name for each in history.clearings if each.position < found.position for name in each.results}
    edits, _ = layer_before(history, part, found.position, ("pressure",), before) if in_file else ([], "")
    predicted = tuple(edit.block for edit in edits)
    return Clearing(found.position, found.results, in_file, predicted, found.tokens_saved)


def layer_before(
    history: History, part: Segment, position: int, strategy: tuple[str, ...], cleared: set[str]
) -> tuple[list[Replace], str]:
    """What microcompact would clear at the request that message `position` answers, and its reason."""
    alone = part.history(history)
    answer = len(alone.messages) - (part.stop - position)
    request = next((n for n, turn in enumerate(alone.turns) if turn.answer >= answer), None)
    if request is None:
        return [], "no request is recorded there"
    version = version_at(history, position + 1)
    settings = settings_of(version, window_of(history)).replace("microcompact.strategy", strategy)
    outcome = dict(LAYERS)["microcompact"](
        view_as_recorded(alone, request, settings, cleared), settings, Services.offline(alone)
    )
    return [edit for edit in outcome.edits if isinstance(edit, Replace)], outcome.reason


def drops_of(history: History, part: Segment, sizes: Sequence[tuple[int, int]]) -> list[Drop]:
    """The drops among the sizes of a part, each with its explanation."""
    out: list[Drop] = []
    numbers = {answer: number for number, answer in enumerate(replies(history), 1)} if sizes else {}
    for reply, predicted in sizes:
        recorded = history.messages[reply].usage
        if predicted - recorded > DROP_SHARE * recorded:
            words, explained = f"one of more than {MOST_LOOKED_INTO} drops, not looked into", False
            if len(out) < MOST_LOOKED_INTO:
                words, explained = explanation(history, part, reply, numbers[reply], predicted - recorded)
            out.append(Drop(reply, numbers[reply], recorded, predicted, explained, words))
    return out


def replies(history: History) -> list[int]:
    """The places of all replies."""
    return [place for place, message in enumerate(history.messages) if message.role == "assistant"]


def explanation(history: History, part: Segment, reply: int, number: int, fell: int) -> tuple[str, bool]:
    """Why the context fell: a record in the file, a rule that fits, or nothing that is known here."""
    previous = next(n for n in range(reply - 1, -1, -1) if history.messages[n].usage)
    noted = [each for each in history.clearings if previous < each.position <= reply]
    if noted:
        saved = f", which says it saved {noted[0].tokens_saved:,}" if noted[0].tokens_saved is not None else ""
        return f"a recorded microcompaction of {plural(len(noted[0].results), 'result')}{saved}", True
    words = f"cleared without a trace before reply {number}: about {fell:,} tokens"
    before = {name for each in history.clearings if each.position <= previous for name in each.results}
    for strategy in ("pressure", "gap"):
        edits, reason = layer_before(history, part, reply, (strategy,), before)
        saves = sum(edit.before - edit.after for edit in edits)
        if edits and abs(saves - fell) <= CLOSE * history.messages[previous].usage:
            return f"{words}; microcompact by {strategy} fits ({saves:,}: {reason})", True
    return words, False


def unseen_clearings(history: History, part: Segment, drops: Collection[int]) -> Iterator[Unseen]:
    """Clearings of a part by the rule of its build, next to which neither a record nor a drop stands."""
    alone = part.history(history)
    settings = settings_of(version_at(history, part.stop), window_of(history)).replace(ONLY_MICROCOMPACT)
    known = [*drops, *(each.position for each in history.clearings)]
    shift = part.stop - len(alone.messages)
    for step in replay(alone, settings).steps:
        reply = alone.turns[step.request].answer + shift
        if step.layer == "microcompact" and step.state == "acted" and all(abs(reply - at) > NEXT_TO for at in known):
            yield Unseen("microcompact", reply, step.reason)
