"""What the doctor says: one screen, true, with a cure for each thing that is missing, and nothing of the user's."""

import json
from pathlib import Path

import pytest

from ctxlab.cli import main
from ctxlab.course import doctor, setup
from ctxlab.course.doctor import Doctor


def test_all_is_here_on_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert len(lines) <= 24
    assert max(map(len, lines)) <= 100
    assert "All is here" in lines[-1]
    assert any("the story runs through five layers" in line for line in lines)
    assert any("no recording in $CLAUDE_CONFIG_DIR/projects" in line for line in lines)


def test_a_missing_package_is_named_with_its_cure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "NEEDED", ("plotly", "no-such-package"))
    assert main(["doctor"]) == 1
    said = " ".join(capsys.readouterr().out.split())

    assert "MISSING no-such-package:" in said
    assert "-m pip install no-such-package" in said
    assert "Something is missing" in said


def test_without_a_package_that_the_story_needs_it_still_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        def __init__(self) -> None:
            raise ModuleNotFoundError("No module named 'tiktoken'")

    monkeypatch.setattr(doctor, "SetupReport", Missing)
    found = Doctor()
    assert not found.well
    assert "MISSING  the story cannot be run: No module named 'tiktoken'" in repr(found)


def test_a_broken_story_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        checks = (("Python", True, ""), ("widgets", True, ""), ("the story", False, "reinstall ctxlab"))

    monkeypatch.setattr(doctor, "SetupReport", Broken)
    assert "MISSING  the story: reinstall ctxlab" in repr(Doctor())
    assert [what for what, _, _ in setup.SetupReport().checks[:2]] == ["Python 3.11 or later", "widgets"]


def test_recordings_are_counted_and_no_name_is_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "janewinter" / "projects" / "-srv"
    folder.mkdir(parents=True)
    record = {
        "type": "user",
        "timestamp": "2026-01-12T09:00:00Z",
        "message": {"role": "user", "content": "secret words"},
    }
    (folder / "one.jsonl").write_text(json.dumps(record) + "\n")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder.parent.parent))
    monkeypatch.setattr(doctor.sys, "executable", "/home/janewinter/.venv/bin/python")
    said = repr(Doctor())

    assert "1 recording in $CLAUDE_CONFIG_DIR/projects, the newest 2026-01-12" in said
    assert "secret words" not in said
    assert "janewinter" not in said
