"""Counting tokens offline: OpenAI's `cl100k_base`, times one factor for the family of the Claude model.

Claude's own tokenizer is not public. On 300 mixes of sixty blocks one factor for each family came within 1.5 % (up to
the 4.6 models) and 3.0 % (later ones) of an unofficial reconstruction of it (mean absolute error of a session total);
characters / 4 was 32 % and 45 % too low. So every count is an estimate, and says so by its name. Counts are kept for
each piece of text: a session is encoded once, however often it is replayed.

Evidence: analysis (the factors). What it leaves out: the frame around each message (six or seven tokens).
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import tiktoken

FACTORS = {"up to the 4.6 models": 1.18, "4.7 and later": 1.46}

LONGEST_PIECE = 100_000  # characters encoded at once: on a million blanks in a row the pattern matcher gives up
TABLE_SIZE = 100_256
PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|"
    r"\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
SPECIAL_TOKENS = {
    "<|endoftext|>": 100257,
    "<|fim_prefix|>": 100258,
    "<|fim_middle|>": 100259,
    "<|fim_suffix|>": 100260,
    "<|endofprompt|>": 100276,
}


class Counter(Protocol):
    """Anything that counts the tokens of a text; its `name` is shown wherever a size is shown."""

    name: str

    def __call__(self, text: str) -> int: ...


class Quarter:
    """Characters / 4, rounded up: the harness's own rule of thumb, needing nothing.

    >>> Quarter()("five!")
    2
    """

    name = "characters / 4"

    def __call__(self, text: str) -> int:
        return (len(text) + 3) // 4


class ClaudeEstimate:
    """`cl100k_base` times the factor of a model family, kept for each text.

    >>> ClaudeEstimate("claude-opus-4-6")("<|endoftext|> is counted as plain text")
    14
    """

    def __init__(self, model: str = "") -> None:
        self.family = family_of(model)
        self.factor = FACTORS[self.family]
        self.name = f"cl100k_base x {self.factor} (estimate, Claude {self.family})"
        self._kept: dict[str, int] = {"": 0}

    def __call__(self, text: str) -> int:
        tokens = self._kept.get(text)
        if tokens is None:
            encode = encoding().encode_ordinary
            starts = range(0, len(text), LONGEST_PIECE)
            count = sum(len(encode(text[at : at + LONGEST_PIECE])) for at in starts)
            self._kept[text] = tokens = round(count * self.factor)
        return tokens


def family_of(model: str) -> str:
    """Which tokenizer a model name stands for; an unknown or missing name takes the older one.

    >>> family_of("claude-opus-4-7-20260101"), family_of("claude-sonnet-4-5"), family_of("gpt-9")
    ('4.7 and later', 'up to the 4.6 models', 'up to the 4.6 models')
    """
    older, later = FACTORS
    numbers = [int(part) for part in model.lower().replace(".", "-").split("-") if part.isdecimal() and len(part) < 3]
    if "claude" not in model.lower() or not numbers:
        return older
    return later if (*numbers, 0)[:2] >= (4, 7) else older


def is_known(model: str) -> bool:
    """True where the name of the model tells its family."""
    return "claude" in model.lower() and any(part.isdecimal() for part in model.replace(".", "-").split("-"))


@lru_cache(maxsize=1)
def encoding() -> tiktoken.Encoding:
    """The `cl100k_base` encoding, built from the table that travels with the package; no network is asked."""
    import tiktoken

    packed = gzip.decompress((files("ctxlab") / "data" / "cl100k_base.packed.gz").read_bytes())
    return tiktoken.Encoding(
        name="cl100k_base", pat_str=PATTERN, mergeable_ranks=unpack(packed), special_tokens=SPECIAL_TOKENS
    )


def unpack(packed: bytes, size: int = TABLE_SIZE) -> dict[bytes, int]:
    """Read the packed table: one length byte for each token, then the bytes of all tokens in the order of rank.

    >>> unpack(bytes([1, 2]) + b"abc", size=2)
    {b'a': 0, b'bc': 1}
    """
    ranks: dict[bytes, int] = {}
    start = size
    for rank in range(size):
        stop = start + packed[rank]
        ranks[packed[start:stop]] = rank
        start = stop
    return ranks


def register_tiktoken() -> None:
    """Make `tiktoken.get_encoding("cl100k_base")` work offline for everybody in this process."""
    import tiktoken.registry

    tiktoken.registry.ENCODINGS["cl100k_base"] = encoding()
