"""Answers of every odd kind: a check never raises, is not fooled, keeps nothing, and says the same each time."""

import itertools
import sys

import pytest

from ctxlab.course.checks import check, exercises
from ctxlab.course.exercise import NOT_YET, Function
from ctxlab.course.samples import samples

NAMES = list(exercises())
FUNCTIONS = [name for name in NAMES if isinstance(exercises()[name], Function)]


class YesMan(list):
    __eq__ = lambda self, other: True  # noqa: E731
    __hash__ = None


class Arrays:
    def __eq__(self, other: object) -> object:
        return [True, False]

    __hash__ = None


class Rude:
    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    def __repr__(self) -> str:
        raise RuntimeError("no")

    __hash__ = None


def nested() -> list:
    out: list = []
    for _ in range(50_000):
        out = [out]
    return out


ODD = [
    [12],
    {"max"},
    {"a": 1},
    Arrays(),
    Rude(),
    float("nan"),
    10**5000,
    "9" * 5_000,
    "\ud800\x1b[2J",
    True,
    b"R",
    object,
]


@pytest.mark.parametrize("name", NAMES)
def test_no_odd_answer_raises_or_passes(name: str) -> None:
    for answer in ODD:
        feedback = check(name, answer)
        assert feedback.status == NOT_YET, f"{name} {type(answer)}"
        assert "\x1b" not in repr(feedback)
        feedback._repr_html_().encode("utf-8")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_odd_result_raises_or_passes(name: str) -> None:
    for result in [*ODD, YesMan(), nested(), itertools.repeat("x"), print, range(3)]:
        feedback = check(name, lambda *given, result=result: result)
        assert feedback.status == NOT_YET, f"{name} {type(result)}"
        feedback._repr_html_().encode("utf-8")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_whatever_a_function_raises_is_part_of_the_answer(name: str) -> None:
    for error in (ValueError("\ud800"), SystemExit(1), RecursionError("deep"), Exception(Rude())):

        def raises(*given: object, error: BaseException = error) -> object:
            raise error

        assert f"got {type(error).__name__}" in check(name, raises).text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_run_that_is_stopped_by_hand_says_where(name: str) -> None:
    calls = []

    def endless(*given: object) -> object:
        calls.append(given)
        raise KeyboardInterrupt

    assert "it was stopped by hand" in check(name, endless).text
    assert len(calls) == 1


@pytest.mark.parametrize("name", FUNCTIONS)
def test_printing_instead_of_returning_is_said(name: str) -> None:
    assert check(name, lambda *given: print(given)).text.startswith("It returns nothing, although it prints something")


def test_a_generator_and_a_tuple_are_as_good_as_a_list() -> None:
    for name in ("03.to_disk", "05.clearable", "06.finished", "13.may_clear"):
        right = exercises()[name].reference
        assert check(name, lambda *given, right=right: tuple(right(*given))).passed
        assert check(name, lambda *given, right=right: (each for each in right(*given))).passed


def test_a_generator_that_spoils_what_it_is_given_is_caught() -> None:
    def spoils(sizes: dict, limit: int):
        for name in exercises()["03.to_disk"].reference(sizes, limit):
            sizes.pop(name)
            yield name

    assert "have changed" in check("03.to_disk", spoils).text


def test_a_result_that_is_used_again_is_judged_as_it_was() -> None:
    kept: list = []

    def reuses(sizes: dict, limit: int) -> list:
        kept.clear()
        kept.extend(exercises()["03.to_disk"].reference(sizes, limit))
        return kept

    assert check("03.to_disk", reuses).passed


def test_no_answer_spoils_the_next_check() -> None:
    def spoils(rounds: list, left_open: int) -> list:
        older = rounds[: max(0, len(rounds) - left_open)]
        return [at for at, each in enumerate(older) if each.pop("kind", "") == "work"]

    check("06.finished", spoils)

    assert check("06.finished", exercises()["06.finished"].reference).passed


def test_the_samples_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        del samples()["log"]


def test_feedback_is_the_same_each_time() -> None:
    assert "{'a', 'b', 'c'}" in check("03.to_disk", lambda *given: {"c", "a", "b"}).text
    assert " at 0x" not in check("03.to_disk", lambda *given: sys.stdin).text


def test_the_deciding_entry_can_be_seen() -> None:
    text = check("06.finished", lambda rounds, left_open: [9]).text

    assert "['prompt', 'work 2/2', 'work 1/1', 'work 3/3', 'prompt', 'work 1/2', 'work 1/1', 'work 1/1'], 2" in text
    assert "'r5 Read unseen'" in check("13.may_clear", lambda results, keep: [9]).text


@pytest.mark.parametrize("name", [[], {}, None, 7])
def test_only_a_name_is_a_name(name: object) -> None:
    with pytest.raises(ValueError, match="unknown exercise"):
        check(name, 1)


def kinds(each: dict) -> bool:
    return each["kind"] == "work"


def newest_off(entries: list, keep: int) -> list:
    return entries[: max(0, len(entries) - keep)]


def behind(record: list) -> list:
    places = [n for n, each in enumerate(record) if each["kind"] == "boundary"]
    return record[places[-1] + 1 :] if places else record


def in_place(record: list, removed: set) -> list:
    live = behind(record)
    gone = {each["call"] for each in live if each["id"] in removed and each["call"]}
    for each in list(live):
        if each["id"] in removed or each["call"] in gone:
            live.remove(each)
    return live


def every_pair(record: list, removed: set) -> list:
    live = [each for each in behind(record) if each["id"] not in removed]
    half = any(each["id"] in removed and each["call"] for each in behind(record))
    return [each for each in live if not (half and each["call"])]


def walk_back(messages: list, keep: int, some: object) -> int:
    cut = max(0, len(messages) - keep)
    while cut:
        called = {call for each in messages[cut:] for call in each.get("calls", ())}
        if all(call in called for each in messages[cut:] for call in some(each.get("results", []))):
            break
        cut -= 1
    return cut


WEAK = {  # wrong answers that once passed
    "02.total_input": [lambda n, added, over: n * over + added // 2 * n * (n + 1)],
    "01.estimate": [
        lambda text: 1 / len(text) and exercises()["01.estimate"].reference(text),
    ],
    "04.model_view": [
        in_place,
        lambda record, removed: behind(record) or record,
        lambda record, removed: exercises()["04.model_view"].reference(
            [e for e in record if e["id"] not in removed], removed
        ),
        every_pair,
    ],
    "05.clearable": [
        lambda results, keep: newest_off([n for n, t in results if not t.startswith("mcp__") and t != "Agent"], keep),
        lambda results, keep: newest_off([n for n, t in results if t in ("Read", "Bash", "Grep", "Edit")], keep),
        lambda results, keep: [
            n for n, t in results if t in ("Read", "Bash", "Grep", "Edit", "Write", "Glob", "WebFetch")
        ][:-keep],
    ],
    "06.finished": [
        lambda rounds, left: [
            n for n, e in enumerate(newest_off(rounds, left)) if e["calls"] and e["results"] == e["calls"]
        ],
        lambda rounds, left: [
            n for n, e in enumerate(newest_off(rounds, left)) if kinds(e) and (e["results"] > 1 or e["calls"] == 1)
        ],
        lambda rounds, left: [
            n for n, e in enumerate(rounds[: len(rounds) - left]) if kinds(e) and e["results"] == e["calls"]
        ],
    ],
    "13.trigger": [
        lambda w, r, b, p: w - r - b if not p or p > 90 else min(w - r - b, (w - r) * p // 100),
        lambda w, r, b, p: w - 33_000 if p is None else min(w - 33_000, (w - 20_000) * p // 100),
        lambda w, r, b, p: w - r - b if p is None else min(w - r - b, -(-(w - r) * p // 100)),
    ],
    "13.safe_cut": [
        lambda messages, keep: walk_back(messages, keep, lambda ids: ids[:1]),
        lambda messages, keep: walk_back(messages, keep, lambda ids: ids[-1:]),
    ],
    "13.may_clear": [
        lambda results, keep: [
            e["id"] for e in newest_off([e for e in results if "__" not in e["tool"]], keep) if e["seen"]
        ],
        lambda results, keep: exercises()["13.may_clear"].reference(results[: max(0, len(results) - keep)], 0),
    ],
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, at) for name, answers in WEAK.items() for at in range(len(answers))]
)
def test_a_wrong_answer_that_once_passed_does_not(name: str, number: int) -> None:
    assert not check(name, WEAK[name][number]).passed
