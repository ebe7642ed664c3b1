"""Faults that are put into a session: each does what it says, and the session stays as it was."""

import pytest

import ctxlab as cl
from ctxlab.engine.pipeline import Step
from ctxlab.lab.faults import FAULTS, RULES_SHARE, with_faults

CLASSROOM = cl.Settings.profile("classroom")


def shown(settings: cl.Settings = CLASSROOM, **faults: int) -> cl.Replay:
    history = cl.story("classroom")
    before = [(block.id, block.text, block.at) for block in history.blocks]
    put = with_faults(history, None, settings, faults)
    assert [(block.id, block.text, block.at) for block in history.blocks] == before
    return cl.replay(put.history, settings, put.services)


def steps(result: cl.Replay, layer: str, state: str = "acted") -> list[Step]:
    return [step for step in result.steps if step.layer == layer and step.state == state]


def test_an_idle_gap_makes_microcompact_act_there() -> None:
    plain, gap = shown(), shown(idle_gap=40)

    assert 40 not in [step.request for step in steps(plain, "microcompact")]
    assert 40 in [step.request for step in steps(gap, "microcompact")]


def test_a_huge_result_is_saved_or_fills_the_window() -> None:
    put = shown(huge_result=20)
    first = steps(put, "budget")
    assert any("20," in step.reason and step.request >= 20 for step in first)
    loose = shown(CLASSROOM.set("budget.enabled=off"), huge_result=20)
    assert max(each.tokens_sent for each in loose.exchanges) > max(each.tokens_sent for each in put.exchanges)


def test_a_failing_summariser_trips_the_breaker() -> None:
    failed = steps(shown(failing_summariser=0), "autocompact", "failed")
    assert len(failed) >= 3
    assert "the summary is empty" in failed[0].reason
    assert any("breaker" in step.reason for step in shown(failing_summariser=0).steps)
    assert not steps(shown(failing_summariser=0), "autocompact")


def test_a_blocking_hook_lets_no_compaction_be() -> None:
    result = shown(blocking_hook=0)
    assert not steps(result, "autocompact")
    assert any("it blocks every compaction" in step.reason for step in steps(result, "autocompact", "failed"))


def test_heavy_rules_take_their_share_of_the_window_from_the_start() -> None:
    plain, heavy = shown(), shown(heavy_rules=0)
    more = heavy.exchanges[0].tokens_sent - plain.exchanges[0].tokens_sent

    assert more == round(RULES_SHARE * 20_000)
    assert abs(heavy.history.counter(heavy.history.overhead[-1].text) - more) < 0.03 * more
    assert len(steps(heavy, "autocompact")) + len(steps(heavy, "autocompact", "failed")) > len(
        steps(plain, "autocompact")
    )


@pytest.mark.parametrize("name", FAULTS)
def test_each_is_the_same_run_every_time_and_every_request_stays_fit(name: str) -> None:
    one, two = shown(**{name: 5}), shown(**{name: 5})
    assert [step.reason for step in one.steps] == [step.reason for step in two.steps]
    for exchange in one.exchanges[::7]:
        view = one.at(exchange.index).view
        assert cl.check_request(cl.make_request(view, CLASSROOM).body["messages"]) == []


def test_all_at_once_in_any_order() -> None:
    names = list(FAULTS)
    one, two = shown(**dict.fromkeys(names, 9)), shown(**dict.fromkeys(reversed(names), 9))
    assert [step.reason for step in one.steps] == [step.reason for step in two.steps]


def test_what_cannot_be_put_in_is_said() -> None:
    with pytest.raises(ValueError, match="unknown fault 'idle'; did you mean 'idle_gap'"):
        shown(idle=3)
    with pytest.raises(ValueError, match="can have no pause"):
        shown(idle_gap=0)
    history = cl.load([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}])
    with pytest.raises(ValueError, match="no result comes in"):
        with_faults(history, None, CLASSROOM, {"huge_result": 0})
