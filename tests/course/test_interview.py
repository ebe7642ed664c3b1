"""The interview cards: 37, each with its point in its answer; weak ones come back sooner; the sheet is read from Settings."""

import math

import pytest

import ctxlab as cl
from ctxlab.course import drill, timer
from ctxlab.course.cheat_sheet import cheat_sheet
from ctxlab.course.deck import SCALE, Deck, cards, chosen, groups
from ctxlab.course.interview import proof


def test_there_are_37_cards_in_six_groups() -> None:
    assert [card.number for card in cards()] == list(range(1, 38))
    assert {group: len(chosen(group)) for group in groups()} == {
        "Mechanism": 8,
        "Trade-offs": 7,
        "Numbers": 6,
        "Failure modes": 7,
        "System design": 5,
        "Comparisons": 4,
    }


@pytest.mark.parametrize("card", cards(), ids=lambda card: f"{card.number}")
def test_a_card_is_whole(card) -> None:
    missing = [term for term in card.terms if term.lower() not in card.answer.lower()]

    assert 60 <= len(card.answer.split()) <= 120
    assert missing == []
    assert card.must.endswith(".")
    assert "? " in card.push
    assert "? " in card.second_push
    assert any("\u4e00" <= letter <= "\u9fff" for letter in card.chinese)


def test_what_the_numbers_answer_of_the_story_is_measured(classroom: cl.Replay) -> None:
    """Card 20 quotes savings and ablations; they are computed again here."""
    answer = cards()[19].answer
    history, settings = classroom.history, classroom.settings
    for layer in ("budget", "autocompact", "collapse", "microcompact", "snip"):
        saved = sum(s.before - s.after for s in classroom.steps if s.layer == layer and s.state == "acted")
        assert f"{saved:,}" in answer
    assert f"{round(total(classroom), -3):,}" in answer
    for layer in ("budget", "microcompact", "collapse", "snip"):
        without = cl.replay(history, settings.replace(f"{layer}.enabled", False))
        assert f"{round(total(without), -3):,}" in answer
        if layer == "budget":
            unsent = [each for each in without.exchanges if each.outcome != "sent"]
            assert f"five summaries instead of two, and {len(unsent)} requests cannot be sent" in answer
            assert acts(without, "autocompact") == 5
        if layer == "collapse":
            assert sum(s.layer == "autocompact" and s.state == "acted" for s in without.steps) == 4
    last = cl.replay(history, settings.replace("autocompact.enabled", False))
    blocked = sum(each.outcome == "blocked" for each in last.exchanges)
    assert (
        f"{round(total(last), -3):,}: superfluous? No: collapse acts {acts(last, 'collapse')} times"
        in cards()[19].second_push + cards()[19].push
    )
    assert f"still {blocked} requests are blocked" in cards()[19].push + cards()[19].second_push


def acts(replay: cl.Replay, layer: str) -> int:
    return sum(step.layer == layer and step.state == "acted" for step in replay.steps)


def test_the_curve_of_card_11(classroom: cl.Replay) -> None:
    early = cl.replay(classroom.history, classroom.settings.replace("window.buffer_tokens", 7_000))

    assert (classroom.settings.thresholds.autocompact, early.settings.thresholds.autocompact) == (16_700, 11_000)
    told = [f"{acts(shown, 'autocompact')} and {round(total(shown), -3):,}" for shown in (classroom, early)]
    assert "a line at 16,700 means 2 summaries and 563,000 tokens, one at 11,000 8 and 430,000" in cards()[10].answer
    assert told == ["2 and 563,000", "8 and 430,000"]


def total(replay: cl.Replay) -> int:
    return sum(each.tokens_sent for each in replay.exchanges)


def test_the_break_even_of_card_10() -> None:
    cleared, suffix, write, read = 2_000, 30_000, 1.25, 0.1
    calls = (write - read) * suffix / (read * cleared)

    assert f"{cleared:,} in front of {suffix:,} needs {math.ceil(calls)}" in cards()[9].answer
    assert f"{write - read:.2f} S / ({read} C)" in cards()[9].answer


def test_weak_cards_come_back_sooner() -> None:
    deck = Deck(cards())
    first = [card.number for card in deck.queue[:3]]
    deck.rate(0)
    deck.rate(1)
    deck.rate(3)

    assert first == [1, 2, 3]
    places = {number: [card.number for card in deck.queue].index(number) for number in (1, 2)}
    assert places == {1: 0, 2: 3}  # 1 after two others, 2 after four
    assert 3 not in [card.number for card in deck.queue]
    assert [card.number for card in deck.weak()] == [1, 2]


def test_a_deck_ends_when_every_card_is_a_three() -> None:
    deck = Deck(chosen("Comparisons"), seed=1)
    order = []
    while deck.card:
        order.append(deck.card.number)
        deck.rate(3)

    assert sorted(order) == [34, 35, 36, 37]
    assert order == [card.number for card in Deck(chosen("Comparisons"), seed=1).queue]
    with pytest.raises(ValueError, match="no card is left"):
        deck.rate(3)


@pytest.mark.parametrize("score", [-1, 4, "2", None, 1.0])
def test_a_score_is_0_to_3(score: object) -> None:
    with pytest.raises(ValueError, match="a score is 0, 1, 2 or 3"):
        Deck(cards()).rate(score)


def test_the_drill_goes_on_by_what_the_browser_says() -> None:
    shown = drill("Numbers")
    assert shown._shown["card"]["number"] == 16
    shown._heard(shown, {"type": "rate", "value": 0}, None)
    assert shown._shown["card"]["number"] == 17
    assert shown._shown["weak"] == ["Compute the trigger for 200K and 1M."]
    assert "Compute the trigger" in shown.weak_cards()
    shown._heard(shown, {"type": "choose", "value": "Comparisons"}, None)
    assert (shown._shown["card"]["number"], shown._shown["left"]) == (34, 4)
    assert len(shown._shown["weak"]) == 1


def test_what_goes_wrong_in_the_drill_is_said_there() -> None:
    shown = drill()
    sent = []
    shown.send = sent.append
    for asked in ({"type": "rate", "value": 9}, {"type": "choose", "value": "Mechanics"}, {"type": "x"}, {}):
        shown._heard(shown, asked, None)

    assert [message["type"] for message in sent] == ["error"] * 4
    assert "a score is 0, 1, 2 or 3, got 9" in sent[0]["text"]
    assert "unknown group 'Mechanics'" in sent[1]["text"]
    assert shown._shown["card"]["number"] == 1


def test_without_a_kernel_all_cards_stand_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXLAB_STATIC", "1")
    bundle = drill()._repr_mimebundle_()

    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/html"].count("<details>") == 37
    for card in cards():
        assert card.chinese in bundle["text/html"]
    assert set(timer(10)._repr_mimebundle_()) == {"text/plain"}


def test_a_demo_that_does_not_exist_yet_is_to_come() -> None:
    assert proof(cards()[1]) == "01"
    assert proof(cards()[0]) == "09, to come"


def test_no_scale_no_timer_below_a_minute() -> None:
    assert len(SCALE) == 4
    with pytest.raises(ValueError, match="1 minute or more, in whole minutes, got 0"):
        timer(0)


@pytest.mark.parametrize("name", ["v2.1", "v2.0", "article", "docs", "classroom", "restored"])
def test_the_cheat_sheet_has_the_numbers_of_its_profile(name: str) -> None:
    settings = cl.Settings.profile(name)
    sheet = repr(cheat_sheet(name))

    assert f"autocompact {settings.thresholds.autocompact:,}" in sheet.replace("\n", " ")
    assert len(cheat_sheet(name).rows) == 5
    cells = " ".join(" ".join(row) for row in cheat_sheet(name).rows)
    assert f"the newest {settings.collapse.rounds_left_open} rounds" in cells
    assert ("idle minutes" in cells) == ("gap" in settings.microcompact.strategy)
    assert ("until 40,000 are left" in cells) == ("pressure" in settings.microcompact.strategy)
    layers = ("budget", "snip", "microcompact", "collapse", "autocompact")
    off = [layer for layer in layers if not getattr(settings, layer).enabled]
    assert cells.count("(off in this profile)") == len(off)
