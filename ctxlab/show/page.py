"""Page: a whole replay as one HTML file, all steps in it, that works from disk with no network and no kernel.

It is the bench itself with a stand-in for its kernel. Nothing of a session stands in the markup: all of it travels as
packed data and enters the page as text, and the page's own policy forbids every request to the outside.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from ..engine.profiles import PROFILES
from ..engine.replay import Replay
from ..sources.masks import Masks
from .joined import ORDER, STYLE, joined
from .languages import Language, language
from .notebook import first_act
from .page_texts import texts_of
from .payload import FIRST_CONTROLS, fixed, name_of, packed, settings_payload
from .picture import picture
from .text import write_text

MARK = "<!doctype html><!-- a replay by ctxlab -->"
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
AROUND = """:root { color-scheme: light dark; }
body { margin: 0; padding: 12px; background: #fff; color: #1a1e23; font: 14px/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { body { background: #0b0d10; color: #e8ebee; } }
body > main { max-width: 1180px; margin: 0 auto; }
body > footer { max-width: 1152px; margin: 12px auto; padding: 0 14px; font-size: 12.5px; opacity: 0.85; overflow-wrap: anywhere; }
noscript pre { white-space: pre-wrap; }
"""
LOADER = """const data = JSON.parse(document.getElementById("ctxlab-data").textContent);
const bytes = (packed) => Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
const unzipped = (packed) => new Response(new Blob([bytes(packed)]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
globalThis.ctxlabPage = { data, bytes, unzipped };
unzipped(data.script).then((source) => {
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = source;
  document.body.append(script);
}).catch((error) => { document.querySelector("main").textContent = String(error); });
"""


class Page(NamedTuple):
    """A page: its HTML, and in one sentence for each thing what it holds."""

    html: str
    about: tuple[str, ...]

    def __repr__(self) -> str:
        size = f"Page of {len(self.html.encode('utf-8', 'replace')) / 1_000:,.0f} KB"
        return "\n".join([size, *self.about])


def make_page(
    shown: Replay,
    *,
    texts: bool = True,
    place: tuple[int, str] | None = None,
    controls: tuple[str, ...] = FIRST_CONTROLS,
    against: Replay | None = None,
    extra: dict[str, Any] | None = None,
    lang: str = "en",
) -> Page:
    """The page of a Replay, opened at a `place` (by default its first act), with these `controls` open.

    Without `texts` it holds numbers and kinds only. `against` is the run beside it, `extra` tells its name and which
    faults are in. Raises ValueError where there is no request.
    """
    if not shown.exchanges:
        raise ValueError(f"{shown.history!r} has no request, so there is nothing to show on a page")
    masks, tongue = Masks(), language(lang)
    first = first_act(shown)
    opens = place or (first.request, first.layer)
    held = texts_of(shown, masks) if texts else None
    data = {
        "script": zipped(joined((*ORDER, "page"))),
        "columns": base64.b64encode(packed(shown, texts=texts, tongue=tongue)).decode("ascii"),
        "fixed": zipped(json.dumps(page_words(texts, tongue))),
        "settings": zipped(json.dumps(settings_payload(shown.settings, list(PROFILES)))),
        "against": base64.b64encode(packed(against, texts=texts, tongue=tongue)).decode("ascii") if against else None,
        "extra": extra or {},
        "controls": list(controls),
        "place": list(opens),
        "texts": zipped(json.dumps(held)) if held else None,
    }
    about = about_of(masks, held, tongue)
    name = name_of(shown) if texts else tongue.live.PAGE["a_session"]
    twin = write_text(picture(shown, *opens, lang)) if texts else tongue.live.PAGE["needs_script"]
    return Page(document(name, data, about, twin, lang), about)


def page_words(texts: bool, tongue: Language) -> dict[str, Any]:
    """The words of the bench, with those that a page says otherwise."""
    words = fixed(tongue)
    otherwise = {key: text for key, text in tongue.live.PAGE.items() if key in words["bench"]}
    if texts:
        otherwise.pop("asks_kernel")
    return {**words, "bench": {**words["bench"], **otherwise}}


def about_of(masks: Masks, held: dict[str, Any] | None, tongue: Language) -> tuple[str, ...]:
    """What the page holds of the session's texts, and what was covered."""
    words: dict[str, str] = tongue.live.PAGE
    if held is None:
        return (words["no_texts"],)
    longer = sum(length > held["cap"] for length in held["characters"])
    cut = words["capped"].format(cap=f"{held['cap']:,}", longer=f"{longer:,}", blocks=f"{len(held['characters']):,}")
    listed = "; ".join(
        f"{tongue.live.MASKED[kind]}: {different:,} ({tongue.count('times', often)})"
        for kind, (different, often) in masks.counts.items()
    )
    return cut, words["covered"].format(listed or words["nothing_covered"])


def document(name: str, data: dict[str, Any], about: tuple[str, ...], twin: str, lang: str) -> str:
    """The HTML around the data."""
    title = html.escape(f"ctxlab: {name}")
    packed_data = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    lines = "".join(f"<p>{html.escape(line)}</p>" for line in about)
    return f"""{MARK}
<html lang="{lang}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{AROUND}{STYLE}</style></head>
<body><main></main><noscript><pre>{html.escape(twin)}</pre></noscript>
<footer>{lines}</footer>
<script type="application/json" id="ctxlab-data">{packed_data}</script>
<script>{LOADER}</script></body></html>
"""


def zipped(text: str) -> str:
    """A text as base64 of gzip, the same bytes each time."""
    return base64.b64encode(gzip.compress(text.encode("utf-8"), 9, mtime=0)).decode("ascii")


def write_page(page: Page, path: str | Path) -> Path:
    """Write a page to a file, whole or not at all; FileExistsError where the file there is not such a page."""
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"the folder {target.parent} is not there")
    if target.exists():
        with target.open("rb") as file:
            begins = file.read(len(MARK))
        if begins != MARK.encode():
            raise FileExistsError(f"{target} is there already and is no page of ctxlab; give another name")
    aside = unused(target)
    try:
        aside.write_text(page.html, encoding="utf-8", newline="\n")
        return aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)


def unused(target: Path) -> Path:
    """A new empty file beside another; one that is there, or a link, is left alone."""
    for number in count():
        aside = target.with_name(f".{target.name}.{number}.part")
        with suppress(FileExistsError):
            aside.touch(exist_ok=False)
            return aside
    raise AssertionError  # numbers do not end
