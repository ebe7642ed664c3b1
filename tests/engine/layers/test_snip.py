"""Snip: the two parts of article-0, the policies, what counts as a dependent, and the freed tokens that are handed on."""

import pytest

from ctxlab.engine.acts import mark
from ctxlab.engine.edit import Cover
from ctxlab.engine.history import History
from ctxlab.engine.projection import project, since_boundary, without_snipped
from ctxlab.engine.replay import Replay, replay
from ctxlab.engine.settings import Settings
from ctxlab.sources.build import Builder
from tests.engine.layers.small import SMALL

SNIP = SMALL.replace({"snip.enabled": True, "snip.minimum_tokens": 0, "window.context_window": 100_000})
TEXT = "a line that is long enough to be told apart {}\n"


def call(
    build: Builder, *actions: tuple[str, str], text: str | None = None, said: str = "", error: bool = False
) -> None:
    """One reply with calls on files or commands, and their results."""
    number = len(build.messages)
    names = [f"t{number}.{at}" for at in range(len(actions))]
    content = [{"type": "text", "text": said}] if said else []
    for name, (tool, target) in zip(names, actions, strict=True):
        field = "command" if tool == "Bash" else "file_path"
        content.append({"type": "tool_use", "id": name, "name": tool, "input": {field: target}})
    build.reply(content)
    results = [
        {"tool_use_id": name, "content": TEXT.format(target) * 40 if text is None else text, "is_error": error}
        for name, (_, target) in zip(names, actions, strict=True)
    ]
    build.results(results)


def snipped(build: Builder, settings: Settings = SNIP) -> list[Cover]:
    return [
        e for e in replay(History(tuple(build.messages)), settings).log if isinstance(e, Cover) and e.layer == "snip"
    ]


def gone(build: Builder, settings: Settings = SNIP) -> list[str]:
    return [name for cover in snipped(build, settings) for name in cover.blocks]


def test_a_read_that_was_repeated_goes_with_its_call(build: Builder) -> None:
    build.user("go")
    call(build, ("Read", "a.py"))
    call(build, ("Read", "a.py"))

    assert gone(build) == ["t1.0/use", "t1.0/result"]


def test_other_lines_of_the_file_are_another_read(build: Builder) -> None:
    build.user("go")
    build.reply(
        [{"type": "tool_use", "id": "one", "name": "Read", "input": {"file_path": "a.py", "offset": 1, "limit": 9}}]
    )
    build.results([{"tool_use_id": "one", "content": TEXT * 40}])
    call(build, ("Read", "a.py"))

    assert gone(build) == []


def test_a_write_of_the_whole_file_replaces_every_read_of_it(build: Builder) -> None:
    build.user("go")
    call(build, ("Read", "a.py"))
    call(build, ("Write", "a.py"), text="written")

    assert gone(build) == ["t1.0/use", "t1.0/result"]


@pytest.mark.parametrize("spares", [True, False])
@pytest.mark.parametrize("how", ["edited", "quoted"])
def test_what_was_edited_or_quoted_in_between_stays_where_dependents_are_spared(
    build: Builder, how: str, spares: bool
) -> None:
    build.user("go")
    call(build, ("Read", "a.py"))
    if how == "edited":
        call(build, ("Edit", "a.py"), text="ok")
    else:
        call(build, ("Bash", "ls"), text="b", said=f"It says:\n> {TEXT.format('a.py')}")
    call(build, ("Read", "a.py"))

    assert bool(gone(build, SNIP.replace("snip.spares_dependents", spares))) is not spares


def test_an_edit_that_failed_is_no_dependent(build: Builder) -> None:
    build.user("go")
    call(build, ("Read", "a.py"))
    call(build, ("Edit", "a.py"), text="not found", error=True)
    call(build, ("Read", "a.py"))

    assert gone(build) == ["t1.0/use", "t1.0/result"]


def test_the_unit_is_a_whole_reply_with_all_its_results(build: Builder) -> None:
    build.user("go")
    call(build, ("Read", "a.py"), ("Read", "b.py"), said="Both.")
    call(build, ("Read", "a.py"))
    assert gone(build) == []  # b.py is still wanted

    call(build, ("Read", "b.py"))
    assert gone(build) == ["m1.0", "t1.0/use", "t1.1/use", "t1.0/result", "t1.1/result"]


def test_finished_commands_go_and_the_notice_keeps_what_they_were_and_how_they_ended(build: Builder) -> None:
    build.user("go")
    call(build, ("Bash", "pytest -q"), error=True)
    call(build, ("Bash", "pytest -q"))
    [cover] = snipped(build, SNIP.replace("snip.policy", "finished"))

    assert cover.blocks == ("t1.0/use", "t1.0/result")
    assert cover.append[1].text.endswith("removed: run again later; Bash pytest -q failed]")
    assert gone(build) == []  # the other policy leaves commands alone


def test_empty_results_go_once_a_reply_has_read_them(build: Builder) -> None:
    build.user("go")
    call(build, ("Bash", "true" + " " * 400), text="")
    call(build, ("Bash", "ls"), text="a")
    [cover] = snipped(build, SNIP.replace("snip.policy", "empty"))

    assert (cover.blocks, cover.request) == (("t1.0/use", "t1.0/result"), 2)


def test_the_empty_slot_marks_nothing(build: Builder) -> None:
    build.user("go")
    call(build, ("Read", "a.py"))
    call(build, ("Read", "a.py"))

    assert gone(build, SNIP.replace("snip.policy", "none")) == []


def test_the_newest_prompt_is_never_taken(build: Builder) -> None:
    build.user("first " * 100)
    build.reply("ok")
    build.user("second " * 100)
    build.reply("ok")
    build.user("third")
    acts = {2: [mark("m2.0", "m0.0", "m4.0")]}
    result = replay(History(tuple(build.messages)), SNIP, acts=acts)

    assert [cover.blocks for cover in result.log if isinstance(cover, Cover)] == [("m0.0", "m2.0")]


def test_the_model_marks_by_calling_the_snip_tool(build: Builder) -> None:
    build.user("go")
    call(build, ("Grep", "x"))
    build.reply([{"type": "tool_use", "id": "s", "name": "Snip", "input": {"ids": ["t1.0", "nothing", 7, None]}}])
    build.results([{"tool_use_id": "s", "content": "1 marked"}])
    [cover] = snipped(build)

    assert cover.blocks == ("t1.0/use", "t1.0/result")
    assert cover.why == "marked by the model"
    assert gone(build, SNIP.replace("snip.policy", "none")) == []


def two_boundaries_and_a_mark(build: Builder) -> Replay:
    """Two compactions, and a read that is snipped behind the second."""
    build.user("go")
    for _ in range(6):
        call(build, ("Grep", "x"), text="found it here\n" * 400)
    call(build, ("Read", "a.py"))
    call(build, ("Read", "a.py"))
    build.reply("done")
    build.user("next")
    settings = SNIP.replace({"window.context_window": 4_400, "autocompact.refills": None})
    return replay(History(tuple(build.messages)), settings)


def test_a_projection_of_two_boundaries_and_a_mark_is_the_view_and_needs_both_parts(build: Builder) -> None:
    result = two_boundaries_and_a_mark(build)
    kinds = [(edit.layer, edit.request) for edit in result.log if isinstance(edit, Cover)]
    said = result.scroll()
    view = [block.id for block in result.at().view if block.message != "overhead"]

    assert [layer for layer, _ in kinds].count("autocompact") == 2
    assert kinds[-1][0] == "snip"
    assert [block.id for block in project(said)] == view
    assert [block.id for block in since_boundary(said)] != view  # without the filter the snipped read is back
    assert [block.id for block in without_snipped(said)] != view  # without the slice everything is back


def test_without_the_freed_tokens_autocompact_would_fire_all_the_same(build: Builder) -> None:
    """The usage of the last reply still describes the prompt before the cut: the estimate must be told."""
    build.user("go")
    for name in ("a", "b", "c"):
        call(build, ("Read", f"{name}.py"))
    call(build, *(("Read", f"{name}.py") for name in ("a", "b", "c")))
    build.reply("done")
    build.user("x" * 400)
    settings = SNIP.replace({"autocompact.measure": "harness", "snip.minimum_tokens": 1_000})
    history = History(tuple(build.messages))
    result = replay(history, settings)
    at = next(edit.request for edit in result.log if isinstance(edit, Cover))
    view = result.at(at, "snip").view
    freed = next(edit for edit in result.log if isinstance(edit, Cover))

    assert view.estimate - view.believed == freed.before - freed.after > 1_000
    between = (view.estimate + view.believed) // 2
    low = settings.replace({"window.context_window": between + 700, "window.warning_tokens": 100})
    assert low.thresholds.autocompact == between
    steps = {
        name: replay(history, low.replace("snip.enabled", name == "on")).step(at, "autocompact")
        for name in ("on", "off")
    }
    assert (steps["on"].state, steps["off"].state) == ("idle", "acted")
