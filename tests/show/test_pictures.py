"""Pictures: three rendered exactly, every kind its own look, hostile text only text, both writers of one list."""

import html.parser
import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

import ctxlab as cl
from ctxlab.engine.message import KINDS
from ctxlab.engine.replay import said_by
from ctxlab.show.palette import LOOKS
from ctxlab.show.picture import picture
from ctxlab.show.svg import write_svg
from ctxlab.show.table import StepTable
from ctxlab.show.text import write_text
from ctxlab.show.words import LAYERS, STATES, VERBS
from ctxlab.sources.scenarios import example
from tests.conftest import ROOT

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><b>bold</b>",
    "[link](javascript:alert(1))",
    "$x_1$ and $y_2$",
    "\x1b[31mred\x1b]0;title\x07",
    "\u202eevil\u2028\ufeff",
    "]]>&amp;\" onload='x'",
    "<|endoftext|>",
]
ALLOWED = {"svg", "title", "desc", "defs", "pattern", "path", "clipPath", "rect", "g", "text", "tspan", "circle"}


def hostile_session(text: str) -> cl.History:
    """A session in which everything that can be text is hostile."""
    call = {"type": "tool_use", "id": text, "name": text, "input": {"file_path": text, "command": text}}
    read = {"type": "tool_use", "id": text + "2", "name": "Read", "input": {"file_path": text}}
    results = [
        {"type": "tool_result", "tool_use_id": name, "content": (text + "\n") * 2_000} for name in (text, text + "2")
    ]
    picture = {"type": "image", "source": {"type": "base64", "media_type": text, "data": text}}
    records = [
        {"type": "user", "message": {"role": "user", "content": text}, "timestamp": text},
        {
            "type": "assistant",
            "message": {"id": text, "model": text, "content": [{"type": "text", "text": text}, call, read]},
        },
        {"type": "user", "message": {"role": "user", "content": results}},
        {"type": "user", "message": {"role": "user", "content": text}, "uuid": text, "parentUuid": text},
        {"type": "summary", "summary": text, "leafUuid": text},
        {"type": "ai-title", "title": text, "aiTitle": text, "sessionId": text},
        {"type": "user", "message": {"role": "user", "content": [picture, {"type": "text", "text": text}]}},
    ]
    return cl.load("\n".join(json.dumps(record) for record in records))


class Tags(html.parser.HTMLParser):
    """Collects the tags and attributes of some HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text_in_every_renderer(text: str) -> None:
    result = cl.replay(hostile_session(text), cl.Settings.profile("classroom"))
    assert any(step.state == "acted" for step in result.steps)
    for exchange in result.exchanges:
        for step in exchange.steps:
            drawn = cl.svg_picture(result, exchange.index, step.layer)
            tree = ET.fromstring(drawn)
            assert {element.tag.rpartition("}")[2] for element in tree.iter()} <= ALLOWED
            assert not [
                name for element in tree.iter() for name in element.attrib if name.startswith("on") or "href" in name
            ]
            plain = cl.text_picture(result, exchange.index, step.layer)
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\ufeff]", plain)
    table = Tags()
    table.feed(StepTable(result, all_steps=True)._repr_html_())
    assert set(table.seen) <= {"table", "thead", "tbody", "tr", "th", "td", "p", "span"}
    assert table.attributes == {"scope", "style"}


def test_every_kind_has_its_own_letter_and_its_own_colour_with_pattern() -> None:
    looks = LOOKS.values()

    assert len({look.letter for look in looks}) == len(looks)
    assert len({(look.fill, look.pattern) for look in looks}) == len(looks)
    assert {name.partition(":")[0] for name in LOOKS} == set(KINDS)


def test_every_step_has_words_for_its_layer_and_state(classroom: cl.Replay) -> None:
    for step in classroom.steps:
        assert step.layer in LAYERS
        assert step.state in STATES


@pytest.mark.parametrize("layer", ["budget", "microcompact", "autocompact"])
def test_three_pictures_exactly(layer: str) -> None:
    """The worked examples, as text and as SVG; `python -m tests.show.test_pictures` writes them anew."""
    folder = ROOT / "tests" / "show" / "pictures"
    result = example(layer)
    step = next(step for step in result.steps if step.layer == layer and step.state == "acted")

    assert cl.text_picture(result, step.request, layer) + "\n" == (folder / f"{layer}.txt").read_text(encoding="utf-8")
    assert cl.svg_picture(result, step.request, layer) + "\n" == (folder / f"{layer}.svg").read_text(encoding="utf-8")


def test_a_picture_has_every_block_of_both_rows(classroom: cl.Replay) -> None:
    for exchange in classroom.exchanges:
        for step in exchange.steps:
            drawn = picture(classroom, exchange.index, step.layer)
            view = classroom.at(exchange.index, step.layer).view
            assert [mark.id for mark in drawn.view] == [block.id for block in view]
            assert drawn.view_tokens == step.after
            said = classroom.history.blocks[: classroom.history.turns[exchange.index].stop]
            assert [mark.id for mark in drawn.history if mark.id in classroom.history.by_id] == [
                block.id for block in said
            ]


def test_every_hidden_block_has_a_thread_to_what_stands_for_it(classroom: cl.Replay) -> None:
    drawn = picture(classroom)
    seen = {mark.id for mark in drawn.view}

    assert any(mark.verb for mark in drawn.history)
    for mark in drawn.history:
        if mark.verb:
            assert mark.verb in VERBS
            assert mark.into in seen or mark.verb == "snip"
        elif mark.kind not in ("snip_boundary", "compact_boundary"):
            assert mark.into == mark.id


def test_the_history_never_shrinks_and_says_so(classroom: cl.Replay) -> None:
    drawn = [
        picture(classroom, exchange.index, step.layer) for exchange in classroom.exchanges for step in exchange.steps
    ]

    assert all(each.history_before <= each.history_tokens for each in drawn)
    assert all(before.history_tokens <= after.history_before for before, after in pairwise(drawn))
    compaction = next(each for each in drawn if each.step.layer == "autocompact" and each.step.state == "acted")
    assert compaction.history_tokens - compaction.history_before == sum(
        b.tokens for b in said_by(compaction.step.edits[0])
    )
    assert "History unchanged" not in write_svg(compaction)
    assert "nothing deleted" in cl.text_picture(classroom)


def test_blocks_under_a_pixel_are_grouped_and_never_dropped() -> None:
    """The two ends of each row are where the tokens say, however many blocks there are."""
    result = cl.replay(cl.story("full"), cl.Settings.profile("v2.1").set("window.context_window=10_000_000"))
    tree = ET.fromstring(cl.svg_picture(result))
    assert len(list(tree.iter())) < 1_500
    shown = write_text(picture(result)).split("\n")
    assert len(shown[3]) <= 80


def test_an_empty_session_draws_nothing_and_says_so() -> None:
    result = cl.replay(cl.load([{"role": "user", "content": " "}]))

    assert str(result).endswith("no request in it, nothing to replay")


def test_a_replay_shows_itself_with_text_and_svg(classroom: cl.Replay) -> None:
    bundle = classroom._repr_mimebundle_()

    assert set(bundle) == {"image/svg+xml", "text/plain"}
    assert bundle["text/plain"].startswith("Request 58 of 58, snip. Snip cut 3 blocks.")


def test_the_table_tells_each_act_and_what_was_not_sent(classroom: cl.Replay) -> None:
    shown = StepTable(classroom)
    table = shown.text(10_000).split("\n")

    assert table[0].split() == ["request", "layer", "state", "before", "after", "reason"]
    assert len(table) == 2 + sum(step.state == "acted" for step in classroom.steps)
    assert (
        table[-1]
        == "58 requests, 16 steps shown; every request was sent; sizes in tokens, counted: cl100k_base x 1.18 (estimate, Claude up to the 4.6 models)"
    )
    assert max(map(len, shown.text(80).split("\n"))) <= 80
    blocked = cl.replay(
        cl.story(), cl.Settings.profile("classroom").set("autocompact.enabled=off", "collapse.enabled=off")
    )
    assert "request 30 blocked" in StepTable(blocked).text(10_000).split("\n")[-1]


if __name__ == "__main__":
    for name in ("budget", "microcompact", "autocompact"):
        shown = example(name)
        at = next(step for step in shown.steps if step.layer == name and step.state == "acted")
        for suffix, draw in ((".txt", cl.text_picture), (".svg", cl.svg_picture)):
            path = ROOT / "tests" / "show" / "pictures" / f"{name}{suffix}"
            path.parent.mkdir(exist_ok=True)
            path.write_text(draw(shown, at.request, name) + "\n", encoding="utf-8")
