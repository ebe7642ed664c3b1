"""Questions and predictions: radio buttons where a kernel runs, a folded list where none does."""

import pytest

from ctxlab.course import predict, quiz
from ctxlab.course.quiz import Question, Quiz, questions
from ctxlab.course.refresh import FOLDER

WHYS = {"yes": "Because of <b>.", "no": "Not so.", "who knows": "One can know."}


@pytest.fixture
def asked() -> Quiz:
    return Quiz("Is it so?", WHYS, "yes")


def test_each_option_says_why(asked: Quiz) -> None:
    assert [asked.answer(option) for option in WHYS] == [
        "Right. Because of <b>.",
        "Not quite. Not so.",
        "Not quite. One can know.",
    ]
    assert asked.chosen == "who knows"


def test_choosing_in_the_widget_says_it_there(asked: Quiz) -> None:
    question, buttons, said = asked.widget().children
    buttons.value = "no"
    assert said.value == "<span role='status'>Not quite. Not so.</span>"
    buttons.value = "yes"
    assert said.value == "<span role='status'>Right. Because of &lt;b&gt;.</span>"
    assert "Is it so?" in question.value


def test_without_a_kernel_it_is_a_list_to_unfold(asked: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXLAB_STATIC", "1")
    bundle = asked._repr_mimebundle_()

    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/html"].count("<details>") == 3
    assert "&lt;b&gt;" in bundle["text/html"]
    assert "Not quite. One can know." in bundle["text/plain"]


def test_with_a_kernel_it_is_a_widget_and_the_same_words(asked: Quiz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CTXLAB_STATIC", raising=False)
    bundle = asked._repr_mimebundle_()

    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == repr(asked)


def test_a_prediction_judges_nothing() -> None:
    asked = Question("How many?", ["one", "two"])

    assert asked.answer("two").startswith("Noted: two.")
    assert "<details>" not in asked._repr_html_()


def test_what_cannot_be_asked_is_refused(asked: Quiz) -> None:
    with pytest.raises(ValueError, match="'maybe' is none of the options: yes, no, who knows"):
        Quiz("?", WHYS, "maybe")
    with pytest.raises(ValueError, match="two options or more, all of them text, got"):
        Question("?", ["one"])
    with pytest.raises(ValueError, match="'maybe' is none of the options"):
        asked.answer("maybe")


def test_every_question_is_asked_once_in_its_notebook() -> None:
    for name, row in questions().items():
        ask = f'{"quiz" if "whys" in row else "predict"}(\\"{name}\\")'
        assert [path.stem[:2] for path in FOLDER.glob("*.ipynb") if ask in path.read_text(encoding="utf-8")] == [
            name[:2]
        ]


def test_a_question_that_does_not_exist_names_the_nearest() -> None:
    with pytest.raises(ValueError, match="unknown question '04.resum'.*04.resume"):
        quiz("04.resum")
    with pytest.raises(ValueError, match="unknown question '04.resume'"):
        predict("04.resume")  # it is a quiz
