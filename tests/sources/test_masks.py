"""Masks: what must be covered, what must be left alone, and that no text makes them slow."""

import pytest

from ctxlab.sources.masks import Masks, masked

KEY = "AKIA" + "IOSFODNN7EXAMPLE"
PASSWORD = "Tr0ub4dor&3x"
COVERED = [
    "a\\n" + KEY,  # as it stands in the text of a call, which is JSON
    "a\\tghp_" + "a1B2" * 9,
    '{"content":"A\\npassword: ' + PASSWORD + '"}',
    "\x1b[01;31m\x1b[K" + KEY,
    'dbPassword: "hunter2x"',
    "PGPASSWORD=abc123x",
    'clientSecret: "a1b2c3d4e5"',
    '"accessToken":"a1b2c3d4e5"',
    "_authToken=a1b2c3d4e5",
    "AccountKey=a1b2c3d4e5f6==",
    "DB_PASS=abc123x",
    f"Server=x;Pwd={PASSWORD};",
    'password="p@$$w0rd!9xyz"',
    'password: "ab,CD99efgh1"',
    f"**Password:** {PASSWORD}",
    f'{{\\"password\\": \\"{PASSWORD}\\"}}',
    "Authorization: Bearer abc.def123456789",
    "C:\\\\Users\\\\Jane Winter\\\\x",
    "c:\\users\\janewinter\\x",
    "/c/Users/janewinter/x",
    "\\/home\\/janewinter\\/",
    "%2Fhome%2Fjanewinter",
    "jane.winter%40example.org",
    "file:///home/janewinter/x",
    "\\n/home/janewinter/x",
    "/.claude/projects/-home-janewinter-app/x",
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEabc+/0123456789\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nMIIEabc+/0123456789abcdef",  # cut off
]
LEFT = [
    "{ password: string; token: string; n: 1 }",
    "let secret: string\n// line 2",
    "password = req.body.password;",
    "password=get_password()",
    "accessKey = process.env.X; // v2",
    "api_key: Optional[str]\nx=1",
    "the secret: always write tests first, in 2 steps",
    "PWD=/workspace/build",
    "src/pages/home/index.tsx",
    "Controllers/Users/UserController.php",
    "icon@2x.png, pkg@1.0.0.tgz, spec@1.schema.json",
    "y = W@x.sum()",
    "git@bitbucket.org:a/b",
    "sk-toggleable__content",
    "if '-----BEGIN PRIVATE KEY-----' in text: return parse(text)",
    "token = next(tokens)",
    "max_tokens=16384, commit 3f2a9c1d8e7b6a5f4c3d2e1f0a9b8c7d6e5f4a3b",
    "csrfToken = getToken(request)",
    "/home/user/app and /home",
]


@pytest.mark.parametrize("text", COVERED)
def test_it_is_covered_as_long_as_it_was_and_a_second_time_changes_nothing(text: str) -> None:
    once = masked(text)

    assert "*" in once
    assert len(once) == len(text)
    for secret in (KEY, PASSWORD, "janewinter", "hunter2x", "a1b2c3d4", "abc123x", "MIIE", "Winter", "jane.winter"):
        assert secret not in once
    assert masked(once) == once


@pytest.mark.parametrize("text", LEFT)
def test_ordinary_code_and_words_are_left_alone(text: str) -> None:
    assert masked(text) == text


def test_pieces_of_known_secrets_are_covered_only_where_a_word_begins_or_ends() -> None:
    masks = Masks()
    masks.original(f"{KEY} and password: process7-word and /home/developer/x")
    said = masks.derived(f"began {KEY[:11]} … {KEY[-9:]} end; processing of the development; xxprocess7-w")

    assert said == "began *********** … ********* end; processing of the development; xxprocess7-w"


def test_a_long_line_of_near_misses_takes_no_longer_than_its_length() -> None:
    """Not by the clock: twice the text may be looked at twice as often, so it must end here at all."""
    for part in ("1" * 29 + "_", "api_key_", 'token\\"    =>', "-----BEGIN PRIVATE KEY-----", "a@", "://", "/home/"):
        text = part * (400_000 // len(part)) + "key pass:="
        assert len(masked(text)) == len(text)
