"""Outside canaries: what of a session survives compaction, by `compaction-conformance-kit`, seeds chosen at run time.

Ours is the offline summariser inside the real pipeline; beside it stands one that truncates, as the bad example. The
table is printed (`pytest -rP`), and `python -m tests.oracles.test_conformance` prints it alone.
"""

import random

import pytest
from compaction_kit import build_generated_session, build_random_session, run_conformance
from compaction_kit.compacted import CompactedContext
from compaction_kit.session import Turn

import ctxlab as cl
from ctxlab.engine.acts import compact_now
from ctxlab.engine.history import History
from ctxlab.engine.replay import replay
from ctxlab.engine.summary import SummaryRequest
from ctxlab.engine.tokens import Quarter
from ctxlab.sources.build import Builder
from tests.fakes import services

SEEDS = random.SystemRandom().sample(range(1, 100_000), 4)
BUDGETS = (None, 0.5, 0.2)


def truncating(request: SummaryRequest) -> str:
    """The bad example: the last so many characters of the conversation."""
    text = "\n".join(piece.text for piece in request.pieces)
    return (request.previous + "\n" + text)[-4 * request.limit_tokens :]


class Ours:
    """A session as turns goes in, the View behind a compaction comes out as text; later rounds compact that once more."""

    def __init__(self, name: str, summarise: object = None) -> None:
        self.name, self.summarise = name, summarise
        self.messages: list[tuple[str, str]] = []

    def compact(self, turns: list[Turn], round_num: int = 1, budget_chars: int | None = None) -> CompactedContext:
        if round_num == 1:
            self.messages = [(turn.role, turn.text) for turn in turns]
        build = Builder(Quarter())
        for role, text in self.messages:
            build.reply(text) if role == "assistant" else build.user(text)
        for _ in range(round_num - 1):
            build.reply("I go on.")
            build.user("Go on.")
        build.reply("Done so far.")
        build.user("And now?")
        history = History(tuple(build.messages))
        settings = cl.Settings.profile("v2.1").replace(
            {
                "autocompact.parts": 4,
                "autocompact.summary_share": 0.9,
                "autocompact.summary_least_tokens": 20_000 if budget_chars is None else max(1, budget_chars // 4),
                "window.reserve_tokens": 20_000 if budget_chars is None else max(1, budget_chars // 4),
            }
        )
        changed = {"summarise": self.summarise} if self.summarise else {}
        last = len(history.turns) - 1
        acts = {last - at: [compact_now()] for at in range(round_num)}
        result = replay(history, settings, services(history, **changed), acts=acts)
        summary = [block.raw["summary"] for block in result.at().view if block.kind == "summary"]
        return CompactedContext(
            "\n".join(summary) or "\n".join(text for _, text in self.messages), self.name, round_num
        )


def survival(make: object, seed: int, compactor: Ours, budget: float | None, rounds: int = 2) -> list[float]:
    """The share of canaries that survive each round."""
    session, canaries = make(seed)
    run = run_conformance(session, compactor, rounds=rounds, canaries=canaries, budget_fraction=budget)
    return [sum(each.survived.values()) / len(each.survived) for each in run.rounds]


def table() -> list[tuple[str, int, str, list[float], list[float]]]:
    """Kind of session, seed, budget, what survives of ours and of the truncating one."""
    return [
        (
            make.__name__,
            seed,
            "no budget" if budget is None else f"{budget:.0%}",
            *(
                survival(make, seed, Ours(name, how), budget)
                for name, how in (("ctxlab", None), ("truncating", truncating))
            ),
        )
        for make in (build_random_session, build_generated_session)
        for seed in SEEDS
        for budget in BUDGETS
    ]


def show(rows: list) -> str:
    """The table as text."""
    lines = [f"{'session':26} {'seed':>6} {'budget':>10}  ctxlab, rounds 1 and 2   truncating, rounds 1 and 2"]
    lines += [
        f"{name:26} {seed:>6} {budget:>10}  {' '.join(f'{x:8.0%}' for x in ours):24} {' '.join(f'{x:8.0%}' for x in theirs)}"
        for name, seed, budget, ours, theirs in rows
    ]
    return "\n".join(lines)


def test_ours_keeps_every_canary_it_has_room_for_and_more_than_a_cut() -> None:
    rows = table()
    print(show(rows))

    for _, _, budget, ours, theirs in rows:
        if budget != "20%":
            assert ours[0] == 1.0
        assert ours[0] >= theirs[0]
    tight = [(ours[0], theirs[0]) for _, _, budget, ours, theirs in rows if budget == "20%"]
    assert sum(ours for ours, _ in tight) > 1.5 * sum(theirs for _, theirs in tight)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_truncating_one_fails_where_there_is_no_room(seed: int) -> None:
    assert survival(build_random_session, seed, Ours("truncating", truncating), 0.2)[0] < 0.5


if __name__ == "__main__":
    print(show(table()))
