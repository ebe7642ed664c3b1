"""What the browser tests of the bench share: the story in a notebook of its own, and what to wait for."""

from pathlib import Path

from tests.jupyter import Watched, open_notebook, run_all, write_notebook

STORY = 'import ctxlab as cl\nbench = cl.Bench(cl.story("classroom"), cl.Settings.profile("classroom"))\nbench'


def opened(lab: str, browser, notebooks: Path, name: str, *cells: str, **options) -> Watched:
    seen = Watched(browser, lab, **options)
    open_notebook(seen.page, lab, write_notebook(notebooks / f"{name}.ipynb", *cells))
    run_all(seen.page)
    seen.shown()
    return seen


def lamp(seen: Watched, layer: str):
    return seen.bench.locator(f".lamp[data-layer={layer}]")


def settled(seen: Watched, runs: int) -> None:
    seen.page.locator(f".ctxlab-bench[data-runs='{runs}']").first.wait_for(timeout=10_000)
