"""Claims: what the three articles say, one by one in our own words, with the Settings in which each holds.

Where evidence says otherwise, the profile of that is named beside it. Every claim is a test, and so is every "otherwise".
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from ..engine.settings import Settings
from ..show.table import Table


class Claim(NamedTuple):
    """One claim; `override` and `otherwise_override` are changes of the two profiles. Some hold in none (`holds` False)."""

    id: str
    article: str
    says: str
    profile: str
    override: dict[str, Any]
    otherwise: str
    otherwise_override: dict[str, Any]
    evidence: str
    holds: bool

    def settings(self) -> Settings:
        """The Settings in which it holds."""
        return Settings.profile(self.profile).replace(self.override)

    def other_settings(self) -> Settings:
        """The Settings in which evidence says otherwise."""
        return Settings.profile(self.otherwise).replace(self.otherwise_override)


@lru_cache(maxsize=1)
def claims() -> tuple[Claim, ...]:
    """Every claim of `data/claims.toml`, in order."""
    text = (files("ctxlab") / "data" / "claims.toml").read_text(encoding="utf-8")
    return tuple(
        Claim(
            each["id"],
            each["article"],
            each["says"],
            each["profile"],
            each.get("override", {}),
            each.get("otherwise", ""),
            each.get("otherwise_override", {}),
            each.get("evidence", ""),
            each.get("holds", True),
        )
        for each in tomllib.loads(text)["claim"]
    )


def claims_table(article: str = "") -> Table:
    """The claims of one article, or of all, with the profile of each and what evidence says otherwise."""
    chosen = [claim for claim in claims() if claim.article.startswith(article)]
    if not chosen:
        known = ", ".join(sorted({claim.article for claim in claims()}))
        raise ValueError(f"no claim of {article!r} is listed; known are {known}")
    rows = [
        (
            claim.id,
            claim.says,
            in_words(claim.profile, claim.override) if claim.holds else "no profile",
            evidence_of(claim),
        )
        for claim in chosen
    ]
    return Table(("claim", "says", "holds in", "otherwise"), rows, f"{len(chosen)} claims, each of them a test.")


def in_words(profile: str, override: dict[str, Any]) -> str:
    """A profile with its changes.

    >>> in_words("article", {"window.context_window": 1_000_000})
    'article, window.context_window 1,000,000'
    """
    changes = [f"{path} {value:,}" if type(value) is int else f"{path} {value}" for path, value in override.items()]
    return ", ".join([profile, *changes])


def evidence_of(claim: Claim) -> str:
    """What evidence says otherwise, and in which profile; or what confirms it."""
    return f"in {claim.otherwise}: {claim.evidence}" if claim.otherwise else claim.evidence
