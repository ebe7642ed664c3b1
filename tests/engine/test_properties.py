"""What must hold over any session and any Settings: one test that checks every invariant on each example.

2,000 examples by default; `CTXLAB_EXAMPLES=100000 python -m pytest tests/engine/test_properties.py` runs more.
"""

from hypothesis import given

from ctxlab.engine.history import History
from ctxlab.engine.replay import replay
from ctxlab.engine.settings import Settings
from tests.engine import invariants as holds
from tests.engine.unreliable import EVERY, MANY, run
from tests.strategies import histories, settingses


@MANY
@given(histories(), settingses(), EVERY)
def test_every_invariant_holds(history: History, chosen: Settings, every: int) -> None:
    before = holds.fingerprint(history)
    result, second = run(history, chosen, every), run(history, chosen, every)

    holds.is_the_same_twice(result, second)
    holds.steps_tell_the_truth(result)
    holds.requests_are_legal(result)
    holds.unread_stays(result)
    holds.nothing_is_lost(result)
    holds.again_changes_nothing(result)
    holds.compaction_ends(result)
    holds.a_failure_leaves_the_history_as_it_was(result)
    holds.notes_change_nothing(result)
    holds.all_that_was_said_can_be_scrolled(result)
    holds.nobody_looks_ahead(replay(history, chosen), holds.half_of(history, chosen))
    holds.everything_is_shown_as_text(result)
    assert holds.fingerprint(history) == before
