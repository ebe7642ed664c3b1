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
    assert [path.stem[:2] for path in NOTEBOOKS] == ["00", "01", "02", "03", "04", "05", "06", "07", "13"]
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
    "02": ("2,600,000", "500,000", "12,600", "76,000", "80,000", "630,000", "2,590,000", "559,000"),
    "03": ("431,836", "60,000", "77,000", "500,000"),
    "04": ("4,800",),
    "07": ("167,094", "123,900", "64,000", "967,000", "1,000,000"),
    "13": ("74,000", "500,000"),
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


def test_the_facts_of_01() -> None:
    lines, length = 10_000, 40

    assert lines * length == 400_000
    assert round(lines * length / 3.08, -4) == 130_000  # characters a token of code, from the table of windows
    # 300,000 and 2,000,000 are article-2's own table, quoted as a contradiction
    view = cl.replay(cl.story("full"), cl.Settings.profile("v2.1")).at(6, "arrive").view
    assert round(view.tokens, -3) == 55_000
    reads = sum(block.tokens for block in view if block.kind == "result" and block.tool == "Read")
    assert round(reads, -3) == 33_000
    assert round(100 * sum(block.tokens for block in view if block.kind == "result") / view.tokens, -1) == 60


def test_the_facts_of_02(classroom: cl.Replay) -> None:
    from ctxlab.course.exercises.growth import unmanaged

    alone = cl.replay(classroom.history, unmanaged(classroom.settings))
    sent = [each.tokens_sent for each in alone.exchanges]
    assert (round(sent[10], -2), round(sent[-1], -3)) == (12_600, 76_000)
    assert (round(sum(sent), -4), round(sum(sent), -5)) == (2_590_000, 2_600_000)
    assert round(sum(each.tokens_sent for each in classroom.exchanges), -3) == 559_000
    wide = cl.replay(classroom.history, alone.settings.replace("window.context_window", 80_000))
    assert {each.outcome for each in wide.exchanges} == {"sent"}
    full = cl.replay(cl.story("full"), unmanaged(cl.Settings.profile("v2.1")))
    assert round(full.exchanges[-1].tokens_sent, -4) == 630_000


def test_the_facts_of_03() -> None:
    log = next(block for block in cl.story("full").blocks if block.kind == "result" and "log level DEBUG" in block.text)

    assert len(log.text) == 431_836  # 60,000 and 77,000 are tested with the events


def test_the_facts_of_04(classroom: cl.Replay) -> None:
    """What snip frees at request 8, and what lies behind the first block that it cuts."""
    before, step = classroom.at(7, "budget").view, classroom.step(7, "snip")
    ids = [block.id for block in before]
    behind = ids[ids.index(step.edits[-1].blocks[0]) + 1 :]

    assert step.before - step.after == 787
    assert round(sum(before[name].tokens for name in behind) - 787, -2) == 4_800


def test_the_facts_of_13(classroom: cl.Replay) -> None:
    assert round(sum(block.tokens for block in classroom.history.blocks), -3) == 74_000


def test_the_facts_of_07() -> None:
    from ctxlab.course.events import events

    older = cl.Settings.profile("v2.0").replace("window.max_output_tokens", 64_000)
    assert older.thresholds.autocompact == 123_000

    large = cl.Settings.profile("v2.1").replace("window.context_window", 1_000_000)
    assert large.thresholds.autocompact == 967_000
    assert min(e.before for e in events("compaction", trigger="auto") if e.before > 160_500) == 167_094


def says(name: str) -> dict[str, str]:
    """What each cell of a notebook says and shows, by its id."""
    path = next(FOLDER.glob(f"{name}_*.ipynb"))
    return {
        cell["id"]: " ".join(
            [
                source(cell),
                *(
                    "".join(one.get("text", "")) + "".join(one.get("data", {}).get("text/plain", ""))
                    for one in cell.get("outputs", [])
                ),
            ]
        )
        for cell in read(path)["cells"]
    }


PROVEN = {  # interview question -> the cells that make its point, with words of it
    2: [
        ("01", "here-read", ["system prompt", "tool schemas", "MCP", "memory"]),
        ("01", "overhead-read", ["20,000", "Measured, not guessed"]),
    ],
    4: [
        ("03", "card-read", ["path", "2,000 bytes"]),
        ("03", "code-read", ["once", "prefix"]),
        ("03", "back", ["FAILED", "archive:"]),
    ],
    5: [
        ("04", "two-read", ["user", "scroll back", "audit", "inference"]),
        ("04", "mark-read", ["marker for code"]),
    ],
    6: [
        ("05", "numbers-read", ["can be had again", "never cleared"]),
        ("05", "bench-read", ["placeholders", "a pair must stay a pair"]),
    ],
    7: [
        ("07", "predict-read", ["reserve", "buffer"]),
        ("07", "order-read", ["boundary", "summary", "files read again"]),
    ],
    9: [("05", "belief-read", ["Clear what can be fetched again", "summarise reasoning and decisions"])],
    13: [("02", "belief-read", ["Cost", "Latency", "middle", "Capacity is not attention"])],
    14: [("04", "store", ["disk", "privacy", "audit", "resume", "made again"])],
    16: [
        ("07", "formulas", ["167,000", "155,000"]),
        ("07", "lines-window-read", ["967,000"]),
        ("07", "predict-read", ["max"]),
    ],
    17: [("07", "numbers-read", ["the summary is itself an answer", "fit"])],
    18: [
        ("01", "counters-read", ["bytes / 4", "Chinese", "further off", "10,000 lines", "vendor"]),
        ("01", "quiz-read", ["token counting"]),
    ],
    19: [("02", "belief", ["10100000"]), ("02", "belief-read", ["Ten million", "price", "cheaper"])],
    33: [("04", "store", ["append-only", "checkpoints", "idempotent"])],
}


@pytest.mark.parametrize("number", PROVEN)
def test_the_point_of_an_interview_question_stands_in_a_cell(number: int) -> None:
    for notebook, cell, words in PROVEN[number]:
        found = says(notebook)
        assert cell in found, f"{notebook} has no cell {cell}; it has {', '.join(found)}"
        missing = [word for word in words if word.lower() not in found[cell].lower()]
        assert missing == [], f"{notebook} {cell}"


def test_the_numbers_in_the_words_of_00_are_those_of_the_story(classroom: cl.Replay) -> None:
    text = "\n".join(source(cell) for cell in cells(FOLDER / "00_start_here.ipynb", "markdown"))
    acts = [step for step in classroom.steps if step.state == "acted"]
    first_compaction = next(step for step in acts if step.layer == "autocompact")
    cover = classroom.at(first_compaction.request, "autocompact").step.edits[0]

    assert (len(acts), len(classroom.exchanges)) == (16, 58)
    assert "sixteen acts in 58 requests" in text
    assert (acts[0].request + 1, acts[0].layer) == (2, "budget")
    assert first_compaction.request + 1 == 36
    assert "request 36" in text
    assert len(cover.append) == 5
    assert "five blocks F, the files that were read again" in text
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
