"""Sessions and Settings of every shape, for properties that must hold over any of them."""

from hypothesis import strategies as st

from ctxlab.engine.history import History
from ctxlab.engine.message import Block
from ctxlab.engine.settings import Settings
from ctxlab.engine.tokens import Quarter
from ctxlab.sources.build import Builder

TOOLS = ("Read", "Read", "Bash", "Grep", "Edit", "Write", "mcp__memory__search", "TodoWrite", "Skill")
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA" * 200}}
WORDS = ("started ", "please ", "done ", "中文 ", "\n", "<script>alert(1)</script> ", "\x1b[31m\u202e $x$ ")


class Teller:
    """Draws one session: parallel, interrupted and late calls, thinking, pictures, server tools, clocks that step back."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.build = Builder(Quarter())
        self.at: float | None = 0.0 if draw(st.booleans()) else None
        self.calls = 0

    def pick(self, *options: object) -> object:
        return self.draw(st.sampled_from(options))

    def wait(self) -> None:
        if self.at is not None:
            self.at += self.pick(5, 5, 5, 30, 3_700, -50)

    def text(self, most: int) -> str:
        return self.pick(*WORDS) * self.draw(st.integers(1, most)) + "x"

    def tools(self) -> None:
        content: list[dict] = []
        if self.draw(st.integers(0, 3)) == 0:
            content.append({"type": "thinking", "thinking": "hm " * 20, "signature": "s"})
        if self.draw(st.booleans()):
            content.append({"type": "text", "text": "I look."})
        mine = []
        for _ in range(self.draw(st.integers(1, 3))):
            mine.append(f"t{self.calls}")
            self.calls += 1
            given = {"file_path": self.pick("a.py", "deep/b.py"), "old_string": "x", "new_string": "y", "plan": "p"}
            given["todos"] = [{"content": "<b>one</b>", "status": "pending"}]
            content.append({"type": "tool_use", "id": mine[-1], "name": self.pick(*TOOLS), "input": given})
        self.build.reply(content, self.at, stop=self.pick("", "", "tool_use", "max_tokens"))
        self.wait()
        fate = self.pick("all", "all", "all", "all", "all", "lost", "late", "said between")
        now, later = (mine[:-1], mine[-1:]) if fate in ("lost", "late") else (mine, [])
        if fate == "said between":
            self.build.user("by the way", self.at)
        if now:
            self.build.results([self.result(name) for name in now], [self.at] * len(now))
        if later and fate == "late":
            self.build.reply("meanwhile", self.at)
            self.build.results([self.result(name) for name in later], [self.at])

    def result(self, name: str) -> dict:
        size = self.pick(0, 10, 40, 400, 4_000, 40_000)
        content: object = self.pick("r", "é", "line\n") * size
        if self.draw(st.integers(0, 9)) == 0:
            content = [{"type": "text", "text": content}, PICTURE]
        return {
            "type": "tool_result",
            "tool_use_id": name,
            "content": content,
            "is_error": self.draw(st.integers(0, 4)) == 0,
        }

    def server(self) -> None:
        name = f"s{self.calls}"
        self.calls += 1
        self.build.reply(
            [
                {"type": "server_tool_use", "id": name, "name": "web_search", "input": {"query": "q"}},
                {"type": "web_search_tool_result", "tool_use_id": name, "content": "w" * 2_000},
                {"type": "text", "text": "found"},
            ],
            self.at,
        )

    def move(self) -> None:
        self.wait()
        kind = self.pick(
            "tools", "tools", "tools", "tools", "text", "user", "picture", "server", "attachment", "thought"
        )
        if kind == "tools":
            self.tools()
        elif kind == "text":
            self.build.reply(self.text(200), self.at)
        elif kind == "user":
            self.build.user(self.text(self.pick(3, 30, 3_000)), self.at)
        elif kind == "picture":
            self.build.user([PICTURE, {"type": "text", "text": "see"}], self.at)
        elif kind == "server":
            self.server()
        elif kind == "attachment":
            nested = self.pick("", "deep/CLAUDE.md")
            self.build.user("reminder " * 10, self.at, kind="attachment", nested=nested)
        else:
            self.build.reply([{"type": "thinking", "thinking": "only", "signature": "s"}], self.at)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Any session of up to 25 moves."""
    teller = Teller(draw)
    if draw(st.integers(0, 9)):
        teller.build.user(teller.text(30), teller.at)
    for _ in range(draw(st.integers(1, 25))):
        teller.move()
    overhead = (
        Block("system", "system", "system", "", 300, "overhead"),
        Block("claude_md", "user", "claude_md", "rules " * 20, 30, "overhead", target="a.py"),
        Block("claude_md.user", "user", "claude_md", "mine " * 20, 25, "overhead"),
    )
    return History(tuple(teller.build.messages), overhead)


@st.composite
def settingses(draw: st.DrawFn) -> Settings:
    """Any Settings of a small window, every layer on or off in every variant."""

    def pick(*options: object) -> object:
        return draw(st.sampled_from(options))

    strategies = [("gap",), ("gap", "cached"), ("pressure",), ("api",), ("gap", "api"), ("age", "cached")]
    return Settings.profile("v2.1").replace(
        {
            "window.context_window": pick(4_000, 8_000, 20_000, 60_000),
            "window.max_output_tokens": pick(0, 500, 1_500),
            "window.reserve_tokens": 500,
            "window.reserve_rule": pick("min", "max", "limit"),
            "window.buffer_tokens": pick(200, 1_000),
            "window.warning_tokens": 500,
            "window.blocking_tokens": 100,
            "budget.enabled": pick(True, True, False),
            "budget.per_result_chars": pick(100, 1_000, 5_000),
            "budget.per_message_chars": pick(500, 5_000, None),
            "budget.preview_bytes": pick(0, 50, 500),
            "budget.per_tool": (("Bash", 500),),
            "budget.exempt_tools": pick(("Read",), ()),
            "snip.enabled": pick(True, False),
            "snip.minimum_tokens": pick(0, 50, 500),
            "snip.policy": pick("superseded", "superseded", "finished", "empty", "none"),
            "snip.spares_dependents": pick(True, False),
            "microcompact.enabled": pick(True, True, False),
            "microcompact.strategy": pick(*strategies),
            "microcompact.keep_recent": draw(st.integers(1, 4)),
            "microcompact.age_rounds": draw(st.integers(1, 5)),
            "microcompact.pressure_keep_tokens": 200,
            "microcompact.pressure_save_tokens": pick(0, 300),
            "microcompact.cached_trigger": draw(st.integers(1, 5)),
            "microcompact.api_trigger_tokens": 1_000,
            "microcompact.api_clear_inputs": pick(True, False),
            "microcompact.api_exclude_tools": pick((), ("Bash",)),
            "collapse.enabled": pick(True, False),
            "collapse.suppresses_autocompact": pick(True, False),
            "collapse.engine": pick("structural", "structural", "summarised"),
            "collapse.stage_ahead": pick(0.0, 0.05, 0.3),
            "window.most_pictures": pick(1, 100),
            "window.most_body_bytes": pick(1_000, 1_000, 33_554_432),
            "autocompact.keeps_pictures": pick(True, False),
            "autocompact.counts_transport": pick(True, False),
            "restore.skill_tokens": pick(20, 200),
            "collapse.rounds_left_open": draw(st.integers(1, 4)),
            "autocompact.enabled": pick(True, True, True, False),
            "autocompact.measure": pick("size", "harness"),
            "autocompact.keeps_recent": pick("none", "last exchange"),
            "autocompact.clears_results_first": pick(True, False),
            "autocompact.failures": pick(3, None),
            "autocompact.refills": pick(3, None),
            "restore.files": draw(st.integers(0, 3)),
            "restore.file_tokens": 200,
            "restore.total_tokens": 400,
            "restore.oversize": pick("cut", "path"),
            "session_memory.enabled": pick(True, False, False),
            "session_memory.first_tokens": 500,
            "session_memory.every_tokens": 500,
            "session_memory.every_calls": 1,
            "session_memory.min_tokens": 200,
            "session_memory.max_tokens": 1_000,
        }
    )
