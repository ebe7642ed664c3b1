"""Listing: the code that runs, printed from the package, so that a lesson never shows a copy."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from .outcome import short


class Listing:
    """The source of one function or class, with where it stands; shows itself as code."""

    def __init__(self, thing: Callable[..., Any]) -> None:
        try:
            source, module = inspect.getsource(thing), inspect.getmodule(thing)
        except (TypeError, OSError) as error:
            raise ValueError(f"listing takes a function or class of the package, got {short(thing)}: {error}") from None
        self.code = textwrap.dedent(source).rstrip()
        self.place = f"{module.__name__.replace('.', '/')}.py" if module else ""

    def __repr__(self) -> str:
        return f"# {self.place}\n{self.code}"

    def _repr_markdown_(self) -> str:
        return f"```python\n{self!r}\n```"


def listing(thing: Callable[..., Any]) -> Listing:
    """Show the code of a function or class of the package.

    >>> from ctxlab.engine.breakers import tripped
    >>> print(repr(listing(tripped)).splitlines()[0])
    # ctxlab/engine/breakers.py
    """
    return Listing(thing)
