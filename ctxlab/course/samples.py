"""Samples: six short texts of the kinds that fill a window, to count tokens of. Made by hand or by the story's rule."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from ..sources.story import story

ENGLISH = (
    "The session is a story: an agent moves the payment module from callbacks to async, and its user adds one wish: do not "
    "change the public API. Later somebody asks what was wrong with the refunds in the morning, and whether any name has "
    "changed."
)
CHINESE = (
    "大模型没有真正的记忆。每次你问它一个问题，它都要重新读完系统提示、全部历史对话和当前的问题，然后才能生成回复。"
    "这些内容的总长度有一个上限，叫做上下文窗口。"
)
MIXED = (
    "把 payments/charge.py 里的 callback 改成 async，不要改动 public API；改完运行 pytest -q，告诉我哪个测试失败了。"
    "The names in payments/api.py stay as they are."
)
JSON = (
    '{"type": "tool_use", "id": "toolu_01", "name": "Edit", "input": {"file_path": "payments/charge.py", '
    '"old_string": "def charge(self, on_done):", "new_string": "async def charge(self):"}}'
)


@lru_cache(maxsize=1)
def samples() -> Mapping[str, str]:
    """The six texts by what they are; code and log are results from the story."""
    results = [block for block in story().blocks if block.kind == "result"]
    code = next(block.text for block in results if block.tool == "Read")
    log = next(block.text for block in results if "DEBUG" in block.text)
    texts = {
        "English": ENGLISH,
        "code": code[:600],
        "log": log[:800],
        "JSON": JSON,
        "Chinese": CHINESE,
        "mixed": MIXED,
    }
    return MappingProxyType(texts)  # the checks take their cases from it
