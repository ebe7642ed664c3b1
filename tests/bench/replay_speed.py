"""How long a whole replay takes, beside LangChain's summarization middleware where that is installed.

Run by hand: `python tests/bench/replay_speed.py`. The session has the shape that the comparison of other libraries uses:
in every 20 messages a prompt of 200 characters, nine calls with results (800 characters, every 20th 8,000), a closing
text. Times are medians; machines are noisy, so read ratios, not single numbers.

`kept` is a replay with counts and extracted facts kept from an earlier one (what a slider costs); `first` is everything:
encoding, counting, summarising. LangChain gets a stub model; ctxlab is timed with a stub summariser and with its own.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
import sys
import time

import ctxlab as cl
from ctxlab.engine.services import Services
from ctxlab.engine.tokens import ClaudeEstimate, encoding
from ctxlab.sources.messages_api import load_messages

SIZES = (1_000, 10_000)
TOOLS = ("Read", "Grep", "Bash", "Edit")
STUB = "Stub summary. " * 60
ALL_LAYERS = {
    "snip.enabled": True,
    "collapse.enabled": True,
    "collapse.suppresses_autocompact": False,
    "microcompact.strategy": ("gap", "cached"),
    "budget.per_result_chars": 5_000,
    "budget.exempt_tools": (),
}
PROFILES = {
    "v2.1, 200K": ({}, ()),
    "all five, 200K": (ALL_LAYERS, ()),
    "all five, 40K": (
        ALL_LAYERS,
        (
            "window.context_window=40000",
            "window.max_output_tokens=4000",
            "window.warning_tokens=4000",
            "snip.minimum_tokens=500",
        ),
    ),
}


def session(count: int) -> list[dict]:
    """The messages, as the Messages API has them."""
    out: list[dict] = []
    call = 0
    while len(out) < count:
        slot = len(out) % 20
        if slot == 0:
            out.append({"role": "user", "content": "u" * 200})
        elif slot == 19:
            out.append({"role": "assistant", "content": "a" * 200})
        elif slot % 2:
            given = {"file_path": f"/src/f{call % 50}.py"}
            part = {"type": "tool_use", "id": f"call_{call}", "name": TOOLS[call % 4], "input": given}
            out.append({"role": "assistant", "content": [{"type": "text", "text": "t" * 120}, part]})
        else:
            size = 8_000 if call % 20 == 19 else 800
            part = {"type": "tool_result", "tool_use_id": f"call_{call}", "content": f"{call:08}" + "r" * (size - 8)}
            out.append({"role": "user", "content": [part]})
            call += 1
    return out


def timed(work, repeats: int) -> float:
    """Median seconds of some runs."""
    times = []
    for _ in range(repeats):
        gc.collect()
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def stubbed(history: cl.History) -> Services:
    """Offline services whose summariser answers at once, as the stub model of the comparison does."""
    offline = Services.offline(history)
    return Services(offline.archive, offline.count, lambda _: STUB, offline.hooks, offline.workspace)


def langchain_seconds(count: int) -> float | None:
    """The same session through SummarizationMiddleware, turn by turn, trigger 167,000; None where it is missing."""
    try:
        from langchain.agents.middleware import SummarizationMiddleware
        from langchain_core.language_models.fake_chat_models import FakeListChatModel
        from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
    except ImportError:
        return None
    native = []
    for number, message in enumerate(session(count)):
        content = message["content"]
        if isinstance(content, str):
            native.append((HumanMessage if message["role"] == "user" else AIMessage)(content=content, id=str(number)))
        elif message["role"] == "user":
            native.append(
                ToolMessage(content=content[0]["content"], tool_call_id=content[0]["tool_use_id"], id=str(number))
            )
        else:
            call = content[1]
            calls = [{"name": call["name"], "args": call["input"], "id": call["id"]}]
            native.append(AIMessage(content=content[0]["text"], tool_calls=calls, id=str(number)))
    model = FakeListChatModel(responses=[STUB])
    model.profile = {"max_input_tokens": 200_000}
    layer = SummarizationMiddleware(model=model, trigger=("tokens", 167_000), keep=("messages", 20))
    live: list = []
    start = time.perf_counter()
    for message in native:
        if isinstance(message, AIMessage) and live:
            changed = layer.before_model({"messages": live}, None)
            if changed is not None:
                live = list(changed["messages"][1:])
        live.append(message)
    return time.perf_counter() - start


def main() -> None:
    """Print the tables."""
    histories = {count: load_messages(session(count), model="claude-opus-4-6") for count in SIZES}
    langchain = {count: langchain_seconds(count) for count in SIZES}
    print(f"Python {sys.version.split()[0]}, {histories[SIZES[0]].counter.name}\n")
    print(f"{'settings':16} {'messages':>8} {'stub s':>8} {'own s':>8} {'growth':>7} {'LangChain/stub':>15}  acts")
    for name, (values, assigned) in PROFILES.items():
        settings = cl.Settings.profile("v2.1").replace(values).set(*assigned)
        seconds: dict[int, float] = {}
        for count, history in histories.items():
            repeats = 9 if count == SIZES[0] else 5
            result = cl.replay(history, settings)
            seconds[count] = timed(lambda h=history, s=settings: cl.replay(h, s, stubbed(h)), repeats)
            own = timed(lambda h=history, s=settings: cl.replay(h, s), repeats)
            acts: dict[str, int] = {}
            for step in result.steps:
                if step.state == "acted":
                    acts[step.layer] = acts.get(step.layer, 0) + 1
            growth = f"{math.log10(seconds[count] / seconds[SIZES[0]]):.2f}" if count > SIZES[0] else ""
            ratio = f"{langchain[count] / seconds[count]:.0f}x" if langchain[count] else "not installed"
            print(f"{name:16} {count:8,} {seconds[count]:8.4f} {own:8.4f} {growth:>7} {ratio:>15}  {acts}")
    print("\nreplay.at(request).view, 200 random places, milliseconds: median, p95")
    settings = cl.Settings.profile("v2.1").replace(ALL_LAYERS)
    for count, history in histories.items():
        replay = cl.replay(history, settings)
        places = random.Random(1).choices(range(len(replay.exchanges)), k=200)
        times = sorted(timed(lambda r=replay, n=place: r.at(n, "autocompact").view, 1) for place in places)
        print(f"{count:8,}  {1e3 * times[100]:.2f}  {1e3 * times[190]:.2f}")
    print("\nfirst replay (counting included) against encoding the text once + one replay")
    encoding()
    for count in SIZES:
        text = [block.text for block in histories[count].blocks]
        once = timed(lambda t=text: [encoding().encode_ordinary(each) for each in dict.fromkeys(t)], 3)
        messages = session(count)
        first = timed(lambda m=messages: cl.replay(load_messages(m, counter=ClaudeEstimate())), 3)
        kept = timed(lambda h=histories[count]: cl.replay(h), 3)
        print(f"{count:8,}  encode {once:.3f} s, replay {kept:.3f} s, first {first:.3f} s: {first / (once + kept):.2f}")


if __name__ == "__main__":
    main()
