"""The kinds of fields that Settings are made of: number, choice, switch, names, table; each checks and reads itself."""

from __future__ import annotations

import re
from dataclasses import Field, field, fields
from typing import Any

EVIDENCE = ("official", "measured", "analysis", "article", "ctxlab")


def number(
    default: float | None,
    unit: str,
    low: float,
    high: float,
    step: float,
    says: str,
    evidence: str,
    source: str,
    *,
    optional: bool = False,
) -> Any:
    """A number with its unit and the range and step of its slider; `optional` ones may be None: no such limit."""
    kind = int if isinstance(step, int) else float
    return _field(
        default,
        "number",
        says,
        evidence,
        source,
        unit=unit,
        low=low,
        high=high,
        step=step,
        type=kind,
        optional=optional,
    )


def choice(default: str, options: tuple[str, ...], says: str, evidence: str, source: str) -> Any:
    """One of several words."""
    return _field(default, "choice", says, evidence, source, options=options)


def switch(default: bool, says: str, evidence: str, source: str) -> Any:
    """On or off."""
    return _field(default, "switch", says, evidence, source)


def names(
    default: tuple[str, ...], says: str, evidence: str, source: str, *, allowed: tuple[str, ...] | None = None
) -> Any:
    """Several words in order; `allowed` limits which."""
    return _field(default, "names", says, evidence, source, allowed=allowed)


def table(default: tuple[tuple[str, int], ...], unit: str, says: str, evidence: str, source: str) -> Any:
    """A number for each of some names."""
    return _field(default, "table", says, evidence, source, unit=unit)


def _field(default: Any, kind: str, says: str, evidence: str, source: str, **more: Any) -> Any:
    assert evidence in EVIDENCE, evidence
    return field(
        default=default,
        metadata={"kind": kind, "says": says, "evidence": evidence, "source": source, "unit": "", **more},
    )


class Group:
    """Checks each field against its own metadata when it is made; a group adds `check` for rules between fields."""

    def __post_init__(self) -> None:
        for each in fields(self):  # type: ignore[arg-type]
            complaint = wrong(getattr(self, each.name), each)
            if complaint:
                raise ValueError(f"{group_name(type(self))}.{each.name} must be {complaint}")
        self.check()

    def check(self) -> None:
        """Rules between the fields of one group; raise ValueError with the names and the numbers."""


def group_name(group: type) -> str:
    """How a group is called in a path.

    >>> class SessionMemory: ...
    >>> group_name(SessionMemory)
    'session_memory'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", group.__name__).lower()


def wrong(value: Any, field: Field[Any]) -> str:
    """What is wrong with a value, as the end of a sentence; empty where nothing is."""
    meta = field.metadata
    if meta["kind"] == "number":
        return _wrong_number(value, meta)
    if meta["kind"] == "choice" and value not in meta["options"]:
        return f"one of {', '.join(map(repr, meta['options']))}, got {value!r}"
    if meta["kind"] == "switch" and not isinstance(value, bool):
        return f"on or off (True or False), got {value!r}"
    if meta["kind"] == "names":
        if not isinstance(value, tuple) or not all(isinstance(name, str) for name in value):
            return f"a tuple of names, got {value!r}"
        unknown = [name for name in value if meta["allowed"] and name not in meta["allowed"]]
        if unknown:
            return f"made of {', '.join(meta['allowed'])}, got {unknown[0]!r}"
    if meta["kind"] == "table" and not _is_table(value):
        return f"pairs of a name and a number of 0 or more, got {value!r}"
    return ""


def _wrong_number(value: Any, meta: Any) -> str:
    if value is None and meta["optional"]:
        return ""
    kinds = (int, float) if meta["type"] is float else (int,)
    span = f"{meta['low']:,} to {meta['high']:,} {meta['unit']}" + (" or none" if meta["optional"] else "")
    if isinstance(value, bool) or not isinstance(value, kinds):
        return f"{'a whole number' if meta['type'] is int else 'a number'} from {span}, got {value!r}"
    return "" if meta["low"] <= value <= meta["high"] else f"{span}, got {value:,}"


def _is_table(value: Any) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(pair, tuple)
        and len(pair) == 2
        and isinstance(pair[0], str)
        and isinstance(pair[1], int)
        and pair[1] >= 0
        for pair in value
    )


def parse(path: str, text: str, field: Field[Any]) -> Any:
    """Read a value as a person types it; raises ValueError that says what was expected.

    Numbers may have `_` or `,`; a switch takes on and off; names and tables are written `Bash:30000,Grep:20000`.
    """
    meta = field.metadata
    try:
        return _parse(text, meta)
    except ValueError:
        unit = f" of {meta['unit']}" if meta["unit"] else ""
        raise ValueError(f"{path} takes a {meta['kind']}{unit}, got {text!r}") from None


def _parse(text: str, meta: Any) -> Any:
    if meta["kind"] == "number":
        if meta["optional"] and text.lower() == "none":
            return None
        return meta["type"](text.replace("_", "").replace(",", ""))
    if meta["kind"] == "switch":
        words = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}
        if text.lower() not in words:
            raise ValueError(text)
        return words[text.lower()]
    parts = tuple(part.strip() for part in text.split(",") if part.strip() and part.strip().lower() != "none")
    if meta["kind"] == "names":
        return parts
    if meta["kind"] == "table":
        return tuple(
            (name.strip(), int(limit.replace("_", ""))) for name, _, limit in (p.partition(":") for p in parts)
        )
    return text


def as_text(value: Any) -> str:
    """A value as a person would type it; `parse` reads it back.

    >>> as_text(None), as_text(True), as_text(("gap", "cached")), as_text((("Bash", 30_000),))
    ('none', 'on', 'gap,cached', 'Bash:30000')
    """
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(part if isinstance(part, str) else f"{part[0]}:{part[1]}" for part in value)
    return str(value)
