"""JupyterLab or Notebook 7 and a headless Chromium, for the browser tests: everything on loopback, nothing left behind."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

MISSING = "no Chromium or Chrome was found; install one to run the browser tests (Debian: apt-get install chromium; macOS: brew install --cask google-chrome)"
SCREENSHOTS = os.environ.get("CTXLAB_SCREENSHOTS")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTINGS = {  # no news pop-up over the page, and every cell in it, not only those that are scrolled to
    "apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}',
    "notebook-extension/tracker": '{"windowingMode": "none"}',
}


def browser_path() -> str:
    """A Chromium or Chrome of this machine, or an empty string."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), "")
    return found or (str(MAC) if MAC.exists() else "")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextlib.contextmanager
def jupyterlab(folder: Path, scratch: Path, python: object = sys.executable, app: str = "jupyterlab") -> Iterator[str]:
    """A JupyterLab (or `notebook`) on a folder, with settings and data of its own; gives its address."""
    port = free_port()
    for name in ("config", "data", "runtime", "ipython", "workspaces", "settings"):
        (scratch / name).mkdir()
    for place, words in SETTINGS.items():
        path = scratch / "settings" / "@jupyterlab" / f"{place}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words)
    env = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(scratch / "config"),
        "JUPYTER_DATA_DIR": str(scratch / "data"),
        "JUPYTER_RUNTIME_DIR": str(scratch / "runtime"),
        "IPYTHONDIR": str(scratch / "ipython"),
        "JUPYTERLAB_WORKSPACES_DIR": str(scratch / "workspaces"),
        "JUPYTERLAB_SETTINGS_DIR": str(scratch / "settings"),
    }
    options = [
        "--no-browser",
        "--allow-root",
        f"--ServerApp.root_dir={folder}",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        "--ServerApp.disable_check_xsrf=True",
        f"--{'LabApp' if app == 'jupyterlab' else 'JupyterNotebookApp'}.expose_app_in_browser=True",
    ]
    with (scratch / "log").open("w") as log:
        process = subprocess.Popen([str(python), "-m", app, *options], env=env, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_for(f"http://127.0.0.1:{port}/api", process, scratch / "log")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(address: str, process: subprocess.Popen, log: Path) -> None:
    """Until the server answers, at most a minute."""
    for _ in range(600):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=1).read()
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-2_000:]}")


def end_sessions(address: str) -> None:
    """End every kernel of a server."""
    for session in json.loads(urllib.request.urlopen(f"{address}/api/sessions", timeout=10).read()):
        ending = urllib.request.Request(f"{address}/api/sessions/{session['id']}", method="DELETE")
        with contextlib.suppress(OSError):
            urllib.request.urlopen(ending, timeout=10)


KERNEL_IDLE = """() => {
  const shown = window.jupyterapp.shell.currentWidget;
  const session = shown && shown.sessionContext && shown.sessionContext.session;
  return session && session.kernel && session.kernel.status === 'idle';
}"""
ALL_DONE = """() => {
  const prompts = [...document.querySelectorAll('.jp-Notebook .jp-InputPrompt')].map(each => each.textContent);
  const session = window.jupyterapp.shell.currentWidget.sessionContext.session;
  return session.kernel.status === 'idle' && !prompts.some(each => each.includes('*'));
}"""


def open_notebook(page, address: str, name: str, place: str = "lab/tree") -> None:
    """Open a notebook (in Notebook 7: `notebooks`) and wait until it is shown and its kernel is idle."""
    page.goto(f"{address}/{place}/{name}?reset")
    page.wait_for_function("() => window.jupyterapp && window.jupyterapp.shell", timeout=60_000)
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.wait_for_function(KERNEL_IDLE, timeout=60_000)


def run_all(page) -> None:
    """Run every cell and wait for the last one."""
    page.evaluate("async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells') }")
    page.wait_for_function(ALL_DONE, timeout=120_000)


def write_notebook(path: Path, *cells: str) -> str:
    """A notebook with these code cells; gives its name."""
    import nbformat

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata["kernelspec"] = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    nbformat.write(notebook, path)
    return path.name


class Watched:
    """A page that remembers what it asked of the outside, what went wrong in it, and what it asked the reader."""

    def __init__(self, browser, address: str, *, width: int = 1_300, height: int = 1_000, **options) -> None:
        self.context = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.page = self.context.new_page()
        self.outside: list[str] = []
        self.errors: list[str] = []
        inside = (address, address.replace("http", "ws"), "data:", "blob:")
        self.page.on("request", lambda asked: None if asked.url.startswith(inside) else self.outside.append(asked.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.errors.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    @property
    def bench(self):
        """The first bench of the page."""
        return self.page.locator(".ctxlab-bench").first

    def shown(self, timeout: int = 30_000):
        """Wait until a bench shows a step; gives it."""
        self.page.locator(".ctxlab-bench[data-step]").first.wait_for(timeout=timeout)
        return self.bench

    def at(self, request: int, layer: str, timeout: int = 10_000) -> None:
        """Wait until the first bench shows that request (from 1) after that layer."""
        self.page.locator(f".ctxlab-bench[data-request='{request}'][data-layer='{layer}']").first.wait_for(
            timeout=timeout
        )

    def shot(self, name: str, part=None) -> None:
        """A screenshot to look at, where CTXLAB_SCREENSHOTS names a folder."""
        if SCREENSHOTS:
            Path(SCREENSHOTS).mkdir(exist_ok=True)
            self.page.wait_for_timeout(900)  # motion ends
            (part or self.page).screenshot(path=f"{SCREENSHOTS}/{name}.png")
