"""Public recordings: all load, all replay under every profile, and are counted a second time. Needs CTXLAB_CORPUS."""

import json
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.cli import main
from ctxlab.engine.profiles import PROFILES
from ctxlab.show.page import make_page
from tests.conftest import ROOT, corpus_files, needs_corpus, number
from tests.sources.counting import Counts, count
from tests.sources.counting_others import count_other

OTHER_AGENTS = {"166": "openai_style", "169": "openhands", "171": "pi", "174": "swe_agent", "175": "swe_agent"}
FILES = corpus_files()
EXCHANGES = [path for path in FILES if path.name.endswith(".messages.json")]
OTHERS = [path for path in FILES if number(path) in OTHER_AGENTS]
SESSIONS = [path for path in FILES if path not in EXCHANGES and path not in OTHERS]
PINNED = ROOT / "tests" / "sources" / "corpus_counts.tsv"
STATES = {"off", "idle", "acted", "no_gain", "failed"}
OUTCOMES = {"sent", "blocked", "refused", "recovered"}
ORDER = ["budget", "snip", "microcompact", "collapse", "autocompact"]


def pinned() -> dict[str, Counts]:
    """File number -> the counts that were seen to be right."""
    rows = [line.split("\t") for line in PINNED.read_text(encoding="utf-8").splitlines()[1:]]
    return {row[0]: Counts(*map(int, row[1:])) for row in rows}


def counts(history: cl.History) -> Counts:
    """The counts of a loaded History."""
    source = history.source
    return Counts(
        source.records, len(history.messages), len(history.turns), len(source.skipped), len(history.compactions)
    )


@needs_corpus
def test_the_corpus_is_whole() -> None:
    assert (len(SESSIONS), len(EXCHANGES), len(OTHERS)) == (85, 8, 5)


@needs_corpus
@pytest.mark.parametrize("path", SESSIONS, ids=number)
def test_counts_are_those_of_a_second_count_and_pinned(path: Path) -> None:
    assert counts(cl.load(path)) == count(path) == pinned()[number(path)]


@needs_corpus
@pytest.mark.parametrize("path", [*EXCHANGES, *OTHERS], ids=number)
def test_other_agents_files_are_counted_a_second_time_too(path: Path) -> None:
    history = cl.load(path)

    assert history.source.format == OTHER_AGENTS.get(number(path), "exchanges")
    assert counts(history) == count_other(path) == pinned()[number(path)]


@needs_corpus
@pytest.mark.parametrize("path", FILES, ids=number)
def test_every_file_is_audited(path: Path) -> None:
    report = cl.audit(path)

    assert report.audits[0].size_now.tokens >= 0
    assert "Size at the end" in str(report)


@needs_corpus
@pytest.mark.parametrize("path", FILES, ids=number)
def test_every_file_is_exported(path: Path) -> None:
    shown = cl.replay(cl.load(path), cl.Settings.profile("classroom"))
    if not shown.exchanges:
        with pytest.raises(ValueError, match="nothing to show"):
            make_page(shown)
        return
    page, bare = make_page(shown), make_page(shown, texts=False)
    assert len(bare.html) < len(page.html) < 400_000
    assert len(bare.html) < 150_000


@needs_corpus
@pytest.mark.parametrize("path", [*SESSIONS, *OTHERS], ids=number)
def test_every_session_replays_under_every_profile(path: Path) -> None:
    history = cl.load(path)
    for profile in PROFILES:
        settings = cl.Settings.profile(profile)
        result = cl.replay(history, settings)
        assert len(result.exchanges) == len(history.turns)
        for exchange in result.exchanges[:: max(1, len(result.exchanges) // 6)]:
            view = result.at(exchange.index).view
            assert view.tokens == exchange.tokens_sent
            assert cl.check_request(cl.make_request(view, settings).body["messages"]) == []
        str(result)
        if result.exchanges:
            cl.svg_picture(result)


@needs_corpus
@pytest.mark.parametrize("path", EXCHANGES, ids=number)
def test_every_request_of_a_recorded_exchange_loads_and_replays(path: Path) -> None:
    for exchange in [*json.loads(path.read_text(encoding="utf-8")), None]:
        request = exchange["request"] if exchange else None
        history = (
            cl.load(request["messages"], system=request.get("system"), tools=request.get("tools"))
            if request
            else cl.load(path)
        )
        assert history.messages
        for profile in PROFILES:
            settings = cl.Settings.profile(profile)
            result = cl.replay(history, settings)
            assert cl.check_request(cl.make_request(result.at().view, settings).body["messages"]) == []


@needs_corpus
@pytest.mark.parametrize("path", FILES, ids=number)
def test_the_command_exits_0_and_its_json_holds_the_contract(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(path), "--json"]) == 0
    holds_the_contract(json.loads(capsys.readouterr().out), counts(cl.load(path)))


def holds_the_contract(report: dict, known: Counts) -> None:
    """Every key of the contract, with its type and its values."""
    source, settings, totals = report["source"], report["settings"], report["totals"]
    assert list(report) == ["ctxlab", "source", "settings", "requests", "totals"]
    assert [source[key] for key in ("records", "messages", "requests")] == [
        known.records,
        known.messages,
        known.requests,
    ]
    assert (len(source["skipped"]), source["recorded_compactions"]) == (known.skipped, known.compactions)
    assert all(isinstance(each["line"], int) and each["reason"] for each in source["skipped"])
    assert all(isinstance(notice, str) for notice in source["notices"])
    assert (settings["profile"], settings["changed"]) == ("v2.1", {})
    assert settings["thresholds"] == {
        "effective_window": 180_000,
        "autocompact": 167_000,
        "warning": 147_000,
        "blocking": 177_000,
    }
    for index, request in enumerate(report["requests"]):
        assert request["index"] == index
        assert 0 < request["message_index"] <= known.messages
        assert request["outcome"] in OUTCOMES
        assert request["timestamp"] is None or isinstance(request["timestamp"], str)
        assert [layer["layer"] for layer in request["layers"]] == ORDER
        for layer in request["layers"]:
            assert layer["state"] in STATES
            assert layer["reason"]
            assert layer["tokens_after"] <= layer["tokens_before"]
            assert isinstance(layer["edits"], int)
        assert request["tokens_sent"] >= 0
    assert sorted(totals["tokens_saved"]) == sorted(ORDER)
    assert totals["cost_usd"] is None
    assert totals["compactions"] <= totals["model_calls"]


def exact_sizes(history: cl.History) -> tuple[int, int]:
    """How many sizes without any Edit are the recorded ones, of how many, until the recording jumps.

    A jump is a recorded compaction, or a fall by more than half of what was counted.
    """
    off = {f"{layer}.enabled": False for layer in ORDER}
    result = cl.replay(history, cl.Settings.profile("v2.1").replace(off))
    compacted = min((each.position for each in history.compactions), default=len(history.messages) + 1)
    before = history.messages[0].usage if history.messages else 0
    exact = known = 0
    for exchange in result.exchanges:
        recorded = exchange.tokens_recorded
        if recorded is None:
            continue
        fell = exchange.tokens_sent != recorded and recorded - before < 0.5 * (exchange.tokens_sent - before)
        if exchange.answer >= compacted or fell:
            break
        known += 1
        exact += exchange.tokens_sent == recorded
        before = recorded
    return exact, known


@needs_corpus
def test_without_edits_sizes_pass_through_the_recorded_usage() -> None:
    found = {number(path): exact_sizes(cl.load(path)) for path in SESSIONS}

    assert {name: pair for name, pair in found.items() if pair[0] != pair[1]} == {}
    assert sum(exact for exact, _ in found.values()) > 1_600
