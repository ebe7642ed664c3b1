"""Fakes: services that do as they are told and remember what they were asked."""

from ctxlab.engine.history import History
from ctxlab.engine.services import Services
from ctxlab.engine.summary import SummaryRequest, TooLongError


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
    """Fails every nth time, as an unreliable model does: with nothing, or with a request that is too long."""

    def __init__(self, real: object, every: int) -> None:
        self.real, self.every, self.calls = real, every, 0

    def __call__(self, request: SummaryRequest) -> str:
        self.calls += 1
        if self.calls % self.every == 0:
            return ""
        if self.calls % (self.every + 2) == 0:
            raise TooLongError("the stand-in says it is too long")
        return self.real(request)


class FullDisk:
    """An archive on a disk that has no room left."""

    def put(self, name: str, text: str) -> str:
        raise OSError(28, "No space left on device")

    def get(self, name: str) -> str:
        raise FileNotFoundError(name)


class Blocking:
    """A hook that forbids compactions."""

    def __init__(self, why: str = "not now") -> None:
        self.why = why
        self.heard: list[str] = []

    def pre_compact(self, trigger: str) -> str:
        self.heard.append(trigger)
        return self.why


def services(history: History, **changed: object) -> Services:
    """Offline services with some of them exchanged."""
    offline = Services.offline(history)
    given = {name: getattr(offline, name) for name in ("archive", "count", "summarise", "hooks", "workspace")}
    return Services(**{**given, **changed})
