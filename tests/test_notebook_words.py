"""The words of the notebooks are true: their numbers are computed again here, and each interview point has its cell."""

import pytest

import ctxlab as cl
from ctxlab.course.events import events
from ctxlab.course.refresh import FOLDER
from ctxlab.course.series import read, source
from ctxlab.course.tables import windows
from ctxlab.course.unmanaged import unmanaged


def test_the_facts_of_01() -> None:
    characters = 10_000 * 40
    words = says("01")["counters-read"]
    per_token = next(float(row[1]) for row in windows().rows if row[0] == "code")
    for number in (characters, characters // 4, round(characters / per_token, -4)):
        assert f"{number:,.0f}" in words
    # 300,000 and 2,000,000 are article-2's own table, quoted as a contradiction
    view = cl.replay(cl.story("full"), cl.Settings.profile("v2.1")).at(6, "arrive").view
    assert round(view.tokens, -3) == 55_000
    reads = sum(block.tokens for block in view if block.kind == "result" and block.tool == "Read")
    assert round(reads, -3) == 33_000
    assert round(100 * sum(block.tokens for block in view if block.kind == "result") / view.tokens, -1) == 60


def test_the_facts_of_02(classroom: cl.Replay) -> None:
    alone = cl.replay(classroom.history, unmanaged(classroom.settings))
    sent = [each.tokens_sent for each in alone.exchanges]
    assert (round(sent[10], -2), round(sent[-1], -3)) == (13_000, 78_000)
    assert (round(sum(sent), -4), round(sum(sent), -5)) == (2_630_000, 2_600_000)
    assert round(sum(each.tokens_sent for each in classroom.exchanges), -3) == 563_000
    wide = cl.replay(classroom.history, alone.settings.replace("window.context_window", 80_000))
    assert {each.outcome for each in wide.exchanges} == {"sent"}
    full = cl.replay(cl.story("full"), unmanaged(cl.Settings.profile("v2.1")))
    assert round(full.exchanges[-1].tokens_sent, -4) == 640_000


def test_the_facts_of_03() -> None:
    log = next(block for block in cl.story("full").blocks if block.kind == "result" and "log level DEBUG" in block.text)

    assert len(log.text) == 431_836  # 60,000 and 77,000 are tested with the events


def test_the_facts_of_04(classroom: cl.Replay) -> None:
    """What snip frees at request 8, and what lies behind the first block that it cuts."""
    before, step = classroom.at(7, "budget").view, classroom.step(7, "snip")
    ids = [block.id for block in before]
    behind = ids[ids.index(step.edits[-1].blocks[0]) + 1 :]

    assert step.before - step.after == 1_288
    assert round(sum(before[name].tokens for name in behind if name not in step.edits[-1].blocks), -2) == 4_700


def test_the_facts_of_06(classroom: cl.Replay) -> None:
    assert classroom.step(30, "collapse").before - classroom.step(30, "collapse").after == 1_165


def test_the_facts_of_13(classroom: cl.Replay) -> None:
    assert round(sum(block.tokens for block in classroom.history.blocks), -3) == 76_000


def test_the_facts_of_07() -> None:
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
        ("04", "policies-read", ["marker for code"]),
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
    text = "\n".join(
        source(cell) for cell in read(FOLDER / "00_start_here.ipynb")["cells"] if cell["cell_type"] == "markdown"
    )
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
