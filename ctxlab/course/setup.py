"""The set-up report: is everything here that the notebooks need? Nothing is asked of the network, no key is looked at."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from .. import Settings, replay, story
from ..engine.tokens import encoding


class SetupReport:
    """One line for each thing that is needed; shows itself."""

    def __init__(self) -> None:
        acts = {step.layer for step in replay(story(), Settings.profile("classroom")).steps if step.state == "acted"}
        self.checks = [
            ("Python 3.11 or later", sys.version_info >= (3, 11), "install a newer Python"),
            ("widgets", find_spec("ipywidgets") is not None, "pip install ipywidgets"),
            ("vocabulary, from the package", len(encoding().encode_ordinary("token")) == 1, "reinstall ctxlab"),
            ("the story runs through five layers", len(acts) == 5, "reinstall ctxlab"),
        ]

    @property
    def ready(self) -> bool:
        """True where nothing is missing."""
        return all(found for _, found, _ in self.checks)

    def __repr__(self) -> str:
        lines = [
            f"{'ok     ' if found else 'MISSING'}  {what}{'' if found else f': {cure}'}"
            for what, found, cure in self.checks
        ]
        ending = "Ready; no key was looked for and no network was used." if self.ready else "Not ready: see above."
        return "\n".join([*lines, ending])
