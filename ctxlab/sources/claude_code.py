"""Claude Code: a session file (JSONL, 1.0 to today) becomes a History.

There is no public schema and it changes with nearly every release, so every field is optional and may be of any type.
Order is that of the file. The records of one reply are merged by `message.id`, results are joined to their calls, and
what the model never saw is left out: side-chains, progress, bookkeeping, `toolUseResult`. Recorded compactions are kept
beside the messages.

Evidence: measured (`message`, usage, the three generations of compaction) over 147 recordings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..engine.edit import plural
from ..engine.history import Clearing, Compaction, History, Source
from ..engine.pipeline import TELL_EVERY, Progress
from ..engine.tokens import ClaudeEstimate, Counter, family_of, is_known
from .assemble import apart, assemble
from .branches import live_records
from .build import Builder, parts
from .drafts import Boundary, Draft
from .records import Reading, Record
from .subagents import branches_of
from .thread import Thread, as_message


class NotASessionError(ValueError):
    """The file holds nothing that this reader knows."""


def load_records(
    reading: Reading,
    form: str,
    path: str = "",
    counter: Counter | None = None,
    progress: Progress | None = None,
    beside: Sequence[Path] = (),
) -> History:
    """Turn the records of one session into a History; damage is listed in `source.skipped` and `notices`.

    `beside` are the files of its sub-agents. What was read is taken over and emptied, so that nothing is held twice.
    Raises NotASessionError where no record of a session is among it.
    """
    kinds = reading.kinds
    if not any(
        kind in kinds for kind in ("user", "assistant", "system", "attachment", "summary", "file-history-snapshot")
    ):
        found = ", ".join(f"{count} of type {kind}" for kind, count in kinds.most_common(3)) or "no JSON object"
        raise NotASessionError(
            f"no record of a Claude Code session is in it (found: {found}); expected one JSON object a line, with type user or assistant"
        )
    main, aside, side = main_thread(reading.records)
    live, left = live_records(main)
    thread = Thread()
    named = [record for record in live if "agentId" in record.data]
    for record in live:
        thread.take(record)
    for taken in (reading.records, reading.first, main, live):  # from here on only what the thread holds is needed
        taken.clear()
    notices = [*reading.notices(), *side, *left, *thread.notices()]
    model, mixed = model_of(thread.drafts)
    counter = counter or ClaudeEstimate(model)
    source = Source(form, path, reading.count, tuple(reading.skipped))
    build, index = built(thread, counter, progress)
    compactions = tuple(compaction(boundary, thread, index, counter) for boundary in thread.boundaries)
    clearings = tuple(clearing(each, build, index) for each in thread.clearings)
    history = assemble(build, source, counter, model, [*notices, *mixed], compactions, clearings)
    if not aside and not beside:
        return history
    opener = partial(opened, counter=counter)
    return replace(history, branches=tuple(branches_of(aside, list(beside), beginnings(history, named), opener)))


def opened(reading: Reading, path: str, counter: Counter) -> History:
    """A sub-agent as a History of its own."""
    return load_records(reading, "claude_code", path, counter)


def beginnings(history: History, records: list[Record]) -> dict[str, list[str]]:
    """A sub-agent's prompt, and its id where the result tells it, each with the blocks of the calls that began it."""
    out: dict[str, list[str]] = {}
    for block in history.blocks:
        if block.kind == "call" and isinstance(block.raw, dict) and isinstance(block.raw.get("prompt"), str):
            out.setdefault(block.raw["prompt"].strip(), []).append(block.id)
    for record in records:
        agent, message = record.data.get("agentId"), as_message(record.data.get("message"))
        for part in parts(message.get("content")):
            name = f"{part.get('tool_use_id')}/use"
            if isinstance(agent, str) and name in history.by_id:
                out[agent] = [name]
    return out


def main_thread(records: list[Record]) -> tuple[list[Record], list[Record], list[str]]:
    """The records without side-chains, and those; where all that is chained is one, it is the main thread."""
    chained = [record for record in records if record.data.get("type") in ("user", "assistant")]
    aside = [record for record in chained if record.data.get("isSidechain") is True]
    if not aside:
        return records, [], []
    if len(aside) == len(chained):
        return records, [], ["every record is a side-chain's; it is read as the main thread"]
    main = [record for record in records if record.data.get("isSidechain") is not True]
    words = f"{plural(len(aside), 'record')} of sub-agents (side-chains) left out: branches with a window of their own"
    return main, aside, [words]


def model_of(drafts: Iterable[Draft]) -> tuple[str, list[str]]:
    """The newest model that replied, and a notice where the tokenizer is not known or not one."""
    models = list(dict.fromkeys(draft.model for draft in drafts if draft.model))
    if not models:
        return "", ["no model is named; counted as Claude up to the 4.6 models"]
    notices = []
    unknown = [model for model in models if not is_known(model)]
    if unknown:
        notices.append(f"unknown model {unknown[0]!r}; counted as Claude {family_of(models[-1])}")
    if len({family_of(model) for model in models}) > 1:
        notices.append(f"replies of {', '.join(models)}: two tokenizers, counted as that of {models[-1]}")
    return models[-1], notices


def built(thread: Thread, counter: Counter, progress: Progress | None) -> tuple[Builder, dict[int, int]]:
    """The messages as they are counted, and for each draft the index of the first message at or behind it."""
    build = Builder(counter)
    index: dict[int, int] = {}
    for number, draft in enumerate(thread.drafts):
        if progress and number % TELL_EVERY == 0:  # counting is most of the work
            progress(number / len(thread.drafts))
        index[number] = len(build.messages)
        add(build, draft)
        if draft.results:
            found = [draft.results[call] for call in draft.calls if call in draft.results]
            newest = max(
                (result for result in found if result.at is not None), key=lambda r: r.at or 0.0, default=found[0]
            )
            build.results([result.part for result in found], [result.at for result in found], newest.timestamp)
        draft.content, draft.results = [], {}  # what was built is not held twice
    index[len(thread.drafts)] = len(build.messages)
    return build, index


def add(build: Builder, draft: Draft) -> None:
    """One draft as a message."""
    if draft.role == "assistant":
        build.reply(draft.content, draft.at, draft.timestamp, draft.usage, draft.output, draft.version, draft.stop)
    else:
        build.user(draft.content, draft.at, draft.timestamp, "attachment" if draft.attachment else "user", draft.target)


def compaction(boundary: Boundary, thread: Thread, index: dict[int, int], counter: Counter) -> Compaction:
    """A recorded compaction, with its summary and what was restored as messages of their own."""
    aside = Builder(counter)
    for draft in (*boundary.summary, *boundary.restored):
        add(aside, draft)
    messages = [apart(message, f"{boundary.line}") for message in aside.messages]
    names = [f"m{at}" for number in thread.preserved(boundary) for at in range(index[number], index[number + 1])]
    summary = messages[0] if boundary.summary and messages else None
    return Compaction(
        index[boundary.position],
        boundary.trigger,
        boundary.tokens_before,
        boundary.tokens_after,
        summary,
        tuple(messages[1:] if summary else messages),
        tuple(names),
    )


def clearing(found: tuple[int, tuple[str, ...], int | None], build: Builder, index: dict[int, int]) -> Clearing:
    """A recorded microcompaction; a result that is not in this file keeps the name that it had."""
    position, calls, saved = found
    names = (build.calls[call].id if call in build.calls else call for call in calls)
    return Clearing(index[position], tuple(f"{name}/result" for name in names), saved)
