"""What must hold over any session and any Settings: the invariants of the design."""

import copy
import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxlab.engine.acts import compact_now, expand, mark
from ctxlab.engine.breakers import is_failure
from ctxlab.engine.check import check_request
from ctxlab.engine.edit import Cover, changes
from ctxlab.engine.history import History
from ctxlab.engine.pipeline import LAYERS, Layer
from ctxlab.engine.replay import Replay, replay
from ctxlab.engine.request import make_request
from ctxlab.engine.services import Services
from ctxlab.engine.settings import Settings
from ctxlab.engine.tally import GONE
from ctxlab.engine.view import View
from tests.fakes import Blocking, EveryNth, FullDisk, services
from tests.strategies import histories, settingses

MANY = settings(
    max_examples=int(os.environ.get("CTXLAB_EXAMPLES", "250")),
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    print_blob=False,
)
FEW = settings(MANY, max_examples=int(os.environ.get("CTXLAB_EXAMPLES", "60")))
EVERY = st.sampled_from([2, 3, 99])


def run(history: History, chosen: Settings, every: int) -> Replay:
    """A replay in an unreliable world: a model that fails, and by turns a full disk, a hook that forbids, a busy user."""
    changed: dict[str, object] = {"summarise": EveryNth(Services.offline(history).summarise, every)}
    size = len(history.blocks)
    if size % 5 == 0:
        changed["archive"] = FullDisk()
    if size % 7 == 0:
        changed["hooks"] = Blocking()
    plain = replay(history, chosen, services(history, **changed))
    changed["summarise"] = EveryNth(Services.offline(history).summarise, every)
    acts: dict[int, list[Layer]] = {}
    for edit in plain.log:
        if isinstance(edit, Cover) and edit.layer == "collapse":
            acts.setdefault(min(edit.request + 1, len(plain.exchanges) - 1), []).append(expand(edit.id))
    if size % 3 == 0 and plain.exchanges:
        some = history.blocks[size // 2]
        acts.setdefault(len(plain.exchanges) // 2, []).extend([mark(some.id, "claude_md", "nothing"), compact_now()])
    return replay(history, chosen, services(history, **changed), acts=acts)


@MANY
@given(histories(), settingses(), EVERY)
def test_every_request_is_one_the_api_takes(history: History, chosen: Settings, every: int) -> None:
    result = run(history, chosen, every)

    for exchange in result.exchanges:
        request = make_request(result.at(exchange.index).view, chosen)
        assert check_request(request.body["messages"]) == []


@MANY
@given(histories(), settingses(), EVERY)
def test_steps_tell_the_truth(history: History, chosen: Settings, every: int) -> None:
    """Sizes are those of the folded View, automatic layers never make it larger, acting makes it smaller."""
    result = run(history, chosen, every)

    for exchange in result.exchanges:
        for step in exchange.steps:
            view = result.at(exchange.index, step.layer).view
            assert step.after == view.tokens == sum(block.tokens for block in view)
            assert step.reason
            assert step.state in ("off", "idle", "acted", "no_gain", "failed")
            if step.layer != "arrive" and not step.layer.startswith("user"):
                assert step.after <= step.before
                assert (step.after < step.before) == bool(changes(step.edits))
        consistent(view)


def consistent(view: View) -> None:
    """The totals that a View keeps along the way are those that a count would find."""
    standing = {b.id: b for b in view if b.kind == "result" and b.state not in GONE}
    assert list(view.results) == list(standing)
    assert view.results == standing
    for tool, tally in view.standing.by_tool.items():
        mine = [block for block in standing.values() if block.tool == tool]
        assert (tally.count, tally.tokens) == (len(mine), sum(block.tokens for block in mine))
        assert tally.characters == sum(len(block.text) for block in mine)
    assert view.mark_tokens == sum(view[block_id].tokens for block_id in view.marks)
    assert all(view[block_id] == block for block_id, block in view.unread.items())


@MANY
@given(histories(), settingses(), EVERY)
def test_what_no_reply_has_read_stays(history: History, chosen: Settings, every: int) -> None:
    """Only the budget may touch a result that is new, and it leaves a preview."""
    result = run(history, chosen, every)

    for exchange in result.exchanges:
        new = [block.id for block in result.at(exchange.index, "arrive").view.unread.values() if block.kind == "result"]
        view = result.at(exchange.index).view
        for block_id in new:
            assert block_id in view
            assert view[block_id].state in ("", "preview")


@MANY
@given(histories(), settingses(), EVERY)
def test_nothing_is_lost(history: History, chosen: Settings, every: int) -> None:
    """Whatever the model does not see whole can be read back byte for byte from its address."""
    result = run(history, chosen, every)
    view = result.at().view if result.exchanges else None

    for block in history.blocks if view else ():
        assert result.read(result.address(block.id)) == block.text
    for hidden in [b for blocks in view.covered.values() for b in blocks] if view else ():
        if hidden.id not in history.by_id:
            assert result.read(result.address(hidden.id)) == hidden.text
    for edit in result.log:
        if hasattr(edit, "original"):
            assert result.read(edit.original) == history.by_id[edit.block].text


@FEW
@given(histories(), settingses(), EVERY)
def test_again_changes_nothing(history: History, chosen: Settings, every: int) -> None:
    """A layer that sees its own result has nothing to add."""
    result = run(history, chosen, every)
    layers = dict(LAYERS)

    for exchange in result.exchanges:
        for step in exchange.steps:
            if step.layer in layers and step.state != "off":
                view = result.at(exchange.index, step.layer).view
                again = layers[step.layer](view, chosen, services(history))
                if step.state in ("acted", "idle"):
                    assert changes(again.edits) == () or (step.layer == "autocompact" and step.state == "idle")


@FEW
@given(histories(), settingses(), EVERY)
def test_the_same_replay_twice_gives_the_same_and_changes_nothing(
    history: History, chosen: Settings, every: int
) -> None:
    before = copy.deepcopy(history.messages)
    first, second = run(history, chosen, every), run(history, chosen, every)

    assert first.steps == second.steps
    assert first.exchanges == second.exchanges
    assert history.messages == before


@FEW
@given(histories(), settingses())
def test_a_replay_never_looks_ahead(history: History, chosen: Settings) -> None:
    """What is done at a request does not depend on what comes after it."""
    whole = replay(history, chosen)
    half = len(whole.exchanges) // 2
    if half:
        answer = history.turns[half - 1].answer
        part = replay(History(history.messages[:answer], history.overhead), chosen)
        known = len(part.exchanges)  # one less where a reply ends the part: nobody has asked again
        assert known >= half - 1
        assert [each.steps for each in part.exchanges] == [each.steps for each in whole.exchanges[:known]]


@FEW
@given(histories(), settingses())
def test_what_the_user_scrolls_is_the_view_and_what_edits_hide(history: History, chosen: Settings) -> None:
    """All that was said or put in stays scrollable, in the order in which it came; article-0, taken literally."""
    result = replay(history, chosen)

    for exchange in result.exchanges:
        scrolled = [block.id for block in result.scroll(exchange.index)]
        stop = history.turns[exchange.index].stop
        assert [i for i in scrolled if i in history.by_id] == [b.id for b in history.blocks[:stop]]
        seen = [b.id for b in result.at(exchange.index).view if b.kind not in ("system", "claude_md", "digest")]
        assert set(seen) <= set(scrolled)


@FEW
@given(histories(), settingses(), EVERY)
def test_compaction_ends(history: History, chosen: Settings, every: int) -> None:
    """At most one compaction a request, never more failures in a row than the breaker allows."""
    result = run(history, chosen, every)
    failures = 0
    for exchange in result.exchanges:
        made = [
            edit
            for step in exchange.steps
            for edit in step.edits
            if isinstance(edit, Cover) and edit.layer == "autocompact"
        ]
        assert len(made) <= 1
        for step in exchange.steps:
            tries = [
                edit
                for edit in step.edits
                if edit.layer == "autocompact" and (isinstance(edit, Cover) or is_failure(edit))
            ]
            if tries and step.layer in ("autocompact", "recovery") and chosen.autocompact.failures is not None:
                assert failures < chosen.autocompact.failures  # a person may try on, the harness may not
            for edit in tries:
                failures = 0 if isinstance(edit, Cover) else failures + 1
