"""The invariants of the design, each one function over a finished replay; one property test calls them all."""

import pickle
import re
import xml.etree.ElementTree as ET

import tessera

from ctxlab.engine.breakers import counts
from ctxlab.engine.check import check_request
from ctxlab.engine.edit import Cover, Note, changes
from ctxlab.engine.history import History
from ctxlab.engine.pipeline import LAYERS
from ctxlab.engine.projection import project
from ctxlab.engine.replay import Replay, replay
from ctxlab.engine.request import make_request
from ctxlab.engine.tally import GONE
from ctxlab.engine.view import View
from ctxlab.show.svg import svg_picture
from tests.fakes import services

STATES = ("off", "idle", "acted", "no_gain", "failed")
AUTOMATIC = (*dict(LAYERS), "recovery")
HARMFUL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


def fingerprint(history: History) -> bytes:
    """Every byte of what a caller handed in."""
    return pickle.dumps((history.messages, history.overhead))


def is_automatic(layer: str) -> bool:
    return layer.split(maxsplit=1)[0] in AUTOMATIC


def requests_are_legal(result: Replay) -> None:
    """2: the API takes every Request, by our rules and by those of others; nothing in it is shared with the History."""
    for exchange in result.exchanges:
        body = make_request(result.at(exchange.index).view, result.settings).body
        assert check_request(body["messages"]) == []
        assert tessera.inspect(body["messages"], adapter="anthropic").findings == ()
        for message in body["messages"]:
            message["content"].clear()


def steps_tell_the_truth(result: Replay) -> None:
    """4: sizes are those of the folded View; automatic layers never make it larger, acting makes it smaller."""
    for exchange in result.exchanges:
        for step in exchange.steps:
            view = result.at(exchange.index, step.layer).view
            assert step.after == view.tokens == sum(block.tokens for block in view)
            assert step.reason
            assert step.state in STATES
            if is_automatic(step.layer):
                assert step.after <= step.before
                assert (step.after < step.before) == bool(changes(step.edits))
        totals_are_kept(view)


def totals_are_kept(view: View) -> None:
    """What a View keeps along the way is what a count would find."""
    standing = {b.id: b for b in view if b.kind == "result" and b.state not in GONE}
    assert list(view.results) == list(standing)
    assert view.results == standing
    for tool, tally in view.standing.by_tool.items():
        mine = [block for block in standing.values() if block.tool == tool]
        assert (tally.count, tally.tokens) == (len(mine), sum(block.tokens for block in mine))
        assert tally.characters == sum(len(block.text) for block in mine)
    assert view.mark_tokens == sum(view[block_id].tokens for block_id in view.marks)
    assert all(view[block_id] == block for block_id, block in view.unread.items())


def unread_stays(result: Replay) -> None:
    """5: only the budget may touch a result that no reply has read, and it leaves a preview; recovery may take pictures."""
    for exchange in result.exchanges:
        arrived = result.at(exchange.index, "arrive").view.unread.values()
        view = result.at(exchange.index).view
        for block in arrived:
            if block.kind == "result":
                assert block.id in view
                assert view[block.id].state in ("", "preview")


def nothing_is_lost(result: Replay) -> None:
    """3: whatever the model does not see whole can be read back byte for byte from its address."""
    history = result.history
    for block in history.blocks:
        assert result.read(result.address(block.id)) == block.text
    for edit in result.log:
        if hasattr(edit, "original"):
            assert result.read(edit.original) == history.by_id[edit.block].text
        for block in edit.put + edit.append if isinstance(edit, Cover) else ():
            assert result.read(result.address(block.id)) == block.text


def again_changes_nothing(result: Replay) -> None:
    """6: a layer that sees its own result has nothing to add."""
    layers = dict(LAYERS)
    for exchange in result.exchanges:
        for step in exchange.steps:
            if step.layer in layers and step.state in ("acted", "idle"):
                view = result.at(exchange.index, step.layer).view
                again = layers[step.layer](view, result.settings, services(result.history))
                may = step.layer == "autocompact" and step.state == "idle"
                assert changes(again.edits) == () or may, (step, again)


def is_the_same_twice(first: Replay, second: Replay) -> None:
    """6: the same input gives the same bytes."""
    assert first.exchanges == second.exchanges
    assert str(first.steps) == str(second.steps)


def compaction_ends(result: Replay) -> None:
    """7: at most one compaction a request, and never more failures in a row than the breaker allows."""
    rule = result.settings.autocompact
    failures = 0
    for exchange in result.exchanges:
        mine = [(step, edit) for step in exchange.steps for edit in step.edits if edit.layer == "autocompact"]
        assert sum(isinstance(edit, Cover) for _, edit in mine) <= 1
        for step in exchange.steps:
            tries = [e for s, e in mine if s is step and (isinstance(e, Cover) or counts(e, rule))]
            if tries and is_automatic(step.layer) and rule.failures is not None:
                assert failures < rule.failures  # a person may try on, the harness may not
            for edit in tries:
                failures = 0 if isinstance(edit, Cover) else failures + 1


def a_failure_leaves_the_history_as_it_was(result: Replay) -> None:
    """7: a step that failed has changed nothing."""
    for step in result.steps:
        if step.state == "failed":
            assert changes(step.edits) == ()
            assert step.before == step.after


def nobody_looks_ahead(result: Replay, again: Replay) -> None:
    """What is done at a request does not depend on what comes after it; `again` had only the first half."""
    known = len(again.exchanges)
    assert [each.steps for each in again.exchanges] == [each.steps for each in result.exchanges[:known]]


def all_that_was_said_can_be_scrolled(result: Replay) -> None:
    """Article-0, taken literally: all that was said stays, in order; and the model gets its projection."""
    history = result.history
    folds = any(isinstance(edit, Cover) and edit.layer == "collapse" for edit in result.log)
    for exchange in result.exchanges:
        scrolled = result.scroll(exchange.index)
        stop = history.turns[exchange.index].stop
        assert [block.id for block in scrolled if block.id in history.by_id] == [b.id for b in history.blocks[:stop]]
        view = [b.id for b in result.at(exchange.index).view if b.message != "overhead"]
        assert {name for name in view if not name.endswith(".digest")} <= {block.id for block in scrolled}
        if not folds:
            assert [block.id for block in project(scrolled)] == view


def everything_is_shown_as_text(result: Replay) -> None:
    """8: hostile text is text in a terminal and in SVG."""
    assert not HARMFUL.search(str(result))
    if not result.exchanges:
        return
    names = {element.tag.rpartition("}")[2] for element in ET.fromstring(svg_picture(result)).iter()}
    assert not names & {"script", "img", "image", "foreignObject", "a"}


def half_of(history: History, settings: object) -> Replay:
    """A replay of the first half, without what comes after it."""
    half = len(history.turns) // 2
    stop = history.turns[half - 1].answer + 1 if half else 0
    return replay(History(history.messages[:stop], history.overhead), settings)


def notes_change_nothing(result: Replay) -> None:
    """A Note is remembered and changes no size."""
    assert all(edit.before == edit.after == 0 for edit in result.log if isinstance(edit, Note))
