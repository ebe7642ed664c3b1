"""Hooks: programs of the user that are asked before a compaction, told after it, and may add to a session's start.

Before: exit code 2, or a decision to block, blocks; else standard output becomes instructions for the summary. After: told the summary, can change
nothing. At the start that follows (source `compact`): standard output becomes context. Evidence: official (docs: hooks;
blocking works from 2.1.105 on).
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any, NamedTuple, Protocol

BLOCKS = 2  # the exit code
NO_REASON = "it gave no reason"
MOST_CHARACTERS = 10_000  # of what a hook prints


class HookAnswer(NamedTuple):
    """How a hook ended, and what it printed."""

    exit_code: int = 0
    output: str = ""
    error: str = ""

    @property
    def blocked(self) -> str:
        """Why a compaction must not be, by exit code or by a decision; empty to let it be."""
        if self.exit_code == BLOCKS:
            return self.error.strip() or NO_REASON
        if self._decision().get("decision") == "block":
            return str(self._decision().get("reason") or NO_REASON)
        return ""

    @property
    def printed(self) -> str:
        """What it has to say, where it ended well and did not answer with a decision."""
        return self.output.strip() if self.exit_code == 0 and not self._decision() else ""

    def _decision(self) -> dict[str, Any]:
        try:
            answer = json.loads(self.output) if self.output.lstrip().startswith("{") else {}
        except (ValueError, RecursionError):
            return {}
        return answer if isinstance(answer, dict) and "decision" in answer else {}


LET_BE = HookAnswer()


class Hooks(Protocol):
    """The three moments; `trigger` is `auto` or `manual`."""

    def pre_compact(self, trigger: str, instructions: str) -> HookAnswer: ...

    def post_compact(self, trigger: str, summary: str) -> None: ...

    def session_start(self, source: str) -> HookAnswer: ...


class NoHooks:
    """Nothing is hooked in."""

    def pre_compact(self, trigger: str, instructions: str) -> HookAnswer:  # noqa: ARG002 - listens to nothing
        """Let every compaction be."""
        return LET_BE

    def post_compact(self, trigger: str, summary: str) -> None:
        """Hear nothing."""

    def session_start(self, source: str) -> HookAnswer:  # noqa: ARG002 - listens to nothing
        """Add nothing."""
        return LET_BE


@dataclass(frozen=True)
class CommandHooks:
    """Runs the user's own programs, as `settings.json` would: each gets one JSON object on standard input.

    A command is a list of arguments, never a line for a shell. `matcher` limits the first to one trigger. A program that
    cannot be started or does not end within `seconds` is an error of the hook, which forbids.
    """

    before: Sequence[str] = ()
    after: Sequence[str] = ()
    at_start: Sequence[str] = ()
    matcher: str = ""
    seconds: float = 60.0

    def pre_compact(self, trigger: str, instructions: str) -> HookAnswer:
        """Run the program before a compaction, where its matcher fits."""
        if self.matcher and self.matcher != trigger:
            return LET_BE
        return self._run(self.before, {"trigger": trigger, "custom_instructions": instructions}, "PreCompact")

    def post_compact(self, trigger: str, summary: str) -> None:
        """Run the program after one; whatever it answers changes nothing."""
        self._run(self.after, {"trigger": trigger, "compact_summary": summary}, "PostCompact")

    def session_start(self, source: str) -> HookAnswer:
        """Run the program at the start that follows a compaction."""
        return self._run(self.at_start, {"source": source}, "SessionStart")

    def _run(self, command: Sequence[str], given: dict[str, Any], event: str) -> HookAnswer:
        if not command:
            return LET_BE
        text = json.dumps({"hook_event_name": event, **given})
        with (
            tempfile.TemporaryFile() as output,
            tempfile.TemporaryFile() as error,
        ):  # a child of its own may hold a pipe
            done = subprocess.run(  # noqa: S603 - the user's own program, as a list, without a shell
                list(command), input=text.encode(), stdout=output, stderr=error, timeout=self.seconds, check=False
            )
            return HookAnswer(done.returncode, head_of(output), head_of(error))


def head_of(file: IO[bytes]) -> str:
    """The first characters of what a program has written."""
    file.seek(0)
    return file.read(4 * MOST_CHARACTERS).decode("utf-8", "replace")[:MOST_CHARACTERS]
