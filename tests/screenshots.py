"""The pictures of the README: the bench at each of the five layers, light and dark, taken from the product itself.

`python -m tests.screenshots` runs the story in a real JupyterLab, goes to the act of each layer, and writes
`notebooks/images/bench-<layer>-<theme>.png`. Their bytes depend on the browser; nothing compares them.
"""

import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.conftest import ROOT
from tests.jupyter import FLAGS, Watched, browser_path, jupyterlab, open_notebook, run_all, write_notebook

ACTS = {"budget": 12, "snip": 8, "microcompact": 15, "collapse": 30, "autocompact": 36}
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
CELL = 'import ctxlab as cl\n\ncl.Bench(cl.story("classroom"), cl.Settings.profile("classroom"))'
FOLDER = ROOT / "notebooks" / "images"
GONE = """() => {
  for (const part of document.querySelectorAll('.ctxlab-bench .lower, .ctxlab-bench .sizes, .ctxlab-bench .twin')) part.style.display = 'none';
}"""


def write_small(picture: bytes, path: Path) -> None:
    """A PNG of 256 colours: a third of the bytes, and no difference to the eye."""
    colours = Image.open(io.BytesIO(picture)).convert("RGB")
    colours.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    """Take them all."""
    scratch = Path(tempfile.mkdtemp())
    (scratch / "notebooks").mkdir()
    (scratch / "lab").mkdir()
    with jupyterlab(scratch / "notebooks", scratch / "lab") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        seen = Watched(browser, address, width=1_180, height=1_500, reduced_motion="reduce")
        open_notebook(seen.page, address, write_notebook(scratch / "notebooks" / "bench.ipynb", CELL))
        seen.page.evaluate("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
        run_all(seen.page)
        bench = seen.shown()
        seen.page.evaluate(GONE)
        for theme, name in THEMES.items():
            seen.page.evaluate(
                "name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})", name
            )
            seen.page.locator(f".ctxlab-bench[data-theme={theme}]").wait_for()
            for layer, request in ACTS.items():
                bench.get_by_label("Request", exact=True).fill(str(request))
                bench.locator(f".lamp[data-layer={layer}]").click()
                seen.at(request, layer)
                seen.page.mouse.move(2, 2)
                seen.page.wait_for_timeout(500)
                write_small(bench.screenshot(), FOLDER / f"bench-{layer}-{theme}.png")
                print(f"bench-{layer}-{theme}.png")
        browser.close()
    shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
