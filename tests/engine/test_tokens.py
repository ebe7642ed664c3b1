"""Counting: the packed table is tiktoken's own, works offline, and hostile text is only text."""

import base64
import hashlib
import os
import socket
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
import tiktoken_ext.openai_public as public

import ctxlab as cl
from ctxlab.engine import tokens
from ctxlab.engine.pictures import UNKNOWN_TOKENS, picture_tokens, pixels
from ctxlab.engine.tokens import ClaudeEstimate, Quarter, encoding

SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
MARKERS = "<|endoftext|> <|fim_prefix|> <|im_start|>"


def test_the_rebuilt_original_has_the_hash_that_tiktoken_expects() -> None:
    ranks = encoding()._mergeable_ranks
    lines = b"".join(base64.b64encode(token) + b" " + str(rank).encode() + b"\n" for token, rank in ranks.items())

    assert hashlib.sha256(lines).hexdigest() == SHA256


def test_pattern_and_special_tokens_are_those_of_the_installed_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "load_tiktoken_bpe", lambda *_, **__: {})
    original = public.cl100k_base()

    assert original["pat_str"] == tokens.PATTERN
    assert original["special_tokens"] == tokens.SPECIAL_TOKENS


def test_register_makes_get_encoding_work_offline() -> None:
    code = "import ctxlab, tiktoken; ctxlab.register_tiktoken(); print(tiktoken.get_encoding('cl100k_base').encode('hello world'))"
    nowhere = {
        **os.environ,
        "https_proxy": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
        "TIKTOKEN_CACHE_DIR": "/nonexistent",
    }
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=nowhere)

    assert done.stdout.strip() == "[15339, 1917]"


REPLAY = "import ctxlab as cl; print(cl.replay(cl.story(), cl.Settings.profile('classroom')))"


def test_counting_asks_no_network_when_every_connection_is_refused() -> None:
    code = (
        "import socket\n"
        "def refuse(*a, **k): raise AssertionError('a connection was tried')\n"
        "socket.socket.connect = socket.create_connection = refuse\n" + REPLAY
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "Autocompact" in done.stdout


@pytest.mark.parametrize("cache", ["empty", "broken"])
def test_a_proxy_that_never_answers_and_a_bad_cache_do_not_matter(cache: str, tmp_path: Path) -> None:
    if cache == "broken":
        (tmp_path / "9b5ad71b2ce5302211f9c61530b329a4922fc6a4").write_text("not a table")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        proxy = f"http://127.0.0.1:{silent.getsockname()[1]}"
        names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy")
        env = {**os.environ, **dict.fromkeys(names, proxy), "TIKTOKEN_CACHE_DIR": str(tmp_path)}
        code = (
            REPLAY
            + "; cl.register_tiktoken(); import tiktoken; print(tiktoken.get_encoding('cl100k_base').encode('hello'))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env, timeout=60
        )

    assert done.stdout.endswith("[15339]\n")


@pytest.mark.parametrize("text", [MARKERS, *MARKERS.split()])
def test_marker_strings_are_ordinary_text(text: str) -> None:
    for counter in (ClaudeEstimate(), Quarter()):
        assert counter(text) > 1


def test_marker_strings_anywhere_in_a_session() -> None:
    call = {"type": "tool_use", "id": "a", "name": MARKERS, "input": {"x": MARKERS}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": MARKERS}
    messages = [
        {"role": "user", "content": MARKERS},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]

    assert MARKERS in str([block.text for block in cl.load(messages).blocks])
    assert str(cl.replay(cl.load(messages)))


def test_lone_surrogates_are_harmless() -> None:
    assert ClaudeEstimate()("a\ud800b") >= 2
    history = cl.load([{"role": "user", "content": "a\ud800b"}])
    assert history.blocks[0].text == "a\ufffdb"
    assert str(cl.replay(history)).encode()


@pytest.mark.parametrize(
    ("model", "factor"),
    [
        ("claude-3-5-sonnet-20241022", 1.18),
        ("claude-sonnet-4-20250514", 1.18),
        ("claude-opus-4-6", 1.18),
        ("claude-haiku-4-5-20251001", 1.18),
        ("claude-opus-4-7", 1.46),
        ("claude-opus-4-8", 1.46),
        ("claude-opus-5", 1.46),
        ("us.anthropic.claude-sonnet-5-v1:0", 1.46),
        ("", 1.18),
        ("gpt-4.1", 1.18),
    ],
)
def test_each_model_family_has_its_factor(model: str, factor: float) -> None:
    assert ClaudeEstimate(model).factor == factor


def test_a_text_is_encoded_once() -> None:
    counter = ClaudeEstimate()
    counter("some text")
    counter._kept["some text"] = 99

    assert counter("some text") == 99


def test_the_counter_and_what_a_size_rests_on_are_named_on_screen(classroom: cl.Replay) -> None:
    for shown in (str(classroom), cl.svg_picture(classroom)):
        assert "cl100k_base x 1.18" in shown
        assert "counted" in shown


def png(width: int, height: int) -> str:
    head = (
        b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + b"IHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")
    )
    return base64.b64encode(head + b"\x08\x02\0\0\0" + zlib.compress(os.urandom(9_000))).decode()


JPEG = base64.b64encode(b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\x01\x2c\x02\x58\x03" + b"\0" * 20).decode()
GIF = base64.b64encode(b"GIF89a\x0a\0\x14\0" + b"\0" * 20).decode()
WEBP = base64.b64encode(b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x1f\0\0\x0f\0\0" + b"\0" * 8).decode()


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(280, 56), (280, 56)),
        (JPEG, (600, 300)),
        (GIF, (10, 20)),
        (WEBP, (32, 16)),
        ("", None),
        ("!!!!", None),
        ("AAAA", None),
    ],
)
def test_the_size_of_a_picture_is_read_from_its_head(data: str, size: tuple[int, int] | None) -> None:
    assert pixels(data) == size


def test_pictures_count_by_pixels_and_not_by_base64() -> None:
    part = {"type": "image", "source": {"type": "base64", "data": png(280, 57)}}

    assert picture_tokens(part) == 10 * 3
    assert picture_tokens({"type": "image", "source": {"data": png(9_000, 9_000)}}) == 1_568
    assert picture_tokens({"type": "image", "source": {"type": "url", "url": "x"}}) == UNKNOWN_TOKENS
    assert picture_tokens({"type": "document", "source": {"data": "AAAA" * 10_000}}) == UNKNOWN_TOKENS
