"""Pictures and documents in a request: how many there are, how many bytes they are, and what stands in for one.

The provider refuses more than a number of them, and a body that is too large. Evidence: official (100 pictures on models
with a window of 200,000, 600 on others; 32 MB).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .message import Block
from .settings import Settings
from .summary import PICTURE_PARTS
from .view import View

Json = dict[str, Any]
LEFT_OUT = "[A picture stood here; it was left out]"


def is_media(part: Any) -> bool:
    """True for a picture or document in the API's form."""
    return isinstance(part, dict) and part.get("type") in PICTURE_PARTS


def media_of(block: Block) -> list[Json]:
    """The pictures and documents of a block."""
    if block.kind == "image":
        return [block.raw] if is_media(block.raw) else []
    return [part for part in block.raw if is_media(part)] if isinstance(block.raw, tuple) else []


def size_of(part: Json) -> int:
    """Bytes of a picture on the wire: its base64."""
    source = part.get("source")
    data = source.get("data") if isinstance(source, dict) else None
    return len(data) if isinstance(data, str) else 0


def too_large(view: View, settings: Settings) -> str:
    """Why the provider would refuse the pictures of a View, or an empty string; costs nothing where there are none."""
    media = [part for name in view.history.media if (block := view.get(name)) is not None for part in media_of(block)]
    weight = sum(map(size_of, media))
    if weight > settings.window.most_body_bytes:
        return f"pictures of {weight:,} bytes > {settings.window.most_body_bytes:,}"
    return ""


def without(block: Block, tokens: int) -> Block:
    """A block whose pictures are gone, with a mark in their place; `tokens` is what it weighs then."""
    if block.kind == "image":
        return block.shown(block.state, tokens, LEFT_OUT)
    rest = tuple(part for part in block.raw if not is_media(part))
    text = "\n".join(part for part in (block.text, LEFT_OUT) if part)
    return block.shown(block.state, tokens, text, rest or None)


def limited(messages: list[Json], most: int) -> int:
    """Leave out the oldest pictures of a list of messages beyond a number, in place; how many were left out."""
    places = list(places_of(messages))
    for content, number in places[: max(0, len(places) - most)]:
        content[number] = {"type": "text", "text": LEFT_OUT}
    return max(0, len(places) - most)


def places_of(messages: Iterable[Json]) -> Iterable[tuple[list[Any], int]]:
    """Every picture of a list of messages, as the list it stands in and its number there, oldest first."""
    for message in messages:
        for number, part in enumerate(message["content"]):
            if is_media(part):
                yield message["content"], number
            elif isinstance(part, dict) and isinstance(part.get("content"), list):
                yield from ((part["content"], at) for at, each in enumerate(part["content"]) if is_media(each))
