"""The story: one session of a coding agent at Ledgerly, made by rule, the same bytes every time.

The task is to move the payment module from callbacks to async and not to change the public API. That wish, in the first
request, and the failing test that the reply to request 9 runs into are the needles: every layer is judged by whether
they survive. At request 7 half of what fills the window is reads that the replies to requests 2 and 3 asked for. A log
is far too long, an edit fails, lunch lasts 70 minutes, and late on somebody asks about the beginning.

`classroom` fits a window of 20,000 tokens; `full` is ten times as much, for 200,000. What it leaves out: recorded usage;
sizes are counted.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from ..engine.history import History, Source
from ..engine.message import Block
from ..engine.tokens import ClaudeEstimate, Counter
from .build import Builder
from .ledgerly import RULES, Project

MODEL = "claude-opus-4-6"
START = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)
SCALES = {"classroom": 1, "full": 10}
WISH = (
    "Move the payment module from callbacks to async, in all 20 files of payments/. Do not change the public API: "
    "payments/api.py keeps every name and every signature, clients outside this repository import it. "
    "Run the tests after each step and tell me what failed."
)


def story(scale: str = "classroom", *, counter: Counter | None = None) -> History:
    """The session as a History, at the scale `classroom` (20,000 tokens) or `full` (200,000).

    >>> story("classroom").messages[0].blocks[0].text[:31]
    'Move the payment module from ca'
    """
    if scale not in SCALES:
        raise ValueError(f"unknown scale {scale!r}; expected {' or '.join(SCALES)}")
    told = Teller(SCALES[scale], counter or ClaudeEstimate(MODEL))
    morning(told)
    afternoon(told)
    evening(told)
    rules = Block("claude_md", "user", "claude_md", RULES, told.build.count(RULES), "overhead", target="CLAUDE.md")
    notice = "a story made by rule, not a recording; sizes are counted"
    source = Source("story", f"story:{scale}", len(told.build.messages))
    return History(tuple(told.build.messages), (rules,), (notice,), source, model=MODEL, counter=told.build.count)


class Teller:
    """Tells the session: keeps the clock, runs the tools on the invented project, writes the messages down."""

    def __init__(self, scale: int, count: Counter) -> None:
        self.project = Project(scale)
        self.build = Builder(count)
        self.scale = scale
        self.now = START
        self.calls = 0

    def wait(self, minutes: float = 0, seconds: float = 0) -> None:
        """Let time pass."""
        self.now += timedelta(minutes=minutes, seconds=seconds)

    def user(self, text: str) -> None:
        """The user says something."""
        self.wait(seconds=20)
        self.build.user(text, *self.stamp())

    def says(self, text: str) -> None:
        """A reply that ends a turn."""
        self.wait(seconds=9)
        self.build.reply(text, *self.stamp())

    def does(self, text: str, *actions: tuple[str, dict[str, Any]], thinks: str = "") -> None:
        """A reply with calls, and their results."""
        self.wait(seconds=8)
        thought = [{"type": "thinking", "thinking": thinks, "signature": "c3Rvcnk="}] if thinks else []
        said = [{"type": "text", "text": text}] if text else []
        names = [f"toolu_{self.calls + n:04}" for n in range(1, len(actions) + 1)]
        self.calls += len(actions)
        pairs = list(zip(names, actions, strict=True))
        calls = [{"type": "tool_use", "id": i, "name": tool, "input": given} for i, (tool, given) in pairs]
        self.build.reply([*thought, *said, *calls], *self.stamp())
        self.wait(seconds=4)
        results = [self.run(i, tool, given) for i, (tool, given) in pairs]
        self.build.results(results, [self.now.timestamp()] * len(results), self.stamp()[1])

    def run(self, name: str, tool: str, given: dict[str, Any]) -> dict[str, Any]:
        """Run one tool on the project."""
        if tool == "Read":
            text = self.project.read(given["file_path"], given.get("offset", 1), given.get("limit"))
        elif tool == "Grep":
            text = self.project.grep(given["pattern"])
        elif tool == "Edit":
            text = self.project.edit(given["file_path"], given["old_string"], given["new_string"])
        else:
            text = self.bash(given["command"])
        error = text.startswith("String to replace not found")
        return {"type": "tool_result", "tool_use_id": name, "content": text, "is_error": error}

    def bash(self, command: str) -> str:
        """What a command prints."""
        if "DEBUG" in command:
            return self.project.debug_log(lines=560 * self.scale)
        if command.startswith("git"):
            return " payments/callbacks.py | 12 ++++----\n payments/charge.py    | 20 ++++++++-----\n 2 files changed, 19 insertions(+), 13 deletions(-)"
        return self.project.tests(idempotent=self.fixed)

    fixed = False

    def stamp(self) -> tuple[float, str]:
        """The time, in seconds and as it is written."""
        return self.now.timestamp(), self.now.isoformat().replace("+00:00", "Z")

    # What the agent does, as pairs of tool and input

    def read(self, module: str, offset: int | None = None, limit: int | None = None) -> tuple[str, dict[str, Any]]:
        """Read a module, or some lines of it."""
        path = module if "/" in module else f"payments/{module}.py"
        some = {"offset": offset, "limit": limit} if offset and limit else {}
        return "Read", {"file_path": path, **some}

    def edit(self, module: str, operation: int, *, wrong: bool = False) -> tuple[str, dict[str, Any]]:
        """Turn one operation of a module from callbacks to async; a wrong one looks for a text that is not there."""
        path = f"payments/{module}.py"
        old, new = self.project.operation(path, operation)
        return "Edit", {
            "file_path": path,
            "old_string": old.replace("def ", "def  ") if wrong else old,
            "new_string": new,
        }

    def grep(self, pattern: str) -> tuple[str, dict[str, Any]]:
        """Look for a pattern in all files."""
        return "Grep", {"pattern": pattern, "path": "payments", "output_mode": "content"}

    def bash_call(self, command: str) -> tuple[str, dict[str, Any]]:
        """Run a command."""
        return "Bash", {"command": command}


TEST = "pytest -q"


def morning(told: Teller) -> None:
    """Requests 1 to 14: look around, convert the first modules, meet the failing test, and its endless log."""
    told.user(WISH)
    told.does(
        "I look for every place that takes a callback.",
        told.grep("def .*on_done"),
        thinks="The wish names a limit: the public API. First the extent.",
    )
    told.does("The heart of it first.", told.read("callbacks"), told.read("charge"))
    told.does("And what uses them.", told.read("settle"), told.read("refund"), told.read("api"))
    told.does("What is changed already?", told.bash_call("git diff --stat"))
    told.does("I begin with the callbacks.", told.edit("callbacks", 0), told.edit("callbacks", 1))
    told.does("Now charge.", told.edit("charge", 0))
    told.does("Is it as I want it?", told.read("callbacks"), told.read("charge"))
    told.does("Then settle and refund.", told.edit("settle", 0), told.edit("refund", 0))
    told.does(
        "The tests after this step.",
        told.bash_call(TEST),
        thinks="Refunds share a key; awaiting may have changed when it is looked up.",
    )
    told.does("One fails. I read the test.", told.read("tests/test_refund.py"))
    told.does(
        "I need to see the order of the calls.", told.bash_call("pytest -x -vv --log-level=DEBUG tests/test_refund.py")
    )
    told.does("The key is looked up before it is stored.", told.edit("refund", 1))
    told.fixed = True
    told.does("Again.", told.bash_call(TEST))
    told.says(
        "The first step is done: callbacks, charge, settle and refund are async. test_refund_is_idempotent had failed with "
        "40117 == 40118, because the key was looked up before it was stored; it passes now. payments/api.py is unchanged."
    )


def afternoon(told: Teller) -> None:
    """Requests 15 to 34: 70 minutes of lunch, then module after module, a failed edit, and a first burst of reads."""
    told.wait(minutes=70)
    told.user("Back from lunch. Go on with the other modules, and keep payments/api.py as it is.")
    told.does("Capture and payout next.", told.read("capture"), told.read("payout"))
    told.does("", told.edit("capture", 0), told.edit("capture", 1))
    told.does("", told.edit("payout", 0))
    told.does("Checking both.", told.read("capture"), told.read("payout"))
    told.does("", told.bash_call(TEST))
    told.does("Retry next.", told.read("retry"))
    told.does("", told.edit("retry", 0, wrong=True))
    told.does("The text was not there as I remembered it.", told.read("retry"), told.read("webhooks"))
    told.does("", told.edit("retry", 0), told.edit("retry", 1))
    told.does("", told.edit("webhooks", 0), told.edit("webhooks", 2))
    told.does("Who still waits for webhooks?", told.grep("webhooks|finish"))
    told.does("", told.read("gateway"), told.read("session"))
    told.does("", told.edit("gateway", 0), told.edit("session", 0))
    told.does("", told.bash_call(TEST))
    told.does(
        "Now the three large ones together.",
        told.read("pool"),
        told.read("schema"),
        told.read("ledger"),
        told.bash_call("git diff --stat"),
        thinks="They call each other; I need all three in view.",
    )
    told.does("", told.edit("pool", 0), told.edit("pool", 1))
    told.does("", told.edit("schema", 0))
    told.does("", told.edit("ledger", 0), told.edit("ledger", 1))
    told.does("", told.bash_call(TEST))
    told.says("Pool, schema and ledger have begun to move; all tests pass. The public API is still unchanged.")


def evening(told: Teller) -> None:
    """Requests 35 to 58: the large modules again, two more bursts, the rest, and a late question about the start."""
    told.wait(minutes=4)
    told.user("Good. Finish pool, schema and ledger before anything else.")
    told.does("Then I read them again as they are now.", told.read("pool"), told.read("schema"), told.read("ledger"))
    told.does("", told.edit("pool", 2), told.edit("pool", 3), told.edit("pool", 4))
    told.does("", told.edit("schema", 1), told.edit("schema", 2))
    told.does("", told.edit("ledger", 2), told.edit("ledger", 3))
    told.does("", told.bash_call(TEST))
    told.does("Batch next.", told.read("batch"))
    told.does("", told.edit("batch", 0), told.edit("batch", 1))
    told.does("Then the three that write reports.", told.read("export"), told.read("mandates"), told.read("audit"))
    told.does("", told.edit("export", 0), told.edit("export", 1))
    told.does("", told.edit("mandates", 0), told.edit("audit", 0))
    told.does("", told.bash_call(TEST))
    told.says("Pool, schema, ledger, batch, export, mandates and audit are async as far as they go; all tests pass.")
    told.wait(minutes=6)
    told.user("Now the rest: fees and rates, and what is left of capture.")
    told.does("", told.read("fees"), told.read("rates"))
    told.does("", told.edit("fees", 0), told.edit("fees", 1))
    told.does("", told.edit("rates", 0))
    told.does("Are fees and rates right?", told.read("fees"), told.read("rates"))
    told.does("", told.read("capture"))
    told.does("", told.edit("capture", 2))
    told.does("", told.bash_call(TEST))
    told.does("What is left?", told.grep("def .*on_done"))
    told.does("One look at the public API.", told.read("api"))
    told.says("All tests pass; what still takes a callback is listed above. The public API is unchanged.")
    told.wait(minutes=11)
    told.user("What was wrong with the refunds this morning, and did you touch the public API?")
    told.does("I look, so as not to answer from memory.", told.read("refund"), told.read("api"))
    told.says(
        "test_refund_is_idempotent failed with 40117 == 40118: the key was looked up before it was stored. The public API, "
        "payments/api.py, is as it was: no name and no signature changed."
    )
