"""Fakes: services that do as they are told and remember what they were asked."""

from ctxlab.engine.history import History
from ctxlab.engine.hooks import HookAnswer, NoHooks
from ctxlab.engine.services import Services
from ctxlab.engine.summary import SummaryRequest
from ctxlab.engine.summary_text import TooLongError


class ScriptedSummariser:
    """Answers from a queue; an exception in it is raised, an empty queue repeats the last answer."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[SummaryRequest] = []

    def __call__(self, request: SummaryRequest) -> str:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


class EveryNth:
    """Fails every nth time, as an unreliable model does: with nothing, too long, out of reach, or with an error as text."""

    def __init__(self, real: object, every: int) -> None:
        self.real, self.every, self.calls = real, every, 0

    def __call__(self, request: SummaryRequest) -> str:
        self.calls += 1
        if self.calls % self.every == 0:
            return ""
        if self.calls % (self.every + 2) == 0:
            raise TooLongError("the stand-in says it is too long", 500)
        if self.calls % (self.every + 3) == 0:
            raise ConnectionError("nobody answers")
        if self.calls % (self.every + 5) == 0:
            return "API Error: 529 overloaded"
        return self.real(request)


class FullDisk:
    """An archive on a disk that has no room left."""

    def put(self, name: str, text: str) -> str:
        raise OSError(28, "No space left on device")

    def get(self, name: str) -> str:
        raise FileNotFoundError(name)


class Blocking(NoHooks):
    """A hook that forbids compactions."""

    def __init__(self, why: str = "not now") -> None:
        self.why = why
        self.heard: list[str] = []

    def pre_compact(self, trigger: str, instructions: str) -> HookAnswer:
        self.heard.append(trigger)
        return HookAnswer(2, "", self.why)


class Talking(NoHooks):
    """Hooks that let every compaction be and have something to say."""

    def pre_compact(self, trigger: str, instructions: str) -> HookAnswer:
        return HookAnswer(0, "keep the ids")

    def session_start(self, source: str) -> HookAnswer:
        return HookAnswer(0, "today is a good day")


def services(history: History, **changed: object) -> Services:
    """Offline services with some of them exchanged."""
    offline = Services.offline(history)
    given = {name: getattr(offline, name) for name in ("archive", "count", "summarise", "hooks", "workspace")}
    return Services(**{**given, **changed})
