"""Masks: what looks like a secret is covered before a text of a session is shown, stored or handed on.

A best effort by shape, and no promise: keys and tokens by the beginnings that their makers publish, values beside words
such as `password`, e-mail addresses, and the user's name in paths of a home folder. A mask is as long as what it covers,
so every size stays what it was, and the same secret always gets the same mask.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

Span = tuple[int, int]
HOME, MAIL_KIND = "name in a home path", "e-mail address"  # known by their shape wherever they stand


class Rule(NamedTuple):
    """One kind of secret: its name, the beginning of its mask, where it is found, a quick look in front of that."""

    kind: str
    mask: str
    spans: Callable[[str], Iterator[Span]]
    hints: tuple[str, ...]  # without one of them in the text nothing is looked for


def shaped(pattern: str, fits: Callable[[str], bool] = bool) -> Callable[[str], Iterator[Span]]:
    """Finds a shape, of which the group `it` is the secret (else all of it), where the secret also fits."""
    compiled = re.compile(pattern)
    group: str | int = "it" if "it" in compiled.groupindex else 0

    def spans(text: str) -> Iterator[Span]:
        return (match.span(group) for match in compiled.finditer(text) if fits(match[group]))

    return spans


START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=[0-9;\[][mK]))"  # also behind an escaped newline, and behind a colour
PREFIXES = (  # as the makers of the keys document them
    "sk-",
    *("sk_live_", "sk_test_", "rk_live_", "rk_test_", "pk_live_", "AKIA", "ASIA", "ABIA", "AIza", "github_pat_"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "glpat-", "glrt-", "glsa_", "xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxs-"),
    *("xapp-", "npm_", "pypi-", "hf_", "SG.", "ya29.", "dop_v1_", "gsk_", "whsec_", "shpat_", "dckr_pat_", "GOCSPX-"),
    *("xai-", "hvs.", "tvly-", "pplx-", "lsv2_", "PMAK-", "figd_", "nvapi-", "sbp_", "r8_", "AGE-SECRET-KEY-1"),
    *("ATATT3", "sntrys_", "eyJ"),
)
KEY = rf"{START}(?:{'|'.join(map(re.escape, PREFIXES))})[A-Za-z0-9_.-]{{10,}}"
WORDS = {  # what a value stands beside
    "password": "password|passwd|passphrase|pwd|_pass",
    "token": "(?:api|access|account|secret|private|auth|signing|encryption|client)[_-]?(?:key|secret|token)|secret|token"
    "|credential",
}
BESIDE = r"[a-z0-9_-]{0,20}+[\"'`*\\]{0,4}+[ \t]{0,4}+(?:=>|:=|=|:)[ \t]{0,4}+[\\*]{0,3}+[ \t]{0,2}+"
QUOTED = r"(?P<quote>[\"'`])(?P<it>(?:(?!(?P=quote))[^\n\\]){5,400})"
LOOSE = r"(?:bearer |basic )?(?P<it>[^\s\"'`\\,;<>(){}\[\]]{6,400})"
FILES = "json|jsonl|js|ts|tsx|py|md|html|css|txt|yaml|yml|toml|lock|sh|png|svg|xml|zip|tgz|gz"  # no mail goes there
MAIL = (
    r"(?<![\w.+%-])(?!git@)[\w.+-]{1,64}(?:@|%40)(?:[A-Za-z0-9-]{1,63}\.){1,7}"
    rf"(?!(?:{FILES})\b)[A-Za-z]{{2,24}}(?![\w(]|\.\w)"
)
NAME = r"[^\s/\\\"'<>|:*?,;()\[\]{}%]"
SLASH = r"(?:\\?/|%2F)"
NOT_A_NAME = ("Shared", "Public", "user", "runner", "linuxbrew", "page", "app")


def has_digit(value: str) -> bool:
    """True where a digit is in it."""
    return bool(re.search("[0-9]", value))


def like_a_password(value: str) -> bool:
    """True for what is neither a path, nor a name in code, nor a mask."""
    return bool(re.search(r"[^A-Za-z_.]", value)) and not value.startswith(("/", "./", "$", "%", "~"))


def like_a_token(value: str) -> bool:
    """True for letters and digits together that are no dotted name in code."""
    mixed = len(value) >= 8 and re.search("[0-9]", value) and re.search("[A-Za-z]", value)
    return bool(mixed) and not re.fullmatch(r"[A-Za-z_]\w*(?:\.\w+)+", value) and like_a_password(value)


def private_keys(text: str) -> Iterator[Span]:
    """What stands between the two lines of a private key, or behind the first where the second is cut off."""
    done = 0
    for match in re.finditer(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----", text):
        if match.start() < done:
            continue
        body = re.compile(r"[A-Za-z0-9+/=\s\\:,.()\"-]*").match(text, match.end())
        stop = text.find("-----END", match.end(), body.end() + 8 if body else None)
        end = stop if stop >= 0 else body.end() if body else match.end()
        done = end
        if end - match.end() >= 16:
            yield match.end(), end


RULES = (
    Rule("private key", "key", private_keys, ("PRIVATE KEY",)),
    Rule("key or token", "key", shaped(KEY, has_digit), PREFIXES),
    Rule("key or token", "key", shaped(r"(?<=hooks\.slack\.com/services/)[A-Za-z0-9/]{20,100}"), ("hooks.slack",)),
    Rule(
        "key or token",
        "key",
        shaped(r"(?i)\b(?:bearer|basic)\s{1,3}(?P<it>[A-Za-z0-9._~+/-]{12,}=*)", has_digit),
        ("earer", "asic", "EARER", "ASIC"),
    ),
    Rule(
        "password in an address",
        "key",
        shaped(r"(?<=://)[^\s/:@]{0,100}:(?P<it>[^\s/@]{1,200})(?=@)"),
        ("://",),
    ),
    *(
        Rule("named secret", "key", shaped(f"(?i)(?:{WORDS[word]}){BESIDE}{value}", fits), ("=", ":"))
        for word, value, fits in (
            ("password", QUOTED, like_a_password),
            ("password", LOOSE, like_a_password),
            ("token", QUOTED, like_a_token),
            ("token", LOOSE, like_a_token),
        )
    ),
    Rule(MAIL_KIND, "mail", shaped(MAIL), ("@", "%40")),
    Rule(
        HOME,
        "user",
        shaped(rf"[A-Za-z]:\\{{1,4}}(?:[Uu]sers|Documents and Settings)\\{{1,4}}(?P<it>{NAME}(?:{NAME}| ){{0,63}})"),
        ("sers\\", "ettings\\"),
    ),
    Rule(
        HOME,
        "user",
        shaped(rf"(?:(?<![\w.\\])|(?<=\\[nrt])|(?<=/[a-z])){SLASH}(?:home|Users){SLASH}(?P<it>{NAME}{{1,64}})"),
        ("home", "Users"),
    ),
    Rule(
        HOME,
        "user",
        shaped(r"(?<![A-Za-z0-9])-(?:home|Users)-(?P<it>[A-Za-z0-9_.]{1,64})(?![\w.*])"),
        ("-home-", "-Users-"),
    ),
)
MASK = re.compile(r"(?:ke?y?|ma?i?l?|us?e?r?)?\*+")
PIECE = 8  # characters of a secret by which a cut one is known


class Covered(NamedTuple):
    """One secret that was covered: what kind, and itself, which is never shown."""

    kind: str
    secret: str


def mask_of(rule: Rule, secret: str) -> str:
    """The mask of a secret, as long as it is, and never without a star.

    >>> mask_of(RULES[1], "AKIA0123"), mask_of(RULES[-1], "jo")
    ('key*****', 'u*')
    """
    return rule.mask[: len(secret) - 1] + "*" * max(1, len(secret) - len(rule.mask))


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
    for start, stop in rule.spans(text):
        secret = text[start:stop]
        if MASK.fullmatch(secret) or (rule.kind == HOME and secret in NOT_A_NAME):
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
        known = [each for each in self.found if len(each.secret) > PIECE and each.kind not in (HOME, MAIL_KIND)]
        return without_pieces(masked(text), sorted({each.secret for each in known})) if known else masked(text)

    @property
    def counts(self) -> dict[str, tuple[int, int]]:
        """Kind -> how many different ones, and how often they stood there."""
        often = Counter(each.kind for each in self.found)
        different = Counter(kind for kind, _ in {*self.found})
        return {kind: (different[kind], often[kind]) for kind in sorted(often)}


HEADS = re.compile(rf"(?<![A-Za-z0-9])(?=(.{{{PIECE}}}))", re.DOTALL)
TAILS = re.compile(rf"(?=(.{{{PIECE}}})(?![A-Za-z0-9]))", re.DOTALL)


def without_pieces(text: str, secrets: Sequence[str]) -> str:
    """Cover every run that begins as a secret does, or ends as it does, as far as the one that agrees longest."""
    heads, tails = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for each in secrets:
        heads[each[:PIECE]].append(each)
        tails[each[-PIECE:]].append(each)
    out = list(text)
    for match in HEADS.finditer(text):
        at = match.start()
        size = max((agreeing(each, text[at : at + len(each)]) for each in heads.get(match[1], ())), default=0)
        out[at : at + size] = "*" * size
    for match in TAILS.finditer(text):
        stop = match.start() + PIECE
        ends = ((each[::-1], text[max(0, stop - len(each)) : stop][::-1]) for each in tails.get(match[1], ()))
        size = max((agreeing(each, piece) for each, piece in ends), default=0)
        out[stop - size : stop] = "*" * size
    return "".join(out)


def agreeing(secret: str, piece: str) -> int:
    """How many characters two texts have in common from their beginning on.

    >>> agreeing("AKIA99", "AKIA12")
    4
    """
    return next((n for n, (one, two) in enumerate(zip(secret, piece, strict=False)) if one != two), len(piece))
