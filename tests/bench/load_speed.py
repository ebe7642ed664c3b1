"""How load and replay grow with the size of a session, for shapes that tempt a reader into quadratic work.

Run by hand: `python tests/bench/load_speed.py`. Growth is log4 of the time at four times the size: 1.0 is linear, 2.0
quadratic.
"""

from __future__ import annotations

import json
import math
import time

import ctxlab as cl
from ctxlab.engine.tokens import Quarter

SIZES = (2_000, 8_000)
SHAPES = ("plain", "late results", "one reply", "one id", "one file", "torn line")


def session(shape: str, count: int) -> str:
    """A session file of that shape, with so many calls."""
    lines: list[dict] = [{"type": "user", "uuid": "u", "message": "go"}]
    for n in range(count):
        name = "a" if shape == "one id" else f"t{n}"
        given = {"file_path": "x.py" if shape == "one file" else f"{n}.py"}
        call = {"type": "tool_use", "id": name, "name": "Edit" if n % 2 else "Read", "input": given}
        message = {"id": "m" if shape == "one reply" else f"m{n}", "content": [call]}
        lines.append({"type": "assistant", "uuid": f"a{n}", "message": message})
        result = {"type": "tool_result", "tool_use_id": name, "content": f"r{n}"}
        lines.append({"type": "user", "uuid": f"r{n}", "message": {"content": [result]}})
    if shape == "late results":
        lines = [*lines[::2], *lines[1::2]]
    text = "\n".join(json.dumps(line) for line in lines)
    return text + "\n" + '{"a": [' * 30 + '"' + "x" * 200 * count if shape == "torn line" else text


def seconds(text: str) -> tuple[float, float]:
    """Load, and replay."""
    start = time.perf_counter()
    history = cl.load(text, counter=Quarter())
    loaded = time.perf_counter()
    cl.replay(history)
    return loaded - start, time.perf_counter() - loaded


def main() -> None:
    """Print the table."""
    print(f"{'shape':14} {'calls':>7} {'load s':>8} {'replay s':>9} {'growth':>7}")
    for shape in SHAPES:
        before = 0.0
        for count in SIZES:
            load, replay = min(seconds(session(shape, count)) for _ in range(2))
            growth = f"{math.log((load + replay) / before, 4):.2f}" if before else ""
            print(f"{shape:14} {count:7,} {load:8.3f} {replay:9.3f} {growth:>7}")
            before = load + replay


if __name__ == "__main__":
    main()
