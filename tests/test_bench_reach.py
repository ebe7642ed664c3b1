"""The bench in a real browser: keyboard and screen reader reach everything, words stay apart in every cell and theme."""

from pathlib import Path

import pytest

from tests.benches import STORY, opened, settled


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


@pytest.mark.parametrize("width", [1_300, 860])
def test_names_stay_apart_where_the_lines_lie_low(lab: str, browser, notebooks: Path, width: int) -> None:
    """With nothing managed the session is four times the window: its lines lie at the foot of the timeline."""
    alone = (
        "import ctxlab as cl\nfrom ctxlab.course.unmanaged import unmanaged\n"
        'cl.Bench(cl.story("classroom"), unmanaged(cl.Settings.profile("classroom")), request=30)'
    )
    seen = opened(lab, browser, notebooks, f"low-{width}", alone, width=width, height=1_700)
    seen.shot(f"low-{width}", seen.bench)

    assert seen.page.evaluate(OVERLAPS) == []
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
