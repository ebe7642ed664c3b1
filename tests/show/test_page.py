"""The page of a replay: what is in the file, what is not, and that it answers as the kernel does."""

import base64
import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.cli import main
from ctxlab.engine.tokens import Quarter
from ctxlab.show.columns import columns_of
from ctxlab.show.page import MARK, make_page, write_page
from ctxlab.show.page_texts import MOST_CHARACTERS, texts_of
from ctxlab.show.payload import plain
from ctxlab.show.table import StepTable
from ctxlab.sources.masks import Masks, masked
from tests.show.asking import Browser, strings
from tests.show.secrets import NAME, PLANTED, places, planted, session
from tests.show.test_bench_script import TESTS, node  # noqa: F401 - a fixture
from tests.show.test_pictures import HOSTILE, Tags, hostile_session

ALL = " and ".join("".join(parts) for parts in PLANTED.values())
HIDDEN = {secret for _, secret, _ in PLANTED.values()}
PACKED = ("script", "columns", "fixed", "settings", "texts")


def held(html: str) -> dict:
    """The data of a page, unpacked."""
    data = json.loads(re.search(r'<script type="application/json" id="ctxlab-data">(.*?)</script>', html).group(1))
    return {
        key: gzip.decompress(base64.b64decode(value)).decode() if key in PACKED and value else value
        for key, value in data.items()
    }


def everything(html: str) -> str:
    """All that is in a page, also inside what is packed."""
    data = held(html)
    texts = strings(json.loads(data["texts"])) if data["texts"] else []
    return "\n".join([html, data["columns"], *strings(json.loads(data["columns"])), *texts, data["settings"]])


def small(text: str) -> cl.Settings:
    return cl.Settings.profile("classroom").set("budget.per_result_chars=2000", *text.split())


class TestSecrets:
    """Planted in every field: in no page, in no saved notebook, in nothing that is printed."""

    @pytest.mark.parametrize("path", list(places(session())), ids=lambda path: "-".join(map(str, path)))
    def test_none_in_a_page_a_notebook_or_what_is_printed(self, path: tuple) -> None:
        """But as `type`, which decides what a record is."""
        history = cl.load(planted(path, ALL), counter=Quarter())
        shown = cl.replay(history, small(""))
        bench = cl.Bench(history, small(""))
        saved = [str(shown), repr(bench), *map(str, bench._repr_mimebundle_()[0].values())]
        saved += [StepTable(shown)._repr_html_(), *strings(json.loads(gzip.decompress(bench._columns)))]
        saved += [str(shown.at(step.request, step.layer)) for step in shown.steps]
        saved += [everything(make_page(shown, texts=texts).html) for texts in (True, False)]

        for secret in HIDDEN:
            assert secret not in "\n".join(saved)

    def test_none_on_the_command_line(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "session.jsonl"
        for place in places(session()):
            path.write_text(planted(place, ALL), encoding="utf-8")
            for command in (["replay"], ["replay", "--json"], ["audit"]):
                main([command[0], str(path), *command[1:]])
        out = capsys.readouterr()

        assert not [secret for secret in HIDDEN if secret in out.out + out.err]
        assert len(out.out) > 10_000

    def test_none_in_the_json_where_a_reason_names_the_tool(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tool = next(place for place in places(session()) if place[-1] == "name" and place[-2] == 3)
        (tmp_path / "s.jsonl").write_text(planted(tool, PLANTED["key"][1]), encoding="utf-8")
        assert main(["replay", str(tmp_path / "s.jsonl"), "--json", "--set", "budget.per_result_chars=2000"]) == 0
        out = capsys.readouterr().out

        assert "mcp__db__query key*" in out
        assert PLANTED["key"][1] not in out

    def test_one_that_a_preview_cuts_is_covered_as_far_as_it_goes(self) -> None:
        _, secret, _ = PLANTED["key"]
        content = "x" * 188 + " " + secret + " " + "y" * 5_000
        messages = [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": content}]},
        ]
        shown = cl.replay(cl.load(messages), small("budget.preview_bytes=200"))
        texts = texts_of(shown, Masks())
        previews = [texts["pool"][at] for at in texts["form"] if at >= 0]

        assert previews
        assert not any(secret[:8] in text for text in texts["pool"])
        assert any("x" * 188 in text and " " + "*" * 11 in text for text in previews)

    def test_the_story_has_none(self) -> None:
        assert all(masked(block.text) == block.text for block in cl.story("classroom").blocks)

    def test_a_secret_at_the_cut_of_a_title_is_covered_first(self) -> None:
        for size in range(80, 121):
            prompt = "x" * size + " " + PLANTED["key"][1] + " and more"
            lines = [
                {"type": "user", "uuid": "a", "message": {"role": "user", "content": "main"}},
                {"type": "user", "uuid": "b", "isSidechain": True, "message": {"role": "user", "content": prompt}},
            ]
            shown = cl.replay(cl.load("\n".join(map(json.dumps, lines))))
            assert PLANTED["key"][1][:10] not in json.dumps(plain(shown)["branches"])

    def test_the_list_of_what_was_covered_is_on_the_page_and_holds_no_secret(self) -> None:
        text = planted((0, "message", "content"), "".join(PLANTED["home"]) + " " + PLANTED["key"][1])
        page = make_page(cl.replay(cl.load(text, counter=Quarter()), small("")))

        assert any("key or token: 1" in line and "name in a home path: 1" in line for line in page.about)
        assert all(line in page.html.replace("&#x27;", "'") for line in page.about)
        assert NAME not in page.html


class TestTexts:
    def test_without_texts_no_word_of_the_session_is_there(self) -> None:
        word = "zanzibarish"
        for path in places(session()):
            history = cl.load(planted(path, word), counter=Quarter()) if path[-1] != "type" else None
            if history is not None:
                assert word not in everything(make_page(cl.replay(history, small("")), texts=False).html)
        for tool in ("Zq", "查询", "zanzi" * 90):
            records = session()
            records[1]["message"]["content"][3]["name"] = tool
            text = "\n".join(map(json.dumps, records))
            bare = make_page(cl.replay(cl.load(text), small("")), texts=False)
            assert tool[:60] not in "".join(strings(json.loads(held(bare.html)["columns"])))
        assert word in everything(
            make_page(cl.replay(cl.load(planted((0, "message", "content"), word)), small(""))).html
        )

    def test_a_long_text_is_capped_and_the_page_says_so(self) -> None:
        page = make_page(cl.replay(cl.load([{"role": "user", "content": "long " * 5_000}])))
        texts = json.loads(held(page.html)["texts"])

        assert max(map(len, texts["pool"])) == MOST_CHARACTERS
        assert max(texts["characters"]) == 25_000
        assert "the first 4,000 characters are here; 1 of" in page.about[0]

    def test_a_thousand_messages_without_texts_fit_into_150_kb(self) -> None:
        messages: list[dict] = []
        for n in range(0, 1_000, 2):
            call = {"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": {"command": f"step {n}"}}
            result = {"type": "tool_result", "tool_use_id": f"t{n - 2}", "content": f"result {n} " * (n % 97)}
            messages.append({"role": "user", "content": [result] if n else "go"})
            messages.append({"role": "assistant", "content": [{"type": "text", "text": f"now {n}"}, call]})
        page = make_page(cl.replay(cl.load(messages)), texts=False)

        assert len(messages) == 1_000
        assert len(page.html.encode()) <= 150_000


class TestFile:
    def test_the_same_replay_gives_the_same_bytes(self) -> None:
        one, two = (make_page(cl.replay(cl.story(), cl.Settings.profile("classroom"))) for _ in range(2))
        assert one == two

    def test_a_page_takes_the_place_of_a_page_and_of_nothing_else(self, tmp_path: Path) -> None:
        bench = cl.Bench(cl.story(), cl.Settings.profile("classroom"))
        bench.save(tmp_path / "a.html")
        bench.save(tmp_path / "a.html", texts=False)
        (tmp_path / "mine.html").write_text("mine")
        with pytest.raises(FileExistsError, match="is no page of ctxlab"):
            bench.save(tmp_path / "mine.html")
        with pytest.raises(FileNotFoundError, match="the folder"):
            bench.save(tmp_path / "no" / "a.html")

        assert (tmp_path / "mine.html").read_text() == "mine"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "mine.html"]
        assert (tmp_path / "a.html").read_text().startswith(MARK)

    def test_what_else_is_in_the_folder_is_left_alone(self, tmp_path: Path) -> None:
        for name in (".a.html.0.part", "a.html.part"):
            (tmp_path / name).write_text("mine")
        (tmp_path / ".a.html.1.part").symlink_to(tmp_path / "victim")
        cl.Bench(cl.story(), cl.Settings.profile("classroom")).save(tmp_path / "a.html")

        assert (tmp_path / ".a.html.0.part").read_text() == (tmp_path / "a.html.part").read_text() == "mine"
        assert not (tmp_path / "victim").exists()

    def test_a_page_shows_itself_in_few_words(self) -> None:
        page = make_page(cl.replay(cl.story(), cl.Settings.profile("classroom")))
        assert repr(page).startswith("Page of ")
        assert len(repr(page)) < 500

    def test_a_session_without_a_request_has_no_page(self) -> None:
        with pytest.raises(ValueError, match="has no request"):
            make_page(cl.replay(cl.load([{"role": "assistant", "content": "alone"}])))

    @pytest.mark.parametrize("text", HOSTILE)
    def test_no_text_of_a_session_stands_in_the_markup(self, text: str) -> None:
        page = make_page(cl.replay(hostile_session(text), cl.Settings.profile("classroom")))
        found = Tags()
        found.feed(page.html)

        assert page.html.count("</script>") == 2
        assert {*found.seen} <= {
            *re.findall(r"\w+", "html head meta title style body main noscript pre footer p script")
        }
        assert found.attributes <= {"lang", "charset", "http-equiv", "content", "name", "type", "id"}

    def test_the_command_writes_it(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "s.jsonl"
        path.write_text(planted((0, "message", "content"), "".join(PLANTED["home"])), encoding="utf-8")
        assert main(["replay", str(path), "--html", str(tmp_path / "out.html")]) == 0
        said = capsys.readouterr().out
        assert "name in a home path: 1" in said
        assert main(["replay", str(path), "--html", str(tmp_path / "out.html"), "--no-texts"]) == 0
        assert held((tmp_path / "out.html").read_text())["texts"] is None
        assert main(["replay", str(path), "--html", str(path)]) == 1
        assert "is no page of ctxlab" in capsys.readouterr().err
        assert path.read_text().startswith('{"type": "user"')


@pytest.mark.parametrize("changed", [(), ("microcompact.strategy=cached",), ("microcompact.strategy=api",)])
def test_a_page_answers_as_the_kernel_does(node: str, changed: tuple[str, ...]) -> None:  # noqa: F811
    """Every block of the story at some steps: the same original, the same text seen, as far as the page has it."""
    history = cl.story("classroom")
    browser = Browser(cl.Bench(history, cl.Settings.profile("classroom").set(*changed)))
    shown = browser.bench.replay
    columns = columns_of(shown)
    acts = [n for n, step in enumerate(columns.steps) if step.state == "acted"]
    questions = [
        {"block": block, "step": step}
        for step in [0, *acts[::3], len(columns.steps) - 1]
        for block in range(len(columns.ids))
    ]
    asked = [{"plain": plain(shown), "texts": texts_of(shown, Masks()), "questions": questions}]
    done = subprocess.run(
        [shutil.which("node"), str(TESTS / "answers.mjs")],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    for question, answer in zip(questions, json.loads(done.stdout)[0], strict=True):
        kernel = browser.ask(type="block", page=0, **question)
        for key in ("original", "characters", "seen", "seen_characters"):
            assert answer[key] == kernel[key], (question, key)
        assert answer["addresses"] == kernel["addresses"][:1] or not answer["original"]


def test_write_page_leaves_nothing_behind_when_it_fails(tmp_path: Path) -> None:
    page = make_page(cl.replay(cl.story(), cl.Settings.profile("classroom")))
    with pytest.raises(UnicodeEncodeError):
        write_page(page._replace(html="\ud800"), tmp_path / "a.html")

    assert list(tmp_path.iterdir()) == []
