"""The commands over all notebooks: what they say of one that is too large, broken, or raises."""

import json
import sys
from pathlib import Path

import nbformat
import pytest

from ctxlab.course import refresh, series


def notebook(path: Path, *code: str, prose: str = "# Title\n\n**Minutes:** 5") -> Path:
    cells = [nbformat.v4.new_markdown_cell(prose), *(nbformat.v4.new_code_cell(each) for each in code)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def test_what_is_over_budget_is_named(tmp_path: Path) -> None:
    long = notebook(tmp_path / "03_long.ipynb", "\n".join("x = 1" for _ in range(20)), prose="# T\n\n**Minutes:** 40")

    assert series.too_much(series.measures(long)) == [
        "median_lines 20 > 4",
        "longest_cell 20 > 15",
        "minutes 40 > 25",
        "words_per_line 0.2 < 12",
    ]
    assert series.budget("13_x").minutes == 30
    assert series.too_much(series.measures(notebook(tmp_path / "03_empty.ipynb", prose="no time given"))) == [
        "words_per_line 3.0 < 12",
        "no minutes are given",
    ]


def test_a_file_that_is_no_notebook_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.ipynb").write_text("{", encoding="utf-8")

    with pytest.raises(ValueError, match="broken.ipynb is not a notebook"):
        series.read(tmp_path / "broken.ipynb")


def test_no_notebooks_is_not_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(series, "FOLDER", tmp_path)
    monkeypatch.setattr(refresh, "FOLDER", tmp_path)

    assert (series.main(), refresh.main([])) == (2, 2)
    assert capsys.readouterr().out.count("no notebooks in") == 2


def test_one_notebook_that_raises_is_named_and_the_others_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "notebooks"
    folder.mkdir()
    notebook(folder / "01_raises.ipynb", "1 / 0")
    good = notebook(folder / "02_good.ipynb", "print('one')\nprint('two', end='')\nprint('three')")
    monkeypatch.setattr(refresh, "FOLDER", folder)

    assert refresh.main([]) == 1
    out = capsys.readouterr().out
    assert "01_raises.ipynb: cannot be made: CellExecutionError" in out
    assert "02_good.ipynb: refreshed" in out
    made = json.loads(good.read_text(encoding="utf-8"))
    assert [output["output_type"] for output in made["cells"][1]["outputs"]] == ["stream"]  # one, however it was sent


def test_the_notebooks_run_the_code_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (tmp_path / "beside.py").write_text("WHERE = 'beside the notebooks'", encoding="utf-8")
    path = notebook(folder / "01_where.ipynb", "import beside\n\nbeside.WHERE")
    monkeypatch.setattr(refresh, "FOLDER", folder)

    assert "beside the notebooks" in refresh.refreshed(path)
    assert "beside" not in sys.modules
