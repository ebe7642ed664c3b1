"""Replays in an unreliable world, and how many examples a property is tried on: for all property tests."""

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ctxlab.engine.acts import compact_from, compact_now, compact_up_to, expand, mark
from ctxlab.engine.edit import Cover
from ctxlab.engine.history import History
from ctxlab.engine.pipeline import Layer
from ctxlab.engine.replay import Replay, replay
from ctxlab.engine.services import Services
from ctxlab.engine.settings import Settings
from tests.fakes import Blocking, EveryNth, FullDisk, Talking, services

MANY = settings(
    max_examples=int(os.environ.get("CTXLAB_EXAMPLES", "2000")),
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    print_blob=False,
    database=None,
)
FEW = settings(MANY, max_examples=int(os.environ.get("CTXLAB_EXAMPLES", "60")))
EVERY = st.sampled_from([2, 3, 99])


def world(history: History, every: int) -> Services:
    """An unreliable one: a model that fails, and by turns a full disk, a hook that forbids, one that talks."""
    changed: dict[str, object] = {"summarise": EveryNth(Services.offline(history).summarise, every)}
    size = len(history.blocks)
    if size % 5 == 0:
        changed["archive"] = FullDisk()
    if size % 7 == 0:
        changed["hooks"] = Blocking() if size % 2 else Talking()
    return services(history, **changed)


def acts_for(history: History, plain: Replay) -> dict[int, list[Layer]]:
    """A busy user: opens digests, marks blocks, compacts by hand, wholly or in part."""
    acts: dict[int, list[Layer]] = {}
    for edit in plain.log:
        if isinstance(edit, Cover) and edit.layer == "collapse":
            acts.setdefault(min(edit.request + 1, len(plain.exchanges) - 1), []).append(expand(edit.id))
    size = len(history.blocks)
    if size % 3 == 0 and plain.exchanges:
        some = history.blocks[size // 2].id
        by_hand = (compact_now("the tests"), compact_from(some), compact_up_to(some))[size % 9 // 3]
        acts.setdefault(len(plain.exchanges) // 2, []).extend([mark(some, "claude_md", "nothing"), by_hand])
    return acts


def run(history: History, chosen: Settings, every: int) -> Replay:
    """A replay in that world, with that user."""
    acts = acts_for(history, replay(history, chosen, world(history, every)))
    return replay(history, chosen, world(history, every), acts=acts)
