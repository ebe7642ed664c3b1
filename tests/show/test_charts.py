"""Charts: plotly, SVG and text of the same numbers."""

import json
import math
import xml.dom.minidom

import pytest

import ctxlab as cl
from ctxlab.course.unmanaged import unmanaged
from ctxlab.show.chart import PLOTLY, Chart, Series
from ctxlab.show.chart_svg import chart_svg
from ctxlab.show.curves import autocompact_lines, sizes, total_input


@pytest.fixture(scope="module")
def pair(classroom: cl.Replay) -> dict[str, cl.Replay]:
    return {"alone": cl.replay(classroom.history, unmanaged(classroom.settings)), "managed": classroom}


def test_the_sizes_are_those_of_the_requests(pair: dict[str, cl.Replay]) -> None:
    chart = sizes(pair)
    figure = chart.figure()

    for trace, series, shown in zip(figure.data, chart.series, pair.values(), strict=True):
        assert list(trace.y) == list(series.ys) == [each.tokens_sent for each in shown.exchanges]
        assert list(trace.x) == list(range(1, 59))
    assert chart.levels == {"window": 20_000, "autocompact": 16_700}
    assert "58 → 77.7K" in " ".join(repr(chart).split())


def test_the_total_is_the_sum(pair: dict[str, cl.Replay]) -> None:
    for series, shown in zip(total_input(pair).series, pair.values(), strict=True):
        assert series.ys[-1] == sum(each.tokens_sent for each in shown.exchanges)


def test_the_lines_are_computed_by_the_settings() -> None:
    named = {name: cl.Settings.profile(name) for name in ("v2.0", "v2.1")}
    older, newer = autocompact_lines(named, "window.max_output_tokens", [8_192, 32_000, 64_000]).series

    assert older.ys == (167_000, 155_000, 123_000)
    assert newer.ys == (178_808, 167_000, 167_000)


def test_every_form_is_there_and_small(pair: dict[str, cl.Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CTXLAB_STATIC", raising=False)
    bundle = sizes(pair)._repr_mimebundle_()

    assert set(bundle) == {PLOTLY, "image/svg+xml", "text/plain"}
    assert len(json.dumps(bundle[PLOTLY])) < 6_000
    xml.dom.minidom.parseString(bundle["image/svg+xml"])
    assert "http" not in json.dumps(bundle[PLOTLY])


def test_the_text_has_each_series_under_its_letter() -> None:
    chart = Chart("t", "x", "y", (Series("up", (0, 10), (0, 10)), Series("dots", (2, 8), (5, 5), "dots")), {"half": 5})
    text = repr(chart)

    assert "a  up: 0 → 0, 10 → 10" in text
    assert "b  dots: 2 points, 5 to 5" in text
    assert "··· half 5" in text
    plot = [line.split("|", 1)[1] for line in text.split("\n") if "|" in line]
    assert plot[0].rstrip().endswith("a") or plot[1].rstrip().endswith("a")
    assert sum(row.count("b") for row in plot) == 2


def test_two_at_one_place_are_a_star() -> None:
    text = repr(Chart("t", "x", "y", (Series("one", (0, 1), (1, 2)), Series("two", (0, 1), (1, 2)))))

    assert "*  several at one place" in text


def test_a_name_from_a_session_is_text() -> None:
    svg = chart_svg(Chart("<script>", "x", "y", (Series("<b onload=1>", (0, 1), (1, 2)),)))

    assert "<script>" not in svg
    assert "<b onload" not in svg
    xml.dom.minidom.parseString(svg)


@pytest.mark.parametrize("points", [((0,), (5,)), ((0, 1), (5, 5)), ((0, 1), (0, 0)), ((3, 3), (1, 9))])
def test_flat_and_single_points_are_drawn(points: tuple) -> None:
    chart = Chart("t", "x", "y", (Series("s", *points),))

    xml.dom.minidom.parseString(chart_svg(chart))
    assert "nan" not in chart_svg(chart)
    assert repr(chart)


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="'s' needs as many x as y, and at least one; got 0 and 0"):
        Chart("t", "x", "y", (Series("s", (), ()),))
    empty = cl.replay(cl.History(()))
    with pytest.raises(ValueError, match="replay 'none' has no request"):
        sizes({"none": empty})


@pytest.mark.parametrize(
    ("series", "levels", "words"),
    [
        ((), {}, "a chart draws 1 to 6 series, got 0"),
        ((Series("s", (0, 1), (1, 2)),) * 7, {}, "a chart draws 1 to 6 series, got 7"),
        ((Series("s", (0, 1), (1, math.nan)),), {}, "'t' has a number that is not finite"),
        ((Series("s", (0, 1), (1, 2)),), {"never": math.inf}, "'t' has a number that is not finite"),
    ],
)
def test_what_a_chart_cannot_hold_is_refused_when_it_is_made(series: tuple, levels: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Chart("t", "x", "y", series, levels)


@pytest.mark.parametrize("ys", [(-10, 0, 10), (-5, -5, -5), (-3, -2, -1)])
def test_values_below_nothing_are_drawn_the_right_way_up(ys: tuple) -> None:
    chart = Chart("t", "x", "y", (Series("s", (1, 2, 3), ys),), {"low": -5})

    assert chart.y_span[0] < chart.y_span[1]
    assert repr(chart)
    xml.dom.minidom.parseString(chart_svg(chart))


def test_a_name_with_control_characters_is_shown_harmless(pair: dict[str, cl.Replay]) -> None:
    chart = sizes({"\x1b[31mred": pair["alone"]})

    assert "\x1b" not in repr(chart)
    xml.dom.minidom.parseString(chart_svg(chart))


def test_the_order_of_the_values_does_not_matter() -> None:
    named = {"v2.1": cl.Settings.profile("v2.1")}
    down = autocompact_lines(named, "window.context_window", iter([400_000, 200_000]))

    assert down.series[0].xs == (200_000, 400_000)
    with pytest.raises(ValueError, match="sizes needs one replay or more"):
        sizes({})
