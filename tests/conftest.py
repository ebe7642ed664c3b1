"""What several tests share: the corpus, small sessions, and recorded lines."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.engine.tokens import Quarter
from ctxlab.sources.build import Builder
from tests.jupyter import FLAGS, MISSING, browser_path, end_sessions, jupyterlab

ROOT = Path(__file__).parent.parent


def corpus_files() -> list[Path]:
    """The recordings of the corpus, or none where CTXLAB_CORPUS does not name its folder."""
    folder = os.environ.get("CTXLAB_CORPUS", "")
    return sorted(each for each in Path(folder).glob("[0-9]*") if each.is_file()) if folder else []


def number(path: Path) -> str:
    """The number that a file of the corpus begins with."""
    return path.name.split("__")[0]


needs_corpus = pytest.mark.skipif(not corpus_files(), reason="CTXLAB_CORPUS does not name a folder with recordings")


@pytest.fixture(scope="session")
def classroom() -> cl.Replay:
    """The story in the classroom profile."""
    return cl.replay(cl.story("classroom"), cl.Settings.profile("classroom"))


@pytest.fixture
def build() -> Builder:
    """A builder that counts four characters a token."""
    return Builder(Quarter())


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """A headless Chromium; skips without one, fails where it is required."""
    if not browser_path():
        if os.environ.get("CTXLAB_BROWSER") == "required":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def browser(chromium: object) -> Iterator[object]:
    """The same Chromium for one test; its pages are closed behind it, or they would go on asking their server."""
    yield chromium
    for context in list(chromium.contexts):
        context.close()


@pytest.fixture(scope="session")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `lab` shows; tests write their notebooks into it."""
    return tmp_path_factory.mktemp("notebooks")


@pytest.fixture(scope="session")
def server(chromium: object, notebooks: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab that runs as long as the tests do."""
    with jupyterlab(notebooks, tmp_path_factory.mktemp("lab")) as address:
        yield address


@pytest.fixture
def lab(server: str, browser: object) -> Iterator[str]:
    """The address of a JupyterLab; the kernels of a test end with it."""
    yield server
    end_sessions(server)


class Lines:
    """Writes the lines of a session file, one record behind the other in one chain."""

    def __init__(self) -> None:
        self.records: list[dict] = []

    def add(self, kind: str, content: object, **fields: object) -> str:
        """Add a record; answers with its uuid."""
        uuid = str(fields.pop("uuid", f"r{len(self.records)}"))
        parent = fields.pop("parent", self.records[-1]["uuid"] if self.records else None)
        message = {"role": kind, "content": content}
        for name in ("id", "model", "usage"):
            if name in fields:
                message[name] = fields.pop(name)
        at = f"2026-01-12T09:{len(self.records) // 60:02}:{len(self.records) % 60:02}Z"
        record = {"type": kind, "uuid": uuid, "parentUuid": parent, "timestamp": at, "message": message, **fields}
        self.records.append(record)
        return uuid

    def user(self, content: object, **fields: object) -> str:
        return self.add("user", content, **fields)

    def reply(self, content: object, **fields: object) -> str:
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        return self.add("assistant", content, **{"id": f"msg{len(self.records)}", **fields})

    def call(self, name: str, **fields: object) -> str:
        return self.reply([{"type": "tool_use", "id": name, "name": "Bash", "input": {"command": name}}], **fields)

    def result(self, name: str, text: str = "done", **fields: object) -> str:
        return self.user([{"type": "tool_result", "tool_use_id": name, "content": text}], **fields)

    def text(self) -> str:
        return "\n".join(json.dumps(record, ensure_ascii=False) for record in self.records)

    def load(self) -> cl.History:
        return cl.load(self.text(), counter=Quarter())


@pytest.fixture
def lines() -> Lines:
    return Lines()


def said(history: cl.History) -> list[str]:
    """What was said, block by block, in few words."""
    return [f"{b.kind} {b.call or b.text}" for b in history.blocks]
