"""What a picture weighs: by its size in pixels, never by the length of its base64.

Evidence: official (platform.claude.com, Vision: one token a patch of 28 by 28 pixels, at most 1,568 on standard
models); analysis of build 2.1.88 for what cannot be measured (2,000 tokens). What it leaves out: high-resolution models.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

PATCH_PIXELS = 28
MOST_TOKENS = 1_568
UNKNOWN_TOKENS = 2_000
HEAD_CHARACTERS = 262_144  # of base64: enough for the head of a picture, a multiple of four


def picture_tokens(part: Mapping[str, Any]) -> int:
    """Count an `image` or `document` block; a document, or a size that cannot be read, counts as `UNKNOWN_TOKENS`.

    >>> picture_tokens({"type": "document"})
    2000
    """
    source = part.get("source")
    data = source.get("data") if isinstance(source, Mapping) else None
    size = pixels(data) if part.get("type") == "image" and isinstance(data, str) else None
    if size is None:
        return UNKNOWN_TOKENS
    return min(-(-size[0] // PATCH_PIXELS) * -(-size[1] // PATCH_PIXELS), MOST_TOKENS)


def pixels(data: str) -> tuple[int, int] | None:
    """Width and height of a base64 PNG, GIF, JPEG or WebP, read from its head; None where that fails."""
    try:
        head = base64.b64decode(data[:HEAD_CHARACTERS])
    except (binascii.Error, ValueError):
        return None
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) >= 24:
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if head[:4] == b"GIF8" and len(head) >= 10:
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if head[:2] == b"\xff\xd8":
        return _jpeg(head)
    if head[8:16] == b"WEBPVP8X" and len(head) >= 30:
        return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
    if head[8:16] == b"WEBPVP8 " and len(head) >= 30:
        return int.from_bytes(head[26:28], "little") & 0x3FFF, int.from_bytes(head[28:30], "little") & 0x3FFF
    return None


def _jpeg(head: bytes) -> tuple[int, int] | None:
    """Walk the segments of a JPEG to its frame header, which has height before width."""
    at = 2
    while at + 9 < len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(head[at + 7 : at + 9], "big"), int.from_bytes(head[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(head[at + 2 : at + 4], "big")
    return None
