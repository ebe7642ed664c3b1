"""B27: every picture and the bench in Chinese, with the same tables, no box for a letter, and English where no font is."""

import json
import re
import string
import subprocess
import warnings
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.show import bench_words, png, words, zh_bench_words, zh_words
from ctxlab.show.curves import autocompact_lines, sizes, total_input
from ctxlab.show.languages import CHINESE, ENGLISH, language
from ctxlab.show.notebook import static_bundle
from ctxlab.show.page import make_page
from ctxlab.show.palette import LOOKS
from ctxlab.show.payload import fixed, plain
from ctxlab.show.picture import picture
from ctxlab.sources.masks import RULES
from tests.show.test_bench_script import TESTS, node, some_replays  # noqa: F401 - a fixture
from tests.show.test_page import everything

CLASSROOM = cl.Settings.profile("classroom")
HAN = re.compile(r"[\u4e00-\u9fff]")
WITHOUT_HAN = {"token", "{} token", "{name}", "{layer} {acts}"}


def tables(module) -> dict[str, object]:
    return {name: value for name, value in vars(module).items() if name.isupper() and isinstance(value, (dict, list))}


def leaves(value: object, path: str = "") -> dict[str, str]:
    if isinstance(value, str):
        return {path: value}
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {key: text for name, part in pairs for key, text in leaves(part, f"{path}.{name}").items()}


def places(text: str) -> list[str]:
    return sorted(name or "" for _, name, _, _ in string.Formatter().parse(text) if name is not None)


@pytest.mark.parametrize(
    ("english", "chinese"), [(words, zh_words), (bench_words, zh_bench_words)], ids=["static", "live"]
)
def test_both_have_every_word_with_the_same_places_to_fill(english, chinese) -> None:
    own = {"HARMFUL", "BEHIND", "NAMES", "COST_BARS"}
    one, two = leaves(tables(english)), leaves(tables(chinese))
    one = {path: text for path, text in one.items() if path.split(".")[1] not in own}
    two = {path: text for path, text in two.items() if not path.startswith(".LOOKS")}
    assert set(one) == set(two)
    for path, text in one.items():
        assert places(text) == places(two[path]), path
        if ".KEYS" not in path and two[path] not in WITHOUT_HAN and "，" not in two[path]:
            assert HAN.search(two[path]) or not re.search("[a-z]{3}", two[path]), (path, two[path])
    assert set(zh_words.LOOKS) == set(LOOKS)
    assert {rule.kind for rule in RULES} == set(bench_words.MASKED)


def every_picture(result: cl.Replay, lang: str) -> dict[str, str]:
    """Each picture function once, without the words of the engine."""
    return {
        "text": cl.text_picture(result, 6, "snip", lang=lang),
        "svg": cl.svg_picture(result, 6, "snip", lang=lang),
        "table": repr(cl.StepTable(result, lang=lang)),
        "sizes": repr(sizes({"one": result}, lang=lang)),
        "input": sizes({"one": result}, lang=lang)._repr_mimebundle_()["image/svg+xml"],
        "total": repr(total_input({"one": result}, lang=lang)),
        "lines": repr(autocompact_lines({"one": CLASSROOM}, "window.context_window", [20_000, 90_000], lang=lang)),
        "bench": repr(cl.Bench(result.history, CLASSROOM, lang=lang)),
        "page": everything(make_page(result, lang=lang).html),
    }


def test_every_picture_function_in_chinese_without_a_warning(classroom: cl.Replay) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = every_picture(classroom, "zh")
    for name, text in drawn.items():
        assert len(HAN.findall(text)) > 5, name
        assert "\ufffd" not in text
    for word in ("nothing deleted", "checked, nothing to do", "system prompt", "autocompact 1"):
        assert not [name for name in ("text", "svg", "table", "bench") if word in drawn[name]], word


def test_english_is_what_it_was_and_another_language_is_refused(classroom: cl.Replay) -> None:
    assert cl.text_picture(classroom, lang="en") == cl.text_picture(classroom)
    assert not HAN.search(repr(cl.Bench(classroom.history, CLASSROOM)))
    for call in (
        lambda: cl.text_picture(classroom, lang="fr"),
        lambda: cl.svg_picture(classroom, lang="fr"),
        lambda: cl.Bench(classroom.history, lang="fr"),
        lambda: cl.StepTable(classroom, lang="fr"),
        lambda: make_page(classroom, lang="fr"),
        lambda: sizes({"one": classroom}, lang="fr"),
    ):
        with pytest.raises(ValueError, match="no language 'fr' here"):
            call()


def test_the_png_has_a_font_or_speaks_english(classroom: cl.Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXLAB_STATIC", "1")
    if not png.has_fonts():
        pytest.skip("the DejaVu fonts are not here")
    drawn = picture(classroom, lang="zh")
    bench = cl.Bench(classroom.history, CLASSROOM, lang="zh")
    monkeypatch.setattr(png, "CHINESE", (Path("/none.ttf"),))
    without = bench._repr_mimebundle_()
    english = cl.Bench(classroom.history, CLASSROOM)._repr_mimebundle_()
    assert without["image/png"] == english["image/png"]
    assert HAN.search(without["image/svg+xml"])
    assert drawn.language is CHINESE
    assert "image/png" not in static_bundle(cl.svg_picture(classroom, lang="zh"), "text")
    assert "image/png" not in sizes({"one": classroom}, lang="zh")._repr_mimebundle_()
    monkeypatch.undo()
    if png.chinese_fonts():
        assert png.png_of(cl.svg_picture(classroom, lang="zh")) != png.png_of(cl.svg_picture(classroom))


def test_both_drawings_say_the_same_in_chinese(node: str) -> None:  # noqa: F811
    replays = some_replays()[:8]
    asked = {"fixed": fixed(CHINESE), "replays": [plain(each, CHINESE) for each in replays], "numbers": []}
    done = subprocess.run(
        [node, str(TESTS / "twin.mjs")], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    for replay, steps in zip(replays, json.loads(done.stdout)["steps"], strict=True):
        for step, got in zip(replay.steps, steps, strict=True):
            drawn = picture(replay, step.request, step.layer, lang="zh")
            assert got["title"] == drawn.title
            assert [mark[4] for mark in got["history"]] == [mark.label for mark in drawn.history]


def test_languages_by_name() -> None:
    assert (language("en"), language("zh")) == (ENGLISH, CHINESE)
