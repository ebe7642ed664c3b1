"""Imports go one way, and what is heavy is loaded only where it is used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ctxlab
from tests.conftest import ROOT

MAY_IMPORT = {
    "engine": {"engine"},
    "sources": {"engine", "sources"},
    "lab": {"engine", "sources", "lab"},
    "show": {"engine", "sources", "lab", "show"},
    "course": {"engine", "sources", "lab", "show", "course"},
}
HEAVY = ("jupyter", "ipywidgets", "anywidget", "IPython", "plotly", "anthropic", "tiktoken", "numpy", "pandas")
MODULES = sorted((ROOT / "ctxlab").rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Full names of what a module imports, whether at its top or inside a function."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    out = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            module = base + (node.module or "")
            out |= {module.rstrip(".")} | {f"{module.rstrip('.')}.{alias.name}" for alias in node.names}
    return out


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    folder = path.relative_to(ROOT / "ctxlab").parts[0]
    for name in imported(path):
        parts = name.split(".")
        if folder in MAY_IMPORT and parts[0] == "ctxlab" and len(parts) > 1 and parts[1] in (*MAY_IMPORT, "cli"):
            assert parts[1] in MAY_IMPORT[folder], f"{path.name} imports {name}"


@pytest.mark.parametrize("path", [p for p in MODULES if "engine" in p.parts], ids=lambda path: path.name)
def test_the_engine_imports_the_standard_library_only(path: Path) -> None:
    outside = {name.split(".")[0] for name in imported(path)} - set(sys.stdlib_module_names) - {"ctxlab"}

    assert outside <= ({"tiktoken"} if path.name == "tokens.py" else set())


@pytest.mark.parametrize("path", [p for p in MODULES if "layers" in p.parts], ids=lambda path: path.name)
def test_a_layer_imports_no_other_layer(path: Path) -> None:
    assert not [name for name in imported(path) if ".layers." in name]


def test_only_the_pipeline_and_what_compacts_by_hand_know_the_layers() -> None:
    knows = {p.name for p in MODULES if any(".engine.layers." in name for name in imported(p))}

    assert knows == {"pipeline.py", "recovery.py", "acts.py"}


def test_import_loads_nothing_heavy() -> None:
    code = f"import sys, ctxlab; print([m for m in sys.modules if m.split('.')[0] in {HEAVY}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_a_replay_loads_only_the_counter() -> None:
    code = (
        "import sys, ctxlab as cl; str(cl.replay(cl.story(), cl.Settings.profile('classroom')));"
        f"print(sorted({{m.split('.')[0] for m in sys.modules}} & set({HEAVY})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "['tiktoken']"


def test_the_public_names_grow_only_on_purpose() -> None:
    assert ctxlab.__all__ == [
        "Bench",
        "History",
        "Replay",
        "Services",
        "SessionChooser",
        "Settings",
        "SetupReport",
        "StepTable",
        "View",
        "audit",
        "check_request",
        "load",
        "make_request",
        "register_tiktoken",
        "replay",
        "scenario",
        "sessions",
        "story",
        "svg_picture",
        "text_picture",
    ]
    for name in ctxlab.__all__:
        assert getattr(ctxlab, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Bnech'"):
        _ = ctxlab.Bnech


def test_no_file_is_longer_than_one_idea() -> None:
    long = {str(p.relative_to(ROOT)): n for p in MODULES if (n := p.read_text(encoding="utf-8").count("\n")) > 300}

    assert long == {}
