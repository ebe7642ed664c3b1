"""The bench in the kernel: what it sends, what it answers, and the forms that need nothing to run."""

import json
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.engine.fields import as_text
from ctxlab.engine.profiles import PROFILES
from ctxlab.engine.settings import Settings
from ctxlab.show.payload import packed
from tests.conftest import Lines
from tests.show.asking import Browser


def test_it_opens_at_the_first_act(browser: Browser) -> None:
    assert browser.bench._place == [1, "budget"]
    assert repr(browser.bench).startswith("Request 2 of 58, tool-result budget.")
    assert (
        cl.Bench(cl.story(), cl.Settings.profile("classroom"), request=14, layer="microcompact").step.state == "acted"
    )


def test_a_changed_setting_runs_the_pipeline_again(browser: Browser) -> None:
    before = browser.columns()
    assert browser.ask(type="set", path="microcompact.keep_recent", text="9")["type"] == "done"
    after = browser.columns()

    assert browser.bench.settings.microcompact.keep_recent == 9
    assert "gap 70 min ≥ 60: cleared 14 of 17 results, kept 3" in before["steps"]["reasons"]
    assert "gap 70 min ≥ 60: cleared 8 of 17 results, kept 9" in after["steps"]["reasons"]
    assert browser.bench._columns == packed(cl.replay(browser.bench.replay.history, browser.bench.settings))
    assert (
        browser.field("microcompact.keep_recent")["text"],
        browser.field("microcompact.keep_recent")["profile"],
    ) == ("9", "3")


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("microcompact.keep_recent", "0", "microcompact.keep_recent must be 1 to 100 results, got 0"),
        ("microcompact.keep_recent", "many", "microcompact.keep_recent takes a number of results, got 'many'"),
        ("collapse.fold_until", "0.9", "must be below collapse.commit_at"),
        ("microcompact.strategy", "gap,speed", "got 'speed'"),
        ("window.reserve_tokens", "20_000", "nothing is left of a window of 20,000"),
    ],
)
def test_a_bad_value_is_answered_beside_its_control_and_changes_nothing(
    browser: Browser, path: str, text: str, words: str
) -> None:
    if path == "window.reserve_tokens":
        browser.ask(type="set", path="window.max_output_tokens", text="20000")
    before = browser.bench._columns
    answer = browser.ask(type="set", path=path, text=text)

    assert (answer["type"], answer["path"]) == ("complaint", path)
    assert words in answer["text"]
    assert browser.bench._columns == before


def test_a_run_that_comes_out_the_same_is_answered_too(browser: Browser) -> None:
    """Else the browser would wait for columns that never come, and every later wish with it."""
    before = browser.bench._columns

    assert browser.ask(type="set", path="microcompact.keep_recent", text="3") == {
        "type": "done",
        "path": "microcompact.keep_recent",
    }
    assert browser.ask(type="set", path="window.cache_minutes", text="61")["type"] == "done"
    assert browser.bench._columns == before
    assert browser.field("window.cache_minutes")["text"] == "61"


def test_a_layer_that_is_gone_leaves_the_reader_at_the_end_of_the_request(browser: Browser) -> None:
    browser.ask(type="set", path="session_memory.enabled", text="on")
    browser.bench.go(20, "session_memory")
    browser.ask(type="set", path="session_memory.enabled", text="off")

    assert (browser.bench.step.request, browser.bench.step.layer) == (20, "autocompact")
    assert repr(browser.bench).startswith("Request 21 of 58")


def test_another_profile_and_back(browser: Browser) -> None:
    browser.ask(type="set", path="snip.enabled", text="off")
    browser.ask(type="profile", name="v2.1")
    assert browser.bench.settings == cl.Settings.profile("v2.1")
    assert "twin" not in browser.field("window.buffer_tokens")
    browser.ask(type="profile", name="classroom")

    assert browser.bench.settings == cl.Settings.profile("classroom")
    assert browser.field("window.buffer_tokens")["twin"] == "13000"
    assert browser.field("window.buffer_tokens")["evidence"] == "ctxlab"


def test_an_error_is_said_and_never_swallowed(browser: Browser) -> None:
    assert browser.ask(type="block", block=99_999, step=0, page=0)["type"] == "error"
    assert browser.ask(type="dance")["text"] == "KeyError: 'dance'"

    from dataclasses import replace

    services = cl.Services.offline(browser.bench.replay.history)
    browser.bench._services = replace(services, count=None)
    answer = browser.ask(type="set", path="budget.preview_bytes", text="300")
    assert answer["type"] == "error"
    assert "TypeError" in answer["text"]


def test_the_same_session_gives_the_same_bytes() -> None:
    one, two = (cl.Bench(cl.story(), cl.Settings.profile("classroom")) for _ in range(2))

    assert one._columns == two._columns
    assert one._settings == two._settings


def test_a_path_is_read_when_the_bench_is_shown(tmp_path: Path, lines: Lines) -> None:
    lines.user("hello")
    lines.reply("hi")
    lines.user("and now?")
    path = tmp_path / "session.jsonl"
    path.write_text(lines.text(), encoding="utf-8")
    browser = Browser(cl.Bench(str(path)))
    shares: list[float] = []
    browser.bench.observe(lambda change: shares.append(change["new"]), "_progress")

    assert browser.bench._columns == b""
    assert "read when it is shown" in repr(browser.bench)
    assert browser.ask(type="shown") == {}
    assert shares[0] == 0.0
    assert shares[-1] == -1.0
    assert browser.bench._place == [1, "autocompact"]


def test_a_path_that_is_not_there_is_said_in_the_bench(tmp_path: Path) -> None:
    answer = Browser(cl.Bench(tmp_path / "none.jsonl")).ask(type="shown")

    assert answer["type"] == "error"
    assert "FileNotFoundError" in answer["text"]


def test_long_sessions_tell_how_far_they_are() -> None:
    messages = [{"role": "user" if n % 2 == 0 else "assistant", "content": "x"} for n in range(5_000)]
    bench = cl.Bench(cl.load(messages))
    shares: list[float] = []
    bench.observe(lambda change: shares.append(change["new"]), "_progress")
    bench._run(bench.settings)

    assert len(shares) > 5
    assert shares[:-1] == sorted(shares[:-1])
    assert shares[-1] == -1.0
    read: list[float] = []
    text = "\n".join(
        json.dumps({"type": "user", "uuid": f"u{n}", "message": {"role": "user", "content": "x"}}) for n in range(1_000)
    )
    cl.load(text, progress=read.append)
    assert read == sorted(read)
    assert len(read) > 4
    assert read[-1] > 0.5


def test_controls_are_settings_or_groups() -> None:
    bench = cl.Bench(cl.story(), controls=["snip", "microcompact.keep_recent"])

    assert bench._controls == [
        *("snip.enabled", "snip.policy", "snip.spares_dependents", "snip.minimum_tokens"),
        "microcompact.keep_recent",
    ]
    with pytest.raises(ValueError, match="did you mean 'microcompact.keep_recent'"):
        cl.Bench(cl.story(), controls=["microcompact.keep_recnt"])


def test_every_value_of_every_profile_can_be_typed_back() -> None:
    for name in PROFILES:
        settings = Settings.profile(name)
        for knob in settings.knobs():
            assert settings.set(f"{knob.path}={as_text(knob.value)}") == settings


def test_live_it_has_widget_svg_and_text_and_static_no_widget(monkeypatch: pytest.MonkeyPatch) -> None:
    from ctxlab.show.png import has_fonts

    data, _ = cl.Bench(cl.story(), cl.Settings.profile("classroom"))._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "image/svg+xml", "text/plain"}
    if not has_fonts():
        pytest.skip(
            "the DejaVu fonts are not installed; the PNG of a static picture needs them (Debian: fonts-dejavu-core)"
        )
    monkeypatch.setenv("CTXLAB_STATIC", "1")
    static = cl.Bench(cl.story(), cl.Settings.profile("classroom"))._repr_mimebundle_()
    assert set(static) == {"image/svg+xml", "text/plain", "image/png"}


def test_a_session_without_a_request_says_so() -> None:
    bench = cl.Bench(cl.load([{"role": "user", "content": " "}]))

    assert "nothing to replay" in repr(bench)
    assert set(bench._repr_mimebundle_()[0]) == {"application/vnd.jupyter.widget-view+json", "text/plain"}
    Browser(bench).ask(type="set", path="snip.enabled", text="on")


def test_going_to_a_step_moves_the_picture(browser: Browser) -> None:
    assert "Autocompact summarised 45 blocks" in repr(browser.bench.go(35, "autocompact"))
    assert browser.bench.step.layer == "autocompact"
    with pytest.raises(IndexError, match="it has 58"):
        browser.bench.go(58)


def test_the_timeline_knows_of_recorded_compactions_and_of_changes_that_lean(lines: Lines) -> None:
    """A what-if leaves the compaction out, so it is marked at the request that came after it."""
    for number in range(1, 7):
        (lines.user if number % 2 else lines.reply)(f"number {number}", uuid=f"u{number}")
    lines.records.append(
        {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None, "compactMetadata": {}}
    )
    lines.user("S", uuid="s", isCompactSummary=True)
    lines.user("new")
    lines.reply("and on")
    browser = Browser(cl.Bench(lines.load()))

    assert browser.columns()["requests"]["compacted"] == [3]
    assert len(browser.bench.replay.exchanges) == 4
    hidden = cl.Settings.profile("classroom").set("budget.exempt_tools=none", "budget.per_result_chars=500")
    leaning = Browser(cl.Bench(cl.story(), hidden))
    assert sum(leaning.columns()["requests"]["leans"]) == sum(len(e.leans) for e in leaning.bench.replay.exchanges) > 30
