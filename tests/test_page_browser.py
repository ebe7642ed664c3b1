"""Pages opened from disk in a real browser: step, scrub, inspector, and not one request to the outside."""

from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.show.page import make_page, write_page
from tests.conftest import corpus_files, number
from tests.show.test_pictures import HOSTILE, hostile_session

RECORDINGS = ("007", "045", "127", "138", "171")


class Opened:
    """A page from disk, and whatever it asks for or complains about."""

    def __init__(self, browser, path: Path, **options) -> None:
        self.page = browser.new_page(viewport={"width": 1200, "height": 1000}, **options)
        self.asked: list[str] = []
        self.errors: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.errors.append("dialog"), dialog.dismiss()))
        self.page.goto(path.as_uri())
        self.bench = self.page.locator(".ctxlab-bench[data-step]")
        self.bench.wait_for(timeout=20_000)
        self.path = path

    def place(self) -> tuple[int, str]:
        return int(self.bench.get_attribute("data-request")), self.bench.get_attribute("data-layer")

    def texts(self) -> list[str]:
        """The texts in the inspector, when they are there."""
        from playwright.sync_api import expect

        expect(self.bench.locator(".inspector .pair")).not_to_contain_text("reading …")
        return self.bench.locator(".inspector pre").all_text_contents()

    def quiet(self) -> bool:
        outside = [url for url in self.asked if url != self.path.as_uri()]
        assert (outside, self.errors) == ([], [])
        return True


def written(folder: Path, shown: cl.Replay, **options) -> Path:
    return write_page(make_page(shown, **options), folder / "replay.html")


def walk(seen: Opened, requests: int) -> None:
    """Step by act, by request and by layer, scrub to the end, and look at a block."""
    bench, page = seen.bench, seen.page
    bench.get_by_role("button", name="Next request").click()
    bench.get_by_role("button", name="Previous layer").click()
    before = seen.place()
    bench.get_by_role("button", name="Next layer").click()
    assert seen.place() != before
    page.locator(".scrub").fill(str(requests))
    assert seen.place()[0] == requests
    page.locator(".scrub").fill("1")
    assert seen.place()[0] == 1


@pytest.mark.parametrize("name", RECORDINGS)
def test_five_recordings_from_disk(browser, tmp_path: Path, name: str) -> None:
    path = next((path for path in corpus_files() if number(path) == name), None)
    if path is None:
        pytest.skip("the recordings are not here (CTXLAB_CORPUS)")
    shown = cl.replay(cl.load(path), cl.Settings.profile("classroom"))
    seen = Opened(browser, written(tmp_path, shown))
    walk(seen, len(shown.exchanges))
    seen.bench.get_by_role("button", name="Next act").click()
    original, now = seen.texts()

    assert len(original) > 10
    assert now
    assert seen.quiet()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_session_shows_as_text(browser, tmp_path: Path, text: str) -> None:
    """B21: the page shows the text itself, and runs nothing of it."""
    shown = cl.replay(hostile_session(text), cl.Settings.profile("classroom"))
    seen = Opened(browser, written(tmp_path, shown, place=(0, "arrive")))
    seen.texts()
    whole = "".join(seen.page.locator("main").all_text_contents())

    if text.isprintable():
        assert text in whole
    assert "\x1b" not in whole
    assert "\u202e" not in whole
    assert seen.page.locator("main img, main b b, main a, main script").count() == 0
    assert seen.quiet()


def test_a_page_has_no_kernel_and_says_so(browser, tmp_path: Path) -> None:
    shown = cl.replay(cl.story("classroom"), cl.Settings.profile("classroom"))
    seen = Opened(browser, written(tmp_path, shown))
    settings = seen.bench.locator(".settings")

    assert "A page runs nothing" in settings.text_content()
    assert settings.locator("input:enabled, select:enabled").count() == 0
    assert seen.bench.locator("details.twin").is_hidden()
    seen.texts()
    assert "the first 4,000 of 10,152 characters" in seen.bench.locator(".inspector").text_content()
    seen.page.keyboard.press("n")
    assert "kernel has not answered" not in seen.bench.text_content()
    assert seen.quiet()


def test_a_page_without_texts_works_and_says_so(browser, tmp_path: Path) -> None:
    shown = cl.replay(cl.story("classroom"), cl.Settings.profile("classroom"))
    seen = Opened(browser, written(tmp_path, shown, texts=False))
    walk(seen, len(shown.exchanges))

    assert "made without texts" in seen.bench.locator(".inspector").text_content()
    assert "payments" not in seen.page.content()
    assert seen.quiet()


def test_it_is_whole_in_a_narrow_window_and_on_a_dark_page(browser, tmp_path: Path) -> None:
    shown = cl.replay(cl.story("classroom"), cl.Settings.profile("classroom"))
    seen = Opened(browser, written(tmp_path, shown), color_scheme="dark")
    seen.page.set_viewport_size({"width": 420, "height": 900})
    seen.page.wait_for_timeout(300)

    assert seen.bench.get_attribute("data-theme") == "dark"
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 420
    assert seen.quiet()
