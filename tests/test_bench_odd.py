"""The bench in a real browser with what is not usual: hostile and long sessions, none at all, errors, two benches."""

import json
from pathlib import Path

from tests.benches import STORY, opened
from tests.conftest import ROOT
from tests.jupyter import Watched, open_notebook, run_all, write_notebook
from tests.show.test_pictures import HOSTILE


def hostile_cell(texts: list[str]) -> str:
    source = json.dumps(texts)
    return (
        "import json, ctxlab as cl\nfrom tests.show.test_pictures import hostile_session\n"
        f"text = ' '.join(json.loads({source!r})) + chr(0xD83D)\n"
        "cl.Bench(hostile_session(text), cl.Settings.profile('classroom'))"
    )


def test_a_hostile_session_is_only_text(lab: str, browser, notebooks: Path) -> None:
    texts = [
        *HOSTILE,
        "<svg/onload=alert(2)>",
        "javascript:alert(3)",
        "${alert(4)}",
        "{{constructor}}",
        '" autofocus onfocus=alert(5) x="',
    ]
    setup = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
    seen = opened(lab, browser, notebooks, "hostile", setup, hostile_cell(texts))
    page, bench = seen.page, seen.bench
    for _ in range(12):
        bench.get_by_role("button", name="Next layer (→)").click()
    bench.locator("[data-row=history]").focus()
    page.keyboard.press("Home")
    for _ in range(8):
        page.wait_for_timeout(200)
        page.keyboard.press("ArrowRight")
    bench.locator(".inspector pre").first.get_by_text("<img src=x onerror=alert(1)>").first.wait_for(timeout=10_000)
    bench.locator("details.twin summary").click()
    bench.locator("details.twin pre").get_by_text("HISTORY").wait_for(timeout=10_000)

    tags = page.evaluate(
        "() => [...new Set([...document.querySelectorAll('.ctxlab-bench *')].map(node => node.tagName.toLowerCase()))]"
    )
    assert not set(tags) & {"img", "script", "iframe", "a", "object", "embed", "link", "style", "form", "mjx-container"}
    names = page.evaluate(
        "() => [...document.querySelectorAll('.ctxlab-bench *')].flatMap(node => node.getAttributeNames())"
    )
    assert not [name for name in set(names) if name.startswith("on") or name in ("href", "src", "srcdoc")]
    assert "\x1b" not in bench.text_content()
    seen.shot("hostile", bench)
    assert (seen.outside, seen.errors) == ([], [])


def test_an_error_in_the_kernel_stands_in_the_bench(lab: str, browser, notebooks: Path) -> None:
    broken = "from dataclasses import replace\nbench._services = replace(cl.Services.offline(bench.replay.history), count=None)"
    seen = opened(lab, browser, notebooks, "error", STORY, broken)
    box = seen.bench.locator(".switches input[data-path='budget.enabled']")
    box.click()
    alert = seen.bench.locator(".alert[role=alert]")
    alert.wait_for(timeout=10_000)

    assert "The bench met an error: TypeError" in alert.text_content()
    assert box.is_checked()  # the control is back at what is so
    seen.shot("error", seen.bench)
    alert.get_by_role("button", name="Close").click()
    assert not alert.is_visible()


def test_a_long_session_is_read_with_progress_when_it_is_shown(
    lab: str, browser, notebooks: Path, tmp_path: Path
) -> None:
    path = tmp_path / "long.jsonl"
    lines = []
    for n in range(9_000):
        kind, words = ("assistant", f"answer {n} " * 40) if n % 2 else ("user", f"question {n} " * 40)
        lines.append(
            json.dumps({"type": kind, "uuid": f"u{n}", "message": {"id": f"m{n}", "role": kind, "content": words}})
        )
    path.write_text("\n".join(lines), encoding="utf-8")
    seen = Watched(browser, lab)
    open_notebook(
        seen.page, lab, write_notebook(notebooks / "long.ipynb", f"import ctxlab as cl\ncl.Bench({str(path)!r})")
    )
    seen.page.evaluate(
        """() => {
          window.seenProgress = [];
          new MutationObserver(() => { const bar = document.querySelector('.ctxlab-bench .work:not([hidden]) progress'); if (bar) window.seenProgress.push(bar.value); })
            .observe(document.body, {subtree: true, childList: true, attributes: true});
        }"""
    )
    run_all(seen.page)
    seen.shown(60_000)
    shares = seen.page.evaluate("() => window.seenProgress")

    assert max(shares) > 0.3
    assert len(set(shares)) > 3
    seen.page.locator(".ctxlab-bench .work").wait_for(state="hidden", timeout=10_000)
    seen.shot("long", seen.bench)
    assert (seen.outside, seen.errors) == ([], [])


def test_without_a_session_the_bench_says_so_and_its_keys_do_nothing(lab: str, browser, notebooks: Path) -> None:
    cell = "import ctxlab as cl\ncl.Bench('/nowhere/session.jsonl')"
    seen = Watched(browser, lab)
    open_notebook(seen.page, lab, write_notebook(notebooks / "none.ipynb", cell))
    run_all(seen.page)
    seen.page.locator(".ctxlab-bench .alert:visible").wait_for(timeout=10_000)
    seen.bench.focus()
    for key in ("n", "ArrowRight", " ", "z", "f", "b", "Escape"):
        seen.page.keyboard.press(key)
    assert "FileNotFoundError" in seen.bench.text_content()
    assert not seen.bench.locator(".transport").is_visible()
    seen.shot("no-session", seen.bench)
    assert (seen.outside, seen.errors) == ([], [])


def test_two_benches_in_one_notebook_are_two(lab: str, browser, notebooks: Path) -> None:
    second = 'cl.Bench(cl.story("classroom"), cl.Settings.profile("article"), request=20)'
    seen = opened(lab, browser, notebooks, "two", STORY, second)
    both = seen.page.locator(".ctxlab-bench[data-step]")
    seen.page.wait_for_function("() => document.querySelectorAll('.ctxlab-bench[data-step]').length === 2")
    both.nth(1).get_by_role("button", name="Next request (Shift + →)").click()
    seen.page.wait_for_timeout(300)

    assert both.nth(0).get_attribute("data-request") == "2"
    assert both.nth(1).get_attribute("data-request") == "22"
    ids = seen.page.evaluate("() => [...document.querySelectorAll('.ctxlab-bench [id]')].map(node => node.id)")
    assert len(ids) == len(set(ids))
    both.nth(1).locator(".switches input[data-path='snip.enabled']").uncheck()
    seen.page.locator(".ctxlab-bench[data-runs='2']").wait_for(timeout=10_000)
    assert both.nth(0).get_attribute("data-runs") == "1"
    assert (seen.outside, seen.errors) == ([], [])


def test_python_knows_where_the_reader_is_and_can_move_the_bench(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "sync", STORY, "bench.go(35, 'autocompact').step.layer")
    seen.at(36, "autocompact")
    seen.bench.get_by_role("button", name="Next act (N)").click()
    seen.at(43, "autocompact")
    seen.page.wait_for_timeout(600)
    seen.page.evaluate(
        """async () => {
          const notebook = window.jupyterapp.shell.currentWidget.content;
          notebook.widgets[1].model.sharedModel.setSource('print(bench.step.request, bench.step.layer)');
          notebook.activeCellIndex = 1;
          await window.jupyterapp.commands.execute('notebook:run-cell');
        }"""
    )
    seen.page.get_by_text("42 autocompact").wait_for(timeout=10_000)
