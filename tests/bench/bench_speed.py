"""How fast the bench is in a real browser, in a real JupyterLab.

Run by hand: `python tests/bench/bench_speed.py`. Scrub: from moving the scrubber to the frame after the repaint. Slider:
from moving a slider to the frame after the repaint of the new run, through the kernel and back. First display: from
running the cell to the first picture, and what went over the wire for it, compressed. Machines are noisy, and a
headless browser paints without a graphics card: read them as sizes.
"""

from __future__ import annotations

import gzip
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tests.jupyter import FLAGS, Watched, browser_path, jupyterlab, open_notebook, write_notebook

SETUP = """import sys; sys.path.insert(0, {here!r})
import ctxlab as cl
from replay_speed import ALL_LAYERS, session
from ctxlab.sources.messages_api import load_messages
settings = cl.Settings.profile("v2.1").replace(ALL_LAYERS)
history = load_messages(session({messages}))
print(len(history.blocks))"""
SHOW = "cl.Bench(history, settings)"
STEPS = 40
SCRUB = """async steps => {
  const scrub = document.querySelector('.ctxlab-bench .scrub'), times = [], last = Number(scrub.max);
  const painted = () => new Promise(done => requestAnimationFrame(() => { const port = new MessageChannel(); port.port1.onmessage = done; port.port2.postMessage(0); }));
  for (let at = 1; at <= steps; at++) {
    await new Promise(done => setTimeout(done, 40));
    const began = performance.now();
    scrub.value = 1 + Math.floor((last - 1) * ((at * 0.381966) % 1));
    scrub.dispatchEvent(new Event('input', {bubbles: true}));
    await painted();
    times.push(performance.now() - began);
  }
  return times;
}"""
SLIDE = """async steps => {
  const bench = document.querySelector('.ctxlab-bench'), slider = bench.querySelector("[data-path='microcompact.keep_recent'] input[type=range]"), times = [];
  for (let at = 0; at < steps; at++) {
    await new Promise(done => setTimeout(done, 300));
    const runs = bench.dataset.runs, began = performance.now();
    slider.value = 6 + at;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    while (bench.dataset.runs === runs) await new Promise(done => setTimeout(done, 1));
    await new Promise(done => requestAnimationFrame(() => { const port = new MessageChannel(); port.port1.onmessage = done; port.port2.postMessage(0); }));
    times.push(performance.now() - began);
  }
  return times;
}"""
FIRST = """async () => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = 1;
  const began = performance.now();
  window.jupyterapp.commands.execute('notebook:run-cell');
  while (!document.querySelector('.ctxlab-bench[data-step]')) await new Promise(done => setTimeout(done, 2));
  await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
  return performance.now() - began;
}"""


def measure(browser, address: str, folder: Path, messages: int) -> list[str]:
    """One row of the table."""
    here = str(Path(__file__).parent)
    name = write_notebook(folder / f"speed-{messages}.ipynb", SETUP.format(here=here, messages=messages), SHOW)
    seen = Watched(browser, address, height=1_700)
    frames: list[bytes] = []
    seen.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(as_bytes(frame))))
    open_notebook(seen.page, address, name)
    seen.page.evaluate("async () => { await window.jupyterapp.commands.execute('notebook:run-cell') }")
    blocks = seen.page.locator(".jp-OutputArea-output pre").first
    blocks.wait_for(timeout=60_000)
    count = int(blocks.text_content())
    frames.clear()
    first = seen.page.evaluate(FIRST)
    wire = b"".join(frames)
    scrubs, slides = seen.page.evaluate(SCRUB, STEPS), seen.page.evaluate(SLIDE, 12)
    seen.context.close()
    assert (seen.outside, seen.errors) == ([], [])
    return [
        f"{messages:,}", f"{count:,}", spread(scrubs), spread(slides), f"{first / 1_000:.2f} s",
        f"{len(wire) / 1_024:.0f} KB", f"{len(gzip.compress(wire, 6)) / 1_024:.0f} KB",
    ]  # fmt: skip


def as_bytes(frame: str | bytes) -> bytes:
    return frame if isinstance(frame, bytes) else frame.encode("utf-8", "replace")


def spread(times: list[float]) -> str:
    """Median and 95th percentile."""
    return f"{statistics.median(times):.0f} / {statistics.quantiles(times, n=20)[-1]:.0f} ms"


def main() -> None:
    """Print the table."""
    from playwright.sync_api import sync_playwright

    folder = Path(tempfile.mkdtemp())
    (folder / "notebooks").mkdir()
    (folder / "lab").mkdir()
    head = [
        "messages",
        "blocks",
        "scrub (p50 / p95)",
        "slider (p50 / p95)",
        "first display",
        "on the wire",
        "compressed",
    ]
    print(" | ".join(head))
    with jupyterlab(folder / "notebooks", folder / "lab") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        for messages in (700, 1_000, 3_400, 10_000):
            print(" | ".join(measure(browser, address, folder / "notebooks", messages)))
        browser.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
