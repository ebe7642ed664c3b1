"""Codec: Edits and Blocks as JSON and back, the same in every field.

JSON has one kind of list; here every list begins with a word that says what it was, so that tuples, records and plain
values from a session (which may hold anything) come back as what they were.

>>> from ctxlab.engine.edit import Note
>>> note = Note("snip", 3, "marked by hand", "mark", ("t1/use",))
>>> decode(encode(note)) == note
True
"""

from __future__ import annotations

import dataclasses
from typing import Any

from .edit import Cover, Delete, Expand, Note, Notes, Replace, Staged
from .message import Block
from .services import Cost

RECORDS: dict[str, Any] = {each.__name__: each for each in (Block, Replace, Cover, Delete, Expand, Note)}
NAMED: dict[str, Any] = {each.__name__: each for each in (Notes, Staged, Cost)}


def encode(value: Any) -> Any:
    """A value as JSON; what is neither a record nor a tuple of them is kept as plain JSON."""
    name = type(value).__name__
    if name in RECORDS:
        fields = [field.name for field in dataclasses.fields(value)]
        return [name, {field: encode(getattr(value, field)) for field in fields}]
    if name in NAMED:
        return [name, {field: encode(each) for field, each in value._asdict().items()}]
    if isinstance(value, tuple):
        return ["tuple", *(encode(each) for each in value)]
    if isinstance(value, (dict, list)):
        return ["json", value]
    return value


def decode(value: Any) -> Any:
    """The value again; raises ValueError for a word that is not known."""
    if not isinstance(value, list):
        return value
    word, *rest = value
    if word == "tuple":
        return tuple(decode(each) for each in rest)
    if word == "json":
        return rest[0]
    if word in RECORDS or word in NAMED:
        return (RECORDS.get(word) or NAMED[word])(**{field: decode(each) for field, each in rest[0].items()})
    raise ValueError(f"{word!r} is no kind of record; known are {', '.join((*RECORDS, *NAMED))}")
