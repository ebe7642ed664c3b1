"""Audit: sizes, compactions, clearings, saved results and drops of recordings, held against the simulation."""

import json
import re
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.lab.audit import audit_history
from ctxlab.lab.recorded import settings_of
from ctxlab.show.audit_report import MISSES, AuditReport
from tests.conftest import ROOT, Lines, corpus_files, needs_corpus

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def report() -> AuditReport:
    if not corpus_files():
        pytest.skip("CTXLAB_CORPUS does not name a folder with recordings")
    return cl.audit(corpus_files()[0].parent)


@needs_corpus
def test_the_next_size_follows_from_the_last_usage(report: AuditReport) -> None:
    errors = sorted(abs(size.error) for audit in report.audits for size in audit.steady)

    assert len(errors) == 2_250
    assert errors[len(errors) // 2] <= 0.0012
    assert errors[int(0.95 * len(errors))] <= 0.012
    assert errors[int(0.99 * len(errors))] <= 0.04


@needs_corpus
def test_automatic_compactions_come_where_the_rule_of_their_build_says(report: AuditReport) -> None:
    automatic = [each for audit in report.audits for each in audit.automatic]
    hit = [each for each in automatic if each.hit]

    assert (len(automatic), len(hit)) == (12, 10)
    assert {each.line for each in hit} == {155_000, 167_000}
    assert all(each.predicted == each.requests for each in hit)
    assert [(each.recorded, each.why_not) for each in automatic if not each.hit] == [
        (100_817, "it came below the line of this window: another window or a lowered line"),
        (50_000, "its own usage says 115: not from one session"),
    ]


@needs_corpus
def test_the_estimate_is_the_recorded_size_before_a_compaction(report: AuditReport) -> None:
    hit = [each for audit in report.audits for each in audit.automatic if each.hit]

    assert all(abs(each.believed - each.recorded) <= 0.004 * each.recorded for each in hit)


@needs_corpus
def test_the_rule_clears_the_results_that_recorded_microcompactions_name(report: AuditReport) -> None:
    clearings = [each for audit in report.audits for each in audit.clearings]

    assert [(len(each.named), len(each.in_file), len(each.predicted), each.hits) for each in clearings] == [
        (5, 5, 5, 5),
        (42, 0, 0, 0),
        (11, 11, 11, 11),
    ]


@needs_corpus
def test_every_drop_over_a_tenth_is_explained_or_named(report: AuditReport) -> None:
    drops = [drop for audit in report.audits for drop in audit.drops]

    assert len(drops) == 6
    assert [drop.explained for drop in drops].count(False) == 1
    assert sum(drop.words.startswith("a recorded microcompaction") for drop in drops) == 3
    assert "cleared without a trace before reply 28: about 37,075 tokens; microcompact by pressure fits" in " ".join(
        drop.words for drop in drops
    )
    assert "microcompact by gap fits (17,793: gap 168 min" in " ".join(drop.words for drop in drops)


@needs_corpus
def test_saved_results_are_those_over_their_limit(report: AuditReport) -> None:
    saved = [each for audit in report.audits for each in audit.saved]

    assert sorted(each.tool for each in saved) == ["Agent", "Bash", "Bash", "Bash", "Grep"]
    assert all(each.saved and each.predicted for each in saved)


@needs_corpus
def test_the_table_of_the_readme_is_that_of_the_recordings(report: AuditReport) -> None:
    block = README.partition("<!-- audit -->")[2].partition("## ")[0]
    rows = [
        tuple(cell.strip() for cell in row) for row in re.findall(r"^\| (.*) \| (.*) \| (.*) \|$", block, re.MULTILINE)
    ]

    assert rows[2:] == [tuple(row) for row in report.table.rows]
    assert README.count(report.table.footer) == 1


# Without the corpus: made-up recordings


def context(tokens: int) -> dict:
    return {"input_tokens": tokens, "output_tokens": 5}


def boundary(lines: Lines, summary: str = "what was done", **meta: object) -> None:
    lines.add("system", "", subtype="compact_boundary", compactMetadata={"trigger": "auto", **meta})
    lines.user(summary, isCompactSummary=True)


@pytest.mark.parametrize(
    ("meta", "size", "rests_on"),
    [
        ({"preTokens": 167_000, "postTokens": 5_000}, 5_000, "recorded after the compaction"),
        ({"preTokens": 167_000}, None, "counted"),
    ],
)
def test_the_size_after_a_boundary_is_never_the_one_before_it(
    lines: Lines, meta: dict, size: int | None, rests_on: str
) -> None:
    """B09: the newest usage stands in front of the boundary; it and preTokens say nothing of now."""
    lines.user("go")
    lines.reply("ok", usage=context(166_900))
    boundary(lines, **meta)
    now = audit_history(lines.load()).size_now

    assert now.rests_on.startswith(rests_on)
    assert "estimate until the next reply" in now.rests_on
    assert now.tokens == size if size else now.tokens < 166_900


def test_with_two_boundaries_the_last_one_counts(lines: Lines) -> None:
    """B09, the third input."""
    lines.user("go")
    lines.reply("ok", usage=context(166_900))
    boundary(lines, preTokens=167_000, postTokens=5_000)
    lines.reply("on", usage=context(40_000))
    boundary(lines, preTokens=168_000, postTokens=7_000)

    assert audit_history(lines.load()).size_now.tokens == 7_000


def test_the_next_reply_brings_the_size_back_to_usage(lines: Lines) -> None:
    lines.user("go")
    lines.reply("ok", usage=context(166_900))
    boundary(lines, postTokens=5_000)
    lines.reply("on", usage=context(40_000))

    assert audit_history(lines.load()).size_now == (40_005, "recorded usage")


def test_a_compaction_at_the_wrong_place_is_a_miss_with_its_reason(lines: Lines) -> None:
    lines.user("go")
    lines.reply("ok", usage=context(90_000))
    boundary(lines, preTokens=90_005)
    [found] = audit_history(lines.load()).compactions

    assert not found.hit
    assert found.why_not.startswith("it came below the line")


def test_a_line_that_was_reached_without_a_compaction_is_named(lines: Lines) -> None:
    for number in range(4):
        lines.user("go")
        lines.reply("ok", usage=context(166_000 + 2_000 * number))
    [act] = audit_history(lines.load()).unseen

    assert (act.layer, act.reply, act.words) == ("autocompact", 5, "the line of 167,000 was reached")


def test_a_fall_that_nothing_explains_is_named(lines: Lines) -> None:
    lines.user("go")
    lines.reply("ok", usage=context(90_000))
    lines.user("on")
    lines.reply("ok", usage=context(60_000))
    history = lines.load()
    [drop] = audit_history(history).drops

    assert not drop.explained
    assert drop.words == "cleared without a trace before reply 2: about 30,006 tokens"
    assert "no rule here fits" in " ".join(str(cl.audit(history)).split())


def test_a_long_result_left_inline_is_a_miss(lines: Lines) -> None:
    lines.user("go")
    lines.call("t1", usage=context(30_000))
    lines.result("t1", "x" * 31_000)
    [saved] = audit_history(lines.load()).saved

    assert (saved.tool, saved.characters, saved.saved, saved.predicted) == ("Bash", 31_000, False, True)


def test_results_that_are_too_long_only_together_are_predicted_too(lines: Lines) -> None:
    lines.user("go")
    for name in "abcde":
        lines.reply([{"type": "tool_use", "id": name, "name": "WebFetch", "input": {"url": name}}], id="m")
    for name in "abcde":
        note = "<persisted-output>\nOutput too large (44.0KB). Full output saved to: x"
        lines.result(name, note if name == "c" else "x" * 45_000)

    [saved] = audit_history(lines.load()).saved
    assert (saved.result, saved.characters, saved.saved, saved.predicted) == ("c/result", 45_056, True, True)


def test_the_build_decides_three_rules_apart() -> None:
    versions = ("2.1.20", "2.1.21", "2.1.22", "")
    assert [settings_of(version).thresholds.autocompact for version in versions] == [155_000, *[167_000] * 3]
    assert [settings_of(version).microcompact.strategy for version in ("2.1.22", "2.1.23")] == [("pressure",), ("gap",)]
    assert [settings_of(version).budget.enabled for version in ("1.0.53", "2.1.1", "2.1.2")] == [False, False, True]


def test_a_folder_is_audited_file_by_file_and_what_is_no_session_is_named(lines: Lines, tmp_path: Path) -> None:
    lines.user("go")
    lines.reply("ok", usage=context(90_000))
    lines.user("on")
    lines.reply("ok", usage=context(60_000))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "<img src=x onerror=alert(1)>.jsonl").write_text(lines.text())
    (tmp_path / "\x1b[31m.jsonl").write_text(json.dumps({"type": "message"}))
    report = cl.audit(tmp_path)

    assert [audit.path for audit in report.audits] == ["deep/<img src=x onerror=alert(1)>.jsonl"]
    assert [name for name, _ in report.unusable] == ["\x1b[31m.jsonl"]
    assert "\x1b" not in str(report)
    assert "<img" not in report._repr_html_()
    assert report.misses.columns == MISSES


def test_a_folder_without_a_session_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no session file \(\.jsonl\) in this folder can be read"):
        cl.audit(tmp_path)
