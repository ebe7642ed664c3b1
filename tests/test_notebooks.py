"""The notebooks as files: their shape, their budgets, that they are as the refresh command makes them, that their words are true."""

import ast
import base64
import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.course.refresh import FOLDER, WIDGET
from ctxlab.course.series import measures, read, series_table, source, too_much
from ctxlab.engine.profiles import PROFILES
from ctxlab.show.live import FIRST_CONTROLS
from tests.conftest import ROOT

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SKELETON = (
    "Claim:",
    "Minutes:",
    "Goals:",
    "Evidence",
    "Exercise",
    "Recall",
    "belief to test",
    "In one sentence",
    "Next:",
)
HINTS = ("Hint 1", "Hint 2", "Solution", "Help: ")
LONG_NUMBER = re.compile(r"(?<![\d,.])\d{1,3}(?:,\d{3})+(?![\d,])")
PLOTLY = "application/vnd.plotly.v1+json"


def cells(path: Path, kind: str) -> list[dict]:
    return [cell for cell in read(path)["cells"] if cell["cell_type"] == kind]


def prose(path: Path) -> str:
    return "\n".join(source(cell) for cell in cells(path, "markdown"))


def outputs(path: Path) -> list[dict]:
    return [output for cell in cells(path, "code") for output in cell["outputs"]]


def without_code(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def test_refreshing_changes_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ctxlab.course.refresh", "--check"], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr[-2_000:]


def test_the_series_is_there_and_can_be_printed() -> None:
    assert [path.stem[:2] for path in NOTEBOOKS] == ["00", "01", "02", "03", "04", "05", "06", "07", "13", "14"]
    assert [row[-1] for row in series_table(NOTEBOOKS).rows] == ["within"] * len(NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
class TestShape:
    def test_it_is_within_its_budgets(self, path: Path) -> None:
        assert too_much(measures(path)) == []
        assert 900 <= measures(path).words <= 1_900

    def test_one_title_and_headings_in_order(self, path: Path) -> None:
        levels = [len(found) for found in re.findall(r"^(#+) ", without_code(prose(path)), flags=re.MULTILINE)]

        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in itertools.pairwise(levels))

    def test_the_skeleton_is_complete_and_in_order(self, path: Path) -> None:
        text = prose(path)
        assert [part for part in SKELETON if part not in text] == []
        headings = re.findall(r"^## (.+)", without_code(text), flags=re.MULTILINE)
        order = ["Predict", "See it", "The code", "A belief", "Exercise", "Recall", "In one sentence"]
        places = [next((n for n, name in enumerate(headings) if name.startswith(part)), None) for part in order]
        found = [place for place in places if place is not None]
        assert found == sorted(found)
        if not path.stem.startswith("00"):
            assert None not in (places[0], *places[2:])
            assert headings[0] == "Where the session stands"

    def test_every_exercise_has_its_help_and_every_recall_five_answers(self, path: Path) -> None:
        text = prose(path)
        for part in HINTS:
            assert text.count(f"<summary>{part}") >= text.count("*Difficulty"), part
        assert len(re.findall(r"\*Difficulty [1-5] of 5 · importance [1-5] of 5 · ", text)) >= 1
        recall = text.split("## Recall")[1].split("## In one sentence")[0]
        assert recall.count("<details>") == (3 if path.stem.startswith("00") else 5)
        if path.stem[:2] not in ("00", "13"):
            earlier = re.findall(r"From (\d\d):", recall)
            assert len(earlier) == 2
            assert all(number < path.stem[:2] for number in earlier)

    def test_details_are_closed_and_what_is_folded_is_markdown(self, path: Path) -> None:
        text = prose(path)

        assert text.count("<details>") == text.count("</details>") == text.count("<summary>")
        assert not re.search(r"</summary>\n[^\n]", text)  # a blank line, or Markdown inside is not read

    def test_cells_are_run_in_order_unique_and_not_empty(self, path: Path) -> None:
        notebook = read(path)
        ids = [cell["id"] for cell in notebook["cells"]]

        assert len(set(ids)) == len(ids)
        assert all(source(cell).strip() for cell in notebook["cells"])
        assert [cell["execution_count"] for cell in cells(path, "code")] == list(range(1, len(cells(path, "code")) + 1))

    def test_no_errors_no_widgets_no_machine(self, path: Path) -> None:
        assert "widgets" not in read(path)["metadata"]
        assert not [one for one in outputs(path) if one["output_type"] == "error" or WIDGET in one.get("data", {})]
        assert not [one for one in outputs(path) if one.get("name") == "stderr"]
        for place in (str(ROOT), str(Path.home()) + "/", "/tmp/", "site-packages"):
            assert place not in path.read_text(encoding="utf-8")

    def test_no_interact_no_install_no_key(self, path: Path) -> None:
        code = "\n".join(source(cell) for cell in cells(path, "code"))

        assert not re.search(r"interact|Output\(|FigureWidget|%pip|!pip|API_KEY", code)

    def test_at_most_three_sliders(self, path: Path) -> None:
        for cell in cells(path, "code"):
            lists = {
                ast.unparse(node.targets[0]): node.value
                for node in ast.walk(ast.parse(source(cell)))
                if isinstance(node, ast.Assign)
            }
            for node in ast.walk(ast.parse(source(cell))):
                if isinstance(node, ast.keyword) and node.arg == "controls":
                    value = lists[node.value.id] if isinstance(node.value, ast.Name) else node.value
                    assert 1 <= len(value.elts) <= 3
        assert len(FIRST_CONTROLS) == 3  # where a bench is given none

    def test_no_threshold_is_written_in_code(self, path: Path) -> None:
        known = {value for name in ("classroom", "v2.1") for value in thresholds(name)}
        literal = [number for cell in cells(path, "code") for number in numbers_in(source(cell))]

        assert [number for number in literal if number >= 1_000 and number in known] == GROWTH.get(path.stem[:2], [])

    def test_every_picture_has_all_static_forms_and_words_behind_it(self, path: Path) -> None:
        notebook = read(path)
        for number, cell in enumerate(notebook["cells"]):
            for output in cell.get("outputs", []):
                data = output.get("data", {})
                if "image/svg+xml" in data:
                    assert set(data) - {PLOTLY} == {"image/svg+xml", "image/png", "text/plain"}
                    assert base64.b64decode("".join(data["image/png"])).startswith(b"\x89PNG")
                    after = notebook["cells"][number + 1]
                    assert after["cell_type"] == "markdown"
                    assert source(after).startswith("*") or "*" in source(after)[:300]

    def test_links_resolve(self, path: Path) -> None:
        for target in re.findall(r"\]\(([^)]+)\)", without_code(prose(path))):
            assert not target.startswith("http"), target
            assert (path.parent / target.partition("#")[0]).is_file(), target

    def test_every_long_number_in_the_words_is_computed_somewhere(self, path: Path) -> None:
        """In an output of the notebook, in a setting, or in `FACTS`, where it is computed again."""
        shown = "\n".join(
            "".join(one.get("text", "")) + "".join(one.get("data", {}).get("text/plain", "")) for one in outputs(path)
        )
        text = prose(path)
        left = {number for number in LONG_NUMBER.findall(text) if number not in shown and number not in SETTINGS}

        assert left <= set(FACTS.get(path.stem[:2], ()))


GROWTH = {"02": [2_000], "07": [4_000, 4_000]}  # what a turn adds in the question; steps and start of an axis
FACTS = {  # notebook -> numbers in its words that stand in no output; tests below compute them
    "01": ("400,000", "130,000", "300,000", "2,000,000", "55,000"),
    "02": ("2,600,000", "500,000", "13,000", "78,000", "80,000", "640,000", "2,630,000", "563,000"),
    "03": ("431,836", "60,000", "77,000", "500,000"),
    "04": ("4,700",),
    "06": ("1,165",),
    "07": ("167,094", "123,900", "64,000", "967,000", "1,000,000"),
    "13": ("76,000", "500,000"),
    "14": ("500,000",),  # the title of 03
}


def thresholds(name: str) -> set[int]:
    settings = cl.Settings.profile(name)
    return {knob.value for knob in settings.knobs() if isinstance(knob.value, int)} | set(settings.thresholds)


def numbers_in(code: str) -> list[int]:
    return [
        node.value
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Constant) and isinstance(node.value, int)
    ]


def settings_numbers() -> set[str]:
    """Every number that a setting has in any profile, or that its sentence or source names."""
    out: set[str] = set()
    for name in PROFILES:
        out |= {f"{number:,}" for number in thresholds(name)}
        for knob in cl.Settings.profile(name).knobs():
            out |= set(LONG_NUMBER.findall(f"{knob.source} {knob.metadata['says']}"))
            if knob.metadata["kind"] == "table":
                out |= {f"{limit:,}" for _, limit in knob.value}
    return out


SETTINGS = settings_numbers()
