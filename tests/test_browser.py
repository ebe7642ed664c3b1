"""In a real browser: JupyterLab opens the first notebook, runs it, the picture is seen; and unexecuted, untrusted as well."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.lab import FLAGS, browser_path, jupyterlab, open_notebook, run_all

NAME = "00_start_here.ipynb"
MISSING = "no Chromium or Chrome was found; install one to run the browser tests (Debian: apt-get install chromium; macOS: brew install --cask google-chrome)"
SCREENSHOTS = os.environ.get("CTXLAB_SCREENSHOTS")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not browser_path():
        if os.environ.get("CTXLAB_BROWSER") == "required":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    folder = tmp_path_factory.mktemp("notebooks")
    shutil.copy(ROOT / "notebooks" / NAME, folder / NAME)
    with jupyterlab(folder, tmp_path_factory.mktemp("lab")) as address:
        yield address


class Watched:
    """A page that remembers what it asked of the outside, and what went wrong in it."""

    def __init__(self, browser, address: str, **options) -> None:
        self.page = browser.new_context(viewport={"width": 1_300, "height": 1_000}, **options).new_page()
        self.outside: list[str] = []
        self.errors: list[str] = []
        self.page.on(
            "request",
            lambda request: (
                self.outside.append(request.url)
                if not request.url.startswith((address, address.replace("http", "ws"), "data:", "blob:"))
                else None
            ),
        )
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def shot(self, name: str) -> None:
        if SCREENSHOTS:
            Path(SCREENSHOTS).mkdir(exist_ok=True)
            self.page.screenshot(path=f"{SCREENSHOTS}/{name}.png")


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        yield opened
        opened.close()


def test_run_all_shows_the_picture_and_the_buttons_step_through_it(lab: str, browser) -> None:
    seen = Watched(browser, lab)
    open_notebook(seen.page, lab, NAME)
    run_all(seen.page)
    picture = seen.page.locator(".jp-Cell .widget-html-content svg").first
    picture.wait_for(timeout=20_000)
    picture.scroll_into_view_if_needed()

    assert "Tool-result budget shrank 1 block to a card" in picture.text_content()
    box = picture.bounding_box()
    assert box["width"] > 600
    assert box["height"] > 250
    seen.shot("run-first-act")
    status = seen.page.locator("[role=status][data-step]")
    for step in range(1, 4):
        seen.page.get_by_role("button", name="next ›").click()
        seen.page.locator(f"[role=status][data-step='{step}']").wait_for(timeout=10_000)
    assert "act 4 of 16, request 15 of 58" in status.text_content()
    seen.page.locator(".widget-html-content svg", has_text="Microcompact blanked out").wait_for(timeout=10_000)
    seen.shot("run-microcompact")
    seen.page.get_by_role("button", name="‹ back").click()
    seen.page.locator("[role=status][data-step='2']").wait_for(timeout=10_000)
    assert "Ready; no key was looked for" in seen.page.locator(".jp-Notebook").text_content()
    assert (seen.outside, seen.errors) == ([], [])


def test_untrusted_and_not_run_it_shows_picture_and_text(lab: str, browser) -> None:
    seen = Watched(browser, lab)
    open_notebook(seen.page, lab, NAME)
    images = seen.page.locator(".jp-OutputArea-output img[src^='data:image/png']")
    images.first.wait_for(timeout=20_000)
    images.first.scroll_into_view_if_needed()

    assert not seen.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.cells.get(2).trusted")
    assert images.first.evaluate("image => image.naturalWidth") >= 900
    text = seen.page.locator(".jp-Notebook").text_content()
    assert "model not found" not in text
    assert "HISTORY" in text
    assert "Ready; no key was looked for" in text
    seen.shot("untrusted")
    assert (seen.outside, seen.errors) == ([], [])


def test_the_picture_keeps_its_words_in_a_narrow_cell_and_in_the_dark_theme(lab: str, browser) -> None:
    seen = Watched(browser, lab, color_scheme="dark")
    seen.page.set_viewport_size({"width": 760, "height": 1_000})
    open_notebook(seen.page, lab, NAME)
    seen.page.evaluate(
        "async () => { await window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'}) }"
    )
    seen.page.evaluate("async () => { await window.jupyterapp.commands.execute('application:toggle-left-area') }")
    run_all(seen.page)
    picture = seen.page.locator(".jp-Cell .widget-html-content svg").first
    picture.wait_for(timeout=20_000)
    picture.scroll_into_view_if_needed()
    cell = seen.page.locator(".jp-Notebook").bounding_box()

    assert picture.bounding_box()["width"] <= cell["width"]
    seen.shot("narrow-dark")
