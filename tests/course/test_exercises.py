"""Both sides of every exercise: the stub fails softly, the solution passes, the known mistakes get their own words."""

import re
from collections.abc import Iterator

import pytest

import ctxlab as cl
from ctxlab.course.checks import check, exercises
from ctxlab.course.exercise import NOT_ATTEMPTED, NOT_YET, Function, Value
from ctxlab.course.refresh import FOLDER
from ctxlab.course.series import read, source

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SOLUTION = re.compile(r"<details><summary>Solution</summary>\s*```python\n(.*?)```", re.DOTALL)
CHECKED = re.compile(r'check\("([^"]+)", (\w+)\)')


def asked() -> Iterator[tuple[str, str, str, str]]:
    """Exercise, name of the answer, the cell with the stub, the solution that is folded under it."""
    for path in NOTEBOOKS:
        cells = read(path)["cells"]
        for number, cell in enumerate(cells):
            if cell["cell_type"] == "code" and (found := CHECKED.search(source(cell))):
                solution = SOLUTION.search(source(cells[number + 1]))
                assert solution, f"{path.stem}: no solution under {found[1]}"
                yield found[1], found[2], source(cell), solution[1]


ASKED = list(asked())
NAMES = [each[0] for each in ASKED]


def scope() -> dict:
    """What the cells above an exercise have made."""
    return {"cl": cl, "check": check, "settings": cl.Settings.profile("classroom")}


def ran(code: str, name: str) -> object:
    made = scope()
    exec(code, made)
    return made[name]


def test_every_exercise_stands_in_its_notebook_once() -> None:
    assert sorted(NAMES) == sorted(exercises())
    for name in NAMES:
        assert [path.stem[:2] for path in NOTEBOOKS if f'check("{name}"' in path.read_text().replace('\\"', '"')] == [
            name[:2]
        ]


@pytest.mark.parametrize(("name", "answer", "stub", "solution"), ASKED, ids=NAMES)
class TestBothSides:
    def test_the_stub_is_not_attempted_yet(self, name: str, answer: str, stub: str, solution: str) -> None:
        feedback = check(name, ran(stub, answer))

        assert (feedback.status, feedback.passed) == (NOT_ATTEMPTED, False)
        assert f"{name}: not attempted yet" in repr(feedback)

    def test_the_solution_in_the_notebook_passes(self, name: str, answer: str, stub: str, solution: str) -> None:
        feedback = check(name, ran(solution, answer))

        assert feedback.passed, feedback

    def test_the_reference_passes(self, name: str, answer: str, stub: str, solution: str) -> None:
        assert check(name, exercises()[name].reference).passed

    def test_three_known_mistakes_have_words_of_their_own(
        self, name: str, answer: str, stub: str, solution: str
    ) -> None:
        mistakes = exercises()[name].mistakes
        told = [check(name, mistake.answer) for mistake in mistakes]

        assert len(mistakes) >= 3
        assert all(feedback.status == NOT_YET for feedback in told)
        assert all(mistake.says in feedback.text for mistake, feedback in zip(mistakes, told, strict=True))
        assert len({mistake.says for mistake in mistakes}) == len(mistakes)

    def test_an_answer_that_nobody_foresaw_is_told_what_is_wrong(
        self, name: str, answer: str, stub: str, solution: str
    ) -> None:
        strange = (
            (lambda *given: "nothing of the kind") if isinstance(exercises()[name], Function) else "nothing of the kind"
        )
        feedback = check(name, strange)

        assert feedback.status == NOT_YET
        assert "nothing of the kind" in feedback.text
        if isinstance(exercises()[name], Function):
            assert "expected" in feedback.text or "what is counted" in feedback.text


FUNCTIONS = [name for name, exercise in exercises().items() if isinstance(exercise, Function)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_raises_is_told_what_it_raised(name: str) -> None:
    def broken(*given: object) -> object:
        raise KeyError("left_open")

    assert "got KeyError: 'left_open'" in check(name, broken).text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_result_instead_of_the_function_is_refused(name: str) -> None:
    assert check(name, 3).text == "Pass the function itself, without calling it; got 3."


@pytest.mark.parametrize("name", ["03.to_disk", "04.model_view", "05.clearable", "06.finished", "13.safe_cut"])
def test_a_right_answer_that_spoils_what_it_is_given_does_not_pass(name: str) -> None:
    reference = exercises()[name].reference

    def spoils(given: object, *more: object) -> object:
        out = reference(given, *more)
        given.clear()  # type: ignore[attr-defined]
        return out

    feedback = check(name, spoils)
    assert not feedback.passed
    assert "changed" in feedback.text or "shrunk" in feedback.text
    assert check(name, reference).passed  # and the hidden cases are as they were


def test_folding_must_be_idempotent() -> None:
    """Right on the hidden cases, and still wrong where it folds its own digests: the property says so."""
    exercise = exercises()["06.finished"]

    def folds_digests_when_alone(rounds: list, left_open: int) -> list:
        out = exercise.reference(rounds, left_open)
        alone = [at for at, each in enumerate(rounds) if each["kind"] == "digest"]
        return out or (alone if len(rounds) == 5 else [])

    assert not check("06.finished", folds_digests_when_alone).passed


def test_values_are_taken_in_the_ways_people_write_them() -> None:
    for text in ("R", " r ", "Read", "read results"):
        assert check("00.largest", text).passed
    assert check("02.overflow", "26").passed
    assert "twice as large" in check("02.overflow", 12).text
    assert isinstance(exercises()["02.overflow"], Value)


def test_a_choice_outside_what_can_be_chosen_is_refused() -> None:
    assert check("05.keep_recent", 0).text == "Got 0; choose a whole number from 1 to 100."
    assert [number for number in range(1, 18) if check("05.keep_recent", number).passed] == [5, 6, 7]


def test_an_unknown_exercise_names_the_nearest() -> None:
    with pytest.raises(ValueError, match="unknown exercise '07.treshold'"):
        check("07.treshold", 1)


def test_feedback_is_text_for_html() -> None:
    assert "<script>" not in check("00.largest", "<script>alert(1)</script>")._repr_html_()


def test_the_formula_of_07_is_that_of_the_settings() -> None:
    """The exercise teaches in one line what the engine does; both must say the same."""
    for window, output, reserve, buffer, rule in exercises()["07.threshold"].cases:
        settings = cl.Settings.profile("v2.1").replace(
            {
                "window.context_window": window,
                "window.max_output_tokens": output,
                "window.reserve_tokens": reserve,
                "window.buffer_tokens": buffer,
                "window.reserve_rule": rule,
            }
        )
        assert (
            exercises()["07.threshold"].reference(window, output, reserve, buffer, rule)
            == settings.thresholds.autocompact
        )
