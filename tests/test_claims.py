"""What the articles say, claim by claim: each in the Settings that its row names, and again where evidence says otherwise."""

import itertools
import re
from collections.abc import Callable
from functools import lru_cache

import pytest

import ctxlab as cl
from ctxlab.course.claims import Claim, claims, claims_table
from ctxlab.engine.acts import compact_now, mark
from ctxlab.engine.edit import Cover, Delete, Note, Replace
from ctxlab.engine.history import History
from ctxlab.engine.message import Block
from ctxlab.engine.pipeline import LAYERS
from ctxlab.engine.projection import project, since_boundary
from ctxlab.engine.request import make_request
from ctxlab.engine.settings import Settings
from ctxlab.engine.summary import CLEARED, SummaryRequest
from ctxlab.engine.tokens import ClaudeEstimate, Quarter
from ctxlab.sources.build import Builder
from tests.fakes import Blocking, ScriptedSummariser, Talking, services

Check = Callable[[Settings], None]
CHECKS: dict[str, Check] = {}
OTHERWISE: dict[str, Check] = {}
MINUTE = 60.0


def claim(name: str) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        CHECKS[name] = check
        return check

    return register


def otherwise(name: str) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        OTHERWISE[name] = check
        return check

    return register


# Sessions


@lru_cache(maxsize=1)
def story() -> History:
    return cl.story("classroom")


@lru_cache(maxsize=1)
def full() -> History:
    return cl.story("full")


@lru_cache(maxsize=32)
def run(settings: Settings) -> cl.Replay:
    """The long story under these Settings."""
    return cl.replay(full(), settings)


def by_hand(
    settings: Settings, history: History | None = None, requests: tuple[int, ...] = (-1,), **outside: object
) -> cl.Replay:
    """The short story, compacted by hand at some requests."""
    history = history or story()
    acts = {range(len(history.turns))[at]: [compact_now()] for at in requests}
    return cl.replay(history, settings, services(history, **outside), acts=acts)


def compaction(result: cl.Replay) -> Cover:
    return [edit for edit in result.log if isinstance(edit, Cover) and edit.layer == "autocompact"][-1]


def sent(result: cl.Replay, request: int = -1, layer: str | None = None) -> list[dict]:
    return make_request(result.at(request, layer).view, result.settings).body["messages"]


def idle_hour(tools: tuple[str, ...], minutes: int = 90, overhead: tuple[Block, ...] = ()) -> History:
    """One result of each tool, then a pause."""
    build = Builder(Quarter())
    build.user("go", 0.0)
    for number, tool in enumerate(tools):
        field = "command" if tool == "Bash" else "file_path"
        build.reply(
            [{"type": "tool_use", "id": f"t{number}", "name": tool, "input": {field: f"x{number}"}}], number * MINUTE
        )
        build.results([{"tool_use_id": f"t{number}", "content": "output\n" * 100}], [number * MINUTE + 5])
    build.reply("ok", len(tools) * MINUTE)
    build.user("back", (len(tools) + minutes) * MINUTE)
    return History(tuple(build.messages), overhead)


def edits(result: cl.Replay, layer: str, kind: type) -> list:
    return [edit for edit in result.log if edit.layer == layer and isinstance(edit, kind)]


def of_tool(result: cl.Replay, found: list) -> set[str]:
    return {
        result.history.by_id[name].tool for edit in found for name in (getattr(edit, "blocks", None) or [edit.block])
    }


EIGHT = ("Read", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write")


# article-0


@claim("0.01")
def _(s: Settings) -> None:
    scrolled = [block.id for block in by_hand(s).scroll()]
    assert [name for name in scrolled if name in story().by_id] == [
        b.id for b in story().blocks[: story().turns[-1].stop]
    ]


@claim("0.02")
def _(s: Settings) -> None:
    assert by_hand(s).step(-1, "user").cost.model_calls == 1


@claim("0.03")
def _(s: Settings) -> None:
    assert "compact_boundary" in [block.kind for block in by_hand(s).scroll()]


@claim("0.04")
def _(s: Settings) -> None:
    result = by_hand(s)
    assert compaction(result).put[0].text == "Conversation compacted"
    assert "Conversation compacted" not in str(sent(result))


@claim("0.05")
def _(s: Settings) -> None:
    text = compaction(by_hand(s, summarise=ScriptedSummariser("IT WENT WELL"))).put[1].text
    assert re.match(r"This session continues an earlier conversation .*\nIT WENT WELL", text)


@claim("0.06")
def _(s: Settings) -> None:
    assert [block.kind for block in compaction(by_hand(s)).put] == ["compact_boundary", "summary"]


@claim("0.07")
def _(s: Settings) -> None:
    result = by_hand(s, requests=(20, 40))
    for at in range(len(result.exchanges)):
        view = [block.id for block in result.at(at).view if block.message != "overhead"]
        assert [block.id for block in project(result.scroll(at))] == view


@claim("0.08")
def _(s: Settings) -> None:
    history = story()
    result = cl.replay(history, s.replace("snip.minimum_tokens", 0), acts={5: [mark("toolu_0002/use")]})
    gone = edits(result, "snip", Cover)[0].blocks
    assert "toolu_0002/result" in gone
    assert not set(gone) & {block.id for block in project(result.scroll(5))}
    assert set(gone) & {block.id for block in since_boundary(result.scroll(5))}


@claim("0.09")
def _(s: Settings) -> None:
    result = by_hand(s, requests=(20, 40))
    places = [n for n, block in enumerate(result.scroll()) if block.kind == "compact_boundary"]
    seen = [block.id for block in result.at().view if block.kind == "compact_boundary"]
    assert len(places) == 2
    assert seen == [result.scroll()[places[-1]].id]


@claim("0.10")
def _(s: Settings) -> None:
    result = run(s)
    notice = edits(result, "snip", Cover)[0].append[1]
    at = edits(result, "snip", Cover)[0].request
    assert notice.kind == "notice"
    assert notice.text in str(sent(result, at))


@claim("0.11")
def _(s: Settings) -> None:
    layers = [step.layer for step in run(s).exchanges[0].steps]
    assert layers[0] == "arrive"
    assert layers.index("snip") < layers.index("autocompact") == len(layers) - 1


@claim("0.12")
def _(s: Settings) -> None:
    kinds = [block.kind for block in by_hand(s).at().view if block.message != "overhead"]
    assert kinds[:2] == ["compact_boundary", "summary"]
    assert set(kinds[2:]) >= {"call", "result"}


@claim("0.13")
def _(s: Settings) -> None:
    result = by_hand(s, requests=(20, 40))
    scrolled = [len(result.scroll(at)) for at in range(len(result.exchanges))]
    seen = [len(result.at(at).view) for at in range(len(result.exchanges))]
    assert scrolled == sorted(scrolled)
    assert seen != sorted(seen)


@claim("0.14")
def _(s: Settings) -> None:
    result = by_hand(s)
    hidden = compaction(result).blocks
    assert not set(hidden) & {block.id for block in result.at().view}
    assert all(
        result.read(result.address(name)) == result.history.by_id[name].text
        for name in hidden
        if name in result.history.by_id
    )


@otherwise("0.14")
def _(s: Settings) -> None:
    """On screen, what stands before the newest boundary; the scroll-back here is the disk's, which keeps everything."""
    result = by_hand(s)
    since = {block.id for block in since_boundary(result.scroll())}
    assert {block.id for block in result.scroll()} - since >= set(compaction(result).blocks) & set(result.history.by_id)


# article-1


@claim("1.01")
def _(s: Settings) -> None:
    order = ["snip", "microcompact", "collapse", "autocompact"]
    assert [name for name, _ in LAYERS if name in order] == order
    assert not s.budget.enabled


@claim("1.02")
def _(s: Settings) -> None:
    steps = [step for step in run(s).steps if step.layer == "snip"]
    assert {step.state for step in steps} == {"idle"}
    assert all(step.before == step.after for step in steps)


@otherwise("1.02")
def _(s: Settings) -> None:
    assert "acted" in {step.state for step in run(s).steps if step.layer == "snip"}


@claim("1.03")
def _(s: Settings) -> None:
    assert "snip_boundary" not in {block.kind for block in run(s).scroll()}


@claim("1.04")
def _(s: Settings) -> None:
    assert {step.layer for step in run(s).steps if step.state == "acted"} - {"arrive"} >= {"microcompact"}


@claim("1.05")
def _(s: Settings) -> None:
    result = run(s)
    found = [*edits(result, "microcompact", Replace), *edits(result, "microcompact", Delete)]
    names = [name for edit in found for name in (getattr(edit, "blocks", None) or [edit.block])]
    assert {result.history.by_id[name].kind for name in names} == {"result"}


@claim("1.06")
def _(s: Settings) -> None:
    history = idle_hour((*EIGHT, "mcp__notes__recall", "Task", *["Glob"] * 5))
    assert of_tool(cl.replay(history, s), edits(cl.replay(history, s), "microcompact", Replace)) == set(EIGHT)


@claim("1.07")
def _(s: Settings) -> None:
    assert s.microcompact.strategy == ("gap", "cached")


@claim("1.08")
def _(s: Settings) -> None:
    result = cl.replay(idle_hour(("Read",) * 20, 90), s.replace("microcompact.cached_trigger", 15))
    last = result.step(-1, "microcompact")
    assert last.reason.startswith("gap 90 min ≥ 60")
    assert not [edit for edit in last.edits if isinstance(edit, Delete)]


@claim("1.09")
def _(s: Settings) -> None:
    result = cl.replay(idle_hour(("Read",) * 20, 5), s)
    assert edits(result, "microcompact", Delete)
    assert not edits(result, "microcompact", Replace)


@claim("1.10")
def _(s: Settings) -> None:
    result = cl.replay(idle_hour(("Read",) * 8, 5), s)
    assert result.step(-1, "microcompact").reason == "gap 5 min < 60; 8 results < 12"
    assert not [edit for edit in result.log if edit.layer == "microcompact"]


@claim("1.11")
def _(s: Settings) -> None:
    cleared = [bool(edits(cl.replay(idle_hour(("Read",) * 8, m), s), "microcompact", Replace)) for m in (58, 61)]
    assert cleared == [False, True]
    assert s.microcompact.gap_minutes >= s.window.cache_minutes


@claim("1.12")
def _(s: Settings) -> None:
    result = cl.replay(idle_hour(("Read",) * 8), s)
    assert [edit.block for edit in edits(result, "microcompact", Replace)] == [f"t{n}/result" for n in range(3)]


@claim("1.13")
def _(s: Settings) -> None:
    assert {edit.by.text for edit in edits(cl.replay(idle_hour(("Read",) * 8), s), "microcompact", Replace)} == {
        "[Old tool result content cleared]"
    }


@claim("1.14")
def _(s: Settings) -> None:
    result = cl.replay(idle_hour(("Read",) * 8), s)
    assert str(sent(result, -1, "snip")) != str(sent(result, -1, "microcompact"))
    assert CLEARED in str(sent(result))


@claim("1.15")
def _(s: Settings) -> None:
    history = idle_hour(("Read",) * 20, 5)
    without = cl.replay(history, s.replace("microcompact.enabled", False))
    assert sent(cl.replay(history, s)) == sent(without)


@claim("1.16")
def _(s: Settings) -> None:
    result = cl.replay(idle_hour(("Read",) * 20, 5), s)
    body = make_request(result.at().view, s).body
    named = [edit["cache_reference"] for group in body["cache_edits"] for edit in group["edits"]]
    assert named == [name.removesuffix("/result") for e in edits(result, "microcompact", Delete) for name in e.blocks]


@claim("1.17")
def _(s: Settings) -> None:
    result = cl.replay(idle_hour(("Read",) * 20, 5), s)
    first = edits(result, "microcompact", Delete)[0].request
    counts = [len(make_request(result.at(at).view, s).body.get("cache_edits", [])) for at in (first, first + 1, -1)]
    assert counts[0] == counts[1] == 1
    assert counts[2] >= counts[1]


@claim("1.18")
def _(s: Settings) -> None:
    result = cl.replay(idle_hour(("Read",) * 8), s)
    before, after = (result.at(-1, layer).view for layer in ("snip", "microcompact"))
    assert [block.id for block in before] == [block.id for block in after]
    assert before.tokens > after.tokens


@claim("1.19")
def _(s: Settings) -> None:
    layers = [step.layer for step in run(s).exchanges[0].steps]
    assert layers.index("microcompact") < layers.index("autocompact")


@claim("1.20")
def _(s: Settings) -> None:
    cover = compaction(by_hand(s, hooks=Talking()))
    assert len(cover.blocks) > 20
    assert [block.kind for block in cover.put] == ["compact_boundary", "summary"]
    assert "SessionStart hook" in [block.tool for block in cover.append]


@claim("1.21")
def _(s: Settings) -> None:
    calls = {step.layer: step.cost.model_calls for step in run(s).steps if step.state == "acted"}
    assert (calls["microcompact"], by_hand(s).step(-1, "user").cost.model_calls) == (0, 1)


# article-2


@claim("2.01")
def _(s: Settings) -> None:
    assert s.window.context_window == 200_000


@claim("2.02")
def _(s: Settings) -> None:
    assert s.window.context_window == 1_000_000
    assert s.thresholds.autocompact > 900_000


@otherwise("2.03")
def _(s: Settings) -> None:
    chinese = "上下文窗口里的每一个字都要重新发送一次。" * 50
    english = "Every word in the context window is sent again and again. " * 50
    count = ClaudeEstimate("claude-opus-4-6")
    per_token = [len(text) / count(text) for text in (chinese, english)]
    assert per_token[0] < 1.0
    assert per_token[1] > 3.0


@claim("2.04")
def _(s: Settings) -> None:
    assert sum(tokens for _, tokens in s.overhead.parts()) == 20_000


@otherwise("2.04")
def _(s: Settings) -> None:
    assert sum(tokens for _, tokens in s.overhead.parts()) < 10_000


@claim("2.05")
def _(s: Settings) -> None:
    view = cl.replay(full(), s).at(0).view
    assert view["mcp"].tokens == 51_000


@claim("2.06")
def _(s: Settings) -> None:
    """Unmanaged, at the seventh request: reads that the second and third replies asked for."""
    off = {f"{name}.enabled": False for name, _ in LAYERS}
    view = cl.replay(story(), s.replace(off)).at(6).view
    old = [block for block in view if block.kind == "result" and story().arrived[block.id] < 4]
    said = [block for block in view if block.message != "overhead"]
    assert sum(block.tokens for block in old) > 0.5 * sum(block.tokens for block in said)


@otherwise("2.07")
def _(s: Settings) -> None:
    """The one thing that is known to lie there is the warning line."""
    assert s.thresholds.warning == 147_000


@claim("2.08")
def _(s: Settings) -> None:
    assert sum(getattr(s, name).enabled for name, _ in LAYERS) == 5


@otherwise("2.08")
def _(s: Settings) -> None:
    assert not s.budget.enabled


@claim("2.09")
def _(s: Settings) -> None:
    orders = {tuple(step.layer for step in each.steps if step.layer in dict(LAYERS)) for each in run(s).exchanges}
    assert orders == {("budget", "snip", "microcompact", "collapse", "autocompact")}


@claim("2.10")
def _(s: Settings) -> None:
    states = {step.state for step in run(s).steps if step.layer == "budget"}
    assert states >= {"idle", "acted"}
    assert all(exchange.step("budget") for exchange in run(s).exchanges)


@claim("2.11")
def _(s: Settings) -> None:
    small = shrunk(s)
    result = cl.replay(story(), small)
    cheap = [step for step in result.steps if step.layer in ("budget", "snip", "microcompact", "collapse")]
    assert {step.layer for step in cheap if step.state == "acted"} >= {"collapse", "microcompact"}
    assert sum(step.cost.model_calls for step in cheap) == 0


@otherwise("2.11")
@otherwise("2.26")
def _(s: Settings) -> None:
    result = cl.replay(story(), shrunk(s).replace({"microcompact.enabled": False, "budget.enabled": True}))
    folded = [step for step in result.steps if step.layer == "collapse" and step.cost.model_calls]
    assert folded


def shrunk(settings: Settings) -> Settings:
    """The same rules in the small window of the short story."""
    sizes = cl.Settings.profile("classroom")
    keep = (
        "window.",
        "overhead.",
        "restore.",
        "collapse.commit_at",
        "collapse.fold_until",
        "collapse.rounds_left_open",
    )
    values = {knob.path: knob.value for knob in sizes.knobs() if knob.path.startswith(keep)}
    values.pop("window.reserve_rule")
    return settings.replace({**values, "budget.per_result_chars": 5_000, "snip.minimum_tokens": 300})


def saved(settings: Settings, tool: str, characters: int) -> bool:
    build = Builder(Quarter())
    build.user("go")
    build.reply([{"type": "tool_use", "id": "t", "name": tool, "input": {"command": "x"}}])
    build.results([{"tool_use_id": "t", "content": "x" * characters}])
    return bool(edits(cl.replay(History(tuple(build.messages)), settings), "budget", Replace))


@claim("2.12")
def _(s: Settings) -> None:
    assert [saved(s, tool, n) for tool in ("Bash", "Grep") for n in (50_000, 50_001)] == [False, True] * 2


@otherwise("2.12")
def _(s: Settings) -> None:
    assert [saved(s, "Bash", n) for n in (30_000, 30_001)] == [False, True]
    assert [saved(s, "Grep", n) for n in (20_000, 20_001)] == [False, True]


@claim("2.13")
def _(s: Settings) -> None:
    edit = edits(run(s), "budget", Replace)[0]
    assert "Full output saved to: tool-results/" in edit.by.text
    assert 1_900 < len(edit.by.text.encode()) < 2_300


@claim("2.14")
def _(s: Settings) -> None:
    for edit in edits(run(s), "budget", Replace):
        assert run(s).read(edit.original) == full().by_id[edit.block].text


@claim("2.15")
def _(s: Settings) -> None:
    costs = [step.cost for step in run(s).steps if step.layer == "budget" and step.state == "acted"]
    assert costs
    assert all(cost.model_calls == 0 and cost.writes >= 1 for cost in costs)


@claim("2.16")
def _(s: Settings) -> None:
    assert not any(saved_together(s))


@otherwise("2.16")
def _(s: Settings) -> None:
    assert saved_together(s) == [True, False, False, False, False]


def saved_together(settings: Settings) -> list[bool]:
    """Five parallel results of 45,000 characters: which of them are saved, the largest first."""
    build = Builder(Quarter())
    build.user("go")
    names = [f"t{number}" for number in range(5)]
    build.reply([{"type": "tool_use", "id": n, "name": "WebFetch", "input": {"url": n}} for n in names])
    build.results([{"tool_use_id": n, "content": "x" * (45_000 - at)} for at, n in enumerate(names)])
    result = cl.replay(History(tuple(build.messages)), settings)
    gone = {edit.block for edit in edits(result, "budget", Replace)}
    if gone:
        left = sum(len(b.text) for b in result.at().view if b.kind == "result" and not b.state)
        assert left <= 180_000
    return [f"{name}/result" in gone for name in names]


@claim("2.17")
def _(s: Settings) -> None:
    cover = edits(run(s), "snip", Cover)[0]
    assert tuple(cover.append[0].text.split()) == cover.blocks
    assert not set(cover.blocks) & {block.id for block in run(s).at(cover.request).view}


@claim("2.18")
def _(s: Settings) -> None:
    build = Builder(Quarter())
    build.user("go")
    for number in range(3):
        build.reply([{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "make"}}])
        build.results([{"tool_use_id": f"t{number}", "content": "cc -c x.c\n" * 80, "is_error": number == 0}])
    result = cl.replay(History(tuple(build.messages)), s)
    notices = [cover.append[1].text for cover in edits(result, "snip", Cover)]
    assert "Bash make failed" in notices[0]
    assert "cc -c" not in notices[0]


@claim("2.19")
def _(s: Settings) -> None:
    assert s.snip.spares_dependents
    for relied_on in (False, True):
        build = Builder(Quarter())
        build.user("go")
        steps = [("Read", "a.py"), *([("Edit", "a.py")] if relied_on else []), ("Read", "a.py")]
        for number, (tool, path) in enumerate(steps):
            build.reply([{"type": "tool_use", "id": f"t{number}", "name": tool, "input": {"file_path": path}}])
            build.results([{"tool_use_id": f"t{number}", "content": "x = 1\n" * 100}])
        assert bool(edits(cl.replay(History(tuple(build.messages)), s), "snip", Cover)) is not relied_on


@claim("2.20")
def _(s: Settings) -> None:
    assert set(s.microcompact.tools) == set(EIGHT)


@claim("2.21")
def _(s: Settings) -> None:
    assert s.microcompact.strategy[0] == "age"
    steps = [x for x in run(s).steps if x.layer == "microcompact" and "requests old or more" in x.reason]
    assert steps
    for step in steps:
        for edit in step.edits:
            assert step.request - full().arrived[edit.block] >= s.microcompact.age_rounds


@otherwise("2.21")
def _(s: Settings) -> None:
    assert s.microcompact.strategy == ("gap",)
    assert not edits(cl.replay(idle_hour(("Read",) * 40, 1), s), "microcompact", Replace)


@claim("2.22")
def _(s: Settings) -> None:
    assert {edit.by.text for edit in edits(run(s), "microcompact", Replace)} == {CLEARED}


@claim("2.23")
def _(s: Settings) -> None:
    for edit in edits(run(s), "microcompact", Replace):
        assert run(s).read(edit.original) == full().by_id[edit.block].text


@claim("2.24")
def _(s: Settings) -> None:
    assert sum(step.cost.model_calls for step in run(s).steps if step.layer == "microcompact") == 0


@claim("2.25")
def _(s: Settings) -> None:
    acted = [step.request for step in run(s).steps if step.layer == "microcompact" and step.state == "acted"]
    assert sum(later - earlier == 1 for earlier, later in itertools.pairwise(acted)) >= 9


@otherwise("2.25")
def _(s: Settings) -> None:
    steps = [step for step in run(s).steps if step.layer == "microcompact"]
    assert len(steps) == len(run(s).exchanges)
    assert sum(step.state == "acted" for step in steps) == 1


@claim("2.26")
def _(s: Settings) -> None:
    assert s.collapse.engine == "structural"
    folded = edits(cl.replay(story(), shrunk(s)), "collapse", Cover)
    assert folded
    assert all("folded here. " in cover.put[0].text for cover in folded)


@claim("2.27")
def _(s: Settings) -> None:
    layers = [step.layer for step in run(s).exchanges[0].steps]
    assert layers[-2:] == ["collapse", "autocompact"]


@claim("2.28")
def _(s: Settings) -> None:
    assert not s.collapse.enabled


@claim("2.29")
def _(s: Settings) -> None:
    """What the article itself computes."""
    assert 0.8 <= s.thresholds.autocompact / s.window.context_window < 0.9


@otherwise("2.29")
def _(s: Settings) -> None:
    assert s.thresholds.autocompact / s.window.context_window == 0.835
    assert s.thresholds.warning / s.window.context_window != 0.8


@claim("2.30")
def _(s: Settings) -> None:
    lines = [s.replace("window.max_output_tokens", n).thresholds.effective_window for n in (8_192, 20_000, 32_000)]
    assert lines == [180_000, 180_000, 168_000]


@otherwise("2.30")
def _(s: Settings) -> None:
    lines = [s.replace("window.max_output_tokens", n).thresholds.effective_window for n in (8_192, 20_000, 32_000)]
    assert lines == [191_808, 180_000, 180_000]


@claim("2.31")
def _(s: Settings) -> None:
    assert s.thresholds.effective_window - s.thresholds.autocompact == 13_000


@otherwise("2.31")
def _(s: Settings) -> None:
    assert s.thresholds.effective_window == s.thresholds.autocompact == 200_000


@claim("2.32")
def _(s: Settings) -> None:
    assert s.thresholds.autocompact == 167_000


@claim("2.33")
def _(s: Settings) -> None:
    assert s.window.context_window - s.thresholds.effective_window == 20_000
    assert compaction(by_hand(s)).put[1].tokens < 20_000


@claim("2.34")
def _(s: Settings) -> None:
    step = by_hand(s, hooks=Blocking("exit 2")).step(-1, "user")
    assert (step.state, step.before) == ("failed", step.after)


@claim("2.35")
def _(s: Settings) -> None:
    assert CLEARED in {piece.text for piece in asked_for(s).pieces if piece.kind == "result"}


@otherwise("2.35")
def _(s: Settings) -> None:
    assert CLEARED not in {piece.text for piece in asked_for(s).pieces if piece.kind == "result"}


def asked_for(settings: Settings) -> SummaryRequest:
    """The request for a summary, with microcompact out of the way."""
    scripted = ScriptedSummariser("short")
    by_hand(settings.replace("microcompact.enabled", False), summarise=scripted)
    return scripted.asked[0]


@claim("2.36")
def _(s: Settings) -> None:
    result = by_hand(s)
    for block in story().blocks:
        assert result.read(result.address(block.id)) == block.text


@claim("2.37")
def _(s: Settings) -> None:
    bodies: list[dict] = []
    s = s.replace("autocompact.clears_results_first", False)
    result = by_hand(s, summarise=lambda request: bodies.append(request.fork()) or "short")
    main, fork = sent(result, -1, "arrive"), bodies[0]["messages"]
    assert len(fork) > len(main) - 3
    assert fork[:-1] == main[: len(fork) - 1]
    assert bodies[0]["messages"][-1]["content"][-1]["text"].startswith("Summarise the conversation above")


@claim("2.38")
def _(s: Settings) -> None:
    assert asked_for(s).thinking == "off"


@otherwise("2.38")
def _(s: Settings) -> None:
    assert asked_for(s).thinking == "inherits"


@claim("2.39")
def _(s: Settings) -> None:
    assert asked_for(s).purpose == "compact"
    helper = cl.replay(full(), s.replace("window.context_window", 60_000), purpose="compact")
    assert not edits(helper, "autocompact", Cover)


@claim("2.40")
def _(s: Settings) -> None:
    assert asked_for(s).headings == ("Done", "In progress", "Files", "Tests and errors")


@otherwise("2.40")
def _(s: Settings) -> None:
    assert len(asked_for(s).headings) == 9


@claim("2.41")
def _(s: Settings) -> None:
    assert "file paths, commands, error messages, numbers" in asked_for(s).instruction()
    assert "word by word" in asked_for(s).instruction()
    summary = compaction(by_hand(s)).put[1].text
    assert "payments/api.py" in summary
    assert "40117 == 40118" in summary


@claim("2.42")
def _(s: Settings) -> None:
    view = by_hand(s).at().view
    newest = {block.id for block in story().blocks[story().turns[-1].start : story().turns[-1].stop]}
    assert {block.id for block in view if block.id in story().by_id and block.message != "overhead"} == newest


@otherwise("2.42")
def _(s: Settings) -> None:
    history = story()
    kept = {b.id for b in by_hand(s).at().view if b.id in history.by_id and b.message != "overhead"}
    newest = {block.id for block in history.blocks[history.turns[-1].start : history.turns[-1].stop]}
    prompt = [block.id for block in history.blocks[: history.turns[-1].stop] if block.kind == "user"][-1]
    assert kept > newest
    assert prompt in kept


@otherwise("2.43")
def _(s: Settings) -> None:
    """The list is put together at the end; in it the boundary stands first."""
    kinds = [block.kind for block in by_hand(s).at().view if block.kind in ("compact_boundary", "summary")]
    assert kinds == ["compact_boundary", "summary"]


@claim("2.44")
def _(s: Settings) -> None:
    assert "Ledgerly" in sent(by_hand(s))[0]["content"][0]["text"]


@claim("2.45")
def _(s: Settings) -> None:
    build = Builder(Quarter())
    build.user("go " * 400)
    given = {
        "TodoWrite": {"todos": [{"content": "fees", "status": "pending"}]},
        "ExitPlanMode": {"plan": "first fees"},
        "Task": {"description": "look", "run_in_background": True},
    }
    for name, value in given.items():
        build.reply([{"type": "tool_use", "id": name, "name": name, "input": value}])
        build.results([{"tool_use_id": name, "content": "ok"}])
    build.reply("so far " * 400)
    build.user("next")
    back = compaction(by_hand(s, History(tuple(build.messages)))).append
    assert [block.tool for block in back] == ["plan", "todos", "agents"]


@claim("2.46")
def _(s: Settings) -> None:
    files = [block.target for block in compaction(by_hand(s)).append if block.target]
    assert len(files) == 5 == s.restore.files
    seen = story().blocks[: story().turns[-1].stop]
    reads = [b.target for b in reversed(seen) if b.kind == "result" and b.tool == "Read"]
    in_sight = {b.target for b in seen[story().turns[-1].start :]}
    assert files == [path for path in dict.fromkeys(reads) if path not in in_sight][:5]


def long_file(settings: Settings) -> str:
    history = idle_hour(("Read", "Bash"), 1)
    result = cl.replay(
        history,
        settings.replace({"microcompact.enabled": False}),
        services(history, workspace=Disk()),
        acts={len(history.turns) - 1: [compact_now()]},
    )
    assert result.step(-1, "user").reason
    asked = services(history, workspace=Disk())
    from ctxlab.engine.restore import fitted

    return fitted("x0", Disk().file("x0", 0), settings, asked)


class Disk:
    """A disk on which every file is long."""

    def file(self, path: str, request: int) -> str:
        return "a line of a long file\n" * 2_000

    def memory(self, tier: str, request: int) -> None:
        return None

    def state(self, request: int) -> list:
        return []

    def skills(self, request: int) -> list:
        return []


@claim("2.47")
def _(s: Settings) -> None:
    text = long_file(s)
    assert text.startswith("x0:\na line of a long file")
    assert 4_500 < Quarter()(text) <= 5_000


@otherwise("2.47")
def _(s: Settings) -> None:
    assert long_file(s) == "x0: over 5,000 tokens, read it again where it is needed"


@claim("2.48")
def _(s: Settings) -> None:
    assert s.restore.total_tokens == 50_000
    assert s.restore.files * s.restore.file_tokens < s.restore.total_tokens  # so it never binds


@claim("2.49")
def _(s: Settings) -> None:
    cover = compaction(by_hand(s))
    assert all("def " in block.text for block in cover.append if block.target)
    assert [block for block in cover.append if block.target]
    assert "def " not in cover.put[1].raw["summary"]


@otherwise("2.50")
def _(s: Settings) -> None:
    """It is not, in any profile: the documentation has it as the first user message."""
    body = make_request(by_hand(s).at().view, s).body
    assert "system" not in body
    assert body["messages"][0]["role"] == "user"
    assert "Ledgerly" in body["messages"][0]["content"][0]["text"]


@claim("2.51")
def _(s: Settings) -> None:
    tiers = tuple(
        Block(name, "user", "claude_md", name, 5, "overhead")
        for name in ("claude_md", "claude_md.user", "claude_md.memory")
    )
    result = cl.replay(idle_hour(("Read",), 1, tiers), s)
    assert [part["text"].count("claude_md") for part in sent(result)[0]["content"][:3]] == [1, 1, 1]


class NewRules(Disk):
    def file(self, path: str, request: int) -> None:
        return None

    def memory(self, tier: str, request: int) -> str:
        return "NEW RULES"


@claim("2.52")
def _(s: Settings) -> None:
    assert "NEW RULES" in str(sent(by_hand(s, workspace=NewRules())))


@claim("2.53")
def _(s: Settings) -> None:
    root = Block("claude_md", "user", "claude_md", "the rule", 2, "overhead", target="CLAUDE.md")
    history = History(story().messages, (root,))
    assert "the rule" in str(sent(by_hand(s, history, (20, 40))))


@otherwise("2.53")
def _(s: Settings) -> None:
    build = Builder(Quarter())
    build.user("go")
    build.user("NESTED RULE", kind="attachment", nested="payments/CLAUDE.md")
    build.reply("so far " * 800)
    build.user("next")
    assert "NESTED RULE" not in str(sent(by_hand(s, History(tuple(build.messages)))))


@claim("2.54")
def _(s: Settings) -> None:
    build = Builder(Quarter())
    build.user("go")
    build.reply("I will begin. Remember the path /srv/secret/place, it is needed later.")
    for number in range(6):
        build.reply([{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "ls"}}])
        build.results([{"tool_use_id": f"t{number}", "content": "x" * 2_000}])
    assert "/srv/secret/place" not in str(sent(by_hand(s, History(tuple(build.messages)))))


def with_notes(settings: Settings) -> cl.Replay:
    small = {"session_memory.first_tokens": 1_000, "session_memory.every_tokens": 500, "session_memory.min_tokens": 500}
    return by_hand(settings.replace({**small, "session_memory.max_tokens": 2_000, "microcompact.enabled": False}))


@claim("2.55")
def _(s: Settings) -> None:
    assert "session notes" in with_notes(s).step(-1, "user").reason
    assert with_notes(s).step(-1, "user").cost.model_calls == 0


@otherwise("2.55")
def _(s: Settings) -> None:
    notes = [step for step in with_notes(s).steps if step.layer == "session_memory"]
    assert sum(step.cost.model_calls for step in notes) > 5


@claim("2.56")
def _(s: Settings) -> None:
    result = with_notes(s)
    at = compaction(result).request
    notes = [e.data for e in result.log if isinstance(e, Note) and e.kind == "notes" and e.request < at][-1]
    assert compaction(result).put[1].raw["summary"] == notes.text


@claim("2.57")
def _(s: Settings) -> None:
    result = run(s)
    for block in full().blocks:
        assert result.read(result.address(block.id)) == block.text


@claim("2.58")
def _(s: Settings) -> None:
    def cut(request: SummaryRequest) -> str:
        return "\n".join(piece.text for piece in request.pieces)[-4 * request.limit_tokens :]

    wish = "Do not change the public API"
    assert wish not in str(sent(by_hand(s, summarise=cut)))
    assert wish in str(sent(by_hand(s)))


@claim("2.59")
def _(s: Settings) -> None:
    off = {"budget.enabled": False, "snip.enabled": False, "microcompact.enabled": False, "collapse.enabled": False}
    alone = by_hand(s.replace({**off, "autocompact.clears_results_first": False}), requests=(10,))
    managed = by_hand(s.replace("autocompact.clears_results_first", False), requests=(10,))
    assert alone.step(10, "user").cost.tokens_in > managed.step(10, "user").cost.tokens_in


@claim("2.60")
def _(s: Settings) -> None:
    cheap = {"budget.enabled": False, "snip.enabled": False, "microcompact.enabled": False, "collapse.enabled": False}
    count = [len(edits(run(chosen), "autocompact", Cover)) for chosen in (s, s.replace(cheap))]
    assert count[0] < count[1]


@claim("2.61")
def _(s: Settings) -> None:
    result = run(s)
    prompts = sum(block.kind == "user" for block in full().blocks)
    assert len(result.exchanges) > 10 * prompts
    assert all(exchange.step("autocompact") for exchange in result.exchanges)


# The table itself


@pytest.mark.parametrize("found", [each for each in claims() if each.holds], ids=lambda found: found.id)
def test_each_claim_holds_in_the_settings_of_its_row(found: Claim) -> None:
    CHECKS[found.id](found.settings())


@pytest.mark.parametrize("found", [each for each in claims() if each.otherwise], ids=lambda found: found.id)
def test_where_evidence_says_otherwise_that_holds_in_its_profile(found: Claim) -> None:
    OTHERWISE[found.id](found.other_settings())
    assert found.evidence


def test_every_claim_has_a_test_and_every_test_a_claim() -> None:
    holding = [found.id for found in claims() if found.holds]
    assert holding == sorted(CHECKS, key=lambda name: [int(part) for part in name.split(".")])
    assert all(found.otherwise for found in claims() if not found.holds)
    assert {found.id for found in claims() if found.otherwise} == set(OTHERWISE)
    assert len(claims()) == 96


def test_the_table_shows_all_of_them_and_names_its_articles() -> None:
    assert len(claims_table().rows) == len(claims())
    assert len(claims_table("article-1").rows) == 21
    with pytest.raises(
        ValueError, match="no claim of 'article-9' is listed; known are article-0, article-1, article-2"
    ):
        claims_table("article-9")
