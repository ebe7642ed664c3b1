"""What a layer may ask of the outside, each with an offline default.

Five small protocols: the archive, the counter, the summariser, the hooks and the workspace. A layer calls the ones it
is given; the Pipeline wraps them, to record what each step cost.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import NamedTuple

from .archive import Archive, MemoryArchive
from .history import History
from .hooks import BLOCKS, HookAnswer, Hooks, NoHooks
from .summariser import OfflineSummariser
from .summary import Summariser, SummaryRequest
from .summary_text import SummaryError, TransportError
from .tokens import Counter
from .workspace import HistoryWorkspace, Workspace


@dataclass(frozen=True)
class Services:
    """The five of them. `Services.offline(history)` is what a replay takes when it is given none."""

    archive: Archive
    count: Counter
    summarise: Summariser
    hooks: Hooks
    workspace: Workspace

    @classmethod
    def offline(cls, history: History) -> Services:
        """Memory, the History's own counter, rules, nothing hooked in, and what the record tells of the disk."""
        count = history.counter
        return cls(MemoryArchive(), count, OfflineSummariser(count), NoHooks(), HistoryWorkspace(history))


class Cost(NamedTuple):
    """What one step asked of the outside: calls of a model with their tokens, and texts written to the archive."""

    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    writes: int = 0
    written_characters: int = 0


FREE = Cost()


class Meter:
    """Wraps Services and adds up what is asked of them until it is read."""

    def __init__(self, services: Services) -> None:
        self._given = services
        self.services = Services(self, services.count, self.summarise, self, services.workspace)
        self._sum = FREE

    @property
    def asked(self) -> bool:
        """True where anything was asked since the last reading."""
        return self._sum is not FREE

    def read(self) -> Cost:
        """What was asked since the last reading."""
        cost, self._sum = self._sum, FREE
        return cost

    def put(self, name: str, text: str) -> str:
        """The archive's `put`, counted; whatever goes wrong there is an OSError to the layer."""
        try:
            path = self._given.archive.put(name, text)
        except OSError:
            raise
        except Exception as error:
            raise OSError(f"{type(error).__name__}: {error}") from error
        cost = self._sum
        self._sum = cost._replace(writes=cost.writes + 1, written_characters=cost.written_characters + len(text))
        return path

    def get(self, name: str) -> str:
        """The archive's `get`."""
        return self._given.archive.get(name)

    def pre_compact(self, trigger: str, instructions: str) -> HookAnswer:
        """The hook's answer; a hook that fails forbids, and is named."""
        try:
            return self._given.hooks.pre_compact(trigger, instructions)
        except Exception as error:  # noqa: BLE001 - a program of the user's may fail in any way
            return HookAnswer(BLOCKS, "", f"it failed with {type(error).__name__}: {error}")

    def post_compact(self, trigger: str, summary: str) -> None:
        """Tell the hook; what goes wrong there changes nothing."""
        with contextlib.suppress(Exception):
            self._given.hooks.post_compact(trigger, summary)

    def session_start(self, source: str) -> HookAnswer:
        """What the hook adds; one that fails adds nothing."""
        try:
            return self._given.hooks.session_start(source)
        except Exception:  # noqa: BLE001 - a program of the user's may fail in any way
            return HookAnswer()

    def summarise(self, request: SummaryRequest) -> str:
        """The summariser, counted: also a call that fails was made, and whatever it raises is a failed summary."""
        cost = self._sum
        self._sum = cost._replace(
            model_calls=cost.model_calls + 1, tokens_in=cost.tokens_in + max(request.tokens, request.sent_tokens)
        )
        try:
            reply = self._given.summarise(request)
        except SummaryError:
            raise
        except OSError as error:
            raise TransportError(f"the summariser could not be reached: {type(error).__name__}: {error}") from error
        except Exception as error:
            raise SummaryError(f"the summariser failed with {type(error).__name__}: {error}") from error
        if reply is not None and not isinstance(reply, str):
            raise SummaryError(f"the summariser answered with {type(reply).__name__}, not with text")
        self._sum = self._sum._replace(tokens_out=self._sum.tokens_out + self._given.count(reply or ""))
        return reply
