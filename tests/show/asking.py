"""Stands for the page of a bench: asks it, and keeps what it answers."""

import gzip
import json

from ctxlab.show.columns import columns_of
from ctxlab.show.live import Bench


class Browser:
    """Stands for the page: asks the bench, and keeps what it answers."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.heard: list[dict] = []
        bench.send = lambda content, buffers=None: self.heard.append(content)

    def ask(self, **question: object) -> dict:
        self.heard.clear()
        self.bench._heard(self.bench, question, [])
        return self.heard[-1] if self.heard else {}

    def columns(self) -> dict:
        return json.loads(gzip.decompress(self.bench._columns))

    def field(self, path: str) -> dict:
        return next(field for field in self.bench._settings["fields"] if field["path"] == path)


def number_of(browser: Browser, block_id: str) -> int:
    return columns_of(browser.bench.replay).ids.index(block_id)


def step_of(browser: Browser, request: int, layer: str) -> int:
    columns = columns_of(browser.bench.replay)
    return next(n for n, step in enumerate(columns.steps) if (step.request, step.layer) == (request, layer))


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [text for part in parts for text in strings(part)]
