"""A very large session file: how long it takes to load, and how much memory beside what is kept.

Run by hand: `python tests/bench/load_memory.py [megabytes] [recording]`. Without a recording the lines are made by
repetition: prompts, calls and results, as in B20; a harness's own copy of every result is on the same line. "kept" is
what Python holds when the History is there and nothing else, "peak" the most that it ever held on the way
(`tracemalloc`, which makes it slow); the seconds are of a second run without it.
"""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import ctxlab as cl
from ctxlab.engine.tokens import Quarter

RESULT = 780  # characters: with its envelope and the harness's copy about 1,500 bytes a record on average


def record(number: int) -> dict:
    """One record of the session: a prompt in front, then calls and their results."""
    base = {
        "uuid": f"r{number}",
        "parentUuid": f"r{number - 1}" if number else None,
        "sessionId": "s",
        "cwd": "/project",
    }
    base |= {
        "version": "2.1.40",
        "timestamp": f"2026-01-12T{number // 3_600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}Z",
    }
    if number == 0:
        return {**base, "type": "user", "message": {"role": "user", "content": "go"}}
    if number % 2:
        call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": f"step {number} of many"}}
        return {**base, "type": "assistant", "message": {"id": f"m{number}", "role": "assistant", "content": [call]}}
    text = f"line {number} of a log that goes on and on; " * (RESULT * 2 // 45)
    result = {"type": "tool_result", "tool_use_id": f"t{number - 1}", "content": text}
    own = {"stdout": text, "stderr": "", "interrupted": False}
    return {**base, "type": "user", "message": {"role": "user", "content": [result]}, "toolUseResult": own}


def write(path: Path, megabytes: int, lines: list[bytes]) -> int:
    """Write so many megabytes; how many records."""
    number = size = 0
    with path.open("wb") as file:
        while size < megabytes << 20:
            line = lines[number % len(lines)] if lines else json.dumps(record(number)).encode() + b"\n"
            size += file.write(line)
            number += 1
    return number


def memory(path: Path) -> tuple[float, float, cl.History]:
    """Megabytes kept and at the peak."""
    tracemalloc.start()
    history = cl.load(path, counter=Quarter())
    gc.collect()
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return kept / 2**20, peak / 2**20, history


def main() -> None:
    """Print the table."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    lines = Path(sys.argv[2]).read_bytes().splitlines(keepends=True) if len(sys.argv) > 2 else []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.jsonl"
        records = write(path, megabytes, lines)
        kept, peak, history = memory(path)
        del history
        start = time.perf_counter()
        history = cl.load(path, counter=Quarter())
        seconds = time.perf_counter() - start
    print(
        f"{'file MB':>8} {'records':>9} {'messages':>9} {'kept MB':>8} {'peak MB':>8} {'peak/kept':>9} {'seconds':>8}"
    )
    print(
        f"{megabytes:8,} {records:9,} {len(history.messages):9,} {kept:8,.0f} {peak:8,.0f} {peak / kept:9.2f} {seconds:8.1f}"
    )


if __name__ == "__main__":
    main()
