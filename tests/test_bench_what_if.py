"""In a real JupyterLab: put a fault in, compare with a profile, and both stay when a setting changes."""

from pathlib import Path

from tests.benches import STORY, opened, settled


def test_faults_and_a_second_run(lab: str, browser, notebooks: Path) -> None:
    seen = opened(lab, browser, notebooks, "what-if", STORY)
    bench = seen.bench
    bench.locator(".scrub").fill("45")
    bench.get_by_role("button", name="idle gap").click()
    settled(seen, 2)
    pressed = bench.locator("[data-fault=idle_gap]")
    assert pressed.get_attribute("aria-pressed") == "true"
    assert "from request 45" in pressed.text_content()
    bench.get_by_label("Compare with").select_option("v2.1")
    bench.locator(".two canvas").wait_for()
    words = bench.locator(".two p").all_text_contents()
    assert words[0].startswith("these settings")
    assert words[1].startswith("v2.1")
    assert "of 20K" in words[0]
    assert "of 200K" in words[1]
    bench.locator(".switches").get_by_label("Snip").uncheck()
    settled(seen, 3)
    assert bench.locator("[data-fault=idle_gap]").get_attribute("aria-pressed") == "true"
    bench.get_by_label("Compare with").select_option(label="before your changes")
    assert bench.locator(".two b").all_text_contents() == ["these settings", "before your changes"]
    seen.shot("what-if", bench)
    bench.get_by_label("Compare with").select_option("")
    bench.locator(".two").wait_for(state="hidden")
    bench.locator(".scrub").fill("1")
    bench.locator("[data-fault=idle_gap]").click()
    bench.locator("[data-fault=idle_gap][aria-pressed=false]").wait_for()
    bench.locator("[data-fault=idle_gap]").click()
    bench.locator(".complaint", has_text="can have no pause").first.wait_for()
    assert (seen.outside, seen.errors) == ([], [])
