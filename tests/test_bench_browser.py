"""The bench in a real browser: its steps, its controls and its inspector, by the mouse."""

from pathlib import Path

from tests.benches import STORY, lamp, opened, settled

LAYERS = ["arrive", "budget", "snip", "microcompact", "collapse", "autocompact"]


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
    assert "17.4K → 10.5K" in lamp(seen, "autocompact").text_content()
    assert "1 model call, 11.5K in" in lamp(seen, "autocompact").text_content()
    assert "boundary 1: the View starts here" in seen.bench.locator(".stage").text_content()
    assert "Autocompact summarised 45 blocks" in seen.bench.locator(".say [role=status]").text_content()
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
    wider = STORY.replace('"classroom"))\n', '"classroom"), controls=["microcompact", "window.buffer_tokens"])\n')
    seen = opened(lab, browser, notebooks, "wishes", wider, height=1_500)
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


def test_the_line_can_be_dragged(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "drag", STORY)
    line = seen.bench.locator(".tag.drag")
    box = line.bounding_box()
    seen.page.mouse.move(box["x"] + 20, box["y"] + 5)
    seen.page.mouse.down()
    seen.page.mouse.move(box["x"] - 100, box["y"] + 5, steps=4)
    seen.page.mouse.up()
    seen.bench.locator(".settings .title", has_text="1 changed").wait_for(timeout=10_000)
    changed = seen.bench.locator(".field.changed").first
    changed.wait_for(state="attached", timeout=10_000)
    assert changed.get_attribute("data-path") == "window.buffer_tokens"

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
