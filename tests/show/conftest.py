"""The bench on the story, with a stand-in for its page."""

import pytest

import ctxlab as cl
from tests.show.asking import Browser


@pytest.fixture
def browser() -> Browser:
    return Browser(cl.Bench(cl.story("classroom"), cl.Settings.profile("classroom")))
