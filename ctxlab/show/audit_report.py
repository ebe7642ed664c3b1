"""The audit as tables: one row for each question, then every miss by name. `cl.audit` and `ctxlab audit` show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..engine.edit import plural
from ..engine.history import History
from ..lab.audit import LEAST_TOKENS, Audit, audit_history
from ..sources.load import load
from .table import Table, escaped
from .text import WORD_WIDTH
from .words import one_line

QUESTIONS = ("what is held against the recording", "found", "as predicted")
MISSES = ("recording", "where", "what")
OWN_FORMAT, OTHERS_RULES = "claude_code", "the rules that it is held against are Claude Code's"
SHARES = ((0.5, "median"), (0.95, "at the 95th percentile"), (0.99, "at the 99th"))


class AuditReport:
    """The audits of one or more recordings; prints itself, and shows itself as tables in a notebook.

    `unusable` names the files that could not be read, each with the reason.
    """

    def __init__(self, audits: Iterable[Audit], unusable: Iterable[tuple[str, str]] = ()) -> None:
        self.audits = tuple(audits)
        self.unusable = tuple(unusable)

    @property
    def table(self) -> Table:
        """One row for each question."""
        return Table(QUESTIONS, questions(self.audits), self._footer())

    @property
    def misses(self) -> Table:
        """Every compaction, clearing, result and drop that is not as predicted, and what explains it."""
        return Table(MISSES, [row for audit in self.audits for row in misses_of(audit)])

    def _footer(self) -> str:
        if len(self.audits) == 1 and not self.unusable:
            now = self.audits[0].size_now
            form = self.audits[0].form
            others = "" if form.startswith(OWN_FORMAT) else f" A recording of {form}: {OTHERS_RULES}."
            return f"Size at the end: {now.tokens:,} tokens, {now.rests_on}.{others}"
        with_usage = sum(bool(audit.sizes) for audit in self.audits)
        unusable = f"; {plural(len(self.unusable), 'file')} of other kinds" if self.unusable else ""
        return f"{plural(len(self.audits), 'recording')}, {with_usage} with usage to hold something against{unusable}."

    def __str__(self) -> str:
        misses = self.misses
        parts = [self.table.text(WORD_WIDTH), *([misses.text(WORD_WIDTH)] if misses.rows else [])]
        return "\n\n".join([*parts, *self._unusable_lines()])

    def _unusable_lines(self) -> list[str]:
        return [f"{one_line(name, 200)}: {one_line(why, 300)}" for name, why in self.unusable]

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        misses = self.misses
        others = "".join(f"<p>{escaped(line)}</p>" for line in self._unusable_lines())
        return self.table._repr_html_() + (misses._repr_html_() if misses.rows else "") + others


def audit(source: History | str | Path | Sequence[Any]) -> AuditReport:
    """Hold a recording, or every recording (`*.jsonl`) in a folder and below it, against the simulation.

    Takes what `load` takes, or a History. Raises what `load` raises; in a folder such a file is named in the report, and
    ValueError says that there is no other.
    """
    if isinstance(source, History):
        return AuditReport([audit_history(source)])
    folder = Path(source) if isinstance(source, (str, Path)) and len(str(source)) < 4_096 else None
    if folder is None or not folder.is_dir():
        return AuditReport([audit_history(load(source))])
    audits, unusable = [], []
    for path in sorted(each for each in folder.rglob("*.jsonl") if each.is_file()):
        name = str(path.relative_to(folder))
        try:
            history = load(path)
        except (OSError, ValueError) as error:
            unusable.append((name, str(error)))
            continue
        if history.source.format.startswith(OWN_FORMAT):
            audits.append(replace(audit_history(history), path=name))
        else:
            unusable.append((name, f"a recording of {history.source.format}: {OTHERS_RULES}"))
    if not audits:
        reasons = f"; the first: {unusable[0][0]}: {unusable[0][1]}" if unusable else ""
        raise ValueError(f"no session file (.jsonl) in this folder can be read{reasons}")
    return AuditReport(audits, unusable)


def questions(audits: Sequence[Audit]) -> Iterator[tuple[str, str, str]]:
    """The rows of the table: what was held against the recordings, how much of it there is, how much is as predicted."""
    errors = sorted(abs(size.error) for audit in audits for size in audit.steady)
    steps = ", ".join(f"{100 * at(errors, share):.2f} % {name}" for share, name in SHARES) if errors else "-"
    yield (
        f"size of the next context (over {LEAST_TOKENS:,} tokens): error",
        plural(len(errors), "reply", "replies"),
        steps,
    )
    compactions = [each for audit in audits for each in audit.compactions]
    for trigger, words in (
        ("auto", "automatic compactions, to within one request"),
        ("not named", "compactions that name no trigger"),
    ):
        known = [each for each in compactions if each.trigger == trigger]
        if known:
            missed = sum(not each.hit for each in known)
            yield words, f"{len(known)}", f"{len(known) - missed}" + (f", the other {missed} by name" if missed else "")
    if by_hand := sum(each.trigger == "manual" for each in compactions):
        yield "compactions by hand", f"{by_hand}", "not held against a line"
    clearings = [each for audit in audits for each in audit.clearings]
    if clearings:
        in_file = sum(len(each.in_file) for each in clearings)
        hits = f"{sum(each.hits for each in clearings)} of {in_file} that are in their file"
        named = plural(sum(len(each.named) for each in clearings), "result")
        yield "results that recorded microcompactions cleared", f"{named} in {len(clearings)}", hits
    saved = [each for audit in audits for each in audit.saved]
    for tool, count in sorted(Counter(each.tool for each in saved).items()):
        right = sum(each.tool == tool and each.saved and each.predicted for each in saved)
        yield f"results saved to disk: {tool}", f"{count}", f"{right}"
    drops = [drop for audit in audits for drop in audit.drops]
    if drops:
        yield "drops by more than a tenth", f"{len(drops)}", f"{sum(d.explained for d in drops)} explained, all named"
    unseen = Counter(each.layer for audit in audits for each in audit.unseen)
    for layer, count in sorted(unseen.items()):
        yield f"acts by {layer}, by the rule of the build, that no recording shows", f"{count}", "0 shown"


def at(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of an ordered list lies."""
    return ordered[int(share * (len(ordered) - 1))]


def misses_of(audit: Audit) -> Iterator[tuple[str, str, str]]:
    """Rows for what is not as predicted in one recording, and for every drop."""
    name = audit.path or "this session"
    for each in audit.compactions:
        if not each.hit and each.trigger != "manual":
            told = f"recorded at {each.recorded:,}" if each.recorded is not None else "recorded without a size"
            where = (
                "not predicted"
                if each.predicted is None
                else f"predicted {each.requests - each.predicted} requests early"
            )
            why = each.why_not or f"the line of {each.line:,} was reached then"
            yield name, f"message {each.position + 1}", f"compaction ({each.trigger}), {told}: {where}; {why}"
    for clearing in audit.clearings:
        missing = len(clearing.named) - len(clearing.in_file)
        wrong = len(set(clearing.predicted) ^ set(clearing.in_file)) if clearing.in_file else 0
        if missing or wrong:
            rest = (
                f"{wrong} of the others not as predicted" if clearing.in_file else "so nothing can be held against it"
            )
            words = f"microcompaction: {plural(missing, 'named result')} not in the file, {rest}"
            yield name, f"message {clearing.position + 1}", words
    for result in audit.saved:
        if result.saved != result.predicted:
            words = "saved, though within its limit" if result.saved else "left inline, though over its limit"
            yield name, f"a result of {result.tool}", f"{result.characters:,} characters {words}"
    for drop in audit.drops:
        fell = f"{drop.predicted:,} expected, {drop.recorded:,} recorded"
        yield (
            name,
            f"reply {drop.number}",
            f"{fell}: {drop.words}{'' if drop.explained else '; no rule here fits'}",
        )
    for act in audit.unseen:
        yield name, f"message {act.reply + 1}", f"{act.layer} would have acted ({act.words}), and nothing shows it did"
