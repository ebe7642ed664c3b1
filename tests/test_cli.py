"""The command: exit status, one sentence for what cannot be, JSON for tools, and it opens JupyterLab."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ctxlab import cli
from ctxlab.engine.settings import field_index
from tests.engine.test_settings import ARROWS, ORACLES

MESSAGES = json.dumps(
    [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hello"},
        {"role": "user", "content": "x " * 9_000},
    ]
)


@pytest.fixture
def recording(tmp_path: Path) -> str:
    path = tmp_path / "session.json"
    path.write_text(MESSAGES, encoding="utf-8")
    return str(path)


def test_a_recording_prints_its_picture_and_its_steps(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", recording, "--profile", "classroom"]) == 0
    out = capsys.readouterr().out

    assert out.startswith(f"{recording}: 3 records, 3 messages, 2 requests\n")
    assert "HISTORY" in out
    assert "2 requests" in out


def test_set_changes_a_threshold_and_the_json_says_so(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    assigned = ["--set", "window.max_output_tokens=64000", "--set", "budget.per_tool=Bash:1000"]
    assert cli.main(["replay", recording, "--profile", "v2.0", *assigned, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)

    assert report["settings"]["thresholds"]["autocompact"] == 123_000
    assert report["settings"]["changed"] == {"window.max_output_tokens": 64_000, "budget.per_tool": [["Bash", 1_000]]}


@pytest.mark.parametrize(("profile", "assigned", "lines"), [*ORACLES, *((name, [], None) for name in ARROWS)])
def test_the_arrows_and_oracles_through_set(
    profile: str, assigned: list[str], lines: tuple[int, ...] | None, recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = [word for each in assigned for word in ("--set", each)]
    assert cli.main(["replay", recording, "--profile", profile, *flags, "--json"]) == 0
    thresholds = json.loads(capsys.readouterr().out)["settings"]["thresholds"]

    assert thresholds["autocompact"] == (lines[1] if lines else ARROWS[profile])
    assert lines is None or tuple(thresholds.values()) == lines


def test_the_json_is_the_same_every_time(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    seen = set()
    for _ in range(2):
        cli.main(["replay", recording, "--json"])
        seen.add(capsys.readouterr().out)

    assert len(seen) == 1


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00", b'{"type": "other"}\n\n', b"plain text\n"])
def test_a_file_that_cannot_be_used_is_one_sentence_and_1(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x\x1b[31m.jsonl"
    if content is not None:
        path.write_bytes(content)

    assert cli.main(["replay", str(path)]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "cannot be used" in err
    assert "Give the path of a recorded session" in err
    assert "\x1b" not in err


@pytest.mark.parametrize(
    "arguments", [["--set", "a.b=1"], ["--set", "microcompact.keep_recent=0"], ["--profile", "v9"], ["--set", "x"]]
)
def test_wrong_values_are_2(recording: str, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", recording, *arguments]) == 2
    assert capsys.readouterr().err.startswith("ctxlab: ")


@pytest.mark.parametrize("arguments", [["replay"], ["relpay", "x"], ["replay", "x", "--unknown"]])
def test_wrong_arguments_are_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(arguments)

    assert left.value.code == 2


def test_a_reader_that_stops_early_is_no_error(recording: str) -> None:
    done = subprocess.run(
        f"{sys.executable} -m ctxlab replay {recording} --json | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )

    assert (done.stdout, done.stderr) == ("{\n", "")


def test_a_terminal_without_unicode_still_gets_the_picture(recording: str) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, "-m", "ctxlab", "replay", recording], capture_output=True, env=env, check=True
    )

    assert b"HISTORY" in done.stdout


def test_alone_it_opens_jupyterlab_on_the_first_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _, command: seen.append(command))
    cli.main([])
    cli.main(["--no-browser"])

    assert seen[0][1:3] == ["-m", "jupyterlab"]
    assert seen[0][-1].endswith("notebooks/00_start_here.ipynb")
    assert "--no-browser" in seen[1]


def test_an_installed_package_copies_its_notebooks_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "ctxlab"
    (package / "notebooks").mkdir(parents=True)
    (package / "notebooks" / cli.FIRST).write_text("{}")
    monkeypatch.setattr(cli, "__file__", str(package / "cli.py"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    assert cli.notebooks_folder() == cli.notebooks_folder() == tmp_path / "here" / "ctxlab-notebooks"
    assert (tmp_path / "here" / "ctxlab-notebooks" / cli.FIRST).is_file()


def test_every_threshold_is_listed_with_how_well_it_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["settings", "--profile", "v2.0"]) == 0
    out = capsys.readouterr().out

    assert "microcompact.pressure_keep_tokens = 40,000 tokens (characters / 4)  [measured: recordings: predicts" in out
    assert out.count("\n") == 2 * len(field_index())
    assert cli.main(["settings", "--profile", "v9"]) == 2


def test_words_are_folded_to_the_terminal(
    recording: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "terminal_width", lambda: 80)
    cli.main(["replay", recording, "--profile", "classroom"])
    lines = capsys.readouterr().out.split("\n\n", 1)[1].split("\n")

    assert max(map(len, lines)) <= 80


def test_switches_that_do_not_go_together_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"type": "user", "message": {"role": "user", "content": "hi"}}\n', encoding="utf-8")
    for switches in (["--no-texts"], ["--json", "--html", str(tmp_path / "o.html")]):
        assert cli.main(["replay", str(path), *switches]) == 2
        assert "--no-texts goes with --html" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["s.jsonl"]
