"""Unmanaged: the same Settings with every layer off, to see what happens when nobody makes room."""

from __future__ import annotations

from ..engine.pipeline import LAYERS
from ..engine.settings import Settings


def unmanaged(settings: Settings) -> Settings:
    """The same Settings with every layer switched off.

    >>> unmanaged(Settings.profile("classroom")).autocompact.enabled
    False
    """
    return settings.replace({f"{layer}.enabled": False for layer, _ in LAYERS})
