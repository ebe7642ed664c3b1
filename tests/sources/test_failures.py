"""Failure modes that users reported: each happens in its scenario, by the real engine, and what helps helps."""

import itertools
import re

import pytest

import ctxlab as cl
from ctxlab.engine.check import check_request
from ctxlab.engine.edit import Cover
from ctxlab.engine.replay import Replay
from ctxlab.engine.request import make_request
from ctxlab.engine.tokens import Quarter
from ctxlab.sources.build import Builder
from ctxlab.sources.failures_of_survival import LAST_LINE, NESTED_RULE
from ctxlab.sources.refills import works

NAMES = ("F1", "F2", "F4", "F5", "F6", "F7", "F8", "F10", "F14", "F15", "F16", "F17", "F19", "F20")
REFILLED = "breaker: refilled within 3 requests, 3 times in a row"


def compactions(replay: Replay) -> list[Cover]:
    return [edit for edit in replay.log if isinstance(edit, Cover) and edit.layer == "autocompact"]


def reasons(replay: Replay, layer: str = "autocompact") -> list[str]:
    return [step.reason for step in replay.steps if step.layer == layer and step.state in ("failed", "acted")]


def model_calls(replay: Replay) -> int:
    return sum(step.cost.model_calls for step in replay.steps)


@pytest.mark.parametrize("name", NAMES)
def test_each_says_what_goes_wrong_and_every_request_is_legal(name: str) -> None:
    found = cl.scenario(name)
    assert found.name == name
    assert all(text.strip() for text in (found.sentence, found.look_at, found.reported))
    for exchange in found.replay().exchanges:
        request = make_request(found.replay().at(exchange.index).view, found.settings)
        assert check_request(request.body["messages"]) == []


def test_an_unknown_name_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(ValueError, match=r"unknown scenario 'F3'; there are F1, F2, F4"):
        cl.scenario("F3")


def test_f1_rules_that_come_back_leave_no_room() -> None:
    replay = cl.scenario("F1").replay()
    view = replay.at(compactions(replay)[-1].request).view

    assert len(compactions(replay)) == 4
    assert REFILLED in reasons(replay)
    assert view["claude_md"].tokens > 0.75 * view.tokens
    assert compactions(cl.scenario("F1").cured()) == []


def test_f2_outputs_that_nothing_shortens_fill_it_again_and_the_budget_helps() -> None:
    found = cl.scenario("F2")
    requests = [cover.request for cover in compactions(found.replay())]

    assert [later - earlier for earlier, later in itertools.pairwise(requests)] == [2, 2, 2]
    assert REFILLED in reasons(found.replay())
    assert compactions(found.cured()) == []
    assert all(exchange.outcome == "sent" for exchange in found.cured().exchanges)


def test_f4_reads_are_not_saved_so_the_budget_does_not_help() -> None:
    found = cl.scenario("F4")
    replay = found.replay()

    assert found.settings.budget.enabled
    assert not reasons(replay, "budget")
    assert REFILLED in reasons(replay)


def test_f5_the_request_for_a_summary_does_not_fit_either() -> None:
    replay = cl.scenario("F5").replay()

    assert [exchange.outcome for exchange in replay.exchanges][-2:] == ["refused", "refused"]
    assert "too few rounds to drop: one of them holds 20,508" in reasons(replay)[-1]
    assert reasons(replay, "recovery")[-1].endswith("the error is shown")
    assert {exchange.outcome for exchange in cl.scenario("F5").cured().exchanges} == {"sent"}


def test_f6_one_round_is_everything() -> None:
    replay = cl.scenario("F6").replay()

    assert reasons(replay)[-1].endswith("too few rounds to drop: one of them holds 17,608 of 17,696 tokens")
    assert replay.step(-1, "autocompact").before == replay.step(-1, "autocompact").after


def test_f7_a_tail_cut_by_counting_is_refused_and_ours_is_not() -> None:
    replay = cl.scenario("F7").replay()
    messages = make_request(replay.at().view, replay.settings).body["messages"]
    broken = [count for count in range(1, len(messages)) if check_request(messages[-count:])]

    assert len(broken) >= len(messages) // 2
    assert check_request(messages) == []
    assert any("was interrupted" in repair for repair in make_request(replay.at().view, replay.settings).repairs)


def test_f8_nested_rules_are_lost_until_a_file_below_is_read() -> None:
    replay = cl.scenario("F8").replay()
    [cover] = compactions(replay)

    def seen(request: int) -> list[str]:
        return [block.text for block in replay.at(request).view if block.kind in ("attachment", "claude_md")]

    assert NESTED_RULE in seen(cover.request - 1)
    assert NESTED_RULE not in seen(cover.request)
    assert "Answer in short sentences." in seen(cover.request)
    assert NESTED_RULE in seen(-1)
    assert "payments/CLAUDE.md comes back" in replay.step(-1, "arrive").reason


def test_f10_the_arguments_of_compact_are_the_next_order() -> None:
    def last_order(replay: Replay) -> str:
        view = replay.at(compactions(replay)[0].request).view
        return [block.text for block in view if block.kind == "user"][-1:] and [
            b.text for b in view if b.kind == "user"
        ][-1]

    found = cl.scenario("F10")
    assert "delete main-old" in last_order(found.replay())
    assert "delete main-old" not in str(last_order(found.cured()))


def test_f14_it_fires_at_a_sixth_of_the_true_window() -> None:
    found = cl.scenario("F14")
    [cover] = compactions(found.replay())

    assert 0.16 < found.replay().step(cover.request, "autocompact").before / 1_000_000 < 0.17
    assert compactions(found.cured()) == []
    low = found.settings.replace({"autocompact.percent_override": 8})
    assert low.thresholds.autocompact == 14_400


def test_f15_a_hook_that_blocks_ends_in_the_error_that_it_wanted_to_avoid() -> None:
    found = cl.scenario("F15")
    replay = found.replay()

    assert len([reason for reason in reasons(replay) if "a hook forbids it: save the memory first" in reason]) == 5
    assert replay.exchanges[-1].outcome == "blocked"
    assert compactions(replay) == []
    assert len(compactions(found.cured())) == 1


def test_f15_a_blocked_recovery_shows_the_error() -> None:
    """The harness underrates one long result, so the request goes out and is refused; the hook blocks the recovery too."""
    found = cl.scenario("F15")
    build = Builder(Quarter())
    build.user("go")
    works(build, 8, 1_600)
    works(build, 1, 5_800)
    settings = found.settings.replace({"autocompact.measure": "harness", "autocompact.chars_per_token": 10})
    history = cl.History(tuple(build.messages))
    last = cl.replay(history, settings, found.outside(history)).exchanges[-1]

    assert last.outcome == "refused"
    assert last.step("autocompact").reason.endswith("but a hook forbids it: save the memory first")
    assert last.step("recovery").reason.endswith("a hook forbids it: save the memory first; the error is shown")


def test_f16_the_last_line_of_a_skill_is_gone() -> None:
    def restored(replay: Replay) -> str:
        [cover] = compactions(replay)
        return next(block.text for block in cover.append if block.tool == "skill release")

    found = cl.scenario("F16")
    assert LAST_LINE not in restored(found.replay())
    assert "[cut: skill release: over 500 tokens" in restored(found.replay())
    assert LAST_LINE in restored(found.cured())


def test_f17_two_thirds_are_left_after_compaction() -> None:
    found = cl.scenario("F17")
    [cover] = compactions(found.replay())

    assert 0.6 < found.replay().step(cover.request, "autocompact").after / 200_000 < 0.7
    assert compactions(found.cured()) == []


def test_f19_a_model_out_of_reach_is_asked_at_every_request_unless_that_counts() -> None:
    found = cl.scenario("F19")

    assert model_calls(found.replay()) == 5
    assert not [reason for reason in reasons(found.replay()) if reason.startswith("breaker")]
    assert model_calls(found.cured()) == 3
    assert reasons(found.cured())[-1].startswith("breaker: 3 failures in a row")


@pytest.mark.parametrize("answer", ["", None, {"type": "tool_use"}, "API Error: 529 overloaded"])
def test_f19_every_other_failure_counts(answer: object) -> None:
    found = cl.scenario("F19")
    from dataclasses import replace

    services = replace(cl.Services.offline(found.history), summarise=lambda _: answer)
    assert model_calls(cl.replay(found.history, found.settings, services)) == 3


def test_f20_counted_once_and_nothing_lost() -> None:
    history = cl.scenario("F20").history

    assert [message.role for message in history.messages] == ["user", "assistant", "user"]
    assert [block.kind for block in history.messages[2].blocks] == ["result", "result"]
    assert (history.messages[1].usage, history.messages[1].output) == (30_010, 40)
    assert any(re.search(r"5 records written twice", notice) for notice in history.notices)
