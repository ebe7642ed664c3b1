"""Binder without Docker: replay the plan that repo2docker prints in a clean environment, and run notebook 00 there."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytest.importorskip("repo2docker", reason="repo2docker is not installed; it comes with the extra `test`")
BASE = ("jupyterlab", "notebook", "ipywidgets", "jupyterlab_widgets", "jupyter_server", "ipykernel", "traitlets")
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info", ".ipynb_checkpoints"
)
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


def test_the_plan_works_in_a_clean_environment(tmp_path: Path) -> None:
    source = tmp_path / "src"
    shutil.copytree(ROOT, source, ignore=LEFT_OUT)
    text = plan(source)
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

    subprocess.run([python(version), "-m", "venv", tmp_path / "env"], check=True)
    tools = tmp_path / "env" / "bin"
    env = {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}",
        "REPO_DIR": str(source),
        "JUPYTER_DATA_DIR": str(tmp_path / "data"),
        "HOME": str(tmp_path),
    }
    env.pop("PYTHONPATH", None)

    def run(*command: object, where: Path = source) -> str:
        done = subprocess.run(list(map(str, command)), cwd=where, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout[-2_000:]}\n{done.stderr[-2_000:]}"
        return done.stdout

    base = pinned(version)
    run(tools / "pip", "install", "-q", *base)
    for step in steps:
        run("bash", "-c", f'"{tools}/pip" {step.removeprefix("pip ").replace("--no-cache-dir", "-q")}')
    run("binder/postBuild")
    quiet = json.loads((tmp_path / "env/share/jupyter/lab/settings/overrides.json").read_text())
    assert quiet["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"
    assert run("binder/start", "jupyter", "lab", "--version").strip() == base[0].partition("==")[2]
    run(tools / "pip", "check")
    installed = run(tools / "pip", "list", "--format=freeze").lower().replace("-", "_")
    assert [each for each in base if each.lower() not in installed] == []

    notebook = source / "notebooks" / "00_start_here.ipynb"
    kernel = run(tools / "python", "-c", MEASURED, notebook)
    megabytes = int(kernel.split()[-1]) / (1_024 if sys.platform == "linux" else 1_048_576)
    assert megabytes < MOST_MEGABYTES, f"the kernel of notebook 00 needs {megabytes:.0f} MB"
    print(f"kernel of notebook 00: {megabytes:.0f} MB, Jupyter of the base image: {base[0]}, {base[2]}")
    run(tools / "pip", "install", "-q", "nbval", "pytest")
    assert "passed" in run(
        tools / "python",
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
        "--nbval",
        "--nbval-current-env",
        notebook,
    )
