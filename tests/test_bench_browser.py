"""The bench in a real browser: mouse, keyboard and screen reader reach everything; hostile sessions stay text."""

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.lab import Watched, open_notebook, run_all, write_notebook
from tests.show.test_pictures import HOSTILE

STORY = 'import ctxlab as cl\nbench = cl.Bench(cl.story("classroom"), cl.Settings.profile("classroom"))\nbench'
LAYERS = ["arrive", "budget", "snip", "microcompact", "collapse", "autocompact"]


def opened(lab: str, browser, notebooks: Path, name: str, *cells: str, **options) -> Watched:
    seen = Watched(browser, lab, **options)
    open_notebook(seen.page, lab, write_notebook(notebooks / f"{name}.ipynb", *cells))
    run_all(seen.page)
    seen.shown()
    return seen


def lamp(seen: Watched, layer: str):
    return seen.bench.locator(f".lamp[data-layer={layer}]")


def settled(seen: Watched, runs: int) -> None:
    seen.page.locator(f".ctxlab-bench[data-runs='{runs}']").first.wait_for(timeout=10_000)


def test_every_layer_of_the_story_step_by_step(lab: str, browser, notebooks: Path) -> None:
    """Each step of request 36 in order: the lamp of each layer goes from waiting to what it did."""
    seen = opened(lab, browser, notebooks, "steps", STORY, height=1_500)
    seen.bench.get_by_label("Request", exact=True).fill("35")
    seen.at(35, "autocompact")
    for layer in LAYERS:
        seen.bench.get_by_role("button", name="Next layer (→)").click()
        seen.at(36, layer)
        if layer != "arrive":
            assert lamp(seen, layer).get_attribute("aria-current") == "step"
            assert lamp(seen, layer).get_attribute("data-state") == ("acted" if layer in LAYERS[4:] else "idle")
        for later in LAYERS[LAYERS.index(layer) + 1 :]:
            assert lamp(seen, later).locator(".state").text_content() == "not yet reached"
    assert "17.3K → 10.3K" in lamp(seen, "autocompact").text_content()
    assert "1 model call, 9.3K in" in lamp(seen, "autocompact").text_content()
    assert "boundary 1: the View starts here" in seen.bench.locator(".stage").text_content()
    assert "Autocompact summarised 43 blocks" in seen.bench.locator(".say [role=status]").text_content()
    for layer, request in [("budget", 2), ("snip", 8), ("microcompact", 15), ("collapse", 30), ("autocompact", 36)]:
        seen.bench.get_by_label("Request", exact=True).fill(str(request))
        lamp(seen, layer).click()
        seen.at(request, layer)
        seen.shot(f"act-{layer}", seen.bench)
    assert (seen.outside, seen.errors) == ([], [])


def test_a_threshold_moves_the_lamp_and_the_view_and_leaves_the_reader_where_he_is(
    lab: str, browser, notebooks: Path
) -> None:
    seen = opened(lab, browser, notebooks, "slider", STORY, "print(bench.settings.changed)")
    seen.bench.get_by_label("Request", exact=True).fill("15")
    seen.at(15, "microcompact")
    before = lamp(seen, "microcompact").text_content()
    assert "cleared 14 of 17 results, kept 3" in before
    field = seen.bench.locator(".field[data-path='microcompact.keep_recent']").first
    field.locator("input[type=range]").fill("9")
    settled(seen, 2)

    seen.at(15, "microcompact")
    assert "cleared 8 of 17 results, kept 9" in lamp(seen, "microcompact").text_content()
    assert "was 3" in field.text_content()
    assert "in a window of 200,000: 5 results" in field.text_content()
    assert "1 changed" in seen.bench.locator(".settings .title").text_content()
    assert "Ran 58 requests again:" in seen.bench.locator(".settings [role=status]").text_content()
    assert "first difference: request 15" in seen.bench.locator(".settings [role=status]").text_content()
    seen.shot("slider-moved", seen.bench)
    field.locator("input[type=text]").fill("0")
    field.locator("input[type=text]").press("Enter")
    field.locator("[role=alert]:visible").wait_for(timeout=10_000)
    assert "must be 1 to 100 results, got 0 (still 9)" in field.locator("[role=alert]").text_content()
    assert field.locator("input[type=text]").input_value() == "9"
    assert "kept 9" in lamp(seen, "microcompact").text_content()
    seen.shot("bad-value", seen.bench)
    seen.bench.locator(".switches input[data-path='microcompact.enabled']").uncheck()
    settled(seen, 3)
    assert lamp(seen, "microcompact").locator(".state").text_content() == "off"
    seen.bench.get_by_role("button", name="reset all").click()
    settled(seen, 4)
    assert "cleared 14 of 17 results, kept 3" in lamp(seen, "microcompact").text_content()
    seen.bench.get_by_label("Profile").select_option("v2.1")
    settled(seen, 5)
    assert "167,000" in seen.bench.locator(".derived").text_content()
    assert (seen.outside, seen.errors) == ([], [])


def test_no_wish_is_lost_or_stuck(lab: str, browser, notebooks: Path) -> None:
    """A value that is set already, several controls within one run, and a profile over waiting values."""
    seen = opened(lab, browser, notebooks, "wishes", STORY, height=1_500)
    chosen = seen.bench.locator(".chosen")
    gap = chosen.locator("[data-path='microcompact.gap_minutes'] input[type=text]")
    gap.fill("60")
    gap.press("Enter")
    gap.fill("5")
    gap.press("Enter")
    settled(seen, 2)
    seen.page.evaluate(
        """() => {
          const move = (path, values) => { const slider = document.querySelector(`.chosen [data-path='${path}'] input[type=range]`); for (const value of values) { slider.value = value; slider.dispatchEvent(new Event('input', {bubbles: true})); } };
          move('microcompact.keep_recent', [8, 9, 12, 20]);
          move('window.buffer_tokens', [300, 400]);
        }"""
    )
    seen.page.wait_for_function("() => document.querySelectorAll('.chosen .field.changed').length === 3")
    seen.page.wait_for_timeout(1_500)
    assert chosen.locator("[data-path='microcompact.keep_recent'] input[type=text]").input_value() == "20"
    assert seen.bench.locator(".settings .title").text_content().count("3 changed") == 1
    slider = chosen.locator("[data-path='microcompact.gap_minutes'] input[type=range]")
    slider.focus()
    seen.page.keyboard.press("ArrowRight")
    seen.page.wait_for_function(
        "() => document.querySelector(\".chosen [data-path='microcompact.gap_minutes'] input[type=text]\").value === '6'"
    )
    seen.page.evaluate(
        """() => {
          const slider = document.querySelector(".chosen [data-path='microcompact.keep_recent'] input[type=range]"), profile = document.querySelector('.settings select');
          for (const value of [30, 31, 32]) { slider.value = value; slider.dispatchEvent(new Event('input', {bubbles: true})); }
          profile.value = 'article'; profile.dispatchEvent(new Event('change', {bubbles: true}));
        }"""
    )
    seen.page.locator(".settings .title", has_text="unchanged").wait_for(timeout=10_000)
    seen.page.wait_for_timeout(1_000)
    assert "profile article" in seen.bench.locator(".top").text_content()
    assert "unchanged" in seen.bench.locator(".settings .title").text_content()
    assert (seen.outside, seen.errors) == ([], [])


def test_the_focus_stays_in_the_bench(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "focus", STORY, height=1_500)
    inside = "() => document.activeElement.closest('.ctxlab-bench') !== null"
    seen.bench.get_by_label("Request", exact=True).fill("15")
    seen.bench.get_by_role("button", name="Read it back").focus()
    seen.page.keyboard.press("Enter")
    seen.bench.locator(".where[data-back=same]").wait_for(timeout=10_000)
    assert seen.page.evaluate(inside)
    seen.bench.get_by_role("button", name="follow the step").focus()
    seen.page.keyboard.press("Enter")
    assert seen.page.evaluate(inside)
    seen.bench.locator(".inspector pre").first.focus()
    seen.page.keyboard.press("ArrowRight")
    assert seen.page.evaluate(inside)
    seen.bench.locator(".chosen .typed").first.fill("5")
    seen.page.keyboard.press("Enter")
    settled(seen, 2)
    for name in ("was 60", "reset all"):
        seen.bench.get_by_role("button", name=name).first.focus()
        seen.page.keyboard.press("Enter")
        seen.page.wait_for_timeout(500)
        assert seen.page.evaluate(inside)
        if name == "was 60":
            seen.bench.locator(".chosen .typed").first.fill("5")
            seen.page.keyboard.press("Enter")
            seen.bench.get_by_role("button", name="reset all").wait_for()
    seen.bench.get_by_role("button", name="Next act (N)").focus()
    seen.page.keyboard.press("?")
    seen.bench.locator(".keys:visible").wait_for()
    seen.page.keyboard.press("Escape")
    assert not seen.bench.locator(".keys").is_visible()


def test_a_block_from_later_is_not_here_yet(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "later", STORY, height=1_500)
    seen.bench.get_by_label("Request", exact=True).fill("40")
    seen.bench.locator("[data-row=history]").focus()
    seen.page.keyboard.press("End")
    seen.bench.get_by_label("Request", exact=True).fill("3")
    assert "not here yet: it comes with request 40" in seen.bench.locator(".inspector").text_content()
    assert "null" not in seen.bench.text_content()
    seen.bench.get_by_label("Request", exact=True).fill("36")
    seen.bench.locator("[data-row=history]").focus()
    seen.page.keyboard.press("Home")
    meta = seen.bench.locator(".inspector .meta")
    assert "summarised by Autocompact in request 36" in meta.text_content()


def test_without_a_session_the_bench_says_so_and_its_keys_do_nothing(lab: str, browser, notebooks: Path) -> None:
    cell = "import ctxlab as cl\ncl.Bench('/nowhere/session.jsonl')"
    seen = Watched(browser, lab)
    open_notebook(seen.page, lab, write_notebook(notebooks / "none.ipynb", cell))
    run_all(seen.page)
    seen.page.locator(".ctxlab-bench .alert:visible").wait_for(timeout=10_000)
    seen.bench.focus()
    for key in ("n", "ArrowRight", " ", "z", "f", "b", "Escape"):
        seen.page.keyboard.press(key)
    assert "FileNotFoundError" in seen.bench.text_content()
    assert not seen.bench.locator(".transport").is_visible()
    seen.shot("no-session", seen.bench)
    assert (seen.outside, seen.errors) == ([], [])


def test_the_line_can_be_dragged(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "drag", STORY)
    line = seen.bench.locator(".tag.drag")
    box = line.bounding_box()
    seen.page.mouse.move(box["x"] + 20, box["y"] + 5)
    seen.page.mouse.down()
    seen.page.mouse.move(box["x"] - 100, box["y"] + 5, steps=4)
    seen.page.mouse.up()
    seen.bench.locator(".field.changed[data-path='window.buffer_tokens']").first.wait_for(timeout=10_000)

    assert "autocompact 16.7K" not in line.text_content()


def test_a_cleared_result_is_read_back(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "readback", STORY)
    seen.bench.get_by_label("Request", exact=True).fill("15")
    seen.at(15, "microcompact")
    inspector = seen.bench.locator(".inspector")
    inspector.get_by_text("[Old tool result content cleared]").wait_for(timeout=10_000)

    assert "archive:toolu_0001" in inspector.text_content()
    assert "blanked out by Microcompact: gap 70 min" in inspector.text_content()
    inspector.get_by_role("button", name="Read it back").click()
    inspector.locator(".where[data-back=same]").wait_for(timeout=10_000)
    assert (
        "Read back from archive:toolu_0001: 10,152 characters, 10,152 bytes, the same as came in."
        in inspector.text_content()
    )
    assert inspector.locator("pre").first.text_content().startswith("payments/callbacks.py:8:")
    seen.shot("read-back", seen.bench)
    inspector.get_by_role("button", name="Next page").click()
    inspector.get_by_text("page 2 of 3").wait_for(timeout=10_000)
    assert (seen.outside, seen.errors) == ([], [])


def test_a_block_is_picked_by_the_mouse_and_the_thread_is_followed(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "mouse", STORY, height=1_600)
    seen.bench.get_by_label("Request", exact=True).fill("36")
    seen.at(36, "autocompact")
    view = seen.bench.locator("[data-row=view]").bounding_box()
    seen.page.mouse.click(view["x"] + 10, view["y"] + 40)
    assert seen.bench.locator(".inspector h5").text_content() == "System prompt"
    told = seen.bench.locator(".told")
    seen.page.mouse.move(view["x"] + 60, view["y"] + 40)
    seen.page.wait_for_timeout(200)
    assert told.text_content().startswith("Tools")
    chart = seen.bench.locator(".time canvas[role=img]").bounding_box()
    seen.page.mouse.click(chart["x"] + chart["width"] * 0.5, chart["y"] + 60)
    seen.page.wait_for_timeout(200)
    assert seen.bench.get_attribute("data-request") in ("26", "27", "28")
    assert seen.bench.locator(".inspector h5").text_content() == "System prompt"
    seen.bench.get_by_role("button", name="follow the step").click()
    assert seen.bench.locator(".inspector h5").text_content() != "System prompt"


def test_the_keyboard_does_everything_and_the_notebook_hears_none_of_it(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "keys", STORY)
    page, bench = seen.page, seen.bench
    bench.get_by_role("button", name="Next act (N)").focus()
    for key, request, layer in [
        ("n", 8, "snip"), ("n", 12, "budget"), ("p", 8, "snip"), ("ArrowRight", 8, "microcompact"),
        ("ArrowLeft", 8, "snip"), ("Shift+ArrowRight", 9, "autocompact"), ("Shift+ArrowLeft", 8, "snip"),
    ]:  # fmt: skip
        page.keyboard.press(key)
        seen.at(request, layer)
    page.keyboard.press("?")
    bench.locator(".keys:visible").wait_for()
    seen.shot("keys", bench)
    page.keyboard.press("?")
    page.keyboard.press("z")
    assert bench.get_by_role("button", name="window size").is_visible()
    page.keyboard.press("z")
    page.keyboard.down("b")
    assert bench.get_by_role("button", name="hold: before").get_attribute("aria-pressed") == "true"
    page.keyboard.up("b")
    assert bench.get_by_role("button", name="hold: before").get_attribute("aria-pressed") == "false"
    bench.locator("[data-row=history]").focus()
    page.keyboard.press("Home")
    assert bench.locator("[data-row=history] [role=option]").text_content().startswith("1 · User")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    option = bench.locator("[data-row=history] [role=option]").text_content()
    assert option.startswith("10 · Read result: Read charge.py · request 3")
    assert "cut by Snip in request 8" in option
    page.keyboard.press("ArrowDown")
    assert "Notice" in bench.locator("[data-row=view] [role=option]").text_content()
    page.keyboard.press("ArrowUp")
    assert bench.locator("[data-row=history] [role=option]").text_content() == option
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.classList.contains('inspector')")
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.dataset.row") == "history"
    page.keyboard.press(" ")
    assert "Pause" in bench.locator(".play").text_content()
    page.keyboard.press(" ")
    bench.get_by_label("Request", exact=True).focus()
    page.keyboard.press("End")
    seen.at(58, "snip")
    for key in ("a", "b", "d", "d", "x", "m", "y"):  # what JupyterLab would take for its cells
        page.keyboard.press(key)
    assert page.locator(".jp-Notebook .jp-Cell").count() == 1
    assert (seen.outside, seen.errors) == ([], [])


def test_everything_can_be_reached_by_tab_alone(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "tab", STORY)
    seen.bench.locator(".all summary").click()
    seen.bench.get_by_role("button", name="Keys").focus()
    reached = []
    for _ in range(90):
        seen.page.keyboard.press("Tab")
        inside = seen.page.evaluate(
            "() => document.activeElement.closest('.ctxlab-bench') && (document.activeElement.getAttribute('aria-label') || document.activeElement.textContent || document.activeElement.dataset.path || document.activeElement.id)"
        )
        if inside is None:
            break
        reached.append(inside)
    text = "\n".join(reached)
    for wanted in (
        "Blocks of the History",
        "Blocks of the View",
        "Layer 3",
        "Next act",
        "Request",
        "Profile",
        "As it was",
        "Window",
        "Play",
        "hold",
    ):
        assert wanted in text, wanted


def test_two_benches_in_one_notebook_are_two(lab: str, browser, notebooks: Path) -> None:
    second = 'cl.Bench(cl.story("classroom"), cl.Settings.profile("article"), request=20)'
    seen = opened(lab, browser, notebooks, "two", STORY, second)
    both = seen.page.locator(".ctxlab-bench[data-step]")
    seen.page.wait_for_function("() => document.querySelectorAll('.ctxlab-bench[data-step]').length === 2")
    both.nth(1).get_by_role("button", name="Next request (Shift + →)").click()
    seen.page.wait_for_timeout(300)

    assert both.nth(0).get_attribute("data-request") == "2"
    assert both.nth(1).get_attribute("data-request") == "22"
    ids = seen.page.evaluate("() => [...document.querySelectorAll('.ctxlab-bench [id]')].map(node => node.id)")
    assert len(ids) == len(set(ids))
    both.nth(1).locator(".switches input[data-path='snip.enabled']").uncheck()
    seen.page.locator(".ctxlab-bench[data-runs='2']").wait_for(timeout=10_000)
    assert both.nth(0).get_attribute("data-runs") == "1"
    assert (seen.outside, seen.errors) == ([], [])


def test_python_knows_where_the_reader_is_and_can_move_the_bench(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "sync", STORY, "bench.go(35, 'autocompact').step.layer")
    seen.at(36, "autocompact")
    seen.bench.get_by_role("button", name="Next act (N)").click()
    seen.at(43, "autocompact")
    seen.page.wait_for_timeout(600)
    seen.page.evaluate(
        """async () => {
          const notebook = window.jupyterapp.shell.currentWidget.content;
          notebook.widgets[1].model.sharedModel.setSource('print(bench.step.request, bench.step.layer)');
          notebook.activeCellIndex = 1;
          await window.jupyterapp.commands.execute('notebook:run-cell');
        }"""
    )
    seen.page.get_by_text("42 autocompact").wait_for(timeout=10_000)


def hostile_cell(texts: list[str]) -> str:
    source = json.dumps(texts)
    return (
        "import json, ctxlab as cl\nfrom tests.show.test_pictures import hostile_session\n"
        f"text = ' '.join(json.loads({source!r})) + chr(0xD83D)\n"
        "cl.Bench(hostile_session(text), cl.Settings.profile('classroom'))"
    )


def test_a_hostile_session_is_only_text(lab: str, browser, notebooks: Path) -> None:
    texts = [
        *HOSTILE,
        "<svg/onload=alert(2)>",
        "javascript:alert(3)",
        "${alert(4)}",
        "{{constructor}}",
        '" autofocus onfocus=alert(5) x="',
    ]
    setup = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
    seen = opened(lab, browser, notebooks, "hostile", setup, hostile_cell(texts))
    page, bench = seen.page, seen.bench
    for _ in range(12):
        bench.get_by_role("button", name="Next layer (→)").click()
    bench.locator("[data-row=history]").focus()
    page.keyboard.press("Home")
    for _ in range(8):
        page.wait_for_timeout(200)
        page.keyboard.press("ArrowRight")
    bench.locator(".inspector pre").first.get_by_text("<img src=x onerror=alert(1)>").first.wait_for(timeout=10_000)
    bench.locator("details.twin summary").click()
    bench.locator("details.twin pre").get_by_text("HISTORY").wait_for(timeout=10_000)

    tags = page.evaluate(
        "() => [...new Set([...document.querySelectorAll('.ctxlab-bench *')].map(node => node.tagName.toLowerCase()))]"
    )
    assert not set(tags) & {"img", "script", "iframe", "a", "object", "embed", "link", "style", "form", "mjx-container"}
    names = page.evaluate(
        "() => [...document.querySelectorAll('.ctxlab-bench *')].flatMap(node => node.getAttributeNames())"
    )
    assert not [name for name in set(names) if name.startswith("on") or name in ("href", "src", "srcdoc")]
    assert "\x1b" not in bench.text_content()
    seen.shot("hostile", bench)
    assert (seen.outside, seen.errors) == ([], [])


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
@pytest.mark.parametrize("width", [1_300, 860, 620])
def test_words_stay_inside_and_apart_in_every_cell_and_theme(
    lab: str, browser, notebooks: Path, theme: str, width: int
) -> None:
    name = f"look-{width}-{theme.split()[1].lower()}"
    seen = opened(lab, browser, notebooks, name, STORY, width=width, height=1_700)
    seen.page.evaluate(
        "async name => { await window.jupyterapp.commands.execute('apputils:change-theme', {theme: name}) }", theme
    )
    if seen.page.locator("#jp-left-stack:visible").count():
        seen.page.evaluate("async () => { await window.jupyterapp.commands.execute('application:toggle-left-area') }")
    seen.page.locator(f".ctxlab-bench[data-theme={theme.split()[1].lower()}]").wait_for(timeout=10_000)
    seen.page.wait_for_timeout(500)
    seen.shot(name, seen.bench)
    cell, bench = seen.page.locator(".jp-Notebook").bounding_box(), seen.bench.bounding_box()

    assert bench["x"] + bench["width"] <= cell["x"] + cell["width"] + 1
    for request in range(1, 59, 3) if width != 860 else range(1, 59):
        seen.bench.get_by_label("Request", exact=True).fill(str(request))
        found = seen.page.evaluate(OVERLAPS)
        assert found == [], (request, found)
    assert seen.errors == []


OVERLAPS = """() => {
  const out = [];
  for (const stage of document.querySelectorAll('.ctxlab-bench .stage, .ctxlab-bench .time')) {
    const room = stage.getBoundingClientRect(), tags = [...stage.querySelectorAll('.tag, .lane')].filter(tag => tag.textContent);
    const boxes = tags.map(tag => [tag.textContent, tag.getBoundingClientRect()]);
    boxes.forEach(([text, one], at) => {
      if (one.left < room.left - 1 || one.right > room.right + 1) out.push(`outside: ${text}`);
      for (const [other, two] of boxes.slice(at + 1))
        if (one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 1.5 && two.top < one.bottom - 1.5) out.push(`${text} | ${other}`);
    });
  }
  return out;
}"""


def test_no_serious_barrier_is_found(lab: str, browser, notebooks: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        seen = opened(lab, browser, notebooks, "axe", STORY, reduced_motion="reduce")
        seen.page.evaluate(
            "async name => { await window.jupyterapp.commands.execute('apputils:change-theme', {theme: name}) }", theme
        )
        seen.bench.locator(".all summary").click()
        seen.bench.get_by_role("button", name="Keys").click()
        seen.bench.get_by_label("Request", exact=True).fill("36")
        seen.page.wait_for_timeout(800)
        found = Axe().run(seen.page, context=".ctxlab-bench").response["violations"]

        serious = [
            (each["id"], [node["html"][:160] for node in each["nodes"][:3]])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert serious == []


def test_an_error_in_the_kernel_stands_in_the_bench(lab: str, browser, notebooks: Path) -> None:
    broken = "from dataclasses import replace\nbench._services = replace(cl.Services.offline(bench.replay.history), count=None)"
    seen = opened(lab, browser, notebooks, "error", STORY, broken)
    seen.bench.locator(".switches input[data-path='budget.enabled']").uncheck()
    alert = seen.bench.locator(".alert[role=alert]")
    alert.wait_for(timeout=10_000)

    assert "The bench met an error: TypeError" in alert.text_content()
    seen.shot("error", seen.bench)
    alert.get_by_role("button", name="Close").click()
    assert not alert.is_visible()


def test_a_long_session_is_read_with_progress_when_it_is_shown(
    lab: str, browser, notebooks: Path, tmp_path: Path
) -> None:
    path = tmp_path / "long.jsonl"
    lines = []
    for n in range(9_000):
        kind, words = ("assistant", f"answer {n} " * 40) if n % 2 else ("user", f"question {n} " * 40)
        lines.append(
            json.dumps({"type": kind, "uuid": f"u{n}", "message": {"id": f"m{n}", "role": kind, "content": words}})
        )
    path.write_text("\n".join(lines), encoding="utf-8")
    seen = Watched(browser, lab)
    open_notebook(
        seen.page, lab, write_notebook(notebooks / "long.ipynb", f"import ctxlab as cl\ncl.Bench({str(path)!r})")
    )
    seen.page.evaluate(
        """() => {
          window.seenProgress = [];
          new MutationObserver(() => { const bar = document.querySelector('.ctxlab-bench .work:not([hidden]) progress'); if (bar) window.seenProgress.push(bar.value); })
            .observe(document.body, {subtree: true, childList: true, attributes: true});
        }"""
    )
    run_all(seen.page)
    seen.shown(60_000)
    shares = seen.page.evaluate("() => window.seenProgress")

    assert max(shares) > 0.3
    assert len(set(shares)) > 3
    seen.page.locator(".ctxlab-bench .work").wait_for(state="hidden", timeout=10_000)
    seen.shot("long", seen.bench)
    assert (seen.outside, seen.errors) == ([], [])
