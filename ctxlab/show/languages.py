"""Languages: every word of the pictures and of the bench in one place for each language.

What the engine itself says stays as it is: the reason of a step, the names and explanations of Settings, the names of
counters and summarisers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..engine.settings import suggest
from . import bench_words, words, zh_bench_words, zh_words
from .palette import LOOKS
from .words import harmless

Table = dict[str, str]


@dataclass(frozen=True, eq=False)
class Language:
    """All tables of one language; the keys of each are the same in all."""

    name: str
    looks: Table
    static: Any  # the module with the words of pictures
    live: Any  # the module with the words of the bench

    def count(self, noun: str, number: int) -> str:
        """A number with its noun.

        >>> ENGLISH.count("blocks", 1), ENGLISH.count("blocks", 1_200), CHINESE.count("blocks", 2)
        ('1 block', '1,200 blocks', '2 个块')
        """
        one, many = self.live.NOUNS[noun]
        return f"{number:,} {one if number == 1 else many}"

    def layer(self, step: str) -> str:
        """The name of a step on screen; a second try or act of the same kind carries its number.

        >>> ENGLISH.layer("snip"), ENGLISH.layer("recovery 2")
        ('Snip', 'Recovery 2')
        """
        base, _, number = step.partition(" ")
        return f"{self.static.LAYERS.get(base, harmless(base))} {number}".strip()

    def label(self, label: str, kind: str) -> str:
        """What is written on a block; where that is the name of its kind, in this language."""
        return self.looks[kind] if label == LOOKS[kind].name else label


ENGLISH = Language("en", {key: look.name for key, look in LOOKS.items()}, words, bench_words)
CHINESE = Language("zh", zh_words.LOOKS, zh_words, zh_bench_words)
LANGUAGES = {each.name: each for each in (ENGLISH, CHINESE)}


def language(name: str) -> Language:
    """The language of that name; ValueError names those there are."""
    if name not in LANGUAGES:
        raise ValueError(f"no language {name!r} here: {suggest(str(name), LANGUAGES)}")
    return LANGUAGES[name]
