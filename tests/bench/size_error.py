"""How well the next context is predicted from a recorded reply: usage + output + a count of what was added since.

Run by hand: `CTXLAB_CORPUS=FOLDER python tests/bench/size_error.py`. Left out are replies behind a recorded compaction and
falls below half of the count, as everywhere else; nothing is calibrated here, this is the count against the recording.
"""

from __future__ import annotations

import os
import sys
from io import BytesIO
from pathlib import Path

from ctxlab.engine.tokens import ClaudeEstimate
from ctxlab.sources.branches import live_records
from ctxlab.sources.calibrate import DROP_SHARE, DROP_TOKENS
from ctxlab.sources.claude_code import built, main_thread, model_of
from ctxlab.sources.records import read_records, without_copies
from ctxlab.sources.thread import Thread


def errors(path: Path) -> list[tuple[int, float, float]]:
    """For each reply but the first of a segment: its context, error of the prediction, and of characters / 4 instead."""
    records, _ = without_copies(read_records(BytesIO(path.read_bytes()))[0])
    thread = Thread()
    for record in live_records(main_thread(records)[0])[0]:
        thread.take(record)
    build, index = built(thread, ClaudeEstimate(model_of(thread.drafts)[0]))
    edges = {index[boundary.position] for boundary in thread.boundaries}
    out = []
    previous = None
    for number, message in enumerate(build.messages):
        if number in edges:
            previous = None
        if not message.usage:
            continue
        if previous is not None:
            last, added = build.messages[previous], build.messages[previous + 1 : number]
            counted = max(last.output, last.tokens) + sum(each.tokens for each in added)
            quarter = max(last.output, last.tokens) + sum(
                len(block.text) // 4 for each in added for block in each.blocks
            )
            growth = message.usage - last.usage
            if growth >= counted - max(DROP_SHARE * counted, DROP_TOKENS):
                out.append(
                    (message.usage, abs(counted - growth) / message.usage, abs(quarter - growth) / message.usage)
                )
        previous = number
    return out


def main() -> None:
    """Print the table."""
    folder = os.environ.get("CTXLAB_CORPUS")
    if not folder:
        sys.exit("set CTXLAB_CORPUS to a folder with recordings")
    every = [each for path in sorted(Path(folder).glob("[0-9]*.jsonl")) for each in errors(path)]
    for words, least in (("all", 0), ("context of 1,000 tokens or more (without hand-made parser fixtures)", 1_000)):
        found = [each for each in every if each[0] >= least]
        print(f"\n{words}: {len(found):,} replies\n{'counter':28} {'median':>8} {'p95':>8} {'p99':>8}")
        for name, column in (("cl100k_base x family factor", 1), ("characters / 4", 2)):
            each = sorted(row[column] for row in found)
            print(f"{name:28} " + " ".join(f"{each[int(share * (len(each) - 1))]:8.2%}" for share in (0.5, 0.95, 0.99)))


if __name__ == "__main__":
    main()
