"""Binder without Docker: replay the plan that repo2docker prints in a clean environment; run and open notebook 00 there."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.jupyter import Watched, jupyterlab, open_notebook, run_all

pytest.importorskip("repo2docker", reason="repo2docker is not installed; it comes with the extra `test`")
BASE = ("jupyterlab", "notebook", "ipywidgets", "jupyterlab_widgets", "jupyter_server", "ipykernel", "traitlets")
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info", ".ipynb_checkpoints"
)
NAME = "00_start_here.ipynb"
MOST_MEGABYTES = 300
MEASURED = """
import json, resource, sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
notebook.cells.append(nbformat.v4.new_code_cell("import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"))
NotebookClient(notebook, kernel_name="python3").execute()
print(notebook.cells[-1].outputs[0]["text"])
"""


def plan(folder: Path) -> str:
    """What repo2docker would do: its Dockerfile and its words."""
    done = subprocess.run(
        [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return done.stdout + done.stderr


def pinned(version: str) -> list[str]:
    """The Jupyter packages of the base image, as that plan pins them."""
    import repo2docker

    lock = Path(repo2docker.__file__).parent / "buildpacks" / "conda" / f"environment.py-{version}-linux-64.lock"
    text = lock.read_text()
    return [f"{name}=={found.group(1)}" for name in BASE if (found := re.search(rf"/{name}-([\d.]+)-", text))]


def python(version: str) -> str:
    """An interpreter of that version, or an empty string."""
    if f"{sys.version_info.major}.{sys.version_info.minor}" == version:
        return sys.executable
    return shutil.which(f"python{version}") or ""


class Image:
    """What the plan makes: a clean copy of the repository, and an environment with the base image's Jupyter."""

    def __init__(self, folder: Path) -> None:
        self.source, self.tools = folder / "src", folder / "env" / "bin"
        self.env = {
            **os.environ,
            "PATH": f"{self.tools}:{os.environ['PATH']}",
            "REPO_DIR": str(self.source),
            "JUPYTER_DATA_DIR": str(folder / "data"),
            "HOME": str(folder),
        }
        self.env.pop("PYTHONPATH", None)

    def run(self, *command: object) -> str:
        done = subprocess.run(
            list(map(str, command)), cwd=self.source, env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-2_000:]}\n{done.stderr[-2_000:]}"
        return done.stdout


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    folder = tmp_path_factory.mktemp("binder")
    made = Image(folder)
    shutil.copytree(ROOT, made.source, ignore=LEFT_OUT)
    text = plan(made.source)
    version = re.search(r"Building conda environment for python=([\d.]+)", text).group(1)
    assert version == (ROOT / "binder" / "runtime.txt").read_text().strip().removeprefix("python-")
    if not python(version):
        pytest.skip(f"Binder runs Python {version}, which is not on this machine")
    steps = [
        line.split("/bin/", 1)[1].strip()
        for line in text.splitlines()
        if line.startswith("RUN ${KERNEL_PYTHON_PREFIX}/bin/pip")
    ]
    assert len(steps) == 1
    assert "apt-get" not in " ".join(steps)
    subprocess.run([python(version), "-m", "venv", folder / "env"], check=True)
    base = pinned(version)
    made.run(made.tools / "pip", "install", "-q", *base)
    for step in steps:
        made.run("bash", "-c", f'"{made.tools}/pip" {step.removeprefix("pip ").replace("--no-cache-dir", "-q")}')
    made.run("binder/postBuild")
    quiet = json.loads((folder / "env/share/jupyter/lab/settings/overrides.json").read_text())
    assert quiet["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"
    assert made.run("binder/start", "jupyter", "lab", "--version").strip() == base[0].partition("==")[2]
    made.run(made.tools / "pip", "check")
    installed = made.run(made.tools / "pip", "list", "--format=freeze").lower().replace("-", "_")
    assert [each for each in base if each.lower() not in installed] == []
    print(f"Jupyter of the base image: {base[0]}, {base[1]}, {base[2]}")
    return made


def test_the_first_notebook_runs_in_the_planned_environment(image: Image) -> None:
    notebook = image.source / "notebooks" / NAME
    kernel = image.run(image.tools / "python", "-c", MEASURED, notebook)
    megabytes = int(kernel.split()[-1]) / (1_024 if sys.platform == "linux" else 1_048_576)
    assert megabytes < MOST_MEGABYTES, f"the kernel of notebook 00 needs {megabytes:.0f} MB"
    print(f"kernel of notebook 00: {megabytes:.0f} MB")
    image.run(image.tools / "pip", "install", "-q", "nbval", "pytest")
    options = ["-p", "no:cacheprovider", "-c", os.devnull, "--nbval", "--nbval-current-env"]
    assert "passed" in image.run(image.tools / "python", "-m", "pytest", *options, notebook)


@pytest.mark.parametrize(("app", "place"), [("jupyterlab", "lab/tree"), ("notebook", "notebooks")])
def test_the_bench_opens_and_steps_there(image: Image, browser: object, tmp_path: Path, app: str, place: str) -> None:
    """JupyterLab as Binder has it, and Notebook 7."""
    (tmp_path / "notebooks").mkdir()
    shutil.copy(ROOT / "notebooks" / NAME, tmp_path / "notebooks" / NAME)
    with jupyterlab(tmp_path / "notebooks", tmp_path, image.tools / "python", app) as address:
        seen = Watched(browser, address)
        open_notebook(seen.page, address, NAME, place)
        run_all(seen.page)
        bench = seen.shown()
        seen.at(2, "budget")
        bench.get_by_role("button", name="Next act (N)").click()
        seen.at(8, "snip")
        bench.locator(".inspector pre", has_text="Ledgerly payments").first.wait_for(timeout=10_000)
        bench.locator("[data-path='microcompact.keep_recent'] input[type=range]").first.fill("9")
        seen.page.locator(".ctxlab-bench[data-runs='2']").wait_for(timeout=10_000)
        seen.shot(f"binder-{app}")

        assert (seen.outside, seen.errors) == ([], [])
