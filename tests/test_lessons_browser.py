"""Every notebook in a real browser: unexecuted and untrusted first, then run as a whole and its main control used."""

import shutil
from pathlib import Path

import pytest

from ctxlab.course.refresh import FOLDER
from tests.jupyter import SCREENSHOTS, Watched, open_notebook, run_all

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
CONTROLS = {  # notebook -> a setting of its bench, another value, and words that then stand in it
    "00": ("microcompact.keep_recent", "12", "Ran 58 requests again"),
    "01": ("overhead.mcp", "51000", "MCP"),
    "02": ("window.context_window", "80000", "Ran 58 requests again"),
    "03": ("budget.per_result_chars", "50000", "Ran 58 requests again"),
    "04": ("snip.minimum_tokens", "1000", "Ran 58 requests again"),
    "05": ("microcompact.gap_minutes", "71", "gap 70 min < 71"),
    "06": ("collapse.rounds_left_open", "3", "Ran 58 requests again"),
    "07": ("window.max_output_tokens", "1000", "Ran 58 requests again"),
}
ERRORS = ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error'], .jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"
PREDICTED = "() => [...document.querySelectorAll('.jp-Notebook .widget-html')].some(each => each.textContent.startsWith('Noted:'))"
TALL = 3_000  # pixels, so that a screenshot has several cells


@pytest.fixture
def seen(lab: str, browser, notebooks: Path) -> Watched:
    """A page of its own."""
    return Watched(browser, lab, height=TALL if SCREENSHOTS else 1_000)


def ids(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_a_notebook_is_read_without_running_and_then_run(path: Path, lab: str, seen: Watched, notebooks: Path) -> None:
    shutil.copy(path, notebooks / path.name)
    open_notebook(seen.page, lab, path.name)
    untrusted(seen)
    pages(seen, f"{path.stem[:2]}-untrusted")
    run_all(seen.page)
    seen.page.wait_for_timeout(500)

    assert seen.page.locator(ERRORS).count() == 0
    text = seen.page.locator(".jp-Notebook").text_content()
    assert "model not found" not in text
    assert "Error displaying widget" not in text
    number = path.stem[:2]
    if number in CONTROLS:
        use_bench(seen, *CONTROLS[number])
    if number != "00":
        predict(seen)
        answer_quiz(seen)
    if number == "13":
        use_drill(seen)
    if number in ("02", "03", "05", "07"):
        seen.page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=20_000)
    pages(seen, f"{number}-run")
    assert (seen.outside, seen.errors) == ([], [])


def untrusted(seen: Watched) -> None:
    """Opened and not run: pictures as PNG, texts, no widget, nothing that asks for one."""
    image = seen.page.locator(".jp-OutputArea-output img[src^='data:image/png']").first
    image.wait_for(timeout=20_000)
    assert not seen.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.cells.get(1).trusted")
    assert image.evaluate("image => image.naturalWidth") >= 900
    assert seen.page.locator(".ctxlab-bench, .ctxlab-drill, .jp-Notebook .widget-radio").count() == 0
    text = seen.page.locator(".jp-Notebook").text_content()
    assert "not attempted yet" in text
    assert "model not found" not in text


def use_bench(seen: Watched, path: str, value: str, words: str) -> None:
    """Type another value into the first control that the lesson is about, and see the bench run again."""
    bench = seen.shown()
    typed = bench.locator(f".chosen [data-path='{path}'] input[type=text]")
    typed.fill(value)
    typed.press("Enter")
    seen.page.locator(f".ctxlab-bench .field.changed[data-path='{path}']").first.wait_for(timeout=20_000)
    bench.locator(".settings [role=status]", has_text="Ran 58 requests again").wait_for(timeout=20_000)
    bench.filter(has_text=words).wait_for(timeout=10_000)


def predict(seen: Watched) -> None:
    """Choose the first option of the prediction: it is noted, not judged."""
    buttons = seen.page.locator(".jp-Notebook .widget-radio").first
    buttons.locator("input[type=radio]").first.check()
    seen.page.wait_for_function(PREDICTED, timeout=10_000)


def answer_quiz(seen: Watched) -> None:
    """Answer the quiz by the keyboard, and be told why."""
    asked = seen.page.locator(".jp-Notebook .widget-vbox", has=seen.page.locator(".widget-radio")).last
    asked.locator("input[type=radio]").first.focus()
    seen.page.keyboard.press("Space")
    said = asked.locator("span[role=status]")
    said.wait_for(timeout=10_000)
    assert said.text_content().startswith(("Right.", "Not quite."))


def use_drill(seen: Watched) -> None:
    """Unfold by the space bar, score by a key, and see the next card; the clock runs."""
    drill = seen.page.locator("section.ctxlab-drill[aria-label='Interview drill']")
    drill.focus()
    seen.page.keyboard.press("Space")
    assert drill.locator("details[open]").count() == 1
    assert "A ladder from cheap to costly" in drill.locator("details[open]").text_content()
    pages(seen, "13-drill")
    seen.page.keyboard.press("0")
    seen.page.locator(".ctxlab-drill[data-card='2']").wait_for(timeout=10_000)
    seen.page.keyboard.press("3")
    seen.page.locator(".ctxlab-drill[data-card='3']").wait_for(timeout=10_000)
    drill.get_by_role("button", name="1: the mechanism is named").click()
    seen.page.locator(".ctxlab-drill[data-card='1']").wait_for(timeout=10_000)  # the weak one, after two others
    drill.get_by_label("Group").select_option("Comparisons")
    seen.page.locator(".ctxlab-drill[data-card='34']").wait_for(timeout=10_000)
    assert "2 weak so far" in drill.text_content()
    clock = drill.get_by_label("Clock: start, stop, go on")
    assert clock.text_content().endswith("of 1:30")
    seen.page.get_by_label("Timer").get_by_role("button").click()
    seen.page.locator("[aria-label=Timer] .clock", has_text="0:01 of 10:00").wait_for(timeout=5_000)


def pages(seen: Watched, name: str) -> None:
    """Screenshots of the whole notebook, one screen after the other, where they are wanted."""
    if not SCREENSHOTS:
        return
    scroller = seen.page.locator(".jp-WindowedPanel-outer").first
    height = scroller.evaluate("node => node.scrollHeight")
    for part, top in enumerate(range(0, height, TALL - 200)):
        scroller.evaluate("(node, top) => { node.scrollTop = top }", top)
        seen.shot(f"{name}-{part}")
    scroller.evaluate("node => { node.scrollTop = 0 }")
