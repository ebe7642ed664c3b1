"""Masks: what looks like a secret is covered before a text of a session is shown, stored or handed on.

A best effort by shape, and no promise: keys and tokens by the beginnings that their makers publish, values beside words
such as `password`, e-mail addresses, and the user's name in paths of a home folder. A mask is as long as what it covers,
so every size stays what it was, and the same secret always gets the same mask.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple


class Rule(NamedTuple):
    """One kind of secret: its name, the beginning of its mask, its shape (the group `it`, else all of it), a quick look."""

    kind: str
    mask: str
    shape: re.Pattern[str]
    hints: tuple[str, ...]  # without one of them in the text the shape is not tried


KEYS = (  # the beginnings are those that the makers of the keys document
    r"sk-[A-Za-z0-9_-]{16,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[A-Za-z0-9_-]{20,}"
    r"|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{12,}|xox[abeoprs]-[A-Za-z0-9-]{8,}"
    r"|npm_[A-Za-z0-9]{16,}|pypi-[A-Za-z0-9_-]{16,}|hf_[A-Za-z0-9]{16,}|SG\.[A-Za-z0-9_.-]{16,}|ya29\.[A-Za-z0-9_-]{12,}"
    r"|dop_v1_[a-f0-9]{16,}|eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*){0,2}"
)
KEY_HINTS: tuple[str, ...] = (
    "sk-",
    "k_live_",
    "k_test_",
    "AKIA",
    "ASIA",
    "AIza",
    "gh",
    "glpat-",
    "xox",
    "npm_",
    "pypi-",
    "hf_",
    "SG.",
)
KEY_HINTS += ("ya29.", "dop_v1_", "eyJ")
BEFORE = r"(?i)(?<![a-z])(?:[a-z0-9]{1,30}[_-]){0,4}"
AFTER = r"(?:[_-][a-z0-9]{1,20}){0,2}\\?[\"']?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}\\?[\"']?(?:bearer |basic )?"
VALUE = r"[^\s\"'\\,;<>(){}\[\]$]{6,400}"
PASSWORDS = r"(?:passwd|password|passphrase|pwd)"
TOKENS = r"(?:(?:api|access|secret|private|auth|signing|encryption)[_-]?key|secret|token)"
NOT_IN_NAME = r"/\\\"'<>|:*?"
RULES = (
    Rule(
        "private key",
        "key",
        re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?P<it>[^-]*)", re.DOTALL),
        ("PRIVATE KEY-----",),
    ),
    Rule("key or token", "key", re.compile(rf"(?<![A-Za-z0-9_])(?:{KEYS})"), KEY_HINTS),
    Rule(
        "key or token",
        "key",
        re.compile(r"(?i)\b(?:bearer|basic)\s{1,3}(?P<it>(?=[A-Za-z._~+/-]{0,200}[0-9=])[A-Za-z0-9._~+/-]{12,}=*)"),
        ("earer", "asic", "EARER", "ASIC"),
    ),
    Rule(
        "password in an address",
        "key",
        re.compile(r"(?<=://)[^\s/:@]{0,100}:(?P<it>[^\s/@]{1,200})(?=@)"),
        ("://",),
    ),
    Rule(
        "named secret",
        "key",
        re.compile(f"{BEFORE}{PASSWORDS}{AFTER}(?P<it>(?=[a-z_.]{{0,200}}[^\\sa-z_.]){VALUE})"),
        ("pass", "pwd", "Pass", "PASS", "PWD"),
    ),
    Rule(
        "named secret",
        "key",
        re.compile(f"{BEFORE}{TOKENS}{AFTER}(?P<it>(?=[^a-z]{{0,200}}[a-z])(?=[^0-9]{{0,200}}[0-9]){VALUE})"),
        ("key", "ecret", "oken", "KEY", "SECRET", "TOKEN", "Key"),
    ),
    Rule(
        "e-mail address",
        "mail",
        re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.[A-Za-z]{2,24}"),
        ("@",),
    ),
    Rule(
        "name in a home path",
        "user",
        re.compile(rf"(?:Users|(?i:documents and settings))\\{{1,4}}(?P<it>[^\n\r{NOT_IN_NAME}]{{1,64}}?)(?=\\)"),
        ("Users\\", "ettings\\"),
    ),
    Rule(
        "name in a home path",
        "user",
        re.compile(
            rf"(?<![A-Za-z0-9])(?:(?:home|Users)(?:/|\\{{1,4}})|-(?:home|Users)-)(?P<it>[^\s{NOT_IN_NAME}-][^\s{NOT_IN_NAME},;()\[\]{{}}]{{0,63}})"
        ),
        ("home", "Users"),
    ),
)
NOT_SECRET = ("Shared", "Public", "runner", "linuxbrew", "page", "app", "git@github.com", "git@gitlab.com")
MASK = re.compile(r"(?:key|mail|user)\**|k|ke|m|ma|mai|u|us|use")
PIECE = 6  # characters of a secret by which a cut one is known


class Covered(NamedTuple):
    """One secret that was covered: what kind, and itself, which is never shown."""

    kind: str
    secret: str


def mask_of(rule: Rule, secret: str) -> str:
    """The mask of a secret, as long as it is.

    >>> mask_of(RULES[1], "AKIA0123"), mask_of(RULES[-1], "jo")
    ('key*****', 'us')
    """
    return (rule.mask + "*" * len(secret))[: len(secret)]


def masked(text: str, found: list[Covered] | None = None) -> str:
    """A text with what looks like a secret covered; `found` is told what it was.

    >>> masked("AWS_KEY=AKIAIOSFODNN7EXAMPLE in /home/janet/.env, ask jane@example.com")
    'AWS_KEY=key***************** in /home/user*/.env, ask mail************'
    >>> masked("max_tokens: 200000; the token is in settings.py")
    'max_tokens: 200000; the token is in settings.py'
    """
    for rule in RULES:
        if any(hint in text for hint in rule.hints):
            text = "".join(pieces(rule, text, found))
    return text


def pieces(rule: Rule, text: str, found: list[Covered] | None) -> Iterator[str]:
    """The text in pieces, each secret of one rule covered."""
    done = 0
    for match in rule.shape.finditer(text):
        start, stop = match.span("it" if "it" in rule.shape.groupindex else 0)
        secret = text[start:stop]
        if MASK.fullmatch(secret) or secret in NOT_SECRET:
            continue
        if found is not None:
            found.append(Covered(rule.kind, secret))
        yield text[done:start]
        yield mask_of(rule, secret)
        done = stop
    yield text[done:]


class Masks:
    """Covers the texts of one session, and remembers what it covered, for the list and for pieces of it."""

    def __init__(self) -> None:
        self.found: list[Covered] = []

    def original(self, text: str) -> str:
        """A text of the session, covered."""
        return masked(text, self.found)

    def derived(self, text: str) -> str:
        """A text that a layer made of others: a secret may stand in it cut short, so pieces of those known are covered too.

            >>> masks = Masks()
        >>> masks.original("found AKIAIOSFODNN7EXAMPLE")
        'found key*****************'
        >>> masks.derived("the log began: found AKIAIOSF")
        'the log began: found ********'
        """
        text = masked(text)
        for secret in {each.secret for each in self.found if len(each.secret) > PIECE}:
            text = without_piece(text, secret)
        return text

    @property
    def counts(self) -> dict[str, tuple[int, int]]:
        """Kind -> how many different ones, and how often they stood there."""
        often = Counter(each.kind for each in self.found)
        different = Counter(kind for kind, _ in {*self.found})
        return {kind: (different[kind], often[kind]) for kind in sorted(often)}


def without_piece(text: str, secret: str) -> str:
    """Cover every run that begins as a secret does, or ends as it does, as far as it agrees."""
    head, tail = secret[:PIECE], secret[-PIECE:]
    at = text.find(head)
    while at >= 0:
        size = next((n for n in range(PIECE, len(secret)) if text[at : at + n + 1] != secret[: n + 1]), len(secret))
        text = f"{text[:at]}{'*' * size}{text[at + size :]}"
        at = text.find(head, at + size)
    at = text.find(tail)
    while at >= 0:
        stop = at + PIECE
        size = next((n for n in range(PIECE, stop) if text[stop - n - 1 : stop] != secret[-n - 1 :]), PIECE)
        text = f"{text[: stop - size]}{'*' * size}{text[stop:]}"
        at = text.find(tail, stop)
    return text
