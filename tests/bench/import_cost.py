"""What `import ctxlab` costs: seconds and memory of a whole process, beside an empty one. Run by hand."""

from __future__ import annotations

import statistics
import subprocess
import sys

CODE = "import time, resource; t = time.perf_counter(); {}; print(time.perf_counter() - t, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
CASES = {
    "nothing": "pass",
    "import ctxlab": "import ctxlab",
    "first replay of the story": "import ctxlab as cl; cl.replay(cl.story(), cl.Settings.profile('classroom'))",
}


def main() -> None:
    """Print the table: medians of nine fresh processes."""
    per_megabyte = 1_024 if sys.platform == "linux" else 1_048_576
    print(f"{'case':28} {'seconds':>8} {'MiB':>6}")
    for name, statement in CASES.items():
        found = []
        for _ in range(9):
            done = subprocess.run(
                [sys.executable, "-c", CODE.format(statement)], capture_output=True, text=True, check=True
            )
            found.append([float(word) for word in done.stdout.split()])
        seconds, memory = (statistics.median(each[column] for each in found) for column in (0, 1))
        print(f"{name:28} {seconds:8.3f} {memory / per_megabyte:6.1f}")


if __name__ == "__main__":
    main()
