"""The stepper: two buttons over the acts, a picture at each, no widget where the form is static."""

import pytest

import ctxlab as cl


def test_it_walks_the_acts_and_stays_at_the_ends(classroom: cl.Replay) -> None:
    stepper = cl.Stepper(classroom)
    seen = [repr(stepper).split("\n")[0]]
    while stepper.place < len(stepper.steps) - 1:
        seen.append(repr(stepper.next()).split("\n")[0])

    assert len(seen) == len(set(seen)) == 16
    assert stepper.next().place == 15
    assert stepper.go(-5).previous().place == 0


def test_the_buttons_do_what_the_methods_do(classroom: cl.Replay) -> None:
    stepper = cl.Stepper(classroom)
    row, canvas = stepper.widget().children
    back, on, status = row.children

    assert back.disabled
    on.click()
    assert 'data-step="1"' in status.value
    assert canvas.value == cl.svg_picture(classroom, stepper.step.request, stepper.step.layer)
    back.click()
    assert 'data-step="0"' in status.value
    stepper.go(99)
    assert on.disabled


def test_an_error_in_a_button_is_shown(classroom: cl.Replay) -> None:
    stepper = cl.Stepper(classroom)
    row, _ = stepper.widget().children
    stepper.replay = None
    row.children[1].click()

    assert 'role="alert"' in row.children[2].value
    assert "AttributeError" in row.children[2].value


def test_live_it_has_widget_svg_and_text(classroom: cl.Replay) -> None:
    data, _ = cl.Stepper(classroom)._repr_mimebundle_()

    assert set(data) == {"application/vnd.jupyter.widget-view+json", "image/svg+xml", "text/plain"}


def test_static_it_has_no_widget(classroom: cl.Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    from ctxlab.show.png import has_fonts

    if not has_fonts():
        pytest.skip(
            "the DejaVu fonts are not installed; the PNG of a static picture needs them (Debian: fonts-dejavu-core)"
        )
    monkeypatch.setenv("CTXLAB_STATIC", "1")

    assert set(cl.Stepper(classroom)._repr_mimebundle_()) == {"image/svg+xml", "text/plain", "image/png"}


def test_a_session_in_which_nothing_happens_has_one_step() -> None:
    stepper = cl.Stepper(cl.replay(cl.load([{"role": "user", "content": "hi"}])))

    assert len(stepper.steps) == 1
    assert "checked, nothing to do" in repr(stepper)
