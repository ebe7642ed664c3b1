"""The notebooks as files: their shape, that they are as the refresh command makes them, that their words are true."""

import base64
import itertools
import json
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

import ctxlab as cl
from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"


def cells(path: Path, kind: str) -> list[dict]:
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


def source(cell: dict) -> str:
    return "".join(cell["source"])


def test_refreshing_changes_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ctxlab.course.refresh", "--check"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr[-2_000:]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
class TestShape:
    def test_one_title_and_headings_in_order(self, path: Path) -> None:
        text = "\n".join(re.sub(r"```.*?```", "", source(cell), flags=re.DOTALL) for cell in cells(path, "markdown"))
        levels = [len(found) for found in re.findall(r"^(#+) ", text, flags=re.MULTILINE)]

        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in itertools.pairwise(levels))

    def test_cells_are_run_in_order_unique_and_not_empty(self, path: Path) -> None:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        ids = [cell["id"] for cell in notebook["cells"]]

        assert len(set(ids)) == len(ids)
        assert all(source(cell).strip() for cell in notebook["cells"])
        assert [cell["execution_count"] for cell in cells(path, "code")] == list(range(1, len(cells(path, "code")) + 1))

    def test_no_errors_no_widgets_no_machine(self, path: Path) -> None:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        outputs = [output for cell in cells(path, "code") for output in cell["outputs"]]

        assert "widgets" not in notebook["metadata"]
        assert not [
            output for output in outputs if output["output_type"] == "error" or WIDGET in output.get("data", {})
        ]
        assert str(ROOT) not in path.read_text(encoding="utf-8")
        assert str(Path.home()) + "/" not in path.read_text(encoding="utf-8")

    def test_cells_are_short_and_words_are_many(self, path: Path) -> None:
        lengths = [source(cell).count("\n") + 1 for cell in cells(path, "code")]
        words = sum(len(source(cell).split()) for cell in cells(path, "markdown"))

        assert len(lengths) <= 20
        assert max(lengths) <= 15
        assert statistics.median(lengths) <= 4
        assert words >= 12 * sum(lengths)

    def test_no_interact_no_install_no_key(self, path: Path) -> None:
        code = "\n".join(source(cell) for cell in cells(path, "code"))

        assert not re.search(r"interact|Output\(|FigureWidget|%pip|!pip|API_KEY", code)

    def test_every_picture_has_all_static_forms_and_words_behind_it(self, path: Path) -> None:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for number, cell in enumerate(notebook["cells"]):
            for output in cell.get("outputs", []):
                data = output.get("data", {})
                if "image/svg+xml" in data:
                    assert set(data) == {"image/svg+xml", "image/png", "text/plain"}
                    assert base64.b64decode("".join(data["image/png"])).startswith(b"\x89PNG")
                    assert notebook["cells"][number + 1]["cell_type"] == "markdown"

    def test_it_is_small_without_its_pictures(self, path: Path) -> None:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            for output in cell.get("outputs", []):
                for kind in ("image/png", "image/svg+xml"):
                    output.get("data", {}).pop(kind, None)

        assert len(json.dumps(notebook)) < 60_000


def test_the_numbers_in_the_words_of_00_are_those_of_the_story(classroom: cl.Replay) -> None:
    text = "\n".join(source(cell) for cell in cells(ROOT / "notebooks" / "00_start_here.ipynb", "markdown"))
    acts = [step for step in classroom.steps if step.state == "acted"]
    first_compaction = next(step for step in acts if step.layer == "autocompact")
    cover = classroom.at(first_compaction.request, "autocompact").step.edits[0]

    assert (len(acts), len(classroom.exchanges)) == (16, 58)
    assert "sixteen acts in 58 requests" in text
    assert (acts[0].request + 1, acts[0].layer) == (2, "budget")
    assert first_compaction.request + 1 == 36
    assert "request 36" in text
    assert len(cover.append) == 5
    assert "five files are read again" in text
    assert f"from {len(cover.blocks)} blocks of the View" in text
    assert "Do not change the public API" in cover.put[1].text
    assert "test_refund_is_idempotent had failed with 40117 == 40118" in cover.put[1].text
    assert "E       AssertionError" not in cover.put[1].text
    failing = next(b for b in classroom.history.blocks if "E       AssertionError: assert 40117" in b.text)
    fates = [
        step.layer
        for step in acts
        for edit in step.edits
        if failing.id in (getattr(edit, "block", ""), *getattr(edit, "blocks", ()))
    ]
    assert fates == ["microcompact", "collapse"]
    assert f"passes {round(0.7 * 18_000):,} tokens (70 % of the effective window)" in text
