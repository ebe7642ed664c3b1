"""Failures of the compaction itself: it does not fit, it is forbidden, nobody answers, or it is carried out twice."""

from __future__ import annotations

from dataclasses import replace

from ..engine.acts import compact_now
from ..engine.hooks import BLOCKS, HookAnswer, NoHooks
from ..engine.services import Services
from ..engine.settings import Settings
from ..engine.summary import SummaryRequest
from ..engine.tokens import Quarter
from .build import Builder
from .failures import Scenario
from .refills import MINUTE, told, works

SMALL = Settings.profile("classroom").replace(
    {"snip.enabled": False, "collapse.enabled": False, "budget.enabled": False}
)


def compaction_too_long() -> Scenario:
    """F5."""
    build = Builder(Quarter())
    build.user("Summarise the dump.", 0.0)
    works(build, 6, 2_000)
    works(build, 1, 20_500, "Read")
    works(build, 1, 20)
    return Scenario(
        "F5",
        "One result overshoots the line and the window at once; the summary frees all but that result, and then it is too large to be summarised itself.",
        "the compaction that does not help, then the reason of the failed step: which share one round holds",
        told(build, "F5"),
        SMALL.replace({"autocompact.keeps_recent": "none", "microcompact.enabled": False}),
        "claude-code issues 23047, 18199, 46348, 25867, 28728",
        {"budget.enabled": True, "budget.exempt_tools": ()},
    )


def one_round_dominates() -> Scenario:
    """F6."""
    build = Builder(Quarter())
    build.user("Look at this.", 0.0)
    works(build, 1, 150, "Grep")
    works(build, 1, 17_600, "Read")
    works(build, 1, 20)
    return Scenario(
        "F6",
        "One round holds nearly the whole window, so no round can be dropped to make the summary request fit.",
        "the reason of the failed step: too few rounds to drop, and which share the largest one has",
        told(build, "F6"),
        SMALL.replace({"autocompact.keeps_recent": "none", "microcompact.enabled": False}),
        "hive-mind pull request 1842; claude-code issue 46348",
        {"budget.enabled": True, "budget.exempt_tools": ()},
    )


def torn_pairs() -> Scenario:
    """F7."""
    build = Builder(Quarter())
    build.user("Check both services.", 0.0)
    for turn in range(5):
        names = [f"t{turn}.{at}" for at in range(2)]
        calls = [
            {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": f"check {name}"}} for name in names
        ]
        build.reply(calls, turn * MINUTE)
        answered = names if turn % 2 else names[:1]  # every second time the user stops one of them
        build.results(
            [{"tool_use_id": name, "content": "state: fine\n" * 500} for name in answered], [turn * MINUTE + 5]
        )
        build.user("Never mind the other one.", turn * MINUTE + 9)
    return Scenario(
        "F7",
        "A tail cut by counting messages begins with results whose calls are gone, and the session is refused for ever.",
        "check_request over the last n messages of the Request, for any n: broken pairs; over the Request itself: none",
        told(build, "F7"),
        SMALL.replace({"autocompact.keeps_recent": "last exchange"}),
        "claude-code issues 8484, 14416, 40305, 24670, 65098",
    )


def repeated_order() -> Scenario:
    """F10."""
    build = Builder(Quarter())
    build.user("Clean up the branches.", 0.0)
    works(build, 8, 1_200)
    build.reply("Nine are merged.", 30 * MINUTE)
    order = "keep the list of branches, then delete main-old"
    build.user(f"<command-name>/compact</command-name><command-args>{order}</command-args>", 31 * MINUTE)
    last = 9
    return Scenario(
        "F10",
        "The record of /compact stays in the kept tail, and the model reads its arguments as the next order.",
        "the last user block of the View behind the boundary: it holds the arguments; as a focus of the act they do not stay",
        told(build, "F10"),
        SMALL.replace({"autocompact.enabled": True}),
        "claude-code issues 20370, 55555",
        acts={last: [compact_now()]},
        cure_acts={last - 1: [compact_now(order)]},
    )


class Forbids(NoHooks):
    """A hook that always wants something done first."""

    def pre_compact(self, trigger: str, instructions: str) -> HookAnswer:  # noqa: ARG002 - one answer to all
        """Block."""
        return HookAnswer(BLOCKS, "", "save the memory first")


def hook_deadlock() -> Scenario:
    """F15."""
    build = Builder(Quarter())
    build.user("Go through the modules.", 0.0)
    works(build, 14, 1_600)
    return Scenario(
        "F15",
        "A hook blocks every compaction until something is saved, and a model at its limit cannot do what the hook asks.",
        "how often the hook is asked, request after request, and that nothing is compacted; without the hook one compaction does",
        told(build, "F15"),
        SMALL.replace({"microcompact.enabled": False}),
        "mempalace pull request 867, issue 938; claude-mem issue 2760",
        outside=lambda history: replace(Services.offline(history), hooks=Forbids()),
        cure_outside=Services.offline,
    )


def out_of_reach(request: SummaryRequest) -> str:  # noqa: ARG001 - it never gets that far
    """A model behind a gateway that does not answer."""
    raise TimeoutError("no answer within 600 s")


def stuck_outside_the_breaker() -> Scenario:
    """F19."""
    build = Builder(Quarter())
    build.user("Go through the modules.", 0.0)
    works(build, 18, 1_100)
    return Scenario(
        "F19",
        "The model cannot be reached for the summary; such failures are not counted, so it is tried at every request.",
        "how many summary calls are made; with transport failures counted the breaker holds after three",
        told(build, "F19"),
        SMALL.replace({"microcompact.enabled": False, "autocompact.counts_transport": False}),
        "claude-code issue 94261; claude-sdlc-harness issue 705",
        {"autocompact.counts_transport": True},
        outside=lambda history: replace(Services.offline(history), summarise=out_of_reach),
    )


SUMMARIES = {
    "F5": compaction_too_long,
    "F6": one_round_dominates,
    "F7": torn_pairs,
    "F10": repeated_order,
    "F15": hook_deadlock,
    "F19": stuck_outside_the_breaker,
}
