"""In a real browser: JupyterLab opens the first notebook, runs it, the bench plays; a second run works as the first."""

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.jupyter import Watched, open_notebook, run_all

NAME = "00_start_here.ipynb"


REMEMBER = """bench => {
  window.acts = [];
  const look = () => { const at = `${bench.dataset.request} ${bench.dataset.layer}`; if (bench.dataset.state === 'acted' && !window.acts.includes(at)) window.acts.push(at); };
  look();
  new MutationObserver(look).observe(bench, {attributes: true});
}"""


@pytest.fixture(autouse=True)
def copied(notebooks: Path) -> None:
    shutil.copy(ROOT / "notebooks" / NAME, notebooks / NAME)


def test_run_all_then_play_shows_every_layer_act(lab: str, browser) -> None:
    seen = Watched(browser, lab)
    open_notebook(seen.page, lab, NAME)
    run_all(seen.page)
    bench = seen.shown()

    assert "Tool-result budget shrank 1 block to a card" in bench.locator(".say [role=status]").text_content()
    assert bench.bounding_box()["width"] > 600
    seen.shot("00-first-act", bench)
    bench.evaluate(REMEMBER)
    bench.get_by_label("Speed").select_option("4")
    bench.get_by_role("button", name="Play").click()
    bench.locator(".play", has_text="Pause").wait_for()
    bench.locator(".play", has_text="Play").wait_for(timeout=90_000)
    assert bench.get_attribute("data-request") == "58"
    acts = seen.page.evaluate("() => window.acts")
    assert {act.split()[1] for act in acts} == {"budget", "snip", "microcompact", "collapse", "autocompact"}
    assert len(acts) == 16
    assert "Ready; no key was looked for" in seen.page.locator(".jp-Notebook").text_content()
    assert (seen.outside, seen.errors) == ([], [])


def test_restart_and_run_again_gives_a_new_bench_that_works(lab: str, browser) -> None:
    seen = Watched(browser, lab)
    open_notebook(seen.page, lab, NAME)
    run_all(seen.page)
    seen.shown()
    seen.page.evaluate("async () => { await window.jupyterapp.shell.currentWidget.sessionContext.restartKernel() }")
    run_all(seen.page)
    bench = seen.shown()
    bench.get_by_role("button", name="Next act (N)").click()
    seen.at(8, "snip")
    bench.locator(".where").wait_for(timeout=10_000)

    assert seen.page.locator(".ctxlab-bench").count() == 1
    assert "model not found" not in seen.page.locator(".jp-Notebook").text_content()
    assert (seen.outside, seen.errors) == ([], [])
