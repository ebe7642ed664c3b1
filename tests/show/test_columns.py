"""Columns: what is drawn from them is what the engine has, at every step of any session."""

from hypothesis import given

import ctxlab as cl
from ctxlab.engine.history import History
from ctxlab.engine.settings import Settings
from ctxlab.show.columns import columns_of
from ctxlab.show.palette import look_key
from ctxlab.show.picture import picture, rows
from tests.engine.unreliable import EVERY, FEW, run
from tests.strategies import histories, settingses


@FEW
@given(histories(), settingses(), EVERY)
def test_the_rows_of_every_step_are_those_of_the_engine(history: History, chosen: Settings, every: int) -> None:
    result = run(history, chosen, every)
    columns = columns_of(result)

    for number, step in enumerate(columns.steps):
        moment = result.at(step.request, step.layer)
        above, below = rows(columns, number)
        assert [(m.id, m.kind, m.tokens) for m in below] == [(b.id, look_key(b), b.tokens) for b in moment.view]
        assert [m.id for m in above] == [b.id for b in result.scroll(step.request, step)]
        whole = {b.id for b in moment.view if b == history.by_id.get(b.id)}
        said = {b.id for b in history.blocks}
        assert {m.id for m in above if m.whole and m.id in said} == whole & said
        assert picture(result, step.request, step.layer).rests_on == moment.view.rests_on


def test_an_opened_digest_gives_its_blocks_back_to_the_picture(classroom: cl.Replay) -> None:
    """A block that was blanked before it was folded is blanked again when the digest opens."""
    from ctxlab.engine.acts import expand
    from ctxlab.engine.edit import Cover

    cover = next(edit for edit in classroom.log if isinstance(edit, Cover) and edit.layer == "collapse")
    opened = cl.replay(classroom.history, classroom.settings, acts={cover.request + 1: [expand(cover.id)]})
    drawn = picture(opened, cover.request + 1, "user")
    fates = {mark.id: mark.verb for mark in drawn.history}

    assert "microcompact" in {fates[block_id] for block_id in cover.blocks}
    assert "collapse" not in {fates[block_id] for block_id in cover.blocks}
    assert all(mark.now for mark in drawn.history if mark.id in cover.blocks)
