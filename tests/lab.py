"""JupyterLab and a headless Chromium, for the browser tests: everything on loopback, nothing left behind."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

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
def jupyterlab(folder: Path, scratch: Path) -> Iterator[str]:
    """A JupyterLab on a folder, with settings and data of its own; gives its address."""
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
        "--LabApp.expose_app_in_browser=True",
    ]
    with (scratch / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options], env=env, stdout=log, stderr=subprocess.STDOUT
        )
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


def open_notebook(page, address: str, name: str) -> None:
    """Open a notebook and wait until it is shown and its kernel is idle."""
    page.goto(f"{address}/lab/tree/{name}?reset")
    page.wait_for_function("() => window.jupyterapp && window.jupyterapp.shell", timeout=60_000)
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.wait_for_function(KERNEL_IDLE, timeout=60_000)


def run_all(page) -> None:
    """Run every cell and wait for the last one."""
    page.evaluate("async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells') }")
    page.wait_for_function(ALL_DONE, timeout=120_000)
