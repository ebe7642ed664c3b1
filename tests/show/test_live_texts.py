"""Texts that the bench is asked for: page by page, read back for real, and harmless whatever is in them."""

import json

import pytest

import ctxlab as cl
from ctxlab.show.columns import columns_of
from ctxlab.show.payload import OWN_SIZE
from tests.conftest import Lines
from tests.show.asking import Browser, number_of, step_of, strings
from tests.show.test_pictures import HOSTILE, hostile_session


def test_a_cleared_result_is_read_page_by_page_and_read_back(browser: Browser) -> None:
    step, block = step_of(browser, 14, "microcompact"), number_of(browser, "toolu_0001/result")
    answer = browser.ask(type="block", block=block, step=step, page=0)
    original = browser.bench.replay.history.by_id["toolu_0001/result"].text
    pages = [
        browser.ask(type="block", block=block, step=step, page=page)["original"] for page in range(answer["pages"])
    ]

    assert "".join(pages) == original
    assert answer["seen"] == "[Old tool result content cleared]"
    assert answer["addresses"] == ["history:2:0", "archive:toolu_0001"]
    back = browser.ask(type="block", block=block, step=step, page=0, back=True)
    assert back["back"] == {"same": True, "bytes": len(original.encode())}


def test_what_is_read_back_is_really_compared(browser: Browser) -> None:
    """The answer is not a constant: where the archive lost a byte, it says so."""
    files = browser.bench.replay.services.archive.files
    files["tool-results/toolu_0001.txt"] = files["tool-results/toolu_0001.txt"][:-1]
    step, block = step_of(browser, 14, "microcompact"), number_of(browser, "toolu_0001/result")

    assert browser.ask(type="block", block=block, step=step, page=0, back=True)["back"]["same"] is False


def test_what_has_no_text_has_no_address_to_read_it_back_from(lines: Lines) -> None:
    lines.user("hi")
    lines.reply("ok", usage={"input_tokens": 9_000, "output_tokens": 10})
    lines.user("on")
    lines.reply("ok", usage={"input_tokens": 12_000, "output_tokens": 10})
    lines.user("and")
    browser = Browser(cl.Bench(lines.load()))
    unrecorded = columns_of(browser.bench.replay).kinds.index("unrecorded")
    answer = browser.ask(type="block", block=unrecorded, step=len(columns_of(browser.bench.replay).steps) - 1, page=0)

    assert (answer["addresses"], answer["characters"]) == ([], 0)


def test_every_block_of_every_kind_can_be_opened_at_the_end(browser: Browser) -> None:
    columns = columns_of(browser.bench.replay)
    last = len(columns.steps) - 1

    for block in range(len(columns.ids)):
        assert browser.ask(type="block", block=block, step=last, page=0)["type"] == "block"
    summary = next(n for n, kind in enumerate(columns.kinds) if kind == "summary")
    assert "Do not change the public API" in browser.ask(type="block", block=summary, step=last, page=0)["original"]


def test_a_hidden_block_shows_what_stands_for_it(browser: Browser) -> None:
    columns = columns_of(browser.bench.replay)
    step = step_of(browser, 35, "autocompact")
    answer = browser.ask(type="block", block=columns.overhead, step=step, page=0)

    assert "Do not change the public API" in answer["original"]
    assert answer["seen"].startswith("This session continues an earlier conversation")


def test_the_picture_as_text_is_made_when_it_is_asked_for(browser: Browser) -> None:
    step = step_of(browser, 14, "microcompact")

    assert browser.ask(type="text", step=step)["text"] == cl.text_picture(browser.bench.replay, 14, "microcompact")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_travel_harmless(text: str) -> None:
    browser = Browser(cl.Bench(hostile_session(text), cl.Settings.profile("classroom")))
    columns = columns_of(browser.bench.replay)
    sent = [browser.columns(), browser.bench._settings]
    sent += [browser.ask(type="block", block=n, step=len(columns.steps) - 1, page=0) for n in range(len(columns.ids))]

    for value in (text.replace(OWN_SIZE, "") for text in strings(sent)):
        assert not any(ord(letter) < 32 and letter not in "\n\t" for letter in value), ascii(value)
        assert not any(letter in value for letter in "\x1b\u202e\u2028\ufeff"), ascii(value)
        value.encode("utf-8")


def test_lone_surrogates_in_a_session_reach_the_browser_as_text(lines: Lines) -> None:
    lines.user("a \ud83d b")
    lines.reply("\udc00")
    lines.user("c")
    browser = Browser(cl.Bench(cl.load("\n".join(json.dumps(record) for record in lines.records))))

    assert (
        "a " in browser.ask(type="block", block=columns_of(browser.bench.replay).overhead, step=0, page=0)["original"]
    )
