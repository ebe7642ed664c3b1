"""Settings: every number once. Sliders, the documentation table and `--set` are made from the metadata of its fields.

A value that cannot be is refused when the Settings are made, in a sentence that names the numbers; an unknown name is
refused with the nearest one that exists.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple

from . import fields as kinds
from .groups import Autocompact, Budget, Collapse, Microcompact, Overhead, Restore, SessionMemory, Snip, Window
from .profiles import DEFAULT, PROFILES


class Thresholds(NamedTuple):
    """The lines in the window, in tokens."""

    effective_window: int
    autocompact: int
    warning: int
    blocking: int


class Knob(NamedTuple):
    """One field as a slider, a row of the documentation and `--set` need it."""

    path: str
    value: Any
    profile_value: Any
    metadata: Mapping[str, Any]
    evidence: str
    source: str


@dataclass(frozen=True)
class Settings:
    """All thresholds of all layers; `base` names the profile that they started from.

    >>> Settings.profile("v2.0").thresholds.autocompact
    155000
    """

    window: Window = Window()
    overhead: Overhead = Overhead()
    budget: Budget = Budget()
    snip: Snip = Snip()
    microcompact: Microcompact = Microcompact()
    collapse: Collapse = Collapse()
    autocompact: Autocompact = Autocompact()
    restore: Restore = Restore()
    session_memory: SessionMemory = SessionMemory()
    base: str = DEFAULT

    def __post_init__(self) -> None:
        lines = self.thresholds
        if lines.autocompact <= 0:
            raise ValueError(
                f"nothing is left of a window of {self.window.context_window:,}: {lines.effective_window:,} after the "
                f"reserve, {lines.autocompact:,} after the buffer; lower window.max_output_tokens "
                f"({self.window.max_output_tokens:,}), window.reserve_tokens ({self.window.reserve_tokens:,}) or "
                f"window.buffer_tokens ({self.window.buffer_tokens:,})"
            )

    @classmethod
    def profile(cls, name: str = DEFAULT) -> Settings:
        """The Settings of a named profile; an unknown name raises ValueError with the nearest one."""
        if name not in PROFILES:
            raise ValueError(f"unknown profile {name!r}; {suggest(name, PROFILES)}")
        return cls(base=name).replace({path: stated.value for path, stated in PROFILES[name].items()})

    @cached_property
    def thresholds(self) -> Thresholds:
        """Where the lines are: the effective window, and autocompact, warning and blocking below it."""
        window, auto = self.window, self.autocompact
        base = min(window.context_window, auto.window or window.context_window)
        effective = base - held_back(window)
        line = effective - window.buffer_tokens
        if auto.percent_override is not None:
            line = min(line, (effective if auto.percent_of == "effective" else base) * auto.percent_override // 100)
        warning, blocking = max(0, line - window.warning_tokens), max(0, effective - window.blocking_tokens)
        return Thresholds(effective, line, warning, blocking)

    def replace(self, *pairs: Any) -> Settings:
        """The same with other values: a path and a value, several pairs, or one mapping; checked once, at the end.

        >>> Settings().replace("microcompact.keep_recent", 3).microcompact.keep_recent
        3
        """
        values = pairs[0] if len(pairs) == 1 else dict(zip(pairs[::2], pairs[1::2], strict=True))
        if not isinstance(values, Mapping):
            raise ValueError(f"expected a path and a value, several pairs, or one mapping, got {values!r}")  # noqa: TRY004
        changed: dict[str, dict[str, Any]] = {}
        known = field_index()
        for path, value in values.items():
            if path not in known:
                raise ValueError(f"unknown setting {path!r}; {suggest(path, known)}")
            group, name = split_path(path)
            changed.setdefault(group, {})[name] = value
        groups = {group: dataclasses.replace(getattr(self, group), **new) for group, new in changed.items()}
        return dataclasses.replace(self, **groups)

    def set(self, *assignments: str) -> Settings:
        """The same with values as a person types them, checked together.

        >>> Settings().set("window.context_window=1_000_000", "window.max_output_tokens=64000").thresholds.autocompact
        967000
        """
        values = {}
        known = field_index()
        for assignment in assignments:
            path, equals, text = (part.strip() for part in assignment.partition("="))
            if not equals:
                raise ValueError(f"{assignment!r} is not an assignment; write GROUP.FIELD=VALUE")
            if path not in known:
                raise ValueError(f"unknown setting {path!r}; {suggest(path, known)}")
            values[path] = kinds.parse(path, text, known[path])
        return self.replace(values)

    def knobs(self) -> Iterator[Knob]:
        """Every field, with its value, the profile's value, its metadata, and how well the profile's value is known."""
        stated = PROFILES[self.base]
        for path, field in field_index().items():
            group, name = split_path(path)
            default = stated[path].value if path in stated else field.default
            known = stated.get(path)
            evidence = known.evidence if known else field.metadata["evidence"]
            source = known.source if known else field.metadata["source"]
            yield Knob(path, getattr(getattr(self, group), name), default, field.metadata, evidence, source)

    @property
    def changed(self) -> dict[str, Any]:
        """What differs from the profile."""
        return {knob.path: knob.value for knob in self.knobs() if knob.value != knob.profile_value}

    def __repr__(self) -> str:
        changed = "".join(f", {path}={value}" for path, value in self.changed.items())
        return f"Settings({self.base}: autocompact at {self.thresholds.autocompact:,}{changed})"


def held_back(window: Window) -> int:
    """Tokens of the window that are kept free for the summary."""
    if window.reserve_rule == "limit":
        return 0
    pick = min if window.reserve_rule == "min" else max
    return pick(window.max_output_tokens, window.reserve_tokens)


def field_index() -> dict[str, dataclasses.Field[Any]]:
    """`group.field` -> the field, for every field of every group."""
    return {
        f"{group.name}.{field.name}": field
        for group in fields(Settings)
        if dataclasses.is_dataclass(group.default)
        for field in fields(group.default)
    }


def split_path(path: str) -> tuple[str, str]:
    """Group and field of a path.

    >>> split_path("microcompact.keep_recent")
    ('microcompact', 'keep_recent')
    """
    group, _, name = path.partition(".")
    return group, name


def suggest(name: str, known: Iterable[str]) -> str:
    """Words that help after an unknown name.

    >>> suggest("mircocompact", ["microcompact", "snip"])
    "did you mean 'microcompact'?"
    """
    names = list(known)
    near = difflib.get_close_matches(str(name), names, 1, 0.5)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known are {', '.join(names[:12])}{' and others' if len(names) > 12 else ''}"
