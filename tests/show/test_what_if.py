"""The bench's second half: faults, another run beside this one, drops of a recording, sub-agents."""

import gzip
import json

import pytest

import ctxlab as cl
from ctxlab.engine.tokens import Quarter
from ctxlab.lab.faults import FAULTS
from ctxlab.show import bench_words
from ctxlab.show.payload import plain
from tests.conftest import Lines
from tests.show.asking import Browser
from tests.sources.test_subagents import PROMPT, main_part, sub_part, usage


def acts(browser: Browser, layer: str) -> list[int]:
    steps = browser.bench.replay.steps
    return [step.request for step in steps if step.layer == layer and step.state == "acted"]


class TestFaults:
    def test_a_fault_is_put_in_where_the_reader_is_and_taken_out_again(self, browser: Browser) -> None:
        before = browser.bench._columns
        assert browser.ask(type="fault", name="idle_gap", request=40, on=True) == {"type": "done", "path": "idle_gap"}
        assert browser.bench._extra["faults"] == {"idle_gap": 40}
        assert 40 in acts(browser, "microcompact")
        browser.ask(type="fault", name="idle_gap", request=12, on=False)
        assert browser.bench._extra["faults"] == {}
        assert browser.bench._columns == before

    def test_it_stays_while_settings_change(self, browser: Browser) -> None:
        browser.ask(type="fault", name="blocking_hook", request=0, on=True)
        browser.ask(type="set", path="collapse.enabled", text="off")
        assert acts(browser, "autocompact") == []
        assert browser.bench._extra["faults"] == {"blocking_hook": 0}

    def test_one_that_cannot_be_is_answered_and_nothing_changes(self, browser: Browser) -> None:
        before = browser.bench._columns
        answer = browser.ask(type="fault", name="idle_gap", request=0, on=True)
        assert answer["type"] == "complaint"
        assert "can have no pause" in answer["text"]
        assert (browser.bench._extra["faults"], browser.bench._columns) == ({}, before)
        assert browser.ask(type="fault", name="none", request=0, on=True)["type"] == "complaint"

    def test_the_text_of_a_huge_result_can_be_read(self, browser: Browser) -> None:
        browser.bench.fault("huge_result", 20)
        texts = [block.text for block in browser.bench.replay.history.blocks]
        assert sum("somebody forgot to cut" in text for text in texts) == 1

    def test_every_fault_has_a_name(self) -> None:
        assert list(bench_words.FAULTS) == list(FAULTS)


class TestCompare:
    def test_the_run_of_other_settings_stands_beside(self) -> None:
        other = cl.Settings.profile("classroom").set("collapse.enabled=off", "snip.enabled=off")
        bench = cl.Bench(cl.story(), cl.Settings.profile("classroom"), against=other)
        beside = json.loads(gzip.decompress(bench._against))
        wanted = plain(cl.replay(cl.story(), other))

        assert beside == json.loads(json.dumps(wanted))
        assert bench._extra["against"] == "classroom, 2 changed"

    def test_a_profile_is_chosen_and_left_again(self, browser: Browser) -> None:
        browser.ask(type="against", name="v2.1")
        assert browser.bench._extra["against"] == "v2.1"
        assert browser.bench._against
        browser.ask(type="set", path="snip.enabled", text="off")
        assert browser.bench._extra["against"] == "v2.1"
        browser.ask(type="against", name="")
        assert (browser.bench._extra["against"], browser.bench._against) == ("", b"")

    def test_the_settings_that_it_was_given_can_be_chosen_again(self) -> None:
        other = cl.Settings.profile("classroom").set("snip.enabled=off")
        browser = Browser(cl.Bench(cl.story(), cl.Settings.profile("classroom"), against=other))
        first = browser.bench._against
        browser.ask(type="against", name="")
        assert browser.ask(type="against", name="classroom, 1 changed") == {"type": "done", "path": "against"}
        assert browser.bench._against == first
        assert browser.ask(type="against", name="none")["type"] == "error"

    def test_both_have_the_same_faults(self, browser: Browser) -> None:
        browser.ask(type="fault", name="heavy_rules", request=0, on=True)
        browser.ask(type="against", name="classroom")
        assert browser.bench._against == browser.bench._columns


class TestRecording:
    def test_a_drop_that_nothing_explains_is_told(self, lines: Lines) -> None:
        lines.user("go")
        for number, size in enumerate((50_000, 52_000, 30_000, 31_000)):
            lines.call(f"t{number}", usage=usage(size))
            lines.result(f"t{number}", "r" * 4_000)
        assert plain(cl.replay(lines.load()))["requests"]["drops"] == [2]

    def test_a_recorded_clearing_is_no_drop(self, lines: Lines) -> None:
        lines.user("go")
        lines.call("t1", usage=usage(50_000))
        lines.result("t1", "r" * 4_000)
        lines.add("system", "", subtype="microcompact_boundary", microcompactMetadata={"compactedToolIds": ["t1"]})
        lines.reply("on", usage=usage(30_000))
        result = cl.replay(lines.load())
        assert len(result.history.clearings) == 1
        assert plain(result)["requests"]["drops"] == []

    def test_a_recorded_compaction_is_no_drop(self, lines: Lines) -> None:
        lines.user("go")
        lines.reply("one", usage=usage(150_000))
        lines.user("more")
        lines.add("system", "", subtype="compact_boundary")
        lines.user("summary", isCompactSummary=True)
        lines.user("on")
        lines.reply("two", usage=usage(20_000))
        requests = plain(cl.replay(lines.load()))["requests"]
        assert (requests["drops"], len(requests["compacted"])) == ([], 1)

    def test_sub_agents_are_listed_with_the_reply_that_called_them(self) -> None:
        lines = Lines()
        main_part(lines)
        sub_part(lines)
        [branch] = plain(cl.replay(cl.load(lines.text(), counter=Quarter())))["branches"]
        assert branch == {"title": PROMPT, "replies": 5, "tokens": 15_010, "request": 0}


@pytest.mark.parametrize("texts", [True, False])
def test_a_page_holds_the_other_run_and_the_faults(browser: Browser, texts: bool, tmp_path) -> None:
    browser.bench.compare(cl.Settings.profile("v2.1")).fault("huge_result", 20)
    browser.bench.save(tmp_path / "a.html", texts=texts)
    page = (tmp_path / "a.html").read_text()
    assert '"extra":{"faults":{"huge_result":20},"against":"v2.1","own":""}' in page
    assert '"against":null' not in page


class TestNotes:
    def note(self, lines: Lines, profile: str = "v2.1") -> str:
        return plain(cl.replay(lines.load(), cl.Settings.profile(profile)))["note"]

    def compacted(self, version: str) -> Lines:
        lines = Lines()
        lines.user("go", version=version)
        lines.reply("one", usage=usage(150_000), version=version)
        lines.user("more")
        lines.add("system", "", subtype="compact_boundary")
        lines.user("summary", isCompactSummary=True)
        lines.user("on")
        lines.reply("two", usage=usage(20_000), version=version)
        return lines

    def test_what_is_left_out_is_told_with_its_place_and_size(self) -> None:
        note = self.note(self.compacted("2.1.40"))
        assert note.endswith("left out: 1 compaction of the recording, before request 2 (150,000 tokens)")

    def test_a_build_with_other_rules_is_told(self) -> None:
        assert "written by build 2.1.7, whose rules are those of profile v2.0" in self.note(self.compacted("2.1.7"))
        assert "written by build" not in self.note(self.compacted("2.1.7"), "v2.0")
        assert "written by build 2.1.40" in self.note(self.compacted("2.1.40"), "v2.0")

    def test_a_clearing_that_the_recording_denies_is_told(self) -> None:
        lines = Lines()
        lines.user("go", timestamp="2026-01-12T08:00:00Z")
        for number in range(9):
            at = f"2026-01-12T08:0{number}:30Z"
            lines.call(f"t{number}", usage=usage(20_000 + 5_000 * number), timestamp=at)
            lines.result(f"t{number}", "r" * 20_000, timestamp=at)
        lines.reply("done", usage=usage(66_000), timestamp="2026-01-12T08:10:00Z")
        lines.user("after lunch", timestamp="2026-01-12T10:00:00Z")
        lines.reply("on", usage=usage(66_100), timestamp="2026-01-12T10:00:10Z")
        result = cl.replay(lines.load())
        assert [step.request for step in result.steps if step.layer == "microcompact" and step.state == "acted"] == [10]
        assert "microcompact clears at request 11, and the next recorded size shows" in plain(result)["note"]


class TestOddUse:
    @pytest.mark.parametrize("request_number", [-1, 58, 2.5, "1", None])
    def test_a_request_that_is_not_there_is_said_and_the_bench_goes_on(self, browser: Browser, request_number) -> None:
        for name in FAULTS:
            if name in ("idle_gap", "huge_result"):
                with pytest.raises(ValueError, match="this session has 58, counted from 0"):
                    browser.bench.fault(name, request_number)
        assert browser.bench._extra["faults"] == {}
        assert browser.bench.compare(None) is browser.bench

    def test_a_fault_that_is_there_from_the_start_names_no_request(self, browser: Browser) -> None:
        browser.ask(type="fault", name="heavy_rules", request=40, on=True)
        assert browser.bench._extra["faults"] == {"heavy_rules": 0}

    def test_an_empty_session_has_no_page(self, tmp_path) -> None:
        with pytest.raises(ValueError, match="has no request"):
            cl.Bench(cl.load([{"role": "assistant", "content": "alone"}])).save(tmp_path / "a.html")
