"""README, changelog and licence files: what they promise is there."""

import re
import subprocess
import sys
import tomllib

import ctxlab as cl
from ctxlab.engine.profiles import PROFILES
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
PLACEHOLDER = "OWNER/ctxlab"


def test_the_repository_address_is_one_placeholder_in_one_place() -> None:
    files = [
        path
        for path in ROOT.rglob("*")
        if path.is_file()
        and path.suffix in {".md", ".toml", ".ipynb", ".txt", ".cfg"}
        and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
    ]
    found = {
        path.name: text.count(PLACEHOLDER)
        for path in files
        if PLACEHOLDER in (text := path.read_text(encoding="utf-8"))
    }

    assert found == {"README.md": 1}
    assert f"mybinder.org/v2/gh/{PLACEHOLDER}/release?urlpath=lab/tree/notebooks/00_start_here.ipynb" in README
    assert (ROOT / "notebooks" / "00_start_here.ipynb").is_file()


def test_the_two_commands_are_one_line_each() -> None:
    for name in ("start", "test"):
        block = re.search(rf"<!-- {name} -->\n```sh\n(.*?)```", README, flags=re.DOTALL)
        assert block
        assert block.group(1).count("\n") == 1


def test_every_local_link_resolves() -> None:
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", README):
        assert (ROOT / link).exists()


def test_the_profiles_of_the_readme_are_those_of_the_package() -> None:
    rows = {
        row[0]: row[1:]
        for row in re.findall(r"^\| `([\w.]+)`[^|]*\|[^|]*\| ([^|]*) \| ([\d,]+) of", README, flags=re.MULTILINE)
    }
    layers = ("budget", "snip", "microcompact", "collapse", "autocompact")
    known = {}
    for name in PROFILES:
        settings = cl.Settings.profile(name)
        on = [layer for layer in layers if getattr(settings, layer).enabled]
        known[name] = ("all five" if len(on) == 5 else ", ".join(on), f"{settings.thresholds.autocompact:,}")

    assert rows == known


def test_one_version_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["version"] == cl.__version__
    assert f"## {cl.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert (ROOT / "ctxlab" / "py.typed").is_file()


def test_the_wheel_carries_table_marker_and_notebooks(tmp_path) -> None:
    from zipfile import ZipFile

    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [wheel] = tmp_path.glob("*.whl")
    names = ZipFile(wheel).namelist()

    for wanted in ("ctxlab/py.typed", "ctxlab/data/cl100k_base.packed.gz", "ctxlab/notebooks/00_start_here.ipynb"):
        assert wanted in names
    assert not [name for name in names if name.startswith("tests/")]


def test_the_notebooks_of_the_readme_are_those_that_are_there() -> None:
    rows = re.findall(r"^\| \[(\d\d [^\]]+)\]\((notebooks/[^)]+)\) \| (\d+) \|", README, flags=re.MULTILINE)
    there = sorted((ROOT / "notebooks").glob("*.ipynb"))

    assert [path for _, path, _ in rows] == [f"notebooks/{path.name}" for path in there]
    for path, (title, _, minutes) in zip(there, rows, strict=True):
        text = path.read_text(encoding="utf-8")
        assert f"**Minutes:** {minutes}" in text
        assert f"# {title.partition(':')[0]}" in text
