"""The bench's JavaScript: its pure parts in Node, and its marks against those of the static picture, block for block."""

import json
import os
import re
import shutil
import subprocess

import pytest
from hypothesis import Phase, given, settings

import ctxlab as cl
from ctxlab.engine.history import History
from ctxlab.engine.settings import Settings
from ctxlab.show.columns import columns_of
from ctxlab.show.joined import FOLDER, ORDER, joined
from ctxlab.show.palette import LOOKS
from ctxlab.show.payload import fixed, plain
from ctxlab.show.picture import picture
from ctxlab.show.words import thousands
from tests.conftest import ROOT
from tests.engine.unreliable import EVERY, run
from tests.show.test_pictures import HOSTILE, hostile_session
from tests.strategies import histories, settingses

TESTS = ROOT / "tests" / "show" / "bench"
MISSING = "Node is not installed; the pure parts of the bench are tested with it (Debian: apt-get install nodejs)"
KINDS = list(LOOKS)
ROWS = {
    "history_row",
    "view_row",
    *(f"legend_{name}" for name in ("recorded", "compacted", "drops", "outcome", "old")),
}  # made of parts


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if not found:
        if os.environ.get("CTXLAB_NODE") == "required":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    return found


def test_the_pure_parts(node: str) -> None:
    done = subprocess.run(
        [node, "--test", *sorted(map(str, TESTS.glob("*.test.mjs")))], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-2_000:]
    assert int(re.search(r"pass (\d+)", done.stdout).group(1)) >= 15


def some_replays() -> list[cl.Replay]:
    """The story under several Settings, hostile sessions, and generated ones in which much happens."""
    story, full = cl.story("classroom"), cl.story("full")
    out = [cl.replay(story, cl.Settings.profile(name)) for name in ("classroom", "article", "v2.1")]
    out.append(
        cl.replay(story, cl.Settings.profile("classroom").set("microcompact.strategy=cached", "snip.enabled=off"))
    )
    out.append(cl.replay(full, cl.Settings.profile("v2.0")))
    out += [cl.replay(hostile_session(text), cl.Settings.profile("classroom")) for text in HOSTILE]
    return out + generated(60)


def generated(count: int) -> list[cl.Replay]:
    """Replays of generated sessions, always the same ones."""
    out: list[cl.Replay] = []

    @settings(max_examples=count, derandomize=True, database=None, deadline=None, phases=[Phase.generate])
    @given(histories(), settingses(), EVERY)
    def collect(history: History, chosen: Settings, every: int) -> None:
        out.append(run(history, chosen, every))

    collect()
    return out


def expected(replay: cl.Replay) -> list[dict]:
    """The marks of the static picture at every step, blocks by number."""
    columns = columns_of(replay)
    number = {block_id: at for at, block_id in enumerate(columns.ids)} | {"": -1}
    out = []
    for step in columns.steps:
        drawn = picture(replay, step.request, step.layer)
        history = [
            [number[m.id], KINDS.index(m.kind), m.start, m.tokens, m.label, m.verb, m.now, number[m.into]]
            for m in drawn.history
        ]
        view = [[number[m.id], KINDS.index(m.kind), m.start, m.tokens, m.label, m.now] for m in drawn.view]
        out.append(
            {"reason": drawn.reason, "title": drawn.title, "layer": step.layer, "history": history, "view": view}
        )
    return out


def test_both_drawings_have_the_same_marks_at_every_step(node: str) -> None:
    replays = some_replays()
    numbers = [0, 999, 1_000, 12_250, 12_350, 12_449, 12_450, 999_949, 999_999, 1_005_000, 1_234_567]
    asked = {"fixed": fixed(), "replays": [plain(each) for each in replays], "numbers": numbers}
    done = subprocess.run(
        [node, str(TESTS / "twin.mjs")], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    answer = json.loads(done.stdout)

    assert [thousands(each) for each in numbers] == answer["numbers"]
    for replay, steps in zip(replays, answer["steps"], strict=True):
        wanted = expected(replay)
        assert len(steps) == len(wanted)
        for got, want in zip(steps, wanted, strict=True):
            assert got == want
    acted = {s.layer for replay in replays for s in replay.steps if s.state == "acted"}
    assert {"budget", "snip", "microcompact", "collapse", "autocompact", "user"} <= acted


def test_every_file_is_joined_and_is_short() -> None:
    files = sorted(FOLDER.glob("*.js"))

    assert {path.stem for path in files} == {*ORDER, "page"}
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") <= 300, path.name
        assert max(map(len, text.split("\n"))) <= 160, path.name
        assert text.startswith("/* ")


def test_the_joined_module_imports_nothing_and_each_name_stands_once(node: str, tmp_path) -> None:
    text = joined()
    whole = tmp_path / "joined.mjs"
    whole.write_text(text, encoding="utf-8")

    assert not re.search(r"^\s*import\b", text, flags=re.MULTILINE)
    assert re.findall(r"^export .*", text, flags=re.MULTILINE) == ["export default { render };"]
    done = subprocess.run([node, "--check", str(whole)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1_000:]
    linked = subprocess.run(
        [node, "--input-type=module", "-e", f"await import({json.dumps((FOLDER / 'bench.js').as_uri())})"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert linked.returncode == 0, linked.stderr[-1_000:]


def test_session_text_enters_the_page_only_as_text() -> None:
    text = joined()

    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\.href\s*=|setHTML", text
    )
    assert "http:" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in text


def test_every_word_that_the_script_says_is_in_the_table() -> None:
    text = joined()
    bench = fixed()["bench"]
    nouns = set(re.findall(r"count\(\s*[\"'](\w+)[\"']", text))
    said = set(re.findall(r"say\(\s*[\"'](\w+)[\"']", text))

    assert said <= set(bench), said - set(bench)
    assert nouns <= set(fixed()["nouns"])
    everything = text + "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "ctxlab" / "show").glob("[!b]*.py")
    )
    assert [name for name in bench if not re.search(rf"[\"'.`\b]{name}\b", everything) and name not in ROWS] == []
    assert not re.search(r"(?:title|aria-label|placeholder): \"[A-Za-z]", text)
