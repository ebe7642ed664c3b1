"""Canaries planted inside tool results, followed through every layer to an address where each is read back."""

import random
from collections import Counter

import pytest

import ctxlab as cl
from ctxlab.engine.archive import DiskArchive
from ctxlab.engine.edit import Cover, Delete, Replace
from ctxlab.engine.history import History
from ctxlab.engine.replay import replay
from ctxlab.engine.request import make_request
from ctxlab.engine.tokens import Quarter
from ctxlab.sources.build import Builder
from tests.fakes import services

TOOLS = ("Read", "Bash", "Grep", "Edit", "mcp__memory__search")
MINUTE = 60.0


def planted() -> tuple[History, dict[str, str]]:
    """A long session, always of one shape, and for each result the canary in its middle, another one in every run."""
    rng, chance = random.Random(1), random.SystemRandom()
    build = Builder(Quarter())
    build.user("Work through it.", 0.0)
    canaries: dict[str, str] = {}
    at = 0.0
    for turn in range(70):
        at += MINUTE * (75 if turn == 25 else 1)
        if turn == 25:
            build.user("Back from lunch.", at)
        names = [f"t{turn}.{number}" for number in range(rng.choice((1, 1, 2, 3)))]
        calls, results = [], []
        for name in names:
            tool = rng.choice(TOOLS)
            field = "command" if tool == "Bash" else "file_path"
            calls.append({"type": "tool_use", "id": name, "name": tool, "input": {field: f"part{rng.randrange(12)}"}})
            canary = f"CANARY-{chance.getrandbits(64):016x}"
            canaries[f"{name}/result"] = canary
            filler = "a line of the output\n" * rng.choice((2, 20, 60, 400))
            results.append({"tool_use_id": name, "content": f"{filler}{canary}\n{filler}"})
        build.reply(calls, at)
        build.results(results, [at + 5] * len(results))
    build.reply("Done.", at + 9)
    build.user("And?", at + 20)
    return History(tuple(build.messages)), canaries


def who_hid(result: cl.Replay, block: str) -> str:
    """The layer whose Edit took a result away last, with the address of the original."""
    names = {block}
    last = ""
    for edit in result.log:
        hit = (isinstance(edit, Replace) and edit.block in names) or (
            isinstance(edit, (Cover, Delete)) and names & set(edit.blocks)
        )
        if hit:
            last = edit.layer
            if isinstance(edit, Cover) and edit.layer != "snip":
                names |= {put.id for put in edit.put}
    return last


@pytest.mark.parametrize("collapse", ["on", "off"])
def test_every_canary_is_sent_or_read_back_from_its_address(tmp_path, collapse: str) -> None:
    history, canaries = planted()
    given = services(history, archive=DiskArchive(tmp_path))
    settings = cl.Settings.profile("classroom").set("budget.per_result_chars=3000", "snip.minimum_tokens=100")
    settings = settings.set(f"collapse.enabled={collapse}")
    result = replay(history, settings, given)
    sent = str(make_request(result.at().view, settings).body["messages"])
    paths: Counter[str] = Counter()
    for block, canary in canaries.items():
        if canary in sent:
            paths["still sent"] += 1
            continue
        paths[who_hid(result, block)] += 1
        assert canary in result.read(result.address(block))
        for edit in result.log:
            if isinstance(edit, Replace) and edit.block == block:
                assert canary in result.read(edit.original)
    print(f"collapse {collapse}: {dict(paths)}")

    acted = {step.layer for step in result.steps if step.state == "acted"}
    assert {"budget", "snip", "microcompact", "collapse" if collapse == "on" else "autocompact"} <= acted
    assert sum(paths.values()) == len(canaries)
    assert len(paths) >= 3
    assert "" not in paths


def test_a_saved_canary_is_in_its_file_byte_for_byte(tmp_path) -> None:
    history, canaries = planted()
    archive = DiskArchive(tmp_path)
    result = replay(history, cl.Settings.profile("classroom"), services(history, archive=archive))
    saved = [edit for edit in result.log if isinstance(edit, Replace) and edit.layer == "budget"]

    assert saved
    for edit in saved:
        text = archive.get(edit.original.removeprefix("archive:"))
        assert text == history.by_id[edit.block].text
        assert canaries[edit.block] in text
