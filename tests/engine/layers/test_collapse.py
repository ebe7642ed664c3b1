"""Context collapse: staged, committed, drained, opened again; by rule or by a model."""

import pytest

from ctxlab.engine.edit import Cover, Note
from ctxlab.engine.history import History
from ctxlab.engine.replay import Replay, replay
from ctxlab.engine.settings import Settings
from ctxlab.sources.build import Builder
from tests.engine.layers.small import SMALL, rounds
from tests.fakes import ScriptedSummariser, services

FOLDING = SMALL.replace(
    {
        "collapse.enabled": True,
        "collapse.commit_at": 0.8,
        "collapse.stage_ahead": 0.3,
        "collapse.fold_until": 0.4,
        "collapse.rounds_left_open": 2,
        "autocompact.enabled": False,
    }
)


def run(build: Builder, settings: Settings = FOLDING, count: int = 12, **changed: object) -> Replay:
    build.user("do it")
    rounds(build, count)
    history = History(tuple(build.messages))
    return replay(history, settings, services(history, **changed))


def made(result: Replay) -> list[tuple[int, str]]:
    kinds = {Cover: "commit", Note: "note"}
    return [
        (edit.request, edit.kind if isinstance(edit, Note) else kinds[type(edit)])
        for edit in result.log
        if edit.layer == "collapse"
    ]


def test_digests_are_made_ready_first_and_put_in_later(build: Builder) -> None:
    result = run(build)
    order = [kind for _, kind in made(result)]
    staged = next(edit for edit in result.log if isinstance(edit, Note) and edit.kind == "stage")
    committed = next(edit for edit in result.log if isinstance(edit, Cover))

    assert order[0] == "stage"
    assert "commit" in order
    assert staged.data.drafts[0].blocks == committed.blocks
    assert staged.data.drafts[0].put == committed.put
    assert committed.request > staged.request
    step = result.step(staged.request, "collapse")
    assert (step.state, step.before) == ("acted", step.after)
    assert "ready, to free" in step.reason


def test_nothing_is_staged_where_both_levels_are_one(build: Builder) -> None:
    assert {kind for _, kind in made(run(build, FOLDING.replace("collapse.stage_ahead", 0.0)))} == {"commit"}


def test_a_model_writes_the_digest_where_that_engine_is_chosen(build: Builder) -> None:
    scripted = ScriptedSummariser("<analysis>hm</analysis><summary>Three steps, all fine.</summary>")
    result = run(build, FOLDING.replace("collapse.engine", "summarised"), summarise=scripted)
    cover = next(edit for edit in result.log if isinstance(edit, Cover))

    assert cover.put[0].text.endswith("summarised here]\nThree steps, all fine.")
    assert {request.purpose for request in scripted.asked} == {"collapse"}
    assert sum(step.cost.model_calls for step in result.steps if step.layer == "collapse") == len(scripted.asked)


@pytest.mark.parametrize("answer", ["", ConnectionError("no"), 7])
def test_a_model_that_fails_leaves_everything_as_it_is_and_is_not_asked_at_every_request(
    build: Builder, answer: object
) -> None:
    scripted = ScriptedSummariser(answer)
    settings = FOLDING.replace({"collapse.engine": "summarised", "collapse.look_again": 0.5})
    result = run(build, settings, summarise=scripted)

    assert not [edit for edit in result.log if isinstance(edit, Cover)]
    assert 0 < len(scripted.asked) < 6
    assert "failed" in [exchange.step("collapse").state for exchange in result.exchanges]


def test_a_refusal_drains_what_is_ready_before_anything_is_summarised(build: Builder) -> None:
    """The harness underrates the size: digests are only made ready when the model refuses the request."""
    build.user("do it")
    rounds(build, 11)
    settings = FOLDING.replace({"autocompact.measure": "harness", "autocompact.chars_per_token": 10})
    settings = settings.replace(
        {"autocompact.enabled": True, "collapse.commit_at": 1.0, "collapse.block_at": 1.0, "collapse.stage_ahead": 0.6}
    )
    build.reply([{"type": "tool_use", "id": "long", "name": "Read", "input": {"file_path": "a"}}])
    build.results([{"tool_use_id": "long", "content": "r" * 4_600}])
    last = replay(History(tuple(build.messages)), settings).exchanges[-1]

    assert last.step("collapse").state in ("idle", "acted")
    assert (last.outcome, last.step("recovery").state) == ("recovered", "acted")
    assert last.step("recovery").reason.startswith("refused, too long: 4,")
    assert "; drained: folded" in last.step("recovery").reason
    assert last.step("recovery 2") is None


def test_a_digest_whose_rounds_are_gone_is_not_put_in(build: Builder) -> None:
    """What was made ready and then summarised away is no longer ready."""
    settings = FOLDING.replace({"autocompact.enabled": True, "collapse.suppresses_autocompact": False})
    result = run(build, settings, count=20)

    for exchange in result.exchanges:
        view = result.at(exchange.index).view
        digests = [block for block in view if block.kind == "digest"]
        assert all(not set(view.covered[block.message]) & set(view) for block in digests)
