"""Settings: the arrows of the profiles, the oracles, the refusals."""

import pytest

from ctxlab.engine.fields import EVIDENCE
from ctxlab.engine.profiles import PROFILES
from ctxlab.engine.settings import Settings, field_index

ARROWS = {
    "article": 167_000,
    "restored": 167_000,
    "v2.0": 155_000,
    "v2.1": 167_000,
    "docs": 200_000,
    "classroom": 16_700,
}
# base profile, what is set, (effective, autocompact, warning, blocking)
ORACLES = [
    ("v2.1", [], (180_000, 167_000, 147_000, 177_000)),
    ("v2.0", [], (168_000, 155_000, 135_000, 165_000)),
    ("v2.1", ["window.max_output_tokens=64_000"], (180_000, 167_000, 147_000, 177_000)),
    ("v2.0", ["window.max_output_tokens=64_000"], (136_000, 123_000, 103_000, 133_000)),
    (
        "v2.1",
        ["window.context_window=1,000,000", "window.max_output_tokens=64000"],
        (980_000, 967_000, 947_000, 977_000),
    ),
    ("v2.1", ["autocompact.window=100000"], (80_000, 67_000, 47_000, 77_000)),
    ("article", ["window.max_output_tokens=32000"], (168_000, 155_000, 135_000, 165_000)),
]
# the rows of the profile table, in the order article, restored, v2.0, v2.1, docs, classroom
TABLE = {
    "window.reserve_tokens": (20_000, 20_000, 20_000, 20_000, 20_000, 2_000),
    "budget.per_tool": (
        (),
        (("Bash", 30_000), ("Grep", 20_000)),
        (("Bash", 30_000), ("Grep", 20_000)),
        (("Bash", 30_000), ("Grep", 20_000)),
        (("Bash", 30_000),),
        (),
    ),
    "budget.exempt_tools": (("Read",),) * 6,
    "microcompact.pressure_keep_tokens": (40_000,) * 6,
    "microcompact.pressure_save_tokens": (20_000,) * 6,
    "microcompact.api_trigger_tokens": (100_000,) * 6,
    "microcompact.age_rounds": (10,) * 6,
    "microcompact.cached_trigger": (12,) * 6,
    "collapse.block_at": (0.95,) * 6,
    "session_memory.min_tokens": (10_000, 10_000, 10_000, 10_000, 10_000, 1_000),
    "session_memory.min_messages": (5,) * 6,
    "session_memory.max_tokens": (40_000, 40_000, 40_000, 40_000, 40_000, 4_000),
    "autocompact.refill_requests": (3,) * 6,
    "autocompact.summary_tries": (3,) * 6,
    "window.context_window": (200_000, 200_000, 200_000, 200_000, 200_000, 20_000),
    "window.max_output_tokens": (8_192, 8_192, 32_000, 32_000, 32_000, 3_200),
    "window.reserve_rule": ("max", "max", "max", "min", "limit", "min"),
    "window.buffer_tokens": (13_000, 13_000, 13_000, 13_000, 0, 1_300),
    "window.warning_tokens": (20_000, 20_000, 20_000, 20_000, 20_000, 2_000),
    "window.blocking_tokens": (3_000, 3_000, 3_000, 3_000, 3_000, 300),
    "budget.enabled": (True, False, False, True, True, True),
    "budget.per_result_chars": (50_000, 50_000, 50_000, 50_000, None, 5_000),
    "budget.per_message_chars": (None, 200_000, 200_000, 200_000, None, 20_000),
    "budget.preview_bytes": (2_000, 2_000, 2_000, 2_000, 2_000, 200),
    "snip.enabled": (True, True, False, False, False, True),
    "snip.policy": ("superseded", "none", "superseded", "superseded", "superseded", "superseded"),
    "snip.minimum_tokens": (2_000, 2_000, 2_000, 2_000, 2_000, 300),
    "microcompact.strategy": (("age", "cached"), ("gap", "cached"), ("pressure",), ("gap",), ("api",), ("gap",)),
    "microcompact.keep_recent": (5, 5, 5, 5, 3, 3),
    "microcompact.gap_minutes": (60, 60, 60, 60, 60, 60),
    "collapse.enabled": (True, False, False, False, False, True),
    "collapse.commit_at": (0.9, 0.9, 0.9, 0.9, 0.9, 0.7),
    "collapse.fold_until": (0.8, 0.8, 0.8, 0.8, 0.8, 0.6),
    "collapse.rounds_left_open": (6, 6, 6, 6, 6, 10),
    "collapse.suppresses_autocompact": (False, True, True, True, True, False),
    "autocompact.clears_results_first": (True, False, False, False, True, False),
    "autocompact.thinking": ("off", "off", "off", "inherits", "inherits", "off"),
    "autocompact.parts": (4, 4, 9, 9, 9, 4),
    "autocompact.keeps_recent": ("none", "none", "none", "none", "last exchange", "last exchange"),
    "autocompact.measure": ("size", "size", "harness", "harness", "size", "size"),
    "autocompact.percent_of": ("effective", "effective", "effective", "effective", "window", "effective"),
    "autocompact.failures": (3, None, 3, 3, 3, 3),
    "autocompact.refills": (None, None, None, 3, 3, 3),
    "restore.files": (5, 5, 5, 5, 5, 5),
    "restore.file_tokens": (5_000, 5_000, 5_000, 5_000, 5_000, 500),
    "restore.total_tokens": (50_000, 50_000, 50_000, 50_000, 50_000, 5_000),
    "restore.oversize": ("cut", "cut", "cut", "path", "path", "cut"),
    "session_memory.enabled": (False,) * 6,
}


@pytest.mark.parametrize(("name", "line"), ARROWS.items())
def test_where_each_profile_compacts(name: str, line: int) -> None:
    assert Settings.profile(name).thresholds.autocompact == line


@pytest.mark.parametrize(("name", "assigned", "lines"), ORACLES)
def test_the_numeric_oracles(name: str, assigned: list[str], lines: tuple[int, ...]) -> None:
    assert tuple(Settings.profile(name).set(*assigned).thresholds) == lines


@pytest.mark.parametrize(("path", "values"), TABLE.items())
def test_the_profile_table(path: str, values: tuple[object, ...]) -> None:
    group, name = path.split(".")
    order = ("article", "restored", "v2.0", "v2.1", "docs", "classroom")

    assert tuple(getattr(getattr(Settings.profile(profile), group), name) for profile in order) == values


@pytest.mark.parametrize(
    ("name", "total"),
    {"article": 20_000, "restored": 20_000, "v2.0": 20_000, "v2.1": 20_000, "docs": 7_850, "classroom": 2_000}.items(),
)
def test_the_overhead_of_each_profile(name: str, total: int) -> None:
    assert sum(tokens for _, tokens in Settings.profile(name).overhead.parts()) == total


def test_the_percent_override_only_lowers() -> None:
    settings = Settings.profile("v2.1")

    assert settings.set("autocompact.percent_override=50").thresholds.autocompact == 90_000
    assert (
        settings.set("autocompact.percent_override=50", "autocompact.percent_of=window").thresholds.autocompact
        == 100_000
    )
    assert settings.set("autocompact.percent_override=99").thresholds.autocompact == 167_000


@pytest.mark.parametrize(
    ("assigned", "words"),
    [
        ("microcompact.keep_recent=0", "microcompact.keep_recent must be 1 to 100 results, got 0"),
        ("microcompct.keep_recent=3", "did you mean 'microcompact.keep_recent'"),
        ("microcompact.keep_recent=three", "microcompact.keep_recent takes a number of results, got 'three'"),
        ("microcompact.strategy=gap,sometimes", "made of gap, age, pressure, cached, api, got 'sometimes'"),
        ("window.reserve_rule=mid", "one of 'min', 'max', 'limit', got 'mid'"),
        ("snip.enabled=maybe", "snip.enabled takes a switch, got 'maybe'"),
        ("budget.per_tool=Bash:many", "budget.per_tool takes a table of characters, got 'Bash:many'"),
        ("collapse.fold_until=0.95", r"collapse.fold_until \(0.95\) must be below collapse.commit_at \(0.9\)"),
        ("window.context_window=20000", r"nothing is left of a window of 20,000: 0 after the reserve"),
        ("microcompact.keep_recent", "is not an assignment; write GROUP.FIELD=VALUE"),
    ],
)
def test_a_bad_value_is_refused_in_a_sentence(assigned: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Settings.profile("v2.1").set(assigned)


@pytest.mark.parametrize("value", [True, 2.5, "3", float("nan"), None])
def test_a_number_of_another_type_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="microcompact.keep_recent must be"):
        Settings().replace("microcompact.keep_recent", value)


def test_a_line_is_never_below_nothing() -> None:
    lines = Settings.profile("v2.1").set("window.context_window=40_000", "window.max_output_tokens=4_000").thresholds

    assert lines == (36_000, 23_000, 3_000, 33_000)
    assert min(Settings.profile("v2.1").set("window.context_window=40_000").thresholds) == 0


def test_an_unknown_profile_names_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean 'classroom'"):
        Settings.profile("classrom")


def test_several_values_are_checked_once_at_the_end() -> None:
    values = {"window.context_window": 8_000, "window.max_output_tokens": 1_000, "window.buffer_tokens": 1_000}

    assert Settings().replace(values).thresholds.autocompact == 6_000


@pytest.mark.parametrize("name", PROFILES)
def test_every_knob_says_how_well_it_is_known(name: str) -> None:
    settings = Settings.profile(name)
    knobs = list(settings.knobs())

    assert {knob.path for knob in knobs} == set(field_index())
    assert settings.changed == {}
    for knob in knobs:
        assert knob.evidence in EVIDENCE
        assert knob.source
        assert knob.metadata["says"].endswith((".", "…"))


def test_what_is_changed_is_known() -> None:
    settings = Settings.profile("docs").set("microcompact.keep_recent=4", "budget.per_tool=Bash:1000, Grep:2_000")

    assert settings.changed == {"microcompact.keep_recent": 4, "budget.per_tool": (("Bash", 1_000), ("Grep", 2_000))}
    assert repr(settings).startswith("Settings(docs: autocompact at 200,000, budget.per_tool=")
