"""The groups of Settings: every number about Claude Code once, with where it comes from.

The defaults are the `v2.1` profile; `profiles.py` says where the others differ. Evidence words: official (documentation
or changelog), measured (counted in recorded sessions), analysis (a third party's written analysis), article (the three
articles the project starts from), ctxlab (our own reconstruction).
"""

# ruff: noqa: E501 - one field, one line: a table is read across
# fmt: off

from __future__ import annotations

from dataclasses import dataclass, fields

from .fields import Group, choice, names, number, switch, table
from .message import Block
from .pictures import UNKNOWN_TOKENS


@dataclass(frozen=True)
class Window(Group):
    """How large the window is, and which part of it the harness holds back."""

    context_window: int = number(200_000, "tokens", 1_000, 10_000_000, 1_000, "Size of the model's context window.", "official", "docs: context windows")
    max_output_tokens: int = number(32_000, "tokens", 0, 128_000, 500, "The longest reply that is asked for.", "official", "docs: environment variables")
    reserve_rule: str = choice("min", ("min", "max", "limit"), "What is held back for the summary: the smaller or the larger of output and reserve, or nothing.", "analysis", "build 2.1.88; it explains that no automatic compaction is below 167,038 in 40 recordings from 2.1.25 on")
    reserve_tokens: int = number(20_000, "tokens", 0, 200_000, 500, "Held back so that the summary itself fits.", "analysis", "build 2.1.88: p99.99 of summary length was 17,387 tokens")
    buffer_tokens: int = number(13_000, "tokens", 0, 200_000, 100, "Safety margin between the autocompact line and the effective window.", "analysis", "build 2.1.88; 200,000 - 20,000 - 13,000 = 167,000 fits the recordings")
    warning_tokens: int = number(20_000, "tokens", 0, 200_000, 100, "The warning comes this far below the autocompact line.", "analysis", "build 2.1.88")
    blocking_tokens: int = number(3_000, "tokens", 0, 100_000, 100, "Requests are blocked this far below the effective window, when autocompact cannot help.", "analysis", "build 2.1.88")
    cache_minutes: int = number(60, "minutes", 1, 1_440, 1, "How long the provider remembers the prompt.", "official", "docs: prompt caching")
    most_pictures: int = number(100, "pictures", 1, 600, 1, "More in one request are refused; 600 for models with a larger window.", "official", "docs: vision")
    most_body_bytes: int = number(33_554_432, "bytes", 1_000, 100_000_000, 1_000, "Pictures and documents of more than this are refused.", "official", "docs: errors")
    first_output_tokens: int = number(8_000, "tokens", 100, 128_000, 100, "The output limit of a first try.", "analysis", "build 2.1.88")
    raised_output_tokens: int = number(64_000, "tokens", 100, 128_000, 100, "The output limit after a reply that hit the first one; raised once.", "analysis", "build 2.1.88")
    resumes: int = number(3, "messages", 0, 20, 1, "Hidden messages that ask a cut reply to go on, after the limit was raised.", "analysis", "build 2.1.88")


@dataclass(frozen=True)
class Overhead(Group):
    """What is sent before the first message and is not in the record; a recording that knows its sum overrides it."""

    system: int = number(4_200, "tokens", 0, 500_000, 100, "System prompt.", "official", "docs: context window (illustration)")
    tools: int = number(14_470, "tokens", 0, 500_000, 100, "Schemas of the built-in tools.", "ctxlab", "ctxlab: what is left of about 20,000 in all")
    mcp: int = number(120, "tokens", 0, 500_000, 100, "Schemas or names of MCP tools; 900 to 51,000 where they are not deferred.", "official", "docs: context window (illustration)")
    memory: int = number(760, "tokens", 0, 500_000, 100, "Memory files that are not shown as blocks of their own.", "ctxlab", "ctxlab: what is left of about 20,000 in all")
    skills: int = number(450, "tokens", 0, 500_000, 100, "List of skills.", "official", "docs: context window (illustration)")

    def parts(self) -> list[tuple[str, int]]:
        """Kind and tokens of each part, in the order in which it is sent."""
        return [(field.name, getattr(self, field.name)) for field in fields(self)]


@dataclass(frozen=True)
class Budget(Group):
    """Layer 1: results that are too long go to the archive, and a preview stays."""

    enabled: bool = switch(True, "Save long results and leave a preview.", "official", "changelog 2.1.2")
    per_result_chars: int | None = number(50_000, "characters", 100, 1_000_000, 100, "The longest result that stays inline.", "analysis", "build 2.1.88; changelog 2.1.51", optional=True)
    per_tool: tuple[tuple[str, int], ...] = table((("Bash", 30_000), ("Grep", 20_000)), "characters", "What a tool declares for itself; the smaller of this and the common limit counts.", "measured", "recordings: saved from about 30,200 (Bash, 41 cases) and 20,500 bytes (Grep, 56) on")
    per_message_chars: int | None = number(200_000, "characters", 100, 5_000_000, 1_000, "All results of one reply together.", "analysis", "build 2.1.88", optional=True)
    preview_bytes: int = number(2_000, "bytes", 0, 100_000, 50, "The head that stays.", "measured", "recordings: 1.7 to 2.3 kB in all")
    exempt_tools: tuple[str, ...] = names(("Read",), "Never saved, or reading it back would save it again.", "measured", "recordings: 70 Read results above 50,000 characters, all inline")

    def limit(self, tool: str) -> int | None:
        """Characters that a result of this tool may have inline; None where there is no limit."""
        if tool in self.exempt_tools:
            return None
        known = [limit for limit in (dict(self.per_tool).get(tool), self.per_result_chars) if limit is not None]
        return min(known, default=None)


@dataclass(frozen=True)
class Snip(Group):
    """Layer 2: marked messages leave the view."""

    enabled: bool = switch(False, "Remove marked messages.", "analysis", "build 2.1.88: behind a flag, as in every build seen")
    policy: str = choice("superseded", ("superseded", "finished", "empty", "none"), "What is marked: reads that a later read or write of the file replaced, commands that were run again, empty results, or nothing.", "ctxlab", "ctxlab: the real policy is not public")
    spares_dependents: bool = switch(True, "A result that was edited or quoted before it was replaced stays.", "ctxlab", "ctxlab: our own reading of article-2's no later dependents")
    minimum_tokens: int = number(2_000, "tokens", 0, 100_000, 50, "The least that is worth breaking the cached prefix.", "ctxlab", "ctxlab: our own")


@dataclass(frozen=True)
class Microcompact(Group):
    """Layer 3: old tool results are cleared."""

    enabled: bool = switch(True, "Clear old tool results.", "official", "docs: how Claude Code works")
    strategy: tuple[str, ...] = names(("gap",), "What sets it off, tried in this order.", "analysis", "build 2.1.88; of the recordings from 2.1.37 on one fits, in four an idle hour cleared nothing", allowed=("gap", "age", "pressure", "cached", "api"))
    gap_minutes: int = number(60, "minutes", 1, 1_440, 1, "gap: idle time after which the cached prefix is surely gone.", "analysis", "build 2.1.88; 170 idle minutes in one recording fit")
    keep_recent: int = number(5, "results", 1, 100, 1, "Newest results that stay.", "analysis", "build 2.1.88")
    age_rounds: int = number(10, "requests", 1, 1_000, 1, "age: results older than this go.", "ctxlab", "ctxlab: article-2 gives no number")
    cached_trigger: int = number(12, "results", 1, 1_000, 1, "cached: this many results set it off.", "analysis", "a blog on cached microcompact: the value itself is set remotely")
    pressure_keep_tokens: int = number(40_000, "tokens (characters / 4)", 0, 1_000_000, 1_000, "pressure: the oldest go until this much remains.", "measured", "recordings: predicts all 82 ids of four events")
    pressure_save_tokens: int = number(20_000, "tokens (characters / 4)", 0, 1_000_000, 1_000, "pressure: less than this is not worth it.", "measured", "recordings: nine events, never under 20,000")
    api_trigger_tokens: int = number(100_000, "tokens", 0, 1_000_000, 1_000, "api: input that sets it off.", "official", "docs: context editing")
    api_clear_at_least_tokens: int = number(0, "tokens", 0, 1_000_000, 1_000, "api: skipped when less can be cleared.", "official", "docs: context editing")
    api_exclude_tools: tuple[str, ...] = names((), "api: results of these are never cleared.", "official", "docs: context editing")
    api_clear_inputs: bool = switch(False, "api: the inputs of cleared calls go as well.", "official", "docs: context editing")
    tools: tuple[str, ...] = names(("Read", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write"), "Only results of these can be had again.", "article", "article-1, article-2; agrees with analyses")


@dataclass(frozen=True)
class Collapse(Group):
    """Layer 4: finished rounds are folded into a digest."""

    enabled: bool = switch(False, "Fold finished rounds.", "analysis", "build 2.1.88: behind a flag, its files are in no public analysis")
    engine: str = choice("structural", ("structural", "summarised"), "Who writes a digest: a rule that names the calls, or a model.", "ctxlab", "ctxlab: our own; article-2 says no model, analyses of build 2.1.88 say a background model")
    stage_ahead: float = number(0.05, "of the effective window", 0.0, 1.0, 0.01, "Digests are made ready this far below commit_at.", "ctxlab", "ctxlab: our own")
    commit_at: float = number(0.90, "of the effective window", 0.05, 1.0, 0.01, "Folding begins here.", "analysis", "build 2.1.88")
    fold_until: float = number(0.80, "of the effective window", 0.0, 1.0, 0.01, "Folding ends when the size is down to this.", "ctxlab", "ctxlab: our own")
    block_at: float = number(0.95, "of the effective window", 0.05, 1.0, 0.01, "From here on autocompact may act although collapse is on.", "analysis", "build 2.1.88: blocks here; the way out is ours")
    suppresses_autocompact: bool = switch(True, "While collapse is on, autocompact waits.", "analysis", "build 2.1.88")
    rounds_left_open: int = number(6, "rounds", 1, 1_000, 1, "Newest rounds that are never folded.", "ctxlab", "ctxlab: our own")
    look_again: float = number(0.02, "of the effective window", 0.0, 1.0, 0.01, "Where nothing was left to fold, it looks again after this much is new.", "ctxlab", "ctxlab: our own")

    def check(self) -> None:
        """Folding must end below where it begins."""
        if self.fold_until >= self.commit_at:
            raise ValueError(f"collapse.fold_until ({self.fold_until}) must be below collapse.commit_at ({self.commit_at}), or folding never ends")


@dataclass(frozen=True)
class Autocompact(Group):
    """Layer 5: the conversation becomes a boundary, a summary, a kept tail and files read again."""

    enabled: bool = switch(True, "Summarise when the line is crossed.", "official", "docs: settings")
    clears_results_first: bool = switch(False, "The summariser gets old results as placeholders.", "article", "article-2: it alone; elsewhere clearing is a layer before")
    thinking: str = choice("inherits", ("inherits", "off"), "Whether the summary call may think; the offline summariser does not.", "official", "changelog 2.1.198")
    keeps_pictures: bool = switch(True, "The summary request keeps pictures, so that the cached prefix is read; else they are short marks.", "official", "changelog 2.1.70")
    parts: int = number(9, "headings", 4, 9, 5, "Headings of the summary that is asked for.", "analysis", "build 2.1.88")
    keeps_recent: str = choice("none", ("none", "last exchange"), "What stays beside the summary.", "analysis", "build 2.1.88: keeps nothing; newer docs say the most recent exchanges")
    measure: str = choice("harness", ("harness", "size"), "Which number is held against the line: the harness's own estimate, or the size.", "measured", "recordings: preTokens are usage + characters / 4, to within 3 tokens")
    chars_per_token: int = number(4, "characters", 1, 10, 1, "harness: characters of new text that count as one token.", "measured", "recordings: six compactions, to within 3 tokens")
    picture_tokens: int = number(UNKNOWN_TOKENS, "tokens", 0, 10_000, 100, "harness: what a picture or document counts.", "analysis", "build 2.1.88")
    window: int | None = number(None, "tokens", 1_000, 10_000_000, 1_000, "A smaller window for compaction only.", "official", "docs: environment variables, CLAUDE_CODE_AUTO_COMPACT_WINDOW", optional=True)
    percent_override: int | None = number(None, "percent", 1, 100, 1, "Lowers the line to this share; it cannot raise it.", "official", "docs: environment variables, CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", optional=True)
    percent_of: str = choice("effective", ("effective", "window"), "What the percentage is of.", "analysis", "build 2.1.88: says effective; the docs' wording says window")
    failures: int | None = number(3, "failures", 1, 100, 1, "After this many in a row it stays off.", "official", "changelog 2.1.76", optional=True)
    counts_transport: bool = switch(False, "A model that could not be reached counts as a failure for the breaker.", "analysis", "claude-sdlc-harness issue 705: 47 resets, 20 minutes")
    refills: int | None = number(3, "refills", 1, 100, 1, "After this many quick refills in a row it stops.", "official", "changelog 2.1.89", optional=True)
    refill_requests: int = number(3, "requests", 1, 100, 1, "A refill is quick within this many; the changelog says turns, requests is our reading.", "ctxlab", "changelog 2.1.89")
    summary_tries: int = number(3, "tries", 1, 20, 1, "Tries when the summary call is too long; each drops the oldest rounds.", "analysis", "build 2.1.88")
    dropped_share: float = number(0.2, "of the rounds", 0.01, 0.9, 0.01, "What each of these tries drops.", "analysis", "build 2.1.88")
    summary_share: float = number(0.12, "of what is summarised", 0.01, 0.9, 0.01, "How long the offline summary aims to be, within the reserve.", "official", "docs: context window (its own simulation)")
    summary_least_tokens: int = number(200, "tokens", 1, 20_000, 50, "No summary is asked to be shorter than this.", "ctxlab", "ctxlab: our own")
    kept_share: float = number(0.25, "of the effective window", 0.01, 0.9, 0.01, "The last exchange is kept whole up to this; above it, the newest round is.", "ctxlab", "ctxlab: our own")

    def harness_tokens(self, block: Block) -> int:
        """What the harness would guess for a new block; what only recorded usage knows of is taken as it is."""
        if block.kind == "unrecorded":
            return block.tokens
        pictures = len(block.raw) if isinstance(block.raw, tuple) else int(block.kind == "image")
        return -(-len(block.text) // self.chars_per_token) + pictures * self.picture_tokens

    def check(self) -> None:
        """Two shapes of a summary are known."""
        if self.parts not in (4, 9):
            raise ValueError(f"autocompact.parts must be 4 or 9 headings, got {self.parts}")


@dataclass(frozen=True)
class Restore(Group):
    """What is read again after a compaction."""

    files: int = number(5, "files", 0, 50, 1, "At most this many files, newest read first.", "article", "article-2; agrees with analyses")
    file_tokens: int = number(5_000, "tokens", 0, 100_000, 100, "The most for one file.", "article", "article-2")
    total_tokens: int = number(50_000, "tokens", 0, 500_000, 100, "The most for all of them; 5 x 5,000 can never reach it.", "article", "article-2")
    skill_tokens: int = number(5_000, "tokens", 0, 100_000, 100, "The most for one skill: its head.", "official", "docs: context window")
    skills_tokens: int = number(25_000, "tokens", 0, 500_000, 100, "The most for all skills; the oldest are dropped.", "official", "docs: context window")
    oversize: str = choice("path", ("path", "cut"), "A file over the limit: only its path, or its head.", "measured", "recordings: compact_file_reference")


@dataclass(frozen=True)
class SessionMemory(Group):
    """Notes taken on the side, from which a compaction can start without a model call."""

    enabled: bool = switch(False, "Take notes and compact from them.", "analysis", "hidden problem analysis: all gates were off on the machines seen")
    min_tokens: int = number(10_000, "tokens", 0, 500_000, 100, "The tail behind the notes has at least this much …", "analysis", "build 2.1.88")
    min_messages: int = number(5, "messages", 0, 1_000, 1, "… and this many texts …", "analysis", "build 2.1.88")
    max_tokens: int = number(40_000, "tokens", 0, 500_000, 100, "… but no more than this.", "analysis", "build 2.1.88")
    first_tokens: int = number(10_000, "tokens", 0, 500_000, 100, "The first notes are taken after this much.", "analysis", "write-ups of session memory: two agree")
    every_tokens: int = number(5_000, "tokens", 0, 500_000, 100, "New notes after this much more …", "analysis", "write-ups of session memory: two agree")
    every_calls: int = number(3, "calls", 0, 1_000, 1, "… and this many calls.", "analysis", "write-ups of session memory: two agree")
