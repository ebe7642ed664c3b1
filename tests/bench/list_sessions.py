"""The list of the recordings on a machine: 2,000 files, beside reading each of them in full.

Run by hand: `python tests/bench/list_sessions.py [folder of recordings]`. The files are copies of those in the folder, or
made here; a full reading is done of every twentieth only, and its time multiplied.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import ctxlab as cl
from ctxlab.engine.tokens import Quarter
from tests.bench.load_memory import write

FILES, EVERY = 2_000, 20


def fill(folder: Path, sources: list[Path]) -> None:
    """Two thousand recordings in forty projects."""
    for number in range(FILES):
        project = folder / f"-srv-project-{number % 40}"
        project.mkdir(exist_ok=True)
        path = project / f"{number}.jsonl"
        if sources:
            path.write_bytes(sources[number % len(sources)].read_bytes())
        elif number:
            path.hardlink_to(folder / "-srv-project-0" / "0.jsonl")
        else:
            write(path, 1, [])


def main() -> None:
    """Print the table."""
    sources = sorted(Path(sys.argv[1]).glob("*.jsonl")) if len(sys.argv) > 1 else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder, sources)
        start = time.perf_counter()
        listed = cl.sessions(folder)
        seconds = time.perf_counter() - start
        start = time.perf_counter()
        for each in list(listed)[::EVERY]:
            cl.load(each.path, counter=Quarter())
        full = (time.perf_counter() - start) * EVERY
        megabytes = sum(each.bytes for each in listed) / 2**20
    print(f"{'files':>6} {'MB':>8} {'list, s':>8} {'reading all, s':>15} {'times':>6}")
    print(f"{len(listed):6,} {megabytes:8,.0f} {seconds:8.2f} {full:15.1f} {full / seconds:6.0f}")


if __name__ == "__main__":
    main()
